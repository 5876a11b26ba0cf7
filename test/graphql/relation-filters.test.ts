/** Filters and orders through relations, compared with SQL written by hand (contract: GraphQL filters; GraphQL order). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { camelCase } from '../../src/graphql/schema/names.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { statementsDuring } from '../support/statements.ts';
import { ask, dataOf } from './client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const keysOf = async (text: string): Promise<unknown[]> => {
  const { rows } = await service.database.pool.query(text.replaceAll('nord.', 'customer_nord.'));
  return rows.map((row) => row.key);
};

describe('filters through relations', () => {
  const order = 'select order_id as key from nord.orders o where';
  const property = 'select property_id as key from nord.properties p where';
  const theirs = 'from nord.orders o where o.property_id = p.property_id';
  test.each([
    [
      'to one row',
      'orders',
      '{ property: { unitCount: { gte: 10 } } }',
      `${order} property_id in (select property_id from nord.properties where unit_count >= 10)`,
    ],
    ['that there is one row', 'orders', '{ offer: {} }', `${order} offer_hdr_id in (select offer_hdr_id from nord.offers)`],
    [
      'that there is none',
      'orders',
      '{ not: { offer: {} } }',
      `${order} not exists (select from nord.offers f where f.offer_hdr_id = o.offer_hdr_id)`,
    ],
    [
      'to the row of a row',
      'orders',
      '{ offer: { property: { federalState: { ne: "NW" } }, offerValue: { gt: 300 } } }',
      `${order} offer_hdr_id in (select offer_hdr_id from nord.offers f join nord.properties p using (property_id) where federal_state <> 'NW' and offer_value > 300)`,
    ],
    ['some', 'properties', '{ orders: { some: { totalNet: { gt: 900 } } } }', `${property} exists (select ${theirs} and total_net > 900)`],
    [
      'none',
      'properties',
      '{ orders: { none: { totalNet: { gt: 900 } } } }',
      `${property} not exists (select ${theirs} and total_net > 900)`,
    ],
    [
      'every: a row for which it is unknown is none for which it holds',
      'properties',
      '{ orders: { every: { offerHdrId: { gt: 0 } } } }',
      `${property} not exists (select ${theirs} and (offer_hdr_id > 0) is not true)`,
    ],
    ['any at all', 'properties', '{ orders: { some: {} } }', `${property} exists (select ${theirs})`],
    ['none at all', 'properties', '{ orders: { none: {} } }', `${property} not exists (select ${theirs})`],
    ['every of them anything', 'properties', '{ orders: { every: {} } }', `${property} true`],
    ['nothing said of them', 'properties', '{ orders: {} }', `${property} true`],
    [
      'several at once',
      'properties',
      '{ orders: { some: { totalNet: { gt: 500 } }, none: { status: { eq: "cancelled" } } } }',
      `${property} exists (select ${theirs} and total_net > 500) and not exists (select ${theirs} and status = 'cancelled')`,
    ],
    [
      'within and, or, not, back and forth',
      'properties',
      '{ or: [{ not: { orders: { some: { property: { orders: { some: { totalNet: { gt: 2000 } } } } } } } }, { unitCount: { gt: 20 } }] }',
      `${property} not exists (select ${theirs} and exists (select from nord.orders x where x.property_id = p.property_id and total_net > 2000)) or unit_count > 20`,
    ],
    [
      'more than a number of those that fulfil a filter',
      'properties',
      '{ orders: { count: { filter: { status: { ne: "closed" } }, is: { gt: 2, lte: 9 } } } }',
      `${property} (select count(*) ${theirs} and status <> 'closed') between 3 and 9`,
    ],
    ['a number of all', 'properties', '{ orders: { count: { is: { in: [0, 3] } } } }', `${property} (select count(*) ${theirs}) in (0, 3)`],
    ['not a number', 'properties', '{ not: { orders: { count: { is: { gte: 1 } } } } }', `${property} not exists (select ${theirs})`],
    ['null for a number', 'properties', '{ not: { orders: { count: null } } }', `${property} false`],
    [
      'a function of two columns',
      'orders',
      '{ days: { from: { column: ORDER_DATE }, to: { column: EXECUTION_END_DATE }, is: { gt: 30 } } }',
      `${order} execution_end_date - order_date > 30`,
    ],
    [
      'a function of a column of a related row',
      'orders',
      '{ product: { of: { column: TOTAL_NET }, by: { offer: { property: { column: UNIT_COUNT } } }, is: { lt: 5000 } } }',
      `${order} total_net * (select unit_count from nord.offers f join nord.properties p using (property_id) where f.offer_hdr_id = o.offer_hdr_id) < 5000`,
    ],
    [
      'a function that is null without a related row',
      'orders',
      '{ days: { from: { notification: { column: REPORT_DATE } }, to: { column: ORDER_DATE }, is: { isNull: true } } }',
      `${order} (select report_date from nord.notifications n where n.report_hdr_id = o.report_hdr_id) is null or order_date is null`,
    ],
    ['null for a function', 'orders', '{ not: { days: null } }', `${order} false`],
    ['null for a relation', 'orders', '{ property: null }', `${order} false`],
    ['null for how many', 'properties', '{ not: { orders: { some: null } } }', `${property} false`],
  ])('%s', async (_name, field, filter, text) => {
    const key = field === 'orders' ? 'orderId' : 'propertyId';
    const { rows } = await dataOf(service, `{ rows: ${field}(first: 1000, filter: ${filter}) { totalCount nodes { ${key} } } }`);
    const wanted = await keysOf(`${text} order by 1`);
    expect(rows.nodes.map((row: Record<string, unknown>) => row[key])).toEqual(wanted);
    expect(rows.totalCount).toBe(wanted.length);
  });

  test('they apply within each parent, and so do their cursors', async () => {
    const page = (filter: string, args = '') =>
      `{ propertyById(propertyId: 1001) { orders(first: 2, filter: ${filter} ${args}) { totalCount pageInfo { endCursor } nodes { orderId } } } }`;
    const filter = '{ creditor: { name: { gt: "A" } } }';
    const { orders } = (await dataOf(service, page(filter))).propertyById;
    const after = `after: "${orders.pageInfo.endCursor}"`;
    const next = (await dataOf(service, page(filter, after))).propertyById.orders;
    const wanted = await keysOf(
      `select order_id as key from nord.orders o where property_id = 1001 and exists (select from nord.creditor c where c.creditor_number = o.creditor_number and c.name > 'A') order by 1`,
    );
    expect([...orders.nodes, ...next.nodes].map(({ orderId }: { orderId: number }) => orderId)).toEqual(wanted.slice(0, 4));
    expect(orders.totalCount).toBe(wanted.length);
    for (const other of ['{ creditor: { name: { gt: "B" } } }', '{ creditor: { name: { gte: "A" } } }', '{ name: { gt: "A" } }'])
      expect((await ask(service, page(other, after))).errors[0].message).toContain('after: The cursor is not valid');
  });

  test('a filter of a table that a customer lacks is refused like the table', async () => {
    const lacking = await startService();
    try {
      await lacking.database.pool.query('drop table customer_nord.offers');
      const direct = await ask(lacking, '{ offers { totalCount } }');
      const through = await ask(lacking, '{ orders(filter: { offer: {} }) { totalCount } }');
      expect(through.errors[0].message).toBe(direct.errors[0].message);
      expect((await ask(lacking, '{ orders(orderBy: [{ offer: { offerValue: ASC } }]) { totalCount } }')).errors).toHaveLength(1);
    } finally {
      await lacking.stop();
    }
  });
});

describe('tables above the tier', () => {
  test.each(['{ orders: { some: {} } }', '{ technicalObjects: { some: { orders: {} } } }'])('filter %s', async (filter) => {
    const { errors } = await ask(service, `{ properties(filter: ${filter}) { totalCount } }`, { key: keys.nordBasic });
    expect(errors[0].message).toMatch(/^Field "orders" is not defined by type/);
  });

  test('the filters and orders of a tier name no table above it', async () => {
    for (const key of [keys.nordBasic, keys.nordProfessional]) {
      const { __schema } = await dataOf(
        service,
        '{ __schema { types { name kind inputFields { name type { name ofType { name } } } } } }',
        { key },
      );
      const names = new Set(__schema.types.map(({ name }: { name: string }) => name));
      for (const { inputFields } of __schema.types)
        for (const { type } of inputFields ?? []) expect(type.name === null || names.has(type.name)).toBe(true);
      expect(names.has('AccountFilter')).toBe(false);
      expect(names.has('OrderListFilter')).toBe(key === keys.nordProfessional);
    }
  });
});

test('no filter and no order reaches the rows of another customer', async () => {
  const canary = 'canary-of-sued';
  for (const table of ['properties', 'creditor', 'offers']) {
    const [column] = Object.entries(catalogue.tables.get(table)!.columns).find(([, { kind, required }]) => kind === 'string' && !required)!;
    await service.database.pool.query(`update customer_sued.${table} set ${column} = '${canary}'`);
    const relation = catalogue.relations.get('orders')!.find(({ target }) => target === table)!.name;
    const name = camelCase(column);
    const count = (filter: string, key?: string) =>
      dataOf(service, `{ orders(filter: ${filter}) { totalCount } }`, key ? { key } : {}).then(({ orders }) => orders.totalCount);
    const found = `{ ${relation}: { ${name}: { eq: "${canary}" } } }`;
    expect(await count(found)).toBe(0);
    expect(await count(found, keys.suedEnterprise)).toBeGreaterThan(0);
    const { key } = catalogue.tables.get(table)!;
    const statements = await statementsDuring(() =>
      dataOf(
        service,
        `{ orders(filter: { not: ${found} }, orderBy: [{ ${relation}: { ${camelCase(key)}: ASC } }], first: 3) { nodes { orderId } } }`,
      ),
    );
    expect(statements.length).toBeGreaterThan(0);
    for (const text of statements) expect(text).not.toContain('customer_sued');
  }
});

describe('limits', () => {
  const times = (count: number, text: string) => Array.from({ length: count }, () => text).join(' ');
  const deep = (levels: number): string => (levels === 0 ? '{}' : `{ property: { orders: { some: ${deep(levels - 1)} } } }`);
  test.each([
    ['24 steps', `{ orders(filter: { and: [${times(24, '{ property: {} }')}] }) { totalCount } }`, undefined],
    ['26 steps', `{ orders(filter: { and: [${times(26, '{ property: {} }')}] }) { totalCount } }`, 'terms'],
    ['steps of several lists', `{ ${[0, 1, 2].map((n) => `a${n}: orders(filter: ${deep(5)}) { totalCount }`).join(' ')} }`, 'terms'],
    ['steps of an order', `{ orders(orderBy: [${times(26, '{ property: { propertyId: ASC } }')}], first: 1) { totalCount } }`, 'terms'],
    ['steps as levels', `{ orders(filter: ${deep(9)}) { totalCount } }`, undefined],
    ['more steps as levels', `{ orders(filter: ${deep(11)}) { totalCount } }`, 'nesting'],
  ])('%s', async (_name, query, limit) => {
    const { errors } = await ask(service, query);
    if (limit === undefined) expect(errors).toEqual([]);
    else expect(errors[0]).toMatchObject({ message: expect.stringContaining(`for ${limit}`), extensions: { code: 'LIMIT_EXCEEDED' } });
  });
});
