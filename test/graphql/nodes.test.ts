/** Global ids: rows of every table by id, in batches, and only of the caller's customer (contract: global ids). */
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { globalId } from '../../src/graphql/schema/global-ids.ts';
import { camelCase, rowTypeName } from '../../src/graphql/schema/names.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { statementsDuring } from '../support/statements.ts';
import { ask, dataOf } from './client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const tables = [...catalogue.tables.values()];
const idOf = (table: string, key: number | string) => globalId(catalogue.tables.get(table)!, String(key));
const keysOf = async (table: string, key: string, count: number, where = 'true'): Promise<string[]> => {
  const text = `select ${key}::text as key from customer_nord.${table} where ${where} order by ${key} limit ${count}`;
  return (await service.database.pool.query(text)).rows.map((row) => row.key);
};

test.each(tables.map(({ name }) => name))('a row of %s is found by its id', async (name) => {
  const { key } = catalogue.tables.get(name)!;
  const type = rowTypeName(name);
  const [value = ''] = await keysOf(name, key, 1);
  const { node } = await dataOf(service, `{ node(id: "${idOf(name, value)}") { __typename id ... on ${type} { ${camelCase(key)} } } }`);
  expect(node).toEqual({ __typename: type, id: idOf(name, value), [camelCase(key)]: expect.anything() });
  expect(String(node[camelCase(key)])).toBe(value);
});

test('a row has the same id on every path', async () => {
  const { orders } = await dataOf(
    service,
    '{ orders(first: 20) { nodes { id orderId property { id propertyId orders(first: 1) { edges { node { id orderId } } } } } } }',
  );
  for (const { id, orderId, property } of orders.nodes) {
    expect(id).toBe(idOf('orders', orderId));
    expect(property.id).toBe(idOf('properties', property.propertyId));
    const [{ node }] = property.orders.edges;
    expect(node.id).toBe(idOf('orders', node.orderId));
  }
});

const document = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id
  ... on Order { orderId property { address } } ... on Property { propertyId orders(first: 2) { totalCount nodes { id } } } ...more } }
  fragment more on Node { ... on Creditor { name } same: id }`;

test('nodes have the order of their ids, each with its type, with one statement per level', async () => {
  const [orders, properties, creditors] = [
    await keysOf('orders', 'order_id', 3),
    await keysOf('properties', 'property_id', 3),
    await keysOf('creditor', 'creditor_id', 2),
  ];
  const ids = [
    ...orders.map((key) => idOf('orders', key)),
    'no id',
    ...properties.map((key) => idOf('properties', key)),
    ...creditors.map((key) => idOf('creditor', key)),
    idOf('orders', orders[0]!),
  ];
  let answer: { nodes: ({ id: string; __typename: string } | null)[] } = { nodes: [] };
  const statements = await statementsDuring(async () => {
    answer = await dataOf(service, document, { variables: { ids } });
  });
  expect(answer.nodes.map((node) => node?.id ?? 'no id')).toEqual(ids);
  expect(answer.nodes.map((node) => node && Object.keys(node).join())).toEqual([
    ...orders.map(() => '__typename,id,orderId,property,same'),
    null,
    ...properties.map(() => '__typename,id,propertyId,orders,same'),
    ...creditors.map(() => '__typename,id,name,same'),
    '__typename,id,orderId,property,same',
  ]);
  // Orders, properties, creditors. Relations of properties are counted and read once for all of them.
  expect(statements).toHaveLength(5);
});

test('twenty single nodes are one statement', async () => {
  const orders = await keysOf('orders', 'order_id', 20);
  const fields = orders.map((key, index) => `n${index}: node(id: "${idOf('orders', key)}") { id ... on Order { subject } }`).join(' ');
  const statements = await statementsDuring(() => dataOf(service, `{ ${fields} }`));
  expect(statements).toHaveLength(1);
});

describe('an id without a readable row is null', () => {
  const spelled = (text: string) => Buffer.from(text).toString('base64url');
  test.each([
    ['garbage', '%%%'],
    ['nothing', ''],
    ['a table that is none', spelled('nothing:1')],
    ['a property of every object', spelled('constructor:1')],
    ['a raw table', spelled('order_hdr:1')],
    ['a key that no row has', spelled('orders:0')],
    ['a key that is none', spelled('orders:x')],
    ['a key beyond 64 bits', spelled('orders:9223372036854775808')],
    ['no key', spelled('orders:')],
    ['a statement', spelled("orders:1' or true --")],
    ['a NUL', spelled('kontenmapping_ranges:\0')],
  ])('%s', async (_name, id) => {
    const { node, nodes } = await dataOf(service, 'query ($id: ID!) { node(id: $id) { id } nodes(ids: [$id]) { id } }', {
      variables: { id },
    });
    expect([node, nodes]).toEqual([null, [null]]);
  });

  test('another spelling of an id', async () => {
    const [key = ''] = await keysOf('orders', 'order_id', 1);
    for (const id of [
      spelled(`orders:0${key}`),
      spelled(`orders: ${key}`),
      spelled(`orders:+${key}`),
      `${idOf('orders', key)}=`,
      ` ${idOf('orders', key)}`,
    ])
      expect((await dataOf(service, 'query ($id: ID!) { node(id: $id) { id } }', { variables: { id } })).node).toBeNull();
  });

  test('a row of another customer', async () => {
    await service.database.pool.query(
      'update customer_sued.orders set order_id = 987654321 where order_id = (select min(order_id) from customer_sued.orders)',
    );
    const id = idOf('orders', 987654321);
    const asked = `{ node(id: "${id}") { id } nodes(ids: ["${id}"]) { id } }`;
    expect(await dataOf(service, asked)).toEqual({ node: null, nodes: [null] });
    expect(await dataOf(service, asked, { key: keys.suedEnterprise })).toEqual({ node: { id }, nodes: [{ id }] });
  });

  test('a row of a table above the tier, which no fragment can name either', async () => {
    const [key = ''] = await keysOf('orders', 'order_id', 1);
    const id = idOf('orders', key);
    expect(await dataOf(service, `{ node(id: "${id}") { id } }`, { key: keys.nordBasic })).toEqual({ node: null });
    const { errors } = await ask(service, `{ node(id: "${id}") { ... on Order { orderId } } }`, { key: keys.nordBasic });
    expect(errors[0].message).toBe('Unknown type "Order". Did you mean "Node"?');
    const possible = '{ __type(name: "Node") { possibleTypes { name } } }';
    const { __type } = await dataOf(service, possible, { key: keys.nordBasic });
    expect(__type.possibleTypes.map(({ name }: { name: string }) => name)).not.toContain('Order');
  });
});

describe('limits', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => idOf('orders', index));
  const nodes = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';

  test('at most a thousand ids', async () => {
    expect((await dataOf(service, nodes, { variables: { ids: ids(1_000) } })).nodes).toHaveLength(1_000);
    const { errors } = await ask(service, nodes, { variables: { ids: ids(1_001) } });
    expect(errors[0]).toMatchObject({
      message: 'ids: There are 1001, the maximum is 1000',
      extensions: { code: 'INVALID_PARAMETER' },
    });
  });

  test('a node counts like other rows', async () => {
    const [property = ''] = await keysOf('properties', 'property_id', 1);
    const many = Array.from({ length: 101 }, () => idOf('properties', property));
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Property { orders(first: 1000) { nodes { orderId } } } } }';
    const { extensions } = await ask(service, query, { variables: { ids: many.slice(0, 2) } });
    expect(extensions.cost.nodes).toBe(2 + 2_000);
    const { errors } = await ask(service, query, { variables: { ids: many } });
    expect(errors[0].extensions.code).toBe('LIMIT_EXCEEDED');
  });
});

test('Apollo Client stores a row once, whatever its path is', async () => {
  const link = new HttpLink({ uri: `${service.url}/graphql`, headers: { 'X-API-Key': keys.nordEnterprise } });
  const cache = new InMemoryCache({ possibleTypes: { Node: ['Order', 'Property'] } });
  const client = new ApolloClient({ cache, link });
  const { data } = await client.query<{ orders: { nodes: { id: string }[] } }>({
    query: gql`{ orders(first: 1) { nodes { id subject } } }`,
  });
  const { id } = data!.orders.nodes[0]!;
  await client.query({ query: gql`query ($id: ID!) { node(id: $id) { id ... on Order { orderDate } } }`, variables: { id } });
  expect(Object.keys(cache.extract()[`Order:${id}`]!)).toEqual(expect.arrayContaining(['id', 'subject', 'orderDate']));
});
