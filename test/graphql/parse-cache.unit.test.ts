/** The cache of documents is bounded by memory (contract: document limits). */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { createDocumentCache, Documents, sizeOf } from '../../src/graphql/document/prepare.ts';
import { createSchema } from '../../src/graphql/schema/schema.ts';

const terse = (words: number, name: number) => `query q${name} { ${'a{b c d}'.repeat(words)} }`;

test('tokens count, not characters', () => {
  const [short, long] = [terse(100, 1), `query q { ${'aVeryLongNameIndeed '.repeat(100)} }`];
  expect(short.length).toBeLessThan(long.length);
  expect(sizeOf(parse(short), short)).toBeGreaterThan(4 * sizeOf(parse(long), long));
});

test('the least recently used documents are evicted, and large ones are not cached', () => {
  const cache = createDocumentCache();
  const keep = (text: string) => cache.set(text, parse(text));
  for (let name = 0; name < 300; name++) keep(terse(100, name));
  expect(cache.get(terse(100, 0))).toBeUndefined();
  expect(cache.get(terse(100, 299))).toBeDefined();
  keep(terse(600, 300));
  expect(cache.get(terse(600, 300))).toBeUndefined();
});

test('the errors of a refused document do not retain it', async () => {
  const documents = new Documents(createSchema(catalogue, 'basic'));
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const bytes = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const refuse = async (from: number, count: number) => {
    for (let name = from; name < from + count; name++) {
      const variables = Array.from({ length: 300 }, (_, index) => `$v${index}: Unknown${name}x${index}`);
      const prepared = await documents.prepare(`query (${variables.join(' ')}) { __typename }`, { customerId: 1, signal: undefined });
      expect(prepared).toHaveProperty('refusal');
    }
  };
  await refuse(0, 10);
  const before = bytes();
  await refuse(10, 200);
  // A text has 8 KB. Its parsed document takes thirty times as much.
  expect(bytes() - before).toBeLessThan(8 * 2 ** 20);
});
