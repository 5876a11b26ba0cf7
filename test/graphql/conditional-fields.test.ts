/** `@skip` and `@include`: an object whose fields are all excluded is an empty object (contract: conditional fields). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** The text of `data` in a response. */
const dataText = async (query: string, variables: object = {}): Promise<string> => {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'X-API-Key': keys.nordEnterprise, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  expect(text).toMatch(/^\{"data":/);
  return text.replace(/^\{"data":/, '').replace(/(,"extensions":.*)?\}$/, '');
};

const skipped = '@skip(if: true)';
const id = Buffer.from('properties:1001').toString('base64url');

test.each([
  ['the root', `{ orders(first: 1) ${skipped} { totalCount } }`, '{}'],
  ['a connection', `{ orders(first: 1) { totalCount ${skipped} } }`, '{"orders":{}}'],
  ['rows', `{ orders(first: 2) { nodes { orderId ${skipped} } } }`, '{"orders":{"nodes":[{},{}]}}'],
  ['edges', `{ orders(first: 2) { edges { cursor ${skipped} } } }`, '{"orders":{"edges":[{},{}]}}'],
  ['the row of an edge', `{ orders(first: 1) { edges { node { orderId ${skipped} } } } }`, '{"orders":{"edges":[{"node":{}}]}}'],
  ['pageInfo', `{ orders(first: 1) { pageInfo { hasNextPage ${skipped} } } }`, '{"orders":{"pageInfo":{}}}'],
  ['a to-one relation', `{ orders(first: 1) { nodes { property { propertyId ${skipped} } } } }`, '{"orders":{"nodes":[{"property":{}}]}}'],
  [
    'a to-many relation',
    `{ properties(first: 1) { nodes { orders(first: 1) { totalCount ${skipped} } } } }`,
    '{"properties":{"nodes":[{"orders":{}}]}}',
  ],
  ['a row by key', `{ propertyById(propertyId: 1001) { propertyId ${skipped} } }`, '{"propertyById":{}}'],
  ['a row by global id', `{ node(id: "${id}") { id ${skipped} } }`, '{"node":{}}'],
  ['a fragment on another type', `{ node(id: "${id}") { ... on Order { orderId ${skipped} } } }`, '{"node":{}}'],
  ['groups', `{ ordersGroups { groups { count ${skipped} } } }`, '{"ordersGroups":{"groups":[{}]}}'],
  ['the key of groups', `{ ordersGroups { groups { key { orderType ${skipped} } } } }`, '{"ordersGroups":{"groups":[{"key":{}}]}}'],
  ['figures of groups', `{ ordersGroups { groups { sum { totalNet ${skipped} } } } }`, '{"ordersGroups":{"groups":[{"sum":{}}]}}'],
  ['a service field', `{ me { tier ${skipped} } }`, '{"me":{}}'],
  [
    'introspection',
    `{ __schema { queryType { name ${skipped} } } __type(name: "Order") { name ${skipped} } }`,
    '{"__schema":{"queryType":{}},"__type":{}}',
  ],
])('%s', async (_name, query, expected) => {
  expect(await dataText(query)).toBe(expected);
  // The same document with a variable in place of the literal.
  const conditional = query.replaceAll('true', '$off').replace('{', 'query ($off: Boolean!) {');
  expect(await dataText(conditional, { off: true })).toBe(expected);
});

test('a field that is selected twice is present if either selection is included', async () => {
  const query = '{ propertyById(propertyId: 1001) { propertyId @skip(if: true) propertyId @include(if: true) } }';
  expect(await dataText(query)).toBe('{"propertyById":{"propertyId":1001}}');
});

test('bands and computed values of groups can be conditional, with literals and variables', async () => {
  const keyFields = ['tradeOfOrder: trade', 'band: band(of: TOTAL_NET, ranges: [0, 500, 2000])'];
  const values = ['count', 'part: ratio(of: { sum: INVOICED_NET }, to: { sum: TOTAL_NET })', 'rank: rank(of: { count: true })'];
  const fields = [...keyFields, ...values];
  const documentOf = (written: readonly (string | undefined)[]) => {
    const [keysWritten, valuesWritten] = [written.slice(0, keyFields.length), written.slice(keyFields.length)].map((part) =>
      part.filter((field) => field !== undefined).join(' '),
    );
    return `{ ordersGroups { groups { key { __typename ${keysWritten} } __typename ${valuesWritten} } } }`;
  };
  for (let subset = 0; subset < 2 ** fields.length; subset++) {
    const isIncluded = (index: number) => ((subset >> index) & 1) === 1;
    const expected = await dataText(documentOf(fields.map((field, index) => (isIncluded(index) ? field : undefined))));
    const literals = documentOf(fields.map((field, index) => `${field} @include(if: ${isIncluded(index)})`));
    expect([subset, await dataText(literals)]).toEqual([subset, expected]);
    const declared = fields.map((_field, index) => `$v${index}: Boolean!`).join(', ');
    const variables = Object.fromEntries(fields.map((_field, index) => [`v${index}`, !isIncluded(index)]));
    const conditional = `query (${declared}) ${documentOf(fields.map((field, index) => `${field} @skip(if: $v${index})`))}`;
    expect([subset, await dataText(conditional, variables)]).toEqual([subset, expected]);
  }
});
