/** Owners of waiting work are served in turn. */
import { expect, test } from 'vitest';
import { nextSlice } from '../../src/scheduling/time-slices.ts';

test('an owner with much waiting work does not delay another', async () => {
  const order: string[] = [];
  const waiting = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'].map((name) => nextSlice(name[0]).then(() => order.push(name)));
  await Promise.all(waiting);
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});
