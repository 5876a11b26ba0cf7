/** A request for groups becomes the groups of a plan, whichever API it came from (contract: groups). */
import { expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { createCursors } from '../../src/plan/cursor.ts';
import { countValue, type GroupsRequest, groupableTable, type RequestedTerm } from '../../src/plan/groups/request.ts';
import { resolveGroups } from '../../src/plan/groups/resolve.ts';
import type { PlanSource } from '../../src/plan/plan.ts';
import { parseGroups } from '../../src/query/groups.ts';

const table = catalogue.tables.get('orders')!;
const relationsOf = (name: string) => catalogue.relations.get(name) ?? [];
const groupable = groupableTable(table, catalogue.tables, relationsOf);

const nothing: GroupsRequest = { keys: [], values: [], order: [], having: [], top: undefined, isCounted: true };

/** The groups, their order, and the errors by the part of the request. */
const resolve = (request: Partial<GroupsRequest>) => {
  const errors: string[] = [];
  const resolved = resolveGroups({ ...nothing, ...request }, groupable, (part, error) => {
    errors.push(
      `${part}: ${error.is === 'invalid' ? error.reason : error.is === 'unknown' ? `${error.among} has no ${error.name}` : error.is}`,
    );
  });
  return { ...resolved, errors };
};

const month = { name: 'ordered', via: [], column: 'order_date', bucket: 'month' };
const year = { ...month, bucket: 'year' };
const state = { name: 'state', via: ['property'], column: 'federal_state' };
const descending = (term: RequestedTerm) => ({ term, isDescending: true });

test('the parameters of REST give the groups of the same request', () => {
  const source: PlanSource = { schema: 's', customerId: 1, kind: 'category', name: 'orders', sort: [], cursor: undefined };
  const query = new URLSearchParams('by=property.federal_state,order_date:month&sum=total_net&order=-max_total_net&having=count>=2');
  const { plan } = parseGroups(query, createCursors('secret'), { source, table, tables: catalogue.tables, relationsOf });
  const { groups, order, errors } = resolve({
    keys: [state, month],
    values: [{ is: 'sum', of: 'total_net' }],
    order: [descending({ is: 'max', of: 'total_net' })],
    having: [
      {
        is: 'compared',
        term: countValue,
        compare: ({ column, kind }) => [{ is: 'compared', column, kind, by: 'gte', value: '2' }],
      },
    ],
  });
  expect(errors).toEqual([]);
  expect(plan.groups).toEqual(groups);
  expect(plan.order).toEqual(order);
});

test('an order and a condition add the values that are not requested, each once', () => {
  const { groups, order } = resolve({
    values: [{ is: 'sum', of: 'total_net' }],
    order: [descending({ is: 'avg', of: 'total_net' }), descending({ is: 'sum', of: 'total_net' })],
    having: [{ is: 'not', of: [{ is: 'compared', term: { is: 'avg', of: 'total_net' }, compare: () => [] }] }],
  });
  expect(groups.values.map(({ name, is }) => [name, is])).toEqual([
    ['v0', 'sum'],
    ['v1', 'avg'],
  ]);
  expect(order.map(({ column }) => column)).toEqual(['v1', 'v0', 'count']);
});

test('equal values keep their positions, and a reference finds the first', () => {
  const where = { is: 'null', column: 'closed_date', expected: true } as const;
  const open = { is: 'sum', of: 'total_net', where } as const;
  const { groups, order } = resolve({
    values: [open, { ...open, where: undefined }, open, { is: 'count', of: '', where }, countValue],
    order: [descending({ ...open }), descending({ is: 'count', of: '', where }), descending(countValue)],
  });
  expect(groups.values.map(({ name }) => name)).toEqual(['v0', 'v1', 'v2', 'v3', 'v4']);
  expect(order.map(({ column }) => column)).toEqual(['v0', 'v3', 'count']);
});

test('keys make an order unique', () => {
  const { order } = resolve({ keys: [state, year], order: [descending({ is: 'key', name: 'ordered' })] });
  expect(order.map(({ column, isDescending }) => [column, isDescending])).toEqual([
    ['k1', true],
    ['k0', false],
  ]);
});

test('a reference without a bucket is the plain column, or the only bucket', () => {
  const columnOf = (keys: GroupsRequest['keys'], bucket?: string) => {
    const { order, errors } = resolve({ keys, order: [descending({ is: 'key', name: 'ordered', bucket })] });
    return errors[0] ?? order[0]?.column;
  };
  const plain = { ...month, bucket: undefined };
  expect(columnOf([month])).toBe('k0');
  expect(columnOf([month, year], 'year')).toBe('k1');
  expect(columnOf([month, year])).toBe('order: ordered is selected with several buckets; name one');
  expect(columnOf([month], 'year')).toBe('order: keys has no ordered');
  expect(columnOf([month, plain])).toBe('k1');
});

test('every error is reported, and what has an error is left out', () => {
  const { groups, order, errors } = resolve({
    keys: [{ ...state, via: ['nothing'] }, { ...month, bucket: 'decade' }, { ...state, bucket: 'year' }, state],
    values: [
      { is: 'sum', of: 'order_id' },
      { is: 'measure', of: 'happiness' },
    ],
    order: [descending({ is: 'sum', of: 'constructor' }), descending({ is: 'sum', of: 'constructor' })],
    top: { by: [], first: 1 },
  });
  expect(errors).toEqual([
    'keys: orders has no nothing',
    'keys: buckets has no decade',
    'keys: federal_state is neither a date nor a point in time and has no buckets',
    'values: sum has no order_id',
    'values: measures has no happiness',
    'order: sum has no constructor',
    'order: sum has no constructor',
    'top: by names no key',
  ]);
  expect([groups.keys.map(({ name }) => name), groups.values, groups.top]).toEqual([['k3'], [], undefined]);
  expect(order.map(({ column }) => column)).toEqual(['k3']);
});

test('the number of followed relations is limited', () => {
  const near = relationsOf('orders').filter(({ kind }) => kind === 'to-one');
  const errorsOf = (count: number) =>
    resolve({ keys: near.slice(0, count).map(({ name, target }) => ({ name, via: [name], column: catalogue.tables.get(target)!.key })) })
      .errors;
  expect(near.length).toBeGreaterThan(8);
  expect([errorsOf(8), errorsOf(9)]).toEqual([[], ['keys: tooManyRelations']]);
  const tooLong = { ...state, via: Array<string>(9).fill('property') };
  expect(resolve({ keys: [tooLong] }).errors).toEqual(['keys: tooManyRelations']);
});

test.each([
  [0, 'top: Input should be greater than or equal to 1'],
  [10_001, 'top: Input should be less than or equal to 10000'],
])('the first %i groups of each key', (first, error) => {
  expect(resolve({ keys: [state], top: { by: [{ is: 'key', name: 'state' }], first } }).errors).toEqual([error]);
});
