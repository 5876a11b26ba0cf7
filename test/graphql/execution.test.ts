/** Execution: the same result as GraphQL's own execution, with the selected columns and a statement for each level. */
import { execute, type GraphQLSchema, isObjectType, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { createSchema } from '../../src/graphql/schema/schema.ts';
import { startService, type TestService } from '../support/service.ts';
import { statementsDuring } from '../support/statements.ts';
import { dataOf } from './client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const documents: Record<string, string> = {
  'aliases at every level': `{ a: orders(first: 2) { n: nodes { id: orderId x: property { k: propertyId } y: property { e: entrance } } } b: orderById(orderId: 0) { orderId } }`,
  'fragments, nested and repeated': `{ orders(first: 3) { ...page ... on OrderConnection { totalCount } } }
    fragment page on OrderConnection { nodes { ...row offer { ...offer } } nodes { subject } pageInfo { hasNextPage endCursor startCursor hasPreviousPage } }
    fragment row on Order { orderId orderTypeLabel offer { offerHdrId } } fragment offer on Offer { offerValue creditor { name __typename } }`,
  'edges beside nodes': `{ orders(first: 3, orderBy: [{ orderType: DESC }]) { __typename edges { cursor __typename node { orderId notification { status } } } nodes { total: totalNet notification { reportDate } } } }`,
  'every kind of value': `{ orders(first: 5) { nodes { orderId totalNet subject orderDate createdAt isInsuranceClaim closedDate } } contractDebits(first: 2) { nodes { contractDebitId } } }`,
  'to-many of parents with and without children': `{ creditor(first: 8) { nodes { creditorId orders(first: 2) { totalCount nodes { orderId } pageInfo { hasNextPage endCursor } } } } notifications(first: 10) { nodes { reporterTenancies(first: 1) { totalCount nodes { tenantId } } reporterOwner { ownerId } } } }`,
  'totals alone': '{ orders { totalCount } offers(filter: { offerAccepted: { eq: true } }) { totalCount } }',
  'nothing but type names': '{ orders(first: 2) { nodes { __typename property { __typename } } pageInfo { __typename } } }',
  'the same table down and up again': `{ technicalObjects(first: 5) { nodes { toId parent { toId children(first: 2) { nodes { toId parent { toId } } } } } } }`,
};

/** The schema without resolvers: a field's value is the property of its response key. */
const typesAlone = (): GraphQLSchema => {
  const schema = createSchema(catalogue, 'enterprise');
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type) && !type.name.startsWith('__')) for (const field of Object.values(type.getFields())) delete field.resolve;
  return schema;
};

describe("rows equal those of GraphQL's own execution", () => {
  test.each(Object.entries(documents))('%s', async (_name, document) => {
    const data = await dataOf(service, document);
    const { catalog: _, ...others } = await dataOf(service, document.replace('{', '{ catalog { category }'));
    expect(JSON.stringify(data)).toBe(JSON.stringify(others));
    const completed = await execute({
      schema: typesAlone(),
      document: parse(document),
      rootValue: data,
      fieldResolver: (parent, _args, _context, { path }) => parent[path.key],
    });
    expect(completed.errors).toBeUndefined();
    expect(JSON.stringify(completed.data)).toBe(JSON.stringify(data));
  });

  test('variables of skip and include give each document its shapes', async () => {
    const query =
      'query ($a: Boolean!, $b: Boolean = false) { orders(first: 1) { nodes { orderId subject @include(if: $a) offer @skip(if: $b) { offerHdrId } } } }';
    for (const [a, b] of [
      [true, true],
      [false, true],
      [true, false],
      [false, undefined],
    ]) {
      const { orders } = await dataOf(service, query, { variables: { a, b } });
      expect(Object.keys(orders.nodes[0])).toEqual(['orderId', ...(a ? ['subject'] : []), ...(b ? [] : ['offer'])]);
    }
  });
});

describe('statements', () => {
  const during = (document: string) => statementsDuring(() => dataOf(service, document));

  test('select only the requested columns and those of relations', async () => {
    const [orders = '', property = ''] = await during('{ orders(first: 1000) { nodes { subject property { entrance } } } }');
    expect(orders).toMatch(
      /^select "t"\."subject" as "subject", "t"\."property_id" as "property_id" from "customer_nord"\."orders" as "t" order by "t"\."order_id" limit/,
    );
    expect(property).toMatch(
      /^select "t"\."property_id" as "link", "t"\."entrance" as "entrance" from "customer_nord"\."properties" as "t" where "t"\."property_id" = any\(\$1::bigint\[\]\)$/,
    );
  });

  test('few related rows are read by a join, each row once', async () => {
    const [statement = ''] = await during('{ orders(first: 5, offset: 600) { nodes { subject property { entrance } } } }');
    expect(statement).toContain('left join "customer_nord"."properties" as "j1" on "j1"."property_id" = "t"."property_id"');
    expect(statement).toMatch(/ order by "t"\."order_id"$/);
  });

  test('more joins than useful become separate statements', async () => {
    const relations = ['property', 'offer', 'creditor', 'technicalObject', 'notification', 'project', 'serviceContract', 'floorArea'];
    const inner = relations.map((name) => `${name} { __typename }`).join(' ');
    expect(await during(`{ orders(first: 5) { nodes { ${inner} } } }`)).toHaveLength(1);
    expect(await during(`{ orders(first: 5) { nodes { ${inner} costAccount { __typename } } } }`)).toHaveLength(2);
  });

  test.each([
    ['two levels of to-one of few', '{ orders(first: 100) { nodes { offer { creditor { name } } notification { status } } } }', 1],
    ['two levels of to-one of many', '{ orders(first: 1000) { nodes { offer { creditor { name } } notification { status } } } }', 4],
    ['to-one below to-many', '{ properties(first: 5) { nodes { orders(first: 10) { nodes { offer { creditor { name } } } } } } }', 2],
    [
      'to-many in to-many',
      '{ properties { nodes { orders(first: 10) { nodes { bookingPositions(first: 2) { nodes { amount: bookingPositionId } } } } } } }',
      3,
    ],
    ['a total only where it is selected', '{ properties { nodes { orders(first: 1) { totalCount nodes { orderId } } } } }', 3],
    ['a total without rows', '{ properties { nodes { orders { totalCount } } } }', 2],
    ['labels of two lists', '{ orders(first: 50) { nodes { orderTypeLabel statusLabel invoiceStatusLabel } } }', 4],
    [
      'one relation asked for twice',
      '{ orders(first: 1000, filter: { offerHdrId: { isNull: false } }) { nodes { offer { offerValue } offer { offerType } } } }',
      2,
    ],
    ['no parents, no more statements', '{ orders(filter: { orderId: { eq: -1 } }) { nodes { offer { creditor { name } } } } }', 1],
  ])('%s', async (_name, document, count) => {
    const statements = await during(document);
    expect(statements).toHaveLength(count);
  });

  test('the number of parents does not matter', async () => {
    const of = (first: number) =>
      during(`{ orders(first: ${first}) { nodes { property { owner { name } } technicalObject { creditor { name } } } } }`);
    // Only the limit of the root is part of its text.
    const shapes = async (first: number) => (await of(first)).map((text) => text.replace(/limit \d+$/, 'limit n'));
    expect(await shapes(1000)).toHaveLength(5);
    expect(await shapes(999)).toEqual(await shapes(501));
  });
});

test('more shapes than a connection caches still work', async () => {
  const columns = ['subject', 'status', 'trade', 'orderType', 'totalNet', 'totalGross', 'orderDate', 'orderNumber', 'currency'];
  const subsets = Array.from({ length: 230 }, (_, bits) => columns.filter((_column, index) => (bits + 1) & (1 << index)));
  for (const subset of subsets) await dataOf(service, `{ orders(first: 1) { nodes { ${subset.join(' ')} } } }`);
  const [prepared] = (await service.database.pool.query('select count(*)::int as count from pg_prepared_statements')).rows;
  expect(prepared.count).toBeLessThan(230);
  await dataOf(service, '{ orders(first: 1) { nodes { subject } } }');
});

test('single rows of one table are one statement for any number of fields', async () => {
  const { orders } = await dataOf(service, '{ orders(first: 30) { nodes { orderId status offer { offerValue } } } }');
  const fields = orders.nodes.map(({ orderId }: { orderId: number }) => `o${orderId}: orderById(orderId: ${orderId}) { ...o }`);
  const query = `{ none: orderById(orderId: -1) { ...o } ${fields.join(' ')} } fragment o on Order { orderId status offer { offerValue } }`;
  let data: Record<string, unknown> = {};
  const statements = await statementsDuring(async () => {
    data = await dataOf(service, query);
  });
  expect(statements).toHaveLength(1);
  const expected = orders.nodes.map((node: { orderId: number }) => [`o${node.orderId}`, node]);
  expect(data).toEqual({ none: null, ...Object.fromEntries(expected) });
  // Rows with different lists are read one by one, each with its own lists only.
  const lists = orders.nodes
    .slice(0, 2)
    .map(
      ({ orderId }: { orderId: number }) => `o${orderId}: orderById(orderId: ${orderId}) { property { orders(first: 1) { totalCount } } }`,
    );
  expect(Object.keys(await dataOf(service, `{ ${lists.join(' ')} }`))).toHaveLength(2);
});
