/** Filters: each operator on each kind of value, and their combinations, compared with SQL (contract: GraphQL filters). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { ask, dataOf } from './client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const compare = async (field: string, table: string, key: string, filter: string, where: string): Promise<number> => {
  const [rowKey = ''] = Object.keys((await dataOf(service, `{ rows: ${field}(first: 1) { nodes { ${key} } } }`)).rows.nodes[0]);
  const { rows } = await dataOf(service, `{ rows: ${field}(first: 1000, filter: ${filter}) { totalCount nodes { ${key} } } }`);
  const column = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const found = await service.database.pool.query(`select ${column} as key from customer_nord.${table} where ${where} order by 1`);
  expect(rows.nodes.map((row: Record<string, unknown>) => row[rowKey])).toEqual(found.rows.map((row) => row.key));
  expect(rows.totalCount).toBe(found.rows.length);
  return rows.totalCount;
};

const orders = (filter: string, where: string) => compare('orders', 'orders', 'orderId', filter, where);

describe('a number beyond 64 bits is compared like any other (contract: numbers beyond the range)', () => {
  const sqlSigns = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' };
  test.each(['9223372036854775808', '-9223372036854775809', '9'.repeat(40)])('%s', async (number) => {
    for (const [operator, sign] of Object.entries(sqlSigns))
      for (const isNegated of [false, true]) {
        const own = `{ previousContractDebitId: { ${operator}: "${number}" } }`;
        const { contractDebitDiffs } = await dataOf(
          service,
          `{ contractDebitDiffs(filter: ${isNegated ? `{ not: ${own} }` : own}) { totalCount } }`,
        );
        const where = `previous_contract_debit_id ${sign} ${number}`;
        const { rows } = await service.database.pool.query(
          `select count(*)::int as count from customer_nord.contract_debit_diffs where ${isNegated ? `not (${where})` : where}`,
        );
        expect([operator, isNegated, contractDebitDiffs.totalCount]).toEqual([operator, isNegated, rows[0].count]);
      }
  });
});

describe('operators', () => {
  test.each([
    ['{ propertyId: { eq: 1001 } }', 'property_id = 1001'],
    ['{ propertyId: { ne: 1001 } }', 'property_id <> 1001'],
    ['{ offerHdrId: { ne: 1 } }', 'offer_hdr_id <> 1'],
    ['{ propertyId: { in: [1001, 1002] } }', 'property_id in (1001, 1002)'],
    ['{ propertyId: { in: [] } }', 'false'],
    ['{ orderId: { gt: 55010, lte: 55020 } }', 'order_id > 55010 and order_id <= 55020'],
    ['{ totalNet: { gte: 500.5 } }', 'total_net >= 500.5'],
    ['{ totalNet: { lt: 500.5 } }', 'total_net < 500.5'],
    ['{ offerHdrId: { isNull: true } }', 'offer_hdr_id is null'],
    ['{ offerHdrId: { isNull: false } }', 'offer_hdr_id is not null'],
    ['{ offerHdrId: { eq: null } }', 'false'],
    ['{ not: { offerHdrId: { eq: null } } }', 'false'],
    ['{ orderDate: { gte: "2024-01-01", lt: "2024-07-01" } }', `order_date >= '2024-01-01' and order_date < '2024-07-01'`],
    ['{ createdAt: { gt: "2024-01-01T00:00:00Z" } }', `created_at > '2024-01-01T00:00:00Z'`],
    ['{ createdAt: { lte: "2024-01-01T01:00:00+01:00" } }', `created_at <= '2024-01-01T00:00:00Z'`],
    ['{ isInsuranceClaim: { eq: true } }', 'is_insurance_claim'],
    ['{ isInsuranceClaim: { ne: true } }', 'not is_insurance_claim'],
    ['{ orderType: { gt: "m" } }', `order_type > 'm'`],
    ['{ subject: { contains: "eiz" } }', `subject like '%eiz%'`],
    ['{ subject: { contains: "EIZ" } }', 'false'],
    ['{ subject: { iContains: "EIZ" } }', `lower(subject) like '%eiz%'`],
    ['{ statusIs: [in_progress, closed] }', `status in ('in_progress', 'closed')`],
    ['{ statusIs: in_progress, not: { orderTypeIs: [repair] } }', `status = 'in_progress' and not order_type = 'repair'`],
    ['{ statusIs: [] }', 'false'],
    ['{ statusIs: null }', 'false'],
    ['{ name: { startsWith: "W" } }', `name like 'W%'`],
    ['{ name: { iStartsWith: "WÄR" } }', `name like 'Wär%'`],
    ['{ subject: { contains: "%" } }', `position('%' in subject) > 0`],
    ['{ subject: { contains: "_" } }', `position('_' in subject) > 0`],
    [String.raw`{ subject: { contains: "\\" } }`, String.raw`position('\' in subject) > 0`],
    [String.raw`{ subject: { eq: "\u0000" } }`, 'false'],
    [`{ subject: { eq: "'; drop table x; --" } }`, 'false'],
  ])('%s', async (filter, where) => {
    await orders(filter, where);
  });

  test('64-bit keys', () =>
    compare(
      'contractDebits',
      'contract_debits',
      'contractDebitId',
      '{ contractDebitId: { gt: 930010, in: ["930011", 930012] } }',
      'contract_debit_id in (930011, 930012)',
    ));
});

describe('combinations', () => {
  test.each([
    ['{}', 'true'],
    ['{ and: [] }', 'true'],
    ['{ or: [] }', 'false'],
    ['{ propertyId: { eq: 1001 }, orderType: { eq: "repair" } }', `property_id = 1001 and order_type = 'repair'`],
    ['{ or: [{ propertyId: { eq: 1001 } }, { orderType: { eq: "repair" } }] }', `property_id = 1001 or order_type = 'repair'`],
    [
      '{ or: [{ propertyId: { eq: 1001 }, orderType: { eq: "repair" } }, { totalNet: { gt: 5000 } }] }',
      `(property_id = 1001 and order_type = 'repair') or total_net > 5000`,
    ],
    ['{ not: { or: [{ propertyId: { eq: 1001 } }, { totalNet: { gt: 1000 } }] } }', 'not (property_id = 1001 or total_net > 1000)'],
    ['{ not: { offerHdrId: { gt: 0 } } }', 'not offer_hdr_id > 0'],
    ['{ not: { not: { propertyId: { eq: 1001 } } } }', 'property_id = 1001'],
    [
      '{ and: [{ propertyId: { ne: 1001 } }, { not: { offerHdrId: { isNull: true } } }] }',
      'property_id <> 1001 and offer_hdr_id is not null',
    ],
  ])('%s', async (filter, where) => {
    await orders(filter, where);
  });
});

test('codes that are not valid names have derived names', async () => {
  await compare('indexRent', 'index_rent', 'indexRentId', '{ baseYearIs: [_2015, _2020] }', 'base_year in (2015, 2020)');
  const { errors } = await ask(service, '{ orders(filter: { statusIs: [unheard_of] }) { totalCount } }');
  expect(errors[0].message).toContain('Value "unheard_of" does not exist in "OrderStatusCode" enum');
});

test('a code that is in no list is shown, and can be filtered as text', async () => {
  await service.database.pool.query(
    "update customer_nord.orders set status = 'new in 2031' where order_id = (select min(order_id) from customer_nord.orders)",
  );
  const { orders } = await dataOf(service, '{ orders(filter: { status: { eq: "new in 2031" } }) { nodes { status statusLabel } } }');
  expect(orders.nodes).toEqual([{ status: 'new in 2031', statusLabel: null }]);
});

test('a filter, an order and a limit apply within each parent', async () => {
  const document = `{ properties { nodes { propertyId
    orders(first: 3, filter: { totalNet: { gt: 300 } }, orderBy: [{ orderType: DESC }]) { totalCount nodes { orderId } } } } }`;
  const { properties } = await dataOf(service, document);
  for (const { propertyId, orders: found } of properties.nodes) {
    const { rows } = await service.database.pool.query(
      'select order_id from customer_nord.orders where property_id = $1 and total_net > 300 order by order_type desc nulls last, order_id desc',
      [propertyId],
    );
    expect(found.totalCount).toBe(rows.length);
    expect(found.nodes.map(({ orderId }: { orderId: number }) => orderId)).toEqual(rows.slice(0, 3).map((row) => row.order_id));
  }
});

test('values of the wrong type are refused with a reason', async () => {
  for (const [filter, message] of [
    ['{ orderDate: { eq: "2024-02-30" } }', 'Date takes a calendar day'],
    ['{ createdAt: { eq: "yesterday" } }', 'DateTime takes an ISO 8601'],
  ]) {
    const failure = await dataOf(service, `{ orders(filter: ${filter}) { totalCount } }`).catch((error: Error) => error.message);
    expect(failure).toContain(message);
  }
});
