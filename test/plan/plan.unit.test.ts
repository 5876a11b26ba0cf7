/** Properties of a plan: its width, its tables, its order, and the scope of its totals and cursors. */
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Condition } from '../../src/plan/condition.ts';
import { patternOf, shapeOfCondition } from '../../src/plan/condition.ts';
import {
  filterKey,
  filterScope,
  hasRestCursor,
  isFiltered,
  type JoinedRow,
  joinCount,
  orderBy,
  orderTerm,
  type Plan,
  planTables,
  referencedTables,
  sortOrder,
  tableRefsOf,
  valueCount,
} from '../../src/plan/plan.ts';
import { referencesOf } from '../../src/plan/references.ts';

const source = {
  schema: 'customer_nord',
  customerId: 7,
  kind: 'category',
  name: 'orders',
  sort: ['order_id'],
  cursor: { column: 'order_id', kind: 'integer' },
} as const;
const plan: Plan = {
  source,
  columns: ['order_id', 'status'],
  where: undefined,
  order: sortOrder(source),
  after: undefined,
  offset: 0,
  limit: 2,
  joinedRows: [],
};
const equal = (column: string, value: string): Condition => ({ is: 'compared', column, kind: 'integer', by: 'eq', value });
const related = (target: string, of: Condition): Condition => ({
  is: 'related',
  by: 'some',
  column: 'property_id',
  target,
  targetColumn: 'property_id',
  of,
});
const joinedRows = (name: string, columns: readonly string[], more: readonly JoinedRow[] = []): JoinedRow => ({
  on: 'property_id',
  link: { column: 'property_id', kind: 'integer', isUnique: true },
  plan: { ...plan, source: { ...source, name }, columns, joinedRows: more },
});
const groups = { keys: [], values: [], having: undefined, top: undefined, isCounted: false };

describe('joined rows', () => {
  const nested = {
    ...plan,
    joinedRows: [joinedRows('properties', ['a', 'b', 'c'], [joinedRows('creditor', ['d'])]), joinedRows('offers', [])],
  };

  test('start with the linking value, and count at all depths', () => {
    expect([valueCount(plan), valueCount(nested)]).toEqual([2, 2 + (1 + 3 + (1 + 1)) + 1]);
    expect([joinCount(plan), joinCount(nested)]).toEqual([0, 3]);
  });

  test('belong to tables that the plan depends on', () => {
    expect([...planTables(nested)]).toEqual(['orders', 'properties', 'creditor', 'offers']);
    expect(tableRefsOf(nested)).toEqual(['orders', 'properties', 'creditor', 'offers'].map((name) => ({ schema: 'customer_nord', name })));
  });
});

describe('the tables of a plan', () => {
  const inner = related('units', { is: 'unknown' });
  test.each<[string, Condition | undefined, string[]]>([
    ['none without a condition', undefined, []],
    ['none by comparisons', { is: 'and', of: [equal('a', '1'), { is: 'not', of: equal('b', '2') }] }, []],
    ['by all parts of a condition', { is: 'and', of: [related('offers', equal('a', '1')), inner] }, ['offers', 'units']],
    ['by either part', { is: 'or', of: [inner, equal('a', '1')] }, ['units']],
    ['by what must not hold', { is: 'not', of: inner }, ['units']],
    ['by the row of a row', related('properties', inner), ['properties', 'units']],
  ])('%s', (_name, where, tables) => {
    expect(referencedTables({ ...plan, where })).toEqual(tables);
  });

  test('include those of its order and its groups', () => {
    const via = [{ column: 'property_id', target: 'properties', targetColumn: 'property_id' }];
    expect(referencedTables({ ...plan, relatedColumns: [{ name: 'far 0', via, column: 'city' }] })).toEqual(['properties']);
    const key = { name: 'k', kind: 'string', isNullable: true, via, column: 'city' } as const;
    expect(referencedTables({ ...plan, groups: { ...groups, keys: [key] } })).toEqual(['properties']);
  });
});

test('every part of a plan that refers to a column is found', () => {
  const via = [{ column: 'property_id', target: 'properties', targetColumn: 'property_key' }];
  const over = { column: 'total_net', kind: 'number', scale: 2 } as const;
  const references = referencesOf({
    source,
    where: { is: 'not', of: { is: 'or', of: [equal('a', '1'), related('units', { is: 'null', column: 'b', expected: true })] } },
    order: [{ column: 'ignored' }],
    relatedColumns: [{ name: 'far 0', via, column: 'city' }],
    groups: {
      ...groups,
      keys: [{ name: 'k0', kind: 'string', isNullable: true, via, column: 'state' }],
      values: [
        { name: 'v0', is: 'sum', ...over, where: { is: 'among', column: 'c', kind: 'string', values: [] } },
        { name: 'v1', is: 'count', where: related('units', { is: 'found', column: 'd', by: 'contains', value: '' }) },
        { name: 'v2', is: 'measure', scale: 2, formula: ['sum(', { via, column: 'area' }, ')'] },
        { name: 'v3', is: 'percentile', percent: 9, column: 'e', kind: 'number', scale: 0 },
      ],
      having: equal('v0', '1'),
    },
  });
  expect([...new Set(references.map(({ table, column }) => `${table}.${column}`))].sort()).toEqual(
    [
      ...['a', 'c', 'e', 'property_id', 'total_net'].map((column) => `orders.${column}`),
      ...['area', 'city', 'property_key', 'state'].map((column) => `properties.${column}`),
      ...['b', 'd', 'property_id'].map((column) => `units.${column}`),
    ].sort(),
  );
  expect(
    referencesOf({ ...plan, order: [{ column: 'x' }, { column: 'far 0' }], relatedColumns: [{ name: 'far 0', via: [], column: 'y' }] }),
  ).toEqual([
    { table: 'orders', column: 'y' },
    { table: 'orders', column: 'x' },
  ]);
});

describe('an order', () => {
  const orders = catalogue.tables.get('orders')!;
  const names = (asked: Parameters<typeof orderBy>[1], table = orders) =>
    orderBy(table, asked).map(({ column, isDescending }) => (isDescending ? `-${column}` : column));

  test('of a term knows whether nulls are possible', () => {
    expect(orderTerm(orders, 'order_id', false)).toEqual({ column: 'order_id', kind: 'integer', isDescending: false, isNullable: false });
    expect(orderTerm(orders, 'total_net', true)).toEqual({ column: 'total_net', kind: 'number', isDescending: true, isNullable: true });
  });

  test('that is not requested is the sort key, or the key if there is none', () => {
    expect(names([])).toEqual(orders.sort);
    expect(names([], { ...orders, sort: [] })).toEqual([orders.key]);
    expect(names([], { ...orders, sort: ['status', 'order_id'] })).toEqual(['status', 'order_id']);
  });

  test('is made unique in the direction of its last term, and names each column once', () => {
    const by = (column: string, isDescending = false) => orderTerm(orders, column, isDescending);
    const sort = orders.sort.join();
    expect(names([by('status')]).join()).toBe(`status,${sort}`);
    expect(names([by('status'), by('total_net', true)]).join()).toBe(`status,-total_net,-${sort}`);
    expect(names([by('total_net', true), by('status')]).join()).toBe(`-total_net,status,${sort}`);
    expect(names([by('status', true), by('status')]).join()).toBe(`-status,${sort}`);
    expect(names(orders.sort.map((column) => by(column, true))).join()).toBe(`-${sort}`);
  });

  test('of a source is ascending by its sort key, of the kinds of its columns', () => {
    const term = { isDescending: false, isNullable: false };
    expect(sortOrder(source)).toEqual([{ column: 'order_id', kind: 'integer', ...term }]);
    expect(sortOrder(source, orders.columns)[0]?.kind).toBe(orders.columns.order_id?.kind);
    expect(sortOrder({ ...source, sort: ['other'] }, { other: orders.columns.status! })).toEqual([
      { column: 'other', kind: orders.columns.status?.kind, ...term },
    ]);
    expect(sortOrder({ ...source, cursor: undefined })[0]?.kind).toBe('string');
  });
});

describe('the scope of totals and cursors (contract: cursor lifetime)', () => {
  const [a, b] = [equal('a', '1'), equal('b', '2')];

  test('equalities are the same filter in any order, single or as a list', () => {
    expect(filterKey({ is: 'and', of: [a, b] })).toBe(filterKey({ is: 'and', of: [b, a] }));
    expect(filterKey({ is: 'and', of: [a] })).toBe(filterKey(a));
    expect(filterKey({ is: 'and', of: [] })).toBe(filterKey(undefined));
  });

  test('every other filter differs', () => {
    const filters: readonly (Condition | undefined)[] = [
      undefined,
      a,
      b,
      { is: 'and', of: [a, b] },
      { is: 'or', of: [a, b] },
      { is: 'not', of: a },
      { ...a, by: 'gt' } as Condition,
      { ...a, by: 'lt' } as Condition,
      { is: 'and', of: [a, { ...b, by: 'gt' } as Condition] },
      { is: 'unknown' },
      { is: 'or', of: [a, { is: 'unknown' }] },
    ];
    expect(new Set(filters.map(filterKey)).size).toBe(filters.length);
  });

  test('filters that cannot match are the same', () => {
    expect(filterKey({ is: 'unknown' })).toBe('nothing');
    expect(filterKey({ is: 'and', of: [a, { is: 'unknown' }] })).toBe('nothing');
    expect(filterKey({ is: 'or', of: [{ is: 'unknown' }] })).not.toBe('nothing');
  });

  test('customer, kind, table, filter and groups form the scope', () => {
    const scopes = [
      plan,
      { ...plan, source: { ...source, customerId: 8 } },
      { ...plan, source: { ...source, kind: 'raw' } as const },
      { ...plan, source: { ...source, name: 'offers' } },
      { ...plan, where: a },
      { ...plan, groups },
    ].map(filterScope);
    expect(new Set(scopes).size).toBe(scopes.length);
    expect(filterScope({ ...plan, order: [], limit: 9 } as Plan)).toBe(filterScope(plan));
    expect(filterScope(plan)).toBe('[7,"category","orders",""]');
  });

  test("a plan has REST's cursors if it has the order of the cursor column and only equality filters", () => {
    const [term] = plan.order;
    const plain = (changed: Partial<Plan>) => hasRestCursor({ ...plan, ...changed });
    expect([plain({}), plain({ where: a }), plain({ where: { is: 'and', of: [a, b] } })]).toEqual([true, true, true]);
    for (const changed of [
      { groups },
      { order: [] },
      { order: [term!, { ...term!, column: 'status' }] },
      { order: [{ ...term!, column: 'status' }] },
      { order: [{ ...term!, isDescending: true }] },
      { where: { is: 'not', of: a } as const },
      { where: { ...a, by: 'gte' } as Condition },
    ])
      expect(plain(changed), JSON.stringify(changed)).toBe(false);
  });

  test('a plan is filtered by a condition or by groups', () => {
    expect([isFiltered(plan), isFiltered({ ...plan, where: a }), isFiltered({ ...plan, groups })]).toEqual([false, true, true]);
  });
});

describe('conditions', () => {
  test.each([
    ['contains', '%a\\%\\_\\\\b%'],
    ['iContains', '%a\\%\\_\\\\b%'],
    ['startsWith', 'a\\%\\_\\\\b%'],
    ['iStartsWith', 'a\\%\\_\\\\b%'],
  ] as const)('%s: the value is literal', (by, pattern) => {
    expect(patternOf({ is: 'found', column: 'a', by, value: 'a%_\\b' })).toBe(pattern);
  });

  test('the shape of a condition contains everything but its values', () => {
    const shapes = [
      equal('a', '1'),
      { ...equal('a', '1'), by: 'ne' },
      { ...equal('a', '1'), kind: 'string' },
      equal('b', '1'),
      { is: 'not', of: equal('a', '1') },
      { is: 'not', of: equal('b', '1') },
      { is: 'and', of: [equal('a', '1')] },
      { is: 'or', of: [equal('a', '1')] },
      { is: 'or', of: [equal('a', '1'), equal('a', '1')] },
      { is: 'null', column: 'a', expected: true },
      { is: 'null', column: 'a', expected: false },
      { is: 'among', column: 'a', kind: 'integer', values: ['1'] },
      { is: 'found', column: 'a', by: 'contains', value: 'x' },
      { is: 'found', column: 'a', by: 'iContains', value: 'x' },
      related('offers', equal('a', '1')),
      related('units', equal('a', '1')),
      related('offers', equal('b', '1')),
      { ...related('offers', equal('a', '1')), by: 'none' },
      { is: 'unknown' },
    ] as Condition[];
    const texts = shapes.map((each) => JSON.stringify(shapeOfCondition(each)));
    expect(new Set(texts).size).toBe(shapes.length);
    const withValue = (value: string): Condition => ({ is: 'and', of: [{ is: 'not', of: related('units', equal('a', value)) }] });
    expect(shapeOfCondition(withValue('1'))).toEqual(shapeOfCondition(withValue('2')));
  });
});
