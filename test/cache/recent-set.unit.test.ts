/** Recent texts are known and older ones are forgotten, so that memory is bounded. */
import { expect, test } from 'vitest';
import { RecentSet } from '../../src/cache/response-cache.ts';

test('a text is known from the second time on', () => {
  const seen = new RecentSet(100);
  expect([seen.add('a'), seen.add('b'), seen.add('a'), seen.add('b')]).toEqual([false, false, true, true]);
});

test('repeated texts stay known, others are forgotten in halves', () => {
  const seen = new RecentSet(40);
  seen.add('once');
  for (let n = 100; n < 130; n++) {
    seen.add(`${n}`);
    seen.add('again');
  }
  expect([seen.add('again'), seen.add('129'), seen.add('once'), seen.add('100')]).toEqual([true, true, false, false]);
});

test('a text that is longer than the whole capacity counts like any other', () => {
  const seen = new RecentSet(10);
  expect([seen.add('x'.repeat(50)), seen.add('x'.repeat(50)), seen.add('y'), seen.add('y')]).toEqual([false, true, false, true]);
});
