/** Documents that are written from the plans of addresses ask for the same rows and groups (contract: prints). */
import fc from 'fast-check';
import { parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { categorySource } from '../../src/cache/directory.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { planOperation } from '../../src/graphql/execution/plan.ts';
import { writtenDocument } from '../../src/graphql/print/document.ts';
import { createSchema } from '../../src/graphql/schema/schema.ts';
import { selectOperation } from '../../src/graphql/selection/select.ts';
import type { Condition } from '../../src/plan/condition.ts';
import { createCursors } from '../../src/plan/cursor.ts';
import { countName, type Groups, labelColumn, totalName } from '../../src/plan/groups/groups.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { parseGroups } from '../../src/query/groups.ts';
import { parseRows } from '../../src/query/rows.ts';
import { Unwritable } from '../../src/query/write/conditions.ts';
import { conditions, onMany, request } from '../query/random-groups.ts';

const schema = createSchema(catalogue, 'enterprise');
const cursors = createCursors('secret');
const customer = { id: 1, schema: 'customer_nord' };
const relationsOf = (from: string) => catalogue.relations.get(from) ?? [];

const withinTable = (name: string) => {
  const table = catalogue.tables.get(name)!;
  return { source: categorySource(table, customer, undefined), table, tables: catalogue.tables, relationsOf };
};

/** The plan of an address, and the document that is written from it. */
const written = (address: string) => {
  const [path = '', query = ''] = address.split('?');
  const [name = '', groups] = path.split('/');
  const within = withinTable(name);
  const parameters = new URLSearchParams(query);
  const named = groups ? parseGroups(parameters, cursors, within) : parseRows(parameters, cursors, within);
  return { plan: named.plan, ...writtenDocument(named, within.table, relationsOf) };
};

/** The plan of a document's only root field. */
const planOf = (document: string): Plan => {
  const parsed = parse(document);
  expect([document, validate(schema, parsed)]).toEqual([document, []]);
  const selection = selectOperation(schema, parsed, undefined, {});
  const [root] = planOperation(selection, { catalogue, customer, scope: undefined, cursors, variables: {} }).roots;
  if (root?.is !== 'connection') throw new Error('The root field is no connection');
  return root.levelPlan.plan;
};

/** A condition without `and` in `and`, and without lists of one. `nameOf` gives the name of a column. */
const flat = (condition: Condition | undefined, nameOf = (name: string) => name): unknown => {
  if (!condition) return undefined;
  if (condition.is === 'and') {
    const parts = (of: readonly Condition[]): readonly unknown[] =>
      of.flatMap((part) => (part.is === 'and' ? parts(part.of) : [flat(part, nameOf)]));
    const all = parts(condition.of);
    // A filter has its fields in the order of the schema.
    const sorted = all.map((part) => JSON.stringify(part)).sort();
    return all.length === 1 ? all[0] : { is: 'and', of: sorted };
  }
  if (condition.is === 'or')
    return condition.of.length === 1 ? flat(condition.of[0], nameOf) : { is: 'or', of: condition.of.map((part) => flat(part, nameOf)) };
  if (condition.is === 'not') return { is: 'not', of: flat(condition.of, nameOf) };
  if (condition.is === 'related') return { ...condition, of: flat(condition.of) };
  if (condition.is === 'counted') return { ...condition, of: flat(condition.of), holds: flat(condition.holds) };
  if (condition.is === 'applied') return { ...condition, holds: flat(condition.holds) };
  if (condition.is !== 'null' && condition.is !== 'compared' && condition.is !== 'among' && condition.is !== 'found') return condition;
  // The kind of a compared value is that of its filter. A number is compared as a number.
  const { kind: _, ...rest } = { kind: undefined, ...condition };
  return { ...rest, column: nameOf(condition.column) };
};

/** Groups by what they are instead of by their names. */
const meaningOf = ({ groups, order, where, limit }: Plan & { readonly groups: Groups }) => {
  const meanings = new Map<string, string>([[countName, countName]]);
  const nameOf = (name: string) => meanings.get(name) ?? name;
  for (const { name, ...key } of groups.keys) {
    meanings.set(name, JSON.stringify(key));
    meanings.set(labelColumn(name), `label of ${JSON.stringify(key)}`);
  }
  for (const { name, ...value } of groups.values)
    meanings.set(
      name,
      value.is === 'count' && !value.where
        ? countName
        : JSON.stringify({ ...value, ...('where' in value && { where: flat(value.where) }) }),
    );
  for (const { name, level: _, of, within, along, ...value } of groups.computed ?? [])
    meanings.set(
      name,
      JSON.stringify({ ...value, of: of.map(nameOf), within: within.map(nameOf), along: along && { ...along, name: nameOf(along.name) } }),
    );
  return {
    keys: groups.keys.map(({ name }) => nameOf(name)),
    values: [...new Set([...groups.values, ...(groups.computed ?? [])].map(({ name }) => nameOf(name)))].sort(),
    filled: groups.filled?.map(nameOf),
    having: flat(groups.having, nameOf),
    order: order.map(({ column, isDescending }) => [nameOf(column), isDescending]),
    where: flat(where),
    limit,
  };
};

const hasGroups = (plan: Plan): plan is Plan & { readonly groups: Groups } => plan.groups !== undefined;
const groupsIn = (plan: Plan) => {
  if (!hasGroups(plan)) throw new Error('The plan has no groups');
  return meaningOf(plan);
};

describe('groups', () => {
  test('random requests', () => {
    let refused = 0;
    fc.assert(
      fc.property(request, (query) => {
        try {
          const { plan, document } = written(`orders/groups?${query}`);
          expect(groupsIn(planOf(document))).toEqual(groupsIn(plan));
        } catch (error) {
          if (!(error instanceof Unwritable)) throw error;
          refused++;
        }
      }),
      { numRuns: 400 },
    );
    expect(refused).toBeLessThan(40);
  });

  test('conditions on related rows', () => {
    fc.assert(
      fc.property(onMany, conditions, (many, where) => {
        const { plan, document } = written(`orders/groups?${new URLSearchParams({ by: 'trade', where: [many, ...where].join() })}`);
        expect(groupsIn(planOf(document))).toEqual(groupsIn(plan));
      }),
    );
  });

  test.each([
    'contract_debits/groups?by=as_of:month(2025-01-01,2025-03-31),property_id&sum=net_amount&where=debit_type=basic_rent',
    'property_structure/groups?by=as_of:quarter(2025-01-01,2025-12-31)&count&value=vacant:count(contract_debits:none_valid(debit_type=basic_rent)),rate:ratio(vacant,count)&having=vacant>0&order=-rate',
    'orders/groups?by=trade,order_date:month&count&fill=order_date_month&having=count>=2&order=order_date_month',
    'orders/groups?by=order_date:month,order_date:year&max=order_date&having=max_order_date>=2025-01-01&order=-max_order_date',
    'orders/groups?measure=offer_deviation&value=up:change(offer_deviation,order_date_month)&by=order_date:month',
  ])('%s', (address) => {
    const { plan, document } = written(address);
    expect(groupsIn(planOf(document))).toEqual(groupsIn(plan));
    expect(planOf(document).groups?.isCounted).toBe(true);
    expect(planOf(document).columns).toContain(totalName);
  });
});

const rowsIn = ({ where, order, relatedColumns, limit, offset }: Plan) => ({
  where: flat(where),
  order: order.map(({ column, ...term }) => {
    const related = relatedColumns?.find(({ name }) => name === column);
    return { ...term, column: related ? JSON.stringify(related).replace(related.name, '') : column };
  }),
  limit,
  offset,
});

describe('rows', () => {
  test('random conditions', () => {
    fc.assert(
      fc.property(fc.array(onMany, { maxLength: 1 }), conditions, (many, where) => {
        const query = new URLSearchParams({ where: [...many, ...where].join(), limit: '7', order: '-total_net,property.city' });
        const { plan, document } = written(`orders?${query}`);
        expect(rowsIn(planOf(document))).toEqual(rowsIn(plan));
      }),
    );
  });

  test('columns of related rows and of functions', () => {
    const { document, notes } = written(
      'orders?columns=order_id,property.city,took:days(order_date,execution_end_date)&limit=5000&offset=20',
    );
    expect(document).toMatchInlineSnapshot(`
      "query Orders {
        orders(first: 1000, offset: 20) {
          totalCount
          nodes {
            orderId
            property {
              city
            }
            orderDate
            executionEndDate
          }
        }
      }
      "
    `);
    expect(notes).toMatchInlineSnapshot(`
      [
        "A page has at most 1000 rows. The next one begins after \`pageInfo.endCursor\`.",
        "Rows of GraphQL have no functions. The document selects the columns that they read.",
      ]
    `);
  });

  test('aggregates of related rows', () => {
    const { document, notes } = written(
      'properties?columns=property_id,open:count(orders,status!=closed),net:sum(orders.total_net),p:percentile(orders.total_net,90)&limit=2',
    );
    expect([validate(schema, parse(document)), notes]).toEqual([[], []]);
    expect(document.replaceAll(/\s+/g, ' ')).toBe(
      'query Properties { properties(first: 2) { totalCount nodes { propertyId open: orders(filter: {status: {ne: "closed"}}, first: 1) { totalCount } net: ordersGroups(first: 1) { groups { sum { totalNet } } } p: ordersGroups(first: 1) { groups { percentile(percent: 90) { totalNet } } } } } } ',
    );
  });

  test('what GraphQL cannot say', () => {
    expect(() => written('properties?columns=n:count(orders)&order=-n')).toThrow('GraphQL has no order by an aggregate of related rows');
    expect(() => written('orders?columns=took:days(order_date,execution_end_date)&order=-took')).toThrow(
      'GraphQL has no order by a function of columns',
    );
    expect(() => written('orders?where=order_id>99999999999')).toThrow('32 bits');
    expect(() => written('orders?where=total_net>0.12345678901234567890')).toThrow('so many digits');
  });
});
