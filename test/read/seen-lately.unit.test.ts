/** What has been seen lately is known; what was seen long ago is forgotten, so that memory stays bounded. */
import { expect, test } from 'vitest';
import { SeenLately } from '../../src/read/seen-lately.ts';

test('a text is known from the second time on', () => {
  const seen = new SeenLately(100);
  expect([seen.see('a'), seen.see('b'), seen.see('a'), seen.see('b')]).toEqual([false, false, true, true]);
});

test('what comes again stays known, what does not is forgotten in halves', () => {
  const seen = new SeenLately(40);
  seen.see('once');
  for (let n = 100; n < 130; n++) {
    seen.see(`${n}`);
    seen.see('again');
  }
  expect([seen.see('again'), seen.see('129'), seen.see('once'), seen.see('100')]).toEqual([true, true, false, false]);
});

test('a text that is longer than all the room is seen like any other', () => {
  const seen = new SeenLately(10);
  expect([seen.see('x'.repeat(50)), seen.see('x'.repeat(50)), seen.see('y'), seen.see('y')]).toEqual([false, true, false, true]);
});
