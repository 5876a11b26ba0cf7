/** Documents become trees of plans, with the bounds, columns and relations of each level (contract: GraphQL connections). */
import { parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { type LevelPlan, type OperationPlan, planOperation } from '../../src/graphql/execution/plan.ts';
import { globalId } from '../../src/graphql/schema/global-ids.ts';
import { createSchema } from '../../src/graphql/schema/schema.ts';
import { selectOperation } from '../../src/graphql/selection/select.ts';
import { createCursors, keysetOf } from '../../src/plan/cursor.ts';
import type { Plan } from '../../src/plan/plan.ts';

const schema = createSchema(catalogue, 'enterprise');
const cursors = createCursors('secret');
const customer = { id: 7, schema: 'customer_7' };

const planned = (query: string, variables: Readonly<Record<string, unknown>> = {}): OperationPlan => {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  const selection = selectOperation(schema, document, undefined, variables);
  return planOperation(selection, { catalogue, customer, scope: undefined, cursors, variables });
};

/** The level of the first root field, which is a connection. */
const levelOf = (query: string): LevelPlan => {
  const [root] = planned(query).roots;
  if (root?.is !== 'connection') throw new Error('The first root field is no connection');
  return root.levelPlan;
};

/** The levels of the rows of the first root field, which requests rows by key. */
const rowsOf = (query: string, variables?: Readonly<Record<string, unknown>>) => {
  const [root] = planned(query, variables).roots;
  if (root?.is !== 'rows') throw new Error('The first root field requests no rows by key');
  return root.rows;
};

const ofOrders = (values: string, fields = 'nodes { orderId }'): Plan => levelOf(`{ orders${values} { ${fields} } }`).plan;

/** A cursor that belongs to the plan of these orders. */
const cursorOf = (values: string, row: readonly (string | null)[]): string => keysetOf(cursors, ofOrders(values)).sign(row);

const failure = (query: string): unknown => {
  try {
    planned(query);
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('a page', () => {
  test('has 100 rows from the start by default', () => {
    const { source, limit, offset, after, isBackward, columns, groups } = ofOrders('');
    expect({ limit, offset, after, isBackward, columns, groups }).toEqual({
      limit: 100,
      offset: 0,
      after: undefined,
      isBackward: undefined,
      columns: ['order_id'],
      groups: undefined,
    });
    expect(source).toMatchObject({ schema: 'customer_7', customerId: 7, kind: 'category', name: 'orders', scope: undefined });
  });

  test.each([
    ['(first: 1, offset: 3)', { limit: 1, offset: 3 }],
    ['(first: 1000, offset: 500000)', { limit: 1_000, offset: 500_000 }],
    ['(first: null, offset: null)', { limit: 100, offset: 0 }],
    ['(last: 7)', { limit: 7, isBackward: true }],
    ['(last: 7, first: null, after: null, offset: 0)', { limit: 7, isBackward: true }],
    ['(first: 7, last: null, before: "")', { limit: 7, isBackward: undefined }],
  ])('orders%s', (values, expected) => {
    expect(ofOrders(values)).toMatchObject(expected);
  });

  test.each([
    ['(first: 0)', 'first: Input should be greater than or equal to 1'],
    ['(first: 1001)', 'first: Input should be less than or equal to 1000'],
    ['(last: 0)', 'last: Input should be greater than or equal to 1'],
    ['(last: 1001)', 'last: Input should be less than or equal to 1000'],
    ['(offset: -1)', 'offset: Input should be greater than or equal to 0'],
    ['(offset: 500001)', 'offset: Input should be less than or equal to 500000'],
    ['(after: "x")', 'after: The cursor is not valid for this table, filter and order'],
    ['(before: "x")', 'before: The cursor is not valid for this table, filter and order'],
    ...['(last: 1, first: 1)', '(last: 1, after: "x")', '(last: 1, offset: 1)'].map((values) => [
      values,
      'last: Use first, after and offset, or last and before, but not both',
    ]),
    ['(before: "x", first: 1)', 'before: Use first, after and offset, or last and before, but not both'],
  ])('orders%s is refused with the field and its path', (values, message) => {
    expect(failure(`{ mine: orders${values} { totalCount } }`)).toMatchObject({
      message,
      path: ['mine'],
      extensions: { code: 'INVALID_PARAMETER' },
      nodes: [{ kind: 'Field', alias: { value: 'mine' } }],
    });
  });

  test('a cursor continues in both directions, and only without an offset', () => {
    const cursor = cursorOf('', ['42']);
    expect(ofOrders(`(after: "${cursor}")`)).toMatchObject({ after: ['42'], isBackward: undefined });
    expect(ofOrders(`(after: "${cursor}", offset: 0)`)).toMatchObject({ after: ['42'] });
    expect(ofOrders(`(before: "${cursor}")`)).toMatchObject({ after: ['42'], isBackward: true, limit: 100 });
    expect(failure(`{ orders(after: "${cursor}", offset: 1) { totalCount } }`)).toMatchObject({
      message: 'after: A cursor cannot be combined with an offset greater than 0',
    });
  });

  test('an error in a list of related rows has the path of its root field', () => {
    expect(failure('{ all: properties { nodes { orders(first: 0) { totalCount } } } }')).toMatchObject({
      message: 'first: Input should be greater than or equal to 1',
      path: ['all'],
      nodes: [{ name: { value: 'orders' } }],
    });
  });

  test('required filters apply to root fields only', () => {
    const code = 'MISSING_FILTERS';
    expect(failure('{ bookingPositions { totalCount } }')).toMatchObject({
      message: 'Missing required filter(s): propertyId, fiscalYear',
      extensions: { code },
    });
    expect(failure('{ bookingHeader { totalCount } }')).toMatchObject({
      message: 'Missing required filter(s): fiscalYear',
      extensions: { code },
    });
    expect(failure('{ bookingHeader(filter: { fiscalYear: { eq: 2024 } }) { totalCount } }')).toBeUndefined();
    expect(failure('{ properties { nodes { bookingPositions { totalCount } } } }')).toBeUndefined();
  });
});

describe('the columns of a level', () => {
  test.each([
    ['nodes { subject orderId subject }', ['subject', 'order_id']],
    ['totalCount', ['order_id']],
    ['nodes { __typename }', ['order_id']],
    ['edges { cursor }', ['order_date', 'order_id']],
    ['edges { node { orderId } cursor }', ['order_id', 'order_date']],
    ['edges { node { subject } }', ['subject']],
    ['pageInfo { hasNextPage } nodes { subject }', ['subject']],
    ['pageInfo { startCursor }', ['order_date', 'order_id']],
    ['pageInfo { endCursor } nodes { subject }', ['subject', 'order_date', 'order_id']],
  ])('%s', (fields, columns) => {
    expect(ofOrders('(orderBy: [{ orderDate: ASC }])', fields).columns).toEqual(columns);
  });

  test('groups have their number of rows if nothing else is selected, and their total number if it is', () => {
    const groupsOf = (fields: string) => levelOf(`{ ordersGroups { ${fields} } }`).plan;
    expect(groupsOf('groups { __typename }')).toMatchObject({ columns: ['count'], limit: 100 });
    expect(groupsOf('groups { key { propertyId } count } totalCount').columns).toContain('total');
    expect(groupsOf('groups { key { propertyId } count }').columns).not.toContain('total');
  });
});

describe('the cost', () => {
  test.each([
    ['{ orders(first: 10) { nodes { orderId subject } } }', { nodes: 10, values: 21 }],
    ['{ properties(first: 10) { nodes { orders(first: 5) { nodes { orderId } } } } }', { nodes: 60, values: 71 }],
    ['{ orders(first: 10) { nodes { property { propertyId } } } }', { nodes: 20, values: 21 }],
    ['{ orders(first: 10) { nodes { property { orders(first: 3) { totalCount } } } } }', { nodes: 50, values: 31 }],
    ['{ ordersGroups(first: 10) { groups { count } } }', { nodes: 1, values: 2 }],
    ['{ ordersGroups(first: 10) { groups { key { propertyId } } } }', { nodes: 10, values: 21 }],
    ['{ orderById(orderId: 1) { orderId subject } }', { nodes: 1, values: 2 }],
    ['{ orderById(orderId: 1) { property { unitCount } } }', { nodes: 2, values: 2 }],
  ])('%s', (query, cost) => {
    const { nodes, values } = planned(query).cost;
    expect({ nodes, values }).toEqual(cost);
  });

  test('rows by global id count for each id, and each id counts as a value', () => {
    const ids = ['1', '1', '2'].map((key) => globalId(catalogue.tables.get('orders')!, key));
    const { nodes, values } = planned('query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Order { subject } } }', { ids }).cost;
    expect({ nodes, values }).toEqual({ nodes: 3, values: 9 });
  });

  test.each([
    ['a condition', `filter: { or: [${'{ orderId: { eq: 1 } }'.repeat(1_000)}] }`, ''],
    ['an order', `orderBy: [${'{ property: { plotAreaSqm: DESC } }'.repeat(26)}]`, ''],
  ])('%s counts', (_what, values) => {
    expect(failure(`{ orders(${values}) { totalCount } }`)).toMatchObject({
      message: expect.stringContaining('for terms'),
      extensions: { code: 'LIMIT_EXCEEDED' },
    });
  });

  test('filtered values of groups count', () => {
    const filter = `{ or: [${'{ orderId: { eq: 1 } }'.repeat(1_000)}] }`;
    expect(failure(`{ ordersGroups { groups { count(filter: ${filter}) } } }`)).toMatchObject({
      message: expect.stringContaining('for terms'),
    });
  });
});

describe('related rows', () => {
  test('a page of at most 500 rows reads them by the same statement', () => {
    const related = (first: number) => levelOf(`{ orders(first: ${first}) { nodes { orderId subject property { unitCount } } } }`);
    const { plan, relations } = related(500);
    expect(relations).toMatchObject([
      { position: 3, link: { column: 'property_id', isUnique: true }, plan: { limit: 1, columns: ['unit_count'] } },
    ]);
    expect(plan.joinedRows).toMatchObject([{ on: 'property_id', plan: { source: { name: 'properties' } } }]);
    expect(related(501)).toMatchObject({ plan: { joinedRows: [] }, relations: [{ position: undefined }] });
  });

  test('the positions of several follow one another', () => {
    const { relations } = levelOf(
      '{ orders { nodes { orderId property { unitCount } offer { offerValue statusText } project { status } } } }',
    );
    const positions = relations.map(({ position }) => position);
    expect(positions[1]! - positions[0]!).toBe(2);
    expect(positions[2]! - positions[1]!).toBe(3);
  });

  test('a statement has at most eight joins', () => {
    const chain = (length: number): string =>
      length === 0 ? 'propertyId' : `property { ${chain(0)} } parentProject { ${chain(length - 1)} }`;
    const joins = ({ plan }: LevelPlan): number => {
      const count = (each: Plan): number => each.joinedRows.reduce((sum, { plan: inner }) => sum + 1 + count(inner), 0);
      return count(plan);
    };
    expect(joins(levelOf(`{ projects { nodes { ${chain(4)} } } }`))).toBe(8);
    const beyond = levelOf(`{ projects { nodes { ${chain(5)} } } }`);
    expect(joins(beyond)).toBeLessThanOrEqual(8);
    expect(beyond.relations.some(({ position }) => position === undefined)).toBe(true);
  });

  test('a list has its own statement, and its link is not unique', () => {
    const { plan, relations } = levelOf('{ properties(first: 2) { nodes { orders(first: 3) { nodes { subject } } } } }');
    expect(plan.joinedRows).toEqual([]);
    expect(relations).toMatchObject([
      { position: undefined, link: { column: 'property_id', isUnique: false }, plan: { limit: 3, offset: 0, columns: ['subject'] } },
    ]);
  });

  test('a row without selected columns has its key', () => {
    const { relations } = levelOf('{ orders { nodes { property { __typename } } } }');
    expect(relations).toMatchObject([{ plan: { columns: ['property_id'] } }]);
  });
});

describe('rows by key', () => {
  test('the key is a text of its kind', () => {
    expect(rowsOf('{ orderById(orderId: 42) { subject } }')).toMatchObject([
      { key: '42', levelPlan: { plan: { columns: ['subject'], limit: 1, offset: 0, order: [], where: undefined, after: undefined } } },
    ]);
    expect(rowsOf('{ budgetById(budgetId: "42") { __typename } }')).toMatchObject([{ key: '42' }]);
    expect(rowsOf('{ propertyStructureById(floorAreaId: "A 1") { __typename } }')).toMatchObject([{ key: 'A 1' }]);
  });

  test('a key beyond 64 bits has no row', () => {
    expect(rowsOf('{ budgetById(budgetId: "9223372036854775808") { __typename } }')).toEqual([undefined]);
  });

  test('ids of one table share a plan, and an id without a table has no row', () => {
    const [order, other] = ['1', '2'].map((key) => globalId(catalogue.tables.get('orders')!, key));
    const property = globalId(catalogue.tables.get('properties')!, '5');
    const [first, none, second, third] = rowsOf('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: [order, 'x', other, property] });
    expect([first, none, second, third].map((row) => row?.key)).toEqual(['1', undefined, '2', '5']);
    expect(first?.levelPlan).toBe(second?.levelPlan);
    expect(third?.levelPlan.plan.source.name).toBe('properties');
    expect(rowsOf('query ($id: ID!) { node(id: $id) { id } }', { id: order })).toMatchObject([{ key: '1' }]);
  });

  test('at most 1,000 ids', () => {
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    expect(rowsOf(query, { ids: Array(1_000).fill('x') })).toHaveLength(1_000);
    expect(() => planned(query, { ids: Array(1_001).fill('x') })).toThrow('ids: There are 1001, the maximum is 1000');
  });
});

test('an operation has the tables of its rows, filters and orders, and its orders without an index', () => {
  const { tables, unindexedOrders, roots } = planned(`{
    orders(filter: { offer: { offerValue: { gt: 1 } } }, orderBy: [{ project: { projectHdrId: ASC } }, { orderId: DESC }]) {
      nodes { notification { status } }
    }
    propertyById(propertyId: 1) { unitCount }
    __typename
  }`);
  expect([...tables].sort()).toEqual(['notifications', 'offers', 'orders', 'projects', 'properties']);
  expect([...unindexedOrders]).toEqual(['orders.project.projectHdrId']);
  expect(roots.map((root) => root?.is)).toEqual(['connection', 'rows', undefined]);
});

test('an unexpected error stays as it is, so that it is reported', () => {
  const selection = selectOperation(schema, parse('{ orders { totalCount } }'), undefined, {});
  const plan = () => planOperation(selection, { catalogue, customer: undefined as never, scope: undefined, cursors, variables: {} });
  expect(plan).toThrow(TypeError);
});
