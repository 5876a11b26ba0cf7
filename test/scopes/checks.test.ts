/**
 * The failed checks that a key with a property set sees are those of a database that holds nothing else. A change of hidden rows changes none
 * of them (contract: checks of the data).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checksIn } from '../../src/catalogue/checks.ts';
import type { ScopeDefinition } from '../../src/catalogue/data-scope.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { checkAgain } from '../../src/sync/data-checks.ts';
import { startService, type TestService } from '../support/service.ts';
import { keyForAll } from './keys.ts';
import { foreign, personTables, schema, tables } from './worlds.ts';

const run = ({ database }: TestService, text: string) => database.pool.query(text);
const check = async ({ database }: TestService) => checkAgain(database, catalogue, await findCustomer(database, 'nord'));

/** Checks that a key with a property set never sees: those of whole tables, and those that read tables of persons. */
const ofPersons = (name: string) => personTables.includes(name);
const unseen = new Set(
  checksIn(catalogue)
    .filter(
      ({ rule, table, others }) =>
        ['rows', 'nulls', 'sums'].includes(rule.is) || ofPersons(table) || others.some((other) => ofPersons(other.table)),
    )
    .map(({ name }) => name),
);

interface Failed {
  readonly name: string;
  readonly count: number;
  readonly keys: readonly string[];
}
const failuresFor = async (service: TestService, scope: ScopeDefinition | null): Promise<readonly Failed[]> => {
  const { json } = await service.get('/me', { key: await keyForAll(service, scope) });
  const failed: readonly Failed[] = json.tables.flatMap(({ failed_checks }: { failed_checks: readonly Failed[] }) => failed_checks);
  return failed.flatMap(({ name, count, keys }) => (unseen.has(name) ? [] : [{ name, count, keys }]));
};

/** Data with violations within a property, across properties, and of rows that are missing. */
const spoil = async (service: TestService, [one, two, three]: readonly number[]): Promise<void> => {
  const changes = [
    // References to rows of another property, and to no row.
    `update ${schema}.orders set offer_hdr_id = (select min(offer_hdr_id) from ${schema}.offers where property_id = ${two})
      where order_id in (select order_id from ${schema}.orders where property_id = ${one} order by 1 limit 3)`,
    `update ${schema}.orders set offer_hdr_id = (select min(offer_hdr_id) from ${schema}.offers where property_id = ${three})
      where order_id in (select order_id from ${schema}.orders where property_id = ${one} order by 1 desc limit 2)`,
    `update ${schema}.orders set offer_hdr_id = 2000000000 where order_id = (select max(order_id) from ${schema}.orders where property_id = ${two})`,
    // Totals with parts of another property, and with wrong parts.
    `update ${schema}.booking_positions set property_id = ${two} where booking_position_id in
      (select booking_position_id from ${schema}.booking_positions where property_id = ${one} order by 1 limit 2)`,
    `update ${schema}.booking_positions set property_id = ${three} where booking_position_id in
      (select booking_position_id from ${schema}.booking_positions where property_id = ${one} order by 1 desc limit 1)`,
    `update ${schema}.property_structure set property_id = ${two} where floor_area_id = (select min(floor_area_id) from ${schema}.property_structure where property_id = ${one})`,
    `update ${schema}.orders set invoice_count = invoice_count + 1 where order_id = (select min(order_id) from ${schema}.orders where property_id = ${one})`,
    // Tenancies of one unit at the same time: of one property, and of two.
    ...[one, two, three].map(
      (property) => `update ${schema}.tenants set contract_start_date = '2020-01-01', contract_end_date = null,
        floor_area_id = (select min(floor_area_id) from ${schema}.tenants where property_id = ${one})
        where tenant_id in (select tenant_id from ${schema}.tenants where property_id = ${property} order by 1 limit ${property === two ? 2 : 1})`,
    ),
    // Single rows.
    `update ${schema}.orders set total_net = total_net + 1 where order_id in (select min(order_id) from ${schema}.orders where property_id in (${one}, ${two}, ${three}) group by property_id)`,
  ];
  for (const change of changes) await run(service, change);
};

describe('failed checks of a key with a property set', () => {
  let whole: TestService;
  let ids: number[];
  beforeAll(async () => {
    whole = await startService();
    const { rows } = await run(
      whole,
      `select property_id as id from ${schema}.tenants where property_id in (select property_id from ${schema}.orders intersect
         select property_id from ${schema}.offers intersect select property_id from ${schema}.booking_positions)
       group by 1 having count(*) > 2 order by 1 limit 3`,
    );
    ids = rows.map(({ id }) => id);
    await spoil(whole, ids);
    await check(whole);
  });
  afterAll(() => whole.stop());

  test.each([[[0]], [[1]], [[0, 1]], [[0, 2]], [[0, 1, 2]]])('equal those of the part alone, for the properties %j', async (chosen) => {
    const set = chosen.map((at) => ids[at] as number);
    const part = await startService();
    try {
      await spoil(part, ids);
      const inOrder = [...tables].sort((a, b) => Number(b.name === 'order_invoice') - Number(a.name === 'order_invoice'));
      for (const { name } of inOrder) {
        const others = foreign(name, set);
        if (others) await run(part, `delete from ${schema}.${name} where ${others}`);
      }
      await check(part);
      const expected = await failuresFor(part, null);
      expect(expected.map(({ name }) => name)).toContain('orders.gross');
      expect(await failuresFor(whole, { properties: { ids: set } })).toEqual(expected);
    } finally {
      await part.stop();
    }
  });

  test('do not change with rows of other properties, whether they change, are missing, or are new', async () => {
    const [one, two] = ids as [number, number];
    const scope = { properties: { ids: [one] } };
    const before = await failuresFor(whole, scope);
    expect(before.map(({ name }) => name)).toEqual(expect.arrayContaining(['orders.offer_hdr_id.reference', 'orders.gross']));
    const hidden = [
      `delete from ${schema}.offers where property_id <> ${one}`,
      `update ${schema}.booking_positions set amount = amount + 1, signed_amount = signed_amount + 1 where property_id <> ${one}`,
      `update ${schema}.booking_positions set booking_header_id = (select min(booking_header_id) from ${schema}.booking_header where property_id = ${one})
        where property_id = ${two}`,
      `update ${schema}.tenants set floor_area_id = (select max(floor_area_id) from ${schema}.tenants where property_id = ${one}) where property_id = ${two}`,
      `delete from ${schema}.property_structure where property_id <> ${one}`,
    ];
    for (const change of hidden) {
      await run(whole, change);
      await check(whole);
      expect([change, await failuresFor(whole, scope)]).toEqual([change, before]);
    }
  });
});
