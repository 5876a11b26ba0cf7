/** Different texts have different keys, and long texts have short ones. */
import { expect, test } from 'vitest';
import { textKey } from '../../src/cache/text-key.ts';

test('a short text is its own key, and a long one has a short key', () => {
  expect(textKey('{ __typename }')).toBe('{ __typename }');
  const long = 'x'.repeat(100_000);
  expect(textKey(long).length).toBeLessThan(60);
  expect(textKey(long)).toBe(textKey('x'.repeat(100_000)));
  expect(textKey(`${long}y`)).not.toBe(textKey(`${long}z`));
});

test('a text that looks like the key of a long one has another key', () => {
  const key = textKey('x'.repeat(100_000));
  expect(textKey(key)).not.toBe(key);
});
