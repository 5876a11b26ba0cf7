/** Short work shares the time slice of a turn (contract: waiting). */
import { expect, test } from 'vitest';
import { isSliceUsedUp, nextSlice, runInSlice, useSlice } from '../../src/scheduling/time-slices.ts';

test('work runs at once while the slice has room', async () => {
  await nextSlice('first');
  const order: string[] = [];
  const work = runInSlice('first', () => order.push('work'));
  order.push('after');
  await work;
  expect(order).toEqual(['work', 'after']);
});

test('work waits for another turn when the slice is used up', async () => {
  useSlice(100);
  expect(isSliceUsedUp()).toBe(true);
  const order: string[] = [];
  const work = runInSlice('first', () => order.push('work'));
  order.push('after');
  await work;
  expect(order).toEqual(['after', 'work']);
});

test('work that fails uses the slice, too', async () => {
  await nextSlice('first');
  const fails = runInSlice('first', () => {
    useSlice(100);
    throw new Error('fails');
  });
  await expect(fails).rejects.toThrow('fails');
});
