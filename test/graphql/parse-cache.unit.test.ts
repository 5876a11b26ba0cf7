/** The cache of documents is bounded by memory (contract: document limits). */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { limits } from '../../src/graphql/document/limits.ts';
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
  const keep = (text: string) => cache.set(text, parse(text), text);
  for (let name = 0; name < 300; name++) keep(terse(100, name));
  expect(cache.get(terse(100, 0))).toBeUndefined();
  expect(cache.get(terse(100, 299))).toBeDefined();
  keep(terse(600, 300));
  expect(cache.get(terse(600, 300))).toBeUndefined();
});

/** The bytes of the heap after a garbage collection. */
const heapBytes = (): number => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
};

test('the errors of a refused document do not retain it', async () => {
  const documents = new Documents(createSchema(catalogue, 'basic'));
  const refuse = async (from: number, count: number) => {
    for (let name = from; name < from + count; name++) {
      const variables = Array.from({ length: 300 }, (_, index) => `$v${index}: Unknown${name}x${index}`);
      const prepared = await documents.prepare(`query (${variables.join(' ')}) { __typename }`, { customerId: 1, signal: undefined });
      expect(prepared).toHaveProperty('refusal');
    }
  };
  await refuse(0, 10);
  const before = heapBytes();
  await refuse(10, 200);
  // A text has 8 KB. Its parsed document takes thirty times as much.
  expect(heapBytes() - before).toBeLessThan(8 * 2 ** 20);
});

test('the cache of errors is bounded by the long texts that its messages retain', async () => {
  const documents = new Documents(createSchema(catalogue, 'basic'));
  const before = heapBytes();
  for (let name = 0; name < 200; name++) {
    // Each text is a separate string, as from a request.
    const text = Buffer.from(`{ ${'x'.repeat(limits.text - 100)}${name} }`).toString();
    expect(await documents.prepare(text, { customerId: 1, signal: undefined })).toHaveProperty('refusal');
  }
  expect(heapBytes() - before).toBeLessThan(8 * 2 ** 20);
});
