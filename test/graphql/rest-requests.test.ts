/** REST requests of documents: the same rows and groups as the document itself (contract: REST requests of a document). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../../src/web/graphiql/examples.ts';
import { startService, type TestService } from '../support/service.ts';
import { ask, dataOf } from './client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '0' } });
});
afterAll(() => service.stop());

interface RestRequest {
  readonly field: string;
  readonly path?: string;
  readonly notes: readonly string[];
}

const requestsOf = async (query: string): Promise<readonly RestRequest[]> => {
  const { data, errors } = await ask(service, query, { path: '/graphql/rest' });
  expect(errors).toEqual([]);
  return data.requests;
};

/** The values of a row, without labels, type names and lists of related rows. Null relations have none. */
const valuesOf = (row: unknown, name = ''): readonly string[] => {
  if (Array.isArray(row) || name.endsWith('Label') || name === '__typename' || name === 'id') return [];
  if (row === null) return [];
  if (typeof row !== 'object') return [String(row)];
  if (['totalCount', 'nodes', 'edges', 'groups'].some((part) => part in row)) return [];
  return Object.entries(row).flatMap(([field, value]) => valuesOf(value, field));
};

interface Connection {
  readonly nodes?: readonly object[];
  readonly groups?: readonly object[];
  readonly edges?: readonly { readonly node: object }[];
}
const rowsIn = ({ groups, nodes, edges }: Connection): readonly object[] => groups ?? nodes ?? edges?.map(({ node }) => node) ?? [];

/** The values that are missing among the others. */
const missing = (values: readonly string[], among: readonly string[]): readonly string[] => {
  const left = [...among];
  return values.filter((value) => {
    const at = left.indexOf(value);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
};

/** Examples of which REST cannot say a part, with the reason. */
const withoutRequest: Readonly<Record<string, string>> = {
  'dearest-trades': 'REST has no first groups of each coarser key.',
  'what-there-is': 'Every answer has it in the headers `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`.',
};

test.each(Object.entries(examples))('%s', async (name, query) => {
  const data = await dataOf(service, query);
  const requests = await requestsOf(query);
  expect(requests.length).toBeGreaterThan(0);
  for (const { field, path, notes } of requests) {
    if (path === undefined) {
      expect([name, notes]).toEqual([name, [withoutRequest[name]]]);
      continue;
    }
    const answer = await service.get(path);
    expect([path, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([path, 200, '']);
    const connection = data[field];
    if (!connection || typeof connection !== 'object' || Array.isArray(connection)) continue;
    const expected = rowsIn(connection).map((row) => valuesOf(row));
    const found = (JSON.parse(answer.text) as readonly object[]).map((row) => valuesOf(row));
    if (expected.length === 0) continue;
    expect([path, found.length]).toEqual([path, expected.length]);
    for (const [at, values] of expected.entries()) expect([path, at, missing(values, found[at]!)]).toEqual([path, at, []]);
  }
});

test('conditions, orders and positions of rows', async () => {
  const [rows] = await requestsOf(`{ mine: orders(
    filter: { totalNet: { gte: 1.5 }, not: { trade: { in: ["x", "b,c"] } }, property: { propertyId: { gt: 0 } }, subject: { isNull: false } },
    orderBy: [{ totalNet: DESC }], first: 20, offset: 5) { nodes { orderId offer { offerValue } } } }`);
  const { pathname, searchParams } = new URL(rows!.path!, 'http://host');
  expect([pathname, Object.fromEntries(searchParams)]).toEqual([
    '/operations/orders',
    {
      columns: 'order_id,offer_hdr_id,offer.offer_value',
      where: 'trade:not_in(x,"b,c"),total_net>=1.5,subject:is_not_null,property.property_id>0',
      order: '-total_net',
      limit: '20',
      offset: '5',
    },
  ]);
  expect((await service.get(rows!.path!)).status).toBe(200);
});

test.each([
  ['or: [{ totalNet: { gt: 5 } }, { status: { eq: "new" }, trade: { isNull: true } }]', 'any(total_net>5,all(status=new,trade:is_null))'],
  ['or: [{ totalNet: { gt: 5 } }]', 'any(total_net>5)'],
  ['not: { totalNet: { gt: 5 }, status: { in: ["new"] } }', 'any(total_net<=5,status:not_in(new))'],
  ['not: { or: [{ totalNet: { gt: 5 } }, { status: { eq: "new" } }] }', 'total_net<=5,status!=new'],
  ['property: { or: [{ unitCount: { gt: 5 } }, { city: { eq: "x" } }] }', 'any(property.unit_count>5,property.city=x)'],
  ['assets: { some: { or: [{ assetId: { gt: 5 } }, { assetId: { lt: 2 } }] } }', 'assets:some(any(asset_id>5,asset_id<2))'],
  ['property: {}', 'property.property_id:is_not_null'],
  ['property: { not: { or: [] } }', 'property.property_id:is_not_null'],
  ['or: []', 'REST has no condition that never holds.'],
  ['or: [{}, { totalNet: { gt: 5 } }]', 'REST has no condition that always holds.'],
])('the filter %s', async (filter, expected) => {
  const [rows] = await requestsOf(`{ orders(filter: { ${filter} }, first: 5) { nodes { orderId } } }`);
  expect(rows!.path === undefined ? rows!.notes[0] : new URL(rows!.path, 'http://host').searchParams.get('where')).toBe(expected);
});

test.each([
  ['[]', null],
  ['[{ orderId: ASC }]', null],
  ['[{ orderId: DESC }]', '-order_id'],
  ['[{ totalNet: DESC }]', '-total_net'],
  ['[{ totalNet: DESC }, { orderId: ASC }]', '-total_net,order_id'],
  ['[{ totalNet: ASC }, { orderId: DESC }]', 'total_net,-order_id'],
])('the order %s', async (order, expected) => {
  const [rows] = await requestsOf(`{ orders(orderBy: ${order}, first: 5) { nodes { orderId } } }`);
  expect(new URL(rows!.path!, 'http://host').searchParams.get('order')).toBe(expected);
});

test('a refusal has the errors of GraphQL', async () => {
  const { data, errors } = await ask(service, '{ orders(first: 0) { totalCount } }', { path: '/graphql/rest' });
  expect([data, errors.length]).toEqual([null, 1]);
  expect((await ask(service, '{ nothing }', { path: '/graphql/rest' })).status).toBe(400);
});
