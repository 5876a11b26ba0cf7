/** What is kept of documents is bounded by the memory that it takes (contract: document limits). */
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { createDocumentCache, sizeOf } from '../../src/graphql/parse-cache.ts';

const terse = (words: number, name: number) => `query q${name} { ${'a{b c d}'.repeat(words)} }`;

test('tokens count, not characters', () => {
  const [short, long] = [terse(100, 1), `query q { ${'aVeryLongNameIndeed '.repeat(100)} }`];
  expect(short.length).toBeLessThan(long.length);
  expect(sizeOf(parse(short), short)).toBeGreaterThan(4 * sizeOf(parse(long), long));
});

test('the ones asked for longest ago go when there are too many, and large ones are not kept at all', () => {
  const cache = createDocumentCache();
  const keep = (text: string) => cache.set(text, parse(text));
  for (let name = 0; name < 300; name++) keep(terse(100, name));
  expect(cache.get(terse(100, 0))).toBeUndefined();
  expect(cache.get(terse(100, 299))).toBeDefined();
  keep(terse(600, 300));
  expect(cache.get(terse(600, 300))).toBeUndefined();
});
