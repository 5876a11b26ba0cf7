/** Property ids as text in the portal's form. */
import { expect, test } from 'vitest';
import { idsIn, inRanges } from '../../src/web/portal/keys/id-ranges.ts';

test.each([
  ['1001-1003, 1005', [1001, 1002, 1003, 1005]],
  ['7;8\n9 9', [7, 8, 9, 9]],
  ['1-x, -5', ['1-x', '-5']],
  ['', []],
  [null, []],
])('%j are the ids %j', (text, ids) => {
  expect(idsIn(text)).toEqual(ids);
});

test('runs become ranges, in order, and the rest stays', () => {
  expect(inRanges([9, 3, 1, 2, 'x', 7, 6])).toBe('1-3, 6, 7, 9, x');
  expect(inRanges([])).toBe('');
  expect(idsIn(inRanges([5, 6, 7, 20]))).toEqual([5, 6, 7, 20]);
});

test('bad and long ranges are refused before they are made', () => {
  expect(() => idsIn('9-5')).toThrow('The range 9-5 ends before it starts.');
  expect(() => idsIn('1-9999999999')).toThrow('at most 10000 properties');
  expect(() => idsIn('1-6000 10001-16000')).toThrow('at most 10000 properties');
  expect(idsIn('1-10000')).toHaveLength(10_000);
});
