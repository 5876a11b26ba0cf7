/** New connections of one owner do not delay those of another (contract: connection limits). */
import { expect, test } from 'vitest';
import { ConnectionPace, maxDelayMs } from '../../src/http/connections/connection-pace.ts';

const delays = (pace: ConnectionPace, owner: number, count: number, now: number) =>
  Array.from({ length: count }, () => pace.delay(owner, now));

test('a single owner is never delayed', () => {
  const pace = new ConnectionPace();
  for (let now = 0; now < 10_000; now += 1) expect(pace.delay(1, now).delayMs).toBe(0);
});

test('while owners compete, a burst passes and the rest follows at a fixed rate', () => {
  const pace = new ConnectionPace();
  pace.see(1, 0);
  pace.see(2, 0);
  const first = delays(pace, 1, 110, 1).map(({ delayMs }) => delayMs);
  expect(first.slice(0, 101)).toEqual(Array(101).fill(0));
  expect(first.slice(101)).toEqual(Array.from({ length: 9 }, (_, index) => (index + 1) * 4));
  expect(pace.delay(2, 2)).toEqual({ delayMs: 0, isRefused: false });
});

test('a request that would wait too long is refused after the maximum wait, and does not delay others', () => {
  const pace = new ConnectionPace();
  pace.see(2, 0);
  const all = delays(pace, 1, 2_000, 1);
  const refused = all.filter(({ isRefused }) => isRefused);
  expect(refused.length).toBeGreaterThan(1_000);
  for (const { delayMs } of refused) expect(delayMs).toBe(maxDelayMs);
  pace.see(2, maxDelayMs);
  expect(pace.delay(1, maxDelayMs).isRefused).toBe(false);
});

test('the pace ends when the other owner stops', () => {
  const pace = new ConnectionPace();
  pace.see(2, 0);
  delays(pace, 1, 300, 1);
  expect(pace.delay(1, 5).delayMs).toBeGreaterThan(0);
  expect(pace.delay(1, 2_000).delayMs).toBe(0);
});
