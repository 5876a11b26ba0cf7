/** The cache of documents is bounded by memory (contract: document limits). */
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { Documents, sizeOf } from '../../src/graphql/document/documents.ts';
import { createSchema } from '../../src/graphql/schema/schema.ts';

const requestContext = { customerId: 1 };
/** A document of many tokens. Each one has another name. */
const terse = (fields: number, name: number) => `query q${name} { ${'__typename '.repeat(fields)} }`;

test('tokens count, not characters', () => {
  const [short, long] = [`{ ${'a{b c d}'.repeat(100)} }`, `query q { ${'aVeryLongNameIndeed '.repeat(100)} }`];
  expect(short.length).toBeLessThan(long.length);
  expect(sizeOf(parse(short))).toBeGreaterThan(4 * sizeOf(parse(long)));
});

test('the least recently used documents are evicted', async () => {
  const documents = new Documents(createSchema(catalogue, 'basic'));
  const prepared = async (name: number) => {
    const result = await documents.prepare(terse(190, name), requestContext);
    if ('errors' in result) throw new Error(result.errors[0]?.message);
    return result.document;
  };
  const [first, last] = [await prepared(0), await prepared(1)];
  for (let name = 2; name < 300; name++) await prepared(name);
  expect(await prepared(299)).toBe(await prepared(299));
  expect(await prepared(0)).not.toBe(first);
  expect(await prepared(1)).not.toBe(last);
});
