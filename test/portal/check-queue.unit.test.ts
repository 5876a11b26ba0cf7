/** Password checks run one at a time, addresses take turns, and the queue is bounded. */
import { describe, expect, test } from 'vitest';
import { CheckQueue, QueueFull } from '../../src/web/portal/sign-in/check-queue.ts';

/** Checks that end on command, and the order in which they start. */
const attempts = (queue: CheckQueue) => {
  const started: string[] = [];
  const finish: (() => void)[] = [];
  const attempt = (address: string, name = address) =>
    queue.run(address, () => {
      started.push(name);
      return new Promise<string>((resolve) => finish.push(() => resolve(name)));
    });
  /** Ends every check as it starts, until none is left. */
  const drain = async () => {
    for (let index = 0; index < 100; index++) {
      finish.shift()?.();
      await new Promise(setImmediate);
    }
  };
  return { started, attempt, drain, finishOne: () => finish.shift()?.() };
};

const outcomes = async (promises: readonly Promise<string>[]) =>
  (await Promise.allSettled(promises)).map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason));

describe('one check at a time', () => {
  test('the next begins when the previous one ends', async () => {
    const { started, attempt, finishOne, drain } = attempts(new CheckQueue({ perAddress: 4, inAll: 20 }));
    const all = [attempt('a', 'a1'), attempt('a', 'a2'), attempt('b', 'b1')];
    await new Promise(setImmediate);
    expect(started).toEqual(['a1']);
    finishOne();
    await all[0];
    await new Promise(setImmediate);
    expect(started).toEqual(['a1', 'a2']);
    await drain();
    expect(await outcomes(all)).toEqual(['a1', 'a2', 'b1']);
  });

  test('a failed check lets the next one begin', async () => {
    const queue = new CheckQueue({ perAddress: 4, inAll: 20 });
    const failing = queue.run('a', () => Promise.reject(new Error('no memory')));
    const next = queue.run('a', async () => 'done');
    await expect(failing).rejects.toThrow('no memory');
    expect(await next).toBe('done');
    expect(await queue.run('a', async () => 'again')).toBe('again');
  });

  test('a check that arrives while the next one is about to start waits', async () => {
    const { started, attempt, finishOne, drain } = attempts(new CheckQueue({ perAddress: 4, inAll: 20 }));
    const all = [attempt('a', 'a1'), attempt('a', 'a2')];
    await new Promise(setImmediate);
    finishOne();
    await all[0];
    all.push(attempt('b', 'b1'));
    expect(started.length).toBeLessThanOrEqual(2);
    await drain();
    expect(started).toEqual(['a1', 'a2', 'b1']);
  });
});

describe('addresses take turns', () => {
  test('many checks of one address delay another by one check', async () => {
    const { started, attempt, drain } = attempts(new CheckQueue({ perAddress: 4, inAll: 20 }));
    const all = [...Array.from({ length: 5 }, (_, index) => attempt('flood', `flood ${index}`)), attempt('operator')];
    await drain();
    await outcomes(all);
    expect(started.indexOf('operator')).toBe(2);
    expect(started).toHaveLength(6);
  });
});

describe('the queue is bounded', () => {
  test('for each address', async () => {
    const { attempt, drain } = attempts(new CheckQueue({ perAddress: 4, inAll: 20 }));
    const all = Array.from({ length: 8 }, () => attempt('flood'));
    const found = outcomes(all);
    await drain();
    expect((await found).filter((outcome) => outcome instanceof QueueFull)).toHaveLength(3);
  });

  test('in total, and a new address replaces the check of the address with the most waiting checks', async () => {
    const { attempt, started, drain } = attempts(new CheckQueue({ perAddress: 4, inAll: 8 }));
    const running = attempt('running');
    const flood = ['x', 'y'].flatMap((address) => Array.from({ length: 4 }, (_, index) => attempt(address, `${address}${index}`)));
    const found = outcomes([running, ...flood, attempt('operator')]);
    await drain();
    expect(started).toEqual(['running', 'x0', 'y0', 'operator', 'x1', 'y1', 'x2', 'y2', 'y3']);
    expect((await found).filter((outcome) => outcome instanceof QueueFull)).toHaveLength(1);
  });

  test('if every address has one, the next is refused at once', async () => {
    const { attempt, drain } = attempts(new CheckQueue({ perAddress: 4, inAll: 3 }));
    const all = ['running', 'x', 'y', 'z'].map((address) => attempt(address));
    await expect(attempt('late')).rejects.toBeInstanceOf(QueueFull);
    await drain();
    expect(await outcomes(all)).toEqual(['running', 'x', 'y', 'z']);
  });
});
