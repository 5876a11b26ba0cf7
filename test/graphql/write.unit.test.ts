/** Connections and rows as JSON: the shown rows, page information, cursors, computed values and related rows (contract: GraphQL connections). */
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { CodeLabels } from '../../src/graphql/execution/labels.ts';
import type { ConnectionRows, LevelRows, Related } from '../../src/graphql/execution/levels.ts';
import type { SingleRows } from '../../src/graphql/execution/single-rows.ts';
import { type Writing, writeRoot } from '../../src/graphql/execution/write.ts';
import { globalId } from '../../src/graphql/schema/global-ids.ts';
import type { ConnectionField, RootSelection, RowField } from '../../src/graphql/selection/selection.ts';
import { createCursors, keysetOf } from '../../src/plan/cursor.ts';
import { orderTerm, type Plan } from '../../src/plan/plan.ts';
import { ByteRows } from '../../src/wire/byte-rows.ts';
import { BufferedJson } from '../../src/wire/json-out.ts';
import { Wire } from '../../src/wire/json-values.ts';
import { dataRow } from '../support/data-row.ts';

const orders = catalogue.tables.get('orders')!;
const cursors = createCursors('secret');
const labels = new CodeLabels(new Map([['order_status', [{ value: 'a', en: 'Approved', de: 'Genehmigt' }]]]), { shown: 'de' });

const levelOf = (values: readonly (readonly (string | null)[])[], related: readonly Related[] = [], base = 0): LevelRows => {
  const rows = new ByteRows(values[0]?.length ?? 0);
  for (const row of values) rows.row(dataRow(row), 0);
  return { rows, base, related };
};

/** What the steps write, and the number of pauses. */
const written = (root: object, found: ConnectionRows | SingleRows) => {
  const json = new BufferedJson();
  const writing: Writing = { out: json.out, cursors, labels, values: 0 };
  let pauses = -1;
  for (const _ of writeRoot(writing, root as RootSelection, found)) pauses++;
  return { value: JSON.parse(Buffer.concat(json.end().body).toString()), pauses: pauses + 1, values: writing.values };
};

const column = (key: string, at: number): RowField => ({ key, is: 'column', at, wire: Wire.text });
const nodes = (fields: readonly RowField[]): ConnectionField => ({ key: 'nodes', is: 'nodes', fields });
const pageInfo: ConnectionField = {
  key: 'pageInfo',
  is: 'pageInfo',
  fields: [
    { key: '__typename', is: 'typename', type: 'PageInfo' },
    ...(['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'] as const).map((is) => ({ key: is, is })),
  ],
};
const listed = (...fields: readonly ConnectionField[]) => ({ is: 'rows', connection: { fields } });

const plan: Plan = {
  source: {
    schema: 's',
    customerId: 1,
    kind: 'category',
    name: 'orders',
    sort: ['order_id'],
    cursor: { column: 'order_id', kind: 'integer' },
  },
  columns: ['subject', 'order_id'],
  where: undefined,
  order: [orderTerm(orders, 'order_id', false)],
  after: undefined,
  offset: 0,
  limit: 2,
  joinedRows: [],
};
const three = levelOf([
  ['one', '1'],
  ['two', '2'],
  ['three', '3'],
]);
const page = (change: Partial<Plan> = {}, rows: Partial<ConnectionRows> = {}): ConnectionRows => ({
  plan: { ...plan, ...change },
  level: three,
  from: 0,
  count: 3,
  total: 17,
  ...rows,
});
const cursorOf = (id: string) => keysetOf(cursors, plan).sign([id]);

describe('a connection', () => {
  const subjects = (found: ConnectionRows) =>
    written(listed(nodes([column('subject', 0)])), found).value.nodes.map((row: { subject: string }) => row.subject);

  test('shows the rows before the extra one, or after it if it was read backward', () => {
    expect(subjects(page())).toEqual(['one', 'two']);
    expect(subjects(page({ isBackward: true }))).toEqual(['two', 'three']);
    expect(subjects(page({ isBackward: true, limit: 3 }))).toEqual(['one', 'two', 'three']);
    expect(subjects(page({ isBackward: true, limit: 9 }))).toEqual(['one', 'two', 'three']);
    expect(subjects(page({}, { from: 1, count: 1 }))).toEqual(['two']);
    expect(subjects(page({ isBackward: true, limit: 1 }, { from: 1, count: 2 }))).toEqual(['three']);
    expect(subjects(page({}, { count: 0 }))).toEqual([]);
  });

  test('has a total, a type and edges', () => {
    const edges: ConnectionField = {
      key: 'edges',
      is: 'edges',
      fields: [
        { key: 'type', is: 'typename', type: 'OrderEdge' },
        { key: 'cursor', is: 'cursor' },
        { key: 'node', is: 'node', fields: [column('subject', 0)] },
      ],
    };
    const connection = listed({ key: 'type', is: 'typename', type: 'OrderConnection' }, { key: 'total', is: 'totalCount' }, edges);
    expect(written(connection, page()).value).toEqual({
      type: 'OrderConnection',
      total: 17,
      edges: [
        { type: 'OrderEdge', cursor: cursorOf('1'), node: { subject: 'one' } },
        { type: 'OrderEdge', cursor: cursorOf('2'), node: { subject: 'two' } },
      ],
    });
  });

  test.each([
    ['more rows', {}, {}, [true, false, '1', '2']],
    ['the last rows', {}, { count: 2 }, [false, false, '1', '2']],
    ['rows behind an offset', { offset: 1 }, { count: 2 }, [false, true, '1', '2']],
    ['rows behind a cursor', { after: ['0'] }, {}, [true, true, '1', '2']],
    ['the last rows, read backward', { isBackward: true }, {}, [false, true, '2', '3']],
    ['rows before a cursor', { isBackward: true, after: ['4'] }, { count: 2 }, [true, false, '1', '2']],
    ['no rows', {}, { count: 0 }, [false, false, null, null]],
  ] as const)('page information of %s', (_what, change, rows, [hasNextPage, hasPreviousPage, start, end]) => {
    expect(written(listed(pageInfo), page(change as Partial<Plan>, rows)).value.pageInfo).toEqual({
      __typename: 'PageInfo',
      hasNextPage,
      hasPreviousPage,
      startCursor: start && cursorOf(start),
      endCursor: end && cursorOf(end),
    });
  });

  test('a cursor has the values of the order, also of a level within a row', () => {
    const level = levelOf([['x', 'one', '1']], [], 1);
    expect(written(listed(pageInfo), page({}, { level, count: 1 })).value.pageInfo.endCursor).toBe(cursorOf('1'));
  });
});

describe('a row', () => {
  const single = (fields: readonly RowField[], level: LevelRows, row = 0) =>
    written({ is: 'row' }, { singles: [{ fields, level, row }] as never }).value;

  test('has computed values', () => {
    const level = levelOf([
      ['hidden', '42', 'a'],
      ['hidden', '42', 'b'],
      ['hidden', '42', null],
    ]);
    const fields: RowField[] = [
      { key: 'type', is: 'typename', type: 'Order' },
      { key: 'id', is: 'id', at: 1, table: orders },
      { key: 'label', is: 'label', at: 2, lookup: 'order_status', argumentsOf: () => ({}) },
      { key: 'german', is: 'label', at: 2, lookup: 'order_status', argumentsOf: ({ shown }) => ({ language: shown }) },
      { key: 'other', is: 'label', at: 2, lookup: 'trade', argumentsOf: () => ({}) },
      { key: 'part', is: 'part', fields: [column('id', 1), { key: 'none', is: 'part', fields: [] }] },
    ];
    const expected = {
      type: 'Order',
      id: globalId(orders, '42'),
      label: 'Approved (Genehmigt)',
      german: 'Genehmigt',
      other: null,
      part: { id: '42', none: {} },
    };
    expect(single(fields, level)).toEqual(expected);
    expect(single(fields, level, 1)).toEqual({ ...expected, label: null, german: null });
    expect(single(fields, level, 2)).toEqual({ ...expected, label: null, german: null });
    const within = levelOf([['x', 'hidden', '42', 'a']], [], 1);
    expect(single(fields, within)).toEqual(expected);
  });

  test('has its related rows, or null', () => {
    const others = levelOf([['first'], ['second']]);
    const one: Related = { is: 'one', level: others, rowOf: (row) => [1, 0, -1][row]! };
    const many: Related = {
      is: 'many',
      connectionOf: (row) => ({ plan: { ...plan, limit: 9 }, level: others, from: row === 0 ? 1 : 0, count: row, total: 5 }),
    };
    const level = levelOf([['a'], ['b'], ['c']], [one, many]);
    const relation = { relation: {} as never, at: 0 };
    const oneField = { key: 'one', is: 'one', index: 0, ...relation, level: {} as never, fields: [column('name', 0)] } as const;
    const manyField = {
      key: 'many',
      is: 'many',
      index: 1,
      ...relation,
      connection: { fields: [nodes([column('name', 0)]), { key: 'total', is: 'totalCount' }] } as never,
    } as const;
    const rows = [0, 1, 2].map((row) => single([column('own', 0), oneField, manyField], level, row));
    expect(rows).toEqual([
      { own: 'a', one: { name: 'second' }, many: { nodes: [], total: 5 } },
      { own: 'b', one: { name: 'first' }, many: { nodes: [{ name: 'first' }], total: 5 } },
      { own: 'c', one: null, many: { nodes: [{ name: 'first' }, { name: 'second' }], total: 5 } },
    ]);
    expect(single([oneField], level)).toEqual({ one: { name: 'second' } });
  });

  test('that does not exist is null, alone and in a list', () => {
    const fields = [column('subject', 0)];
    const [there, gone] = [
      { fields, level: three, row: 1 },
      { fields, level: three, row: -1 },
    ];
    const answer = (root: object, ...singles: unknown[]) => written(root, { singles: singles as never }).value;
    expect(answer({ is: 'row' }, there)).toEqual({ subject: 'two' });
    expect(answer({ is: 'row' }, gone)).toBeNull();
    expect(answer({ is: 'row' }, undefined)).toBeNull();
    expect(answer({ is: 'nodes', isList: false }, there)).toEqual({ subject: 'two' });
    expect(answer({ is: 'nodes', isList: true }, undefined, there, gone, there)).toEqual([
      null,
      { subject: 'two' },
      null,
      { subject: 'two' },
    ]);
    expect(answer({ is: 'nodes', isList: true })).toEqual([]);
  });
});

describe('pauses', () => {
  const many = (count: number) => levelOf(Array.from({ length: count }, () => ['x', '1']));
  const pausesOf = (fields: readonly ConnectionField[], count: number) =>
    written(listed(...fields), page({ limit: count }, { level: many(count), count })).pauses;

  test('follow the number of values, and each row counts', () => {
    expect(pausesOf([nodes([column('subject', 0)])], 64)).toBe(0);
    expect(pausesOf([nodes([column('subject', 0)])], 1_280)).toBe(10);
    expect(pausesOf([nodes([column('subject', 0), column('id', 1), column('subject2', 0)])], 640)).toBeGreaterThanOrEqual(10);
  });

  test('are more frequent for cursors', () => {
    const edges: ConnectionField = { key: 'edges', is: 'edges', fields: [{ key: 'cursor', is: 'cursor' }] };
    expect(pausesOf([edges], 120)).toBe(30);
  });

  test('count page information and its cursors', () => {
    expect(written(listed(pageInfo), page()).values).toBe(1 + 5 + 2 * 64);
    expect(written(listed(pageInfo), page({}, { count: 0 })).values).toBe(1 + 5);
  });

  test('are passed on from the lists of a row', () => {
    const inner = many(1_280);
    const related: Related = {
      is: 'many',
      connectionOf: () => ({ plan: { ...plan, limit: 2_000 }, level: inner, from: 0, count: 1_280, total: 0 }),
    };
    const field = { key: 'many', is: 'many', index: 0, at: 0, relation: {}, connection: { fields: [nodes([column('x', 0)])] } };
    const found = page({ limit: 1 }, { level: levelOf([['a']], [related]), count: 1 });
    expect(written(listed(nodes([field as never])), found).pauses).toBe(10);
  });
});
