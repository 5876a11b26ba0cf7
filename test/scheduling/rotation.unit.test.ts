/** Entries of owners are served in turn, and dropped from the longest queue. */
import { expect, test } from 'vitest';
import { Rotation } from '../../src/scheduling/rotation.ts';

const filled = (): Rotation<string> => {
  const rotation = new Rotation<string>();
  for (const entry of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) rotation.push(entry[0], entry);
  return rotation;
};

test('an owner with many entries does not delay another', () => {
  const rotation = filled();
  expect(Array.from({ length: 7 }, () => rotation.next())).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', undefined]);
  expect(rotation.size).toBe(0);
});

test('the newest entry of the longest queue is dropped first', () => {
  const rotation = filled();
  expect([rotation.dropLast(), rotation.dropLast()].sort()).toEqual(['a2', 'a3'].sort());
  expect(rotation.size).toBe(4);
});
