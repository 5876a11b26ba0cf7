/** A cursor is valid only for its customer, table, filter and order (contract: cursor lifetime; GraphQL cursors). */
import { describe, expect, test } from 'vitest';
import type { Condition } from '../../src/plan/condition.ts';
import { createCursors, deltaCursorsOf, keysetOf } from '../../src/plan/cursor.ts';
import { type Plan, sortOrder } from '../../src/plan/plan.ts';

const cursors = createCursors('a secret for cursors');
const source = {
  schema: 'customer_nord',
  customerId: 7,
  kind: 'category',
  name: 'orders',
  sort: ['order_id'],
  cursor: { column: 'order_id', kind: 'integer' },
} as const;
const plain: Plan = {
  source,
  columns: ['order_id'],
  where: undefined,
  order: sortOrder(source),
  after: undefined,
  offset: 0,
  limit: 2,
  joinedRows: [],
};
const [term] = plain.order;
const where: Condition = { is: 'compared', column: 'status', kind: 'string', by: 'gt', value: 'a' };
const groups = { keys: [], values: [], having: undefined, top: undefined, isCounted: false };
const relatedColumns = [{ name: 'far 0', via: [], column: 'city' }];
const other: Plan = { ...plain, where };

const plans: readonly Plan[] = [
  plain,
  { ...plain, where: { ...where, by: 'eq' } },
  { ...plain, source: { ...source, customerId: 8 } },
  { ...plain, source: { ...source, name: 'offers' } },
  { ...plain, source: { ...source, kind: 'raw' } },
  other,
  { ...other, source: { ...source, customerId: 8 } },
  { ...other, source: { ...source, name: 'offers' } },
  { ...other, source: { ...source, kind: 'raw' } },
  { ...other, where: { ...where, value: 'b' } },
  { ...plain, order: [{ ...term!, isDescending: true }] },
  { ...plain, order: [{ ...term!, column: 'status' }] },
  { ...plain, order: [{ ...term!, column: 'status', isDescending: true }] },
  { ...plain, order: [{ ...term!, column: 'status' }, term!] },
  { ...plain, order: [{ ...term!, column: 'far 0' }, term!], relatedColumns },
  { ...plain, order: [{ ...term!, column: 'far 0' }, term!], relatedColumns: [{ ...relatedColumns[0]!, column: 'address' }] },
  { ...plain, groups },
  { ...other, groups },
  { ...other, groups: { ...groups, isCounted: true } },
];

describe('rows', () => {
  test('a cursor is valid only for its own plan', () => {
    plans.forEach((made, index) => {
      const cursor = keysetOf(cursors, made).sign(['17']);
      const opened = plans.map((plan) => keysetOf(cursors, plan).open(cursor));
      expect(opened).toEqual(plans.map((_, at) => (at === index ? ['17'] : undefined)));
    });
  });

  test('a cursor of another order contains all values, nulls and empty texts too', () => {
    const keyset = keysetOf(cursors, other);
    expect(keyset.open(keyset.sign([null, '', 'x']))).toEqual([null, '', 'x']);
  });

  test("a plain cursor equals that of REST, bound to the filter's scope", () => {
    expect(keysetOf(cursors, plain).sign(['17'])).toBe(cursors.sign('[7,"category","orders",""]', '17'));
    expect(keysetOf(cursors, plain).sign([null])).toBe(cursors.sign('[7,"category","orders",""]', ''));
  });

  test('cursors of earlier releases are accepted: their scope is fixed', () => {
    const scope = JSON.stringify([7, 'category', 'orders', 'rows', where, [['order_id', false]]]);
    expect(keysetOf(cursors, other).sign(['17'])).toBe(cursors.sign(scope, '["17"]'));
  });

  test('page, columns and limit do not matter', () => {
    for (const plan of [plain, other]) {
      const cursor = keysetOf(cursors, plan).sign(['17']);
      const changed = { ...plan, columns: ['far 0'], relatedColumns, offset: 3, limit: 9 };
      expect(keysetOf(cursors, changed).open(cursor)).toEqual(['17']);
    }
  });

  test('other texts are not cursors', () => {
    for (const plan of [plain, other]) expect(keysetOf(cursors, plan).open('nonsense')).toBeUndefined();
  });
});

test('changes: a cursor contains the position in the changes of one table and version', () => {
  const position = { to: 9, version: 4, key: 'k"1' };
  const cursor = deltaCursorsOf(cursors, source, 3).sign(position);
  expect(deltaCursorsOf(cursors, source, 3).open(cursor)).toEqual(position);
  expect(deltaCursorsOf(cursors, source, 3).open('nonsense')).toBeUndefined();
  expect(deltaCursorsOf(cursors, source, 4).open(cursor)).toBeUndefined();
  for (const changed of [{ customerId: 8 }, { kind: 'raw' }, { name: 'offers' }] as const)
    expect(deltaCursorsOf(cursors, { ...source, ...changed }, 3).open(cursor)).toBeUndefined();
});
