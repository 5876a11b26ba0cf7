/** Documents are prepared once, in the customer's turn of the queue (contract: waiting; GraphQL errors). */
import { expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { Documents } from '../../src/graphql/document/documents.ts';
import { createSchema } from '../../src/graphql/schema/schema.ts';

const documents = new Documents(createSchema(catalogue, 'basic'));
const requestContext = { customerId: 1 };

test('a valid document is parsed once', async () => {
  const [one, other] = [
    await documents.prepare('{ __typename }', requestContext),
    await documents.prepare('{ __typename }', requestContext),
  ];
  if (!('document' in one && 'document' in other)) throw new Error('It was refused');
  expect(other.document).toBe(one.document);
});

test.each([
  ['that is not valid', '{ nothing { x } }', 'GRAPHQL_VALIDATION_FAILED'],
  ['that conflicts with itself', '{ a: __typename a: rateLimit { limit } }', 'GRAPHQL_VALIDATION_FAILED'],
  ['that is no GraphQL', '{ nothing', 'GRAPHQL_PARSE_FAILED'],
  ['that passes a limit', `{ ${'a { '.repeat(11)} b ${'} '.repeat(11)} }`, 'LIMIT_EXCEEDED'],
])('a document %s is refused, each time with the same errors', async (_what, text, code) => {
  const one = await documents.prepare(text, requestContext);
  const other = await documents.prepare(text, requestContext);
  expect(one).toMatchObject({ errors: [{ extensions: { code, http: { status: 400 } } }] });
  expect(other).toEqual(one);
});

test('many documents of one customer do not delay another customer', async () => {
  const large = (index: number) => `{ ${Array.from({ length: 900 }, (_, i) => `x${index}y${i}`).join(' ')} }`;
  const ended: number[] = [];
  const prepare = (customerId: number, index: number) =>
    documents.prepare(large(index), { customerId }).then(() => {
      ended.push(customerId);
    });
  await Promise.all([...Array.from({ length: 60 }, (_, index) => prepare(1, index)), prepare(2, 60)]);
  expect(ended).toHaveLength(61);
  expect(ended.indexOf(2)).toBeLessThan(30);
});

test('an abandoned document leaves the queue', async () => {
  const signal = AbortSignal.abort();
  const others = Array.from({ length: 40 }, (_, i) => documents.prepare(`{ ${'__typename '.repeat(900)} a${i} }`, { customerId: 3 }));
  const answer = documents.prepare(`{ ${'__typename '.repeat(901)} }`, { customerId: 3, signal });
  await expect(answer).rejects.toMatchObject({ kind: 'abandoned' });
  await Promise.all(others);
});
