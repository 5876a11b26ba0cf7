/** Who sees which failed checks: `/me` shows those of readable tables and columns, with the rows of the key's properties. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import type { ScopeDefinition } from '../../src/catalogue/data-scope.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Tier } from '../../src/catalogue/tiers.ts';
import { type Customer, findCustomer } from '../../src/database/control/customers.ts';
import { checkAgain } from '../../src/sync/data-checks.ts';
import { dataOf } from '../graphql/client.ts';
import { startService, type TestService } from '../support/service.ts';
import { testSecret } from '../support/settings.ts';

let service: TestService;
let customer: Customer;
/** Two orders of different properties, with their companies. */
let violating: readonly { readonly order: string; readonly property: number; readonly company: string }[];

beforeAll(async () => {
  service = await startService();
  customer = await findCustomer(service.database, 'nord');
  const { pool } = service.database;
  const { rows } = await pool.query(
    `select distinct on (o.property_id) o.order_id::text as order, o.property_id as property, p.company_number as company
     from customer_nord.orders o join customer_nord.properties p using (property_id) where o.total_net is not null order by o.property_id limit 2`,
  );
  violating = rows;
  const keys = violating.map(({ order }) => order);
  await pool.query('update customer_nord.orders set total_net = total_net + 1, creditor_number = 1 where order_id::text = any($1)', [keys]);
  await pool.query(
    "update customer_nord.tenants set deposit_type = 'unheard' where tenant_id = (select min(tenant_id) from customer_nord.tenants)",
  );
  await checkAgain(service.database, catalogue, customer);
});
afterAll(() => service.stop());

const failuresFor = async (
  tier: Tier,
  scope?: ScopeDefinition,
): Promise<Record<string, [name: string, count: number, keys: string[]][]>> => {
  const { key } = await new KeyStore(service.database, testSecret).create({ customer, tier, ...(scope && { scope }) });
  const { json } = await service.get('/me', { key });
  const tables: { table: string; failed_checks: { name: string; count: number; keys: string[] }[] }[] = json.tables;
  const { me } = await dataOf(service, '{ me { tables { table failedChecks { name severity count keys en de } } } }', { key });
  expect(me.tables).toEqual(tables.map(({ table, failed_checks }) => ({ table, failedChecks: failed_checks })));
  return Object.fromEntries(
    tables.flatMap(({ table, failed_checks }) =>
      failed_checks.length > 0 ? [[table, failed_checks.map(({ name, count, keys }) => [name, count, keys])]] : [],
    ),
  );
};

test('a key without a scope sees every failed check of its tables, with examples', async () => {
  const keys = violating.map(({ order }) => order);
  const found = await failuresFor('professional');
  expect(found.orders).toEqual([
    ['orders.creditor_number.reference', 2, keys],
    ['orders.gross', 2, keys],
  ]);
  expect(found.tenants).toMatchObject([['tenants.deposit_type.code', 1, [expect.any(String)]]]);
});

test('a key of a lower tier sees no check of tables above it', async () => {
  expect(await failuresFor('basic')).toEqual({});
});

test('a key with a property set sees the rows of its properties, and no check of a table that it does not read', async () => {
  const [one, other] = violating;
  for (const { order, property } of [one!, other!])
    expect((await failuresFor('enterprise', { properties: { ids: [property] } })).orders).toEqual([['orders.gross', 1, [order]]]);
  const both = { properties: { ids: violating.map(({ property }) => property) } };
  expect((await failuresFor('enterprise', both)).orders).toEqual([['orders.gross', 2, violating.map(({ order }) => order)]]);
  const { rows } = await service.database.pool.query(
    'select property_id from customer_nord.properties where property_id <> all($1::int[]) order by 1 limit 1',
    [violating.map(({ property }) => property)],
  );
  expect((await failuresFor('enterprise', { properties: { ids: [rows[0].property_id] } })).orders).toBeUndefined();
});

test('a property set may name companies', async () => {
  const of = violating.filter(({ company }) => company === violating[0]!.company).map(({ order }) => order);
  const found = await failuresFor('enterprise', { properties: { companies: [violating[0]!.company] } });
  expect(found.orders).toEqual([['orders.gross', of.length, of]]);
  expect((await failuresFor('enterprise', { properties: { companies: ['none'] } })).orders).toBeUndefined();
});

test('a key sees no check of a hidden column', async () => {
  const { pool } = service.database;
  const { rows } = await pool.query('select count(*) from customer_nord.tenants where iban is not null');
  expect(rows[0].count).toBeGreaterThan(0);
  await pool.query('update customer_nord.tenants set iban = null');
  await checkAgain(service.database, catalogue, customer);
  const names = (found: Awaited<ReturnType<typeof failuresFor>>) => found.tenants?.map(([name]) => name);
  expect(names(await failuresFor('enterprise'))).toEqual(['tenants.deposit_type.code', 'tenants.nulls']);
  expect(names(await failuresFor('enterprise', { personal: ['name'] }))).toEqual(['tenants.deposit_type.code']);
});

test('a customer that was never checked has no failed checks', async () => {
  const other = await findCustomer(service.database, 'sued');
  const { key } = await new KeyStore(service.database, testSecret).create({ customer: other, tier: 'enterprise' });
  const { status, json } = await service.get('/me', { key });
  expect([status, json.tables.flatMap((table: { failed_checks: unknown[] }) => table.failed_checks)]).toEqual([200, []]);
});
