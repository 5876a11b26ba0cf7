/** Admission by customer is fair and bounded, and waiting requests can leave (contract: waiting). */
import { expect, test, vi } from 'vitest';
import { Queue } from '../../src/scheduling/queue.ts';

const limits = { slots: 4, waiting: 100, waitMs: 60_000 };
const [one, two, three] = [1, 2, 3];
const failureOf = (entering: Promise<unknown>) =>
  entering.then(
    () => 'admitted',
    (error) => error.kind,
  );

/** Enters the queue and records the admission. */
const entering = (queue: Queue, customerId: number, order: string[], name: string, signal?: AbortSignal) =>
  queue.enter(customerId, signal).then((leave) => {
    order.push(name);
    return leave;
  });

test('one customer holds half of the slots, and another is admitted at once', async () => {
  const queue = new Queue({ name: 'test', ...limits });
  const order: string[] = [];
  const held = [0, 1, 2, 3].map((i) => entering(queue, one, order, `one ${i}`));
  const other = await entering(queue, two, order, 'two');
  expect(order).toEqual(['one 0', 'one 1', 'two']);
  expect(queue.state).toEqual({ inUse: 3, waiting: 2 });
  other();
  (await held[0])!();
  (await held[2])!();
  (await held[3])!();
  expect(order).toEqual(['one 0', 'one 1', 'two', 'one 2', 'one 3']);
});

test('the customer with the fewest slots comes first, then the one that was served longest ago', async () => {
  const queue = new Queue({ name: 'test', ...limits, slots: 2 });
  const order: string[] = [];
  const first = await queue.enter(one);
  const second = await queue.enter(two);
  const waiting = [
    entering(queue, one, order, 'one a'),
    entering(queue, one, order, 'one b'),
    entering(queue, three, order, 'three a'),
    entering(queue, two, order, 'two a'),
    entering(queue, three, order, 'three b'),
  ];
  first();
  // Of the customers without a slot, customer one waits longest.
  await waiting[0];
  second();
  await waiting[2];
  (await waiting[0]!)();
  await waiting[3];
  (await waiting[2]!)();
  await waiting[1];
  (await waiting[3]!)();
  await waiting[4];
  expect(order).toEqual(['one a', 'three a', 'two a', 'one b', 'three b']);
});

test('beyond its number of waiting requests only this customer is busy', async () => {
  const queue = new Queue({ name: 'test', ...limits, slots: 1, waiting: 2 });
  const leave = await queue.enter(one);
  const waiting = [queue.enter(one), queue.enter(one)];
  expect(await failureOf(queue.enter(one))).toBe('busy');
  const other = queue.enter(two);
  leave();
  (await waiting[0]!)();
  (await other)();
  (await waiting[1]!)();
  expect(queue.state).toEqual({ inUse: 0, waiting: 0 });
});

test('a request that waits too long gets busy with a Retry-After', async () => {
  vi.useFakeTimers();
  const queue = new Queue({ name: 'test', ...limits, slots: 1, waitMs: 5_000 });
  const leave = await queue.enter(one);
  const waiting = queue.enter(two).catch((error) => error);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await waiting).toMatchObject({ kind: 'busy', status: 503, headers: { 'Retry-After': '5' } });
  expect(queue.state).toEqual({ inUse: 1, waiting: 0 });
  leave();
  vi.useRealTimers();
});

test('an aborted request leaves the queue, and the next one moves up', async () => {
  const queue = new Queue({ name: 'test', ...limits, slots: 1 });
  const order: string[] = [];
  const leave = await queue.enter(one);
  const gone = new AbortController();
  const abandoned = failureOf(queue.enter(two, gone.signal));
  const next = entering(queue, three, order, 'three');
  gone.abort();
  expect(await abandoned).toBe('abandoned');
  expect(await failureOf(queue.enter(two, gone.signal))).toBe('abandoned');
  leave();
  leave();
  (await next)();
  expect(queue.state).toEqual({ inUse: 0, waiting: 0 });
});
