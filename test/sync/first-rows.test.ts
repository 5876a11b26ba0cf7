/** The first rows of an empty table are written into it or into a new table, with the same result, including indexes and change log. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CustomerStore } from '../../src/access/customers.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { withClient } from '../../src/database/connections/transaction.ts';
import { registerDataset } from '../../src/database/control/datasets.ts';
import type { Replacing } from '../../src/sync/request.ts';
import { openTestDatabase } from '../support/database.ts';
import { asCsv, Deliveries, expectPublished, load, readTableData, type TableData } from './support.ts';

let database: Database;
let orders: TableData;
let paths: string[];
const deliveries = new Deliveries();
beforeAll(async () => {
  database = await openTestDatabase();
  orders = await readTableData(database, 'order_hdr');
  paths = [];
  for (const table of ['order_hdr', 'creditor_hdr', 'person', 'property_hdr', 'floor_area', 'building'])
    paths.push(deliveries.write(`${table}.csv`, asCsv(await readTableData(database, table))));
});
afterAll(async () => {
  await database.close();
  deliveries.remove();
});

const always: Replacing = { share: 0.2, fewest: 1, attempts: 3 };
const intoThem: Replacing = { ...always, fewest: Number.POSITIVE_INFINITY };

const query = async (text: string, values: unknown[]) => (await database.pool.query(text, values)).rows;

/** Tables, indexes and keys of a schema, without its name. */
const definitions = (schema: string) =>
  query(
    `select c.relname, replace(pg_get_indexdef(c.oid), $1, '') as index,
       (select json_agg(json_build_array(conname, replace(pg_get_constraintdef(oid), $1, '')) order by conname) from pg_constraint where conrelid = c.oid) as keys
     from pg_class c where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'i') order by c.relname`,
    [schema],
  );

const versions = (slug: string) =>
  query(
    `select d.kind, d.name, d.row_count, d.version - s.base as version, d.kept_from - s.base as kept_from,
       (select count(*) from customer_${slug}._changed_keys k where k.dataset_id = d.id and k.version = d.version) as logged
     from customer_${slug}._datasets d cross join customer_${slug}._state s order by 1, 2`,
    [],
  );

const oidOf = async (name: string): Promise<number> => (await query('select $1::regclass::oid as oid', [name]))[0].oid;

const outcome = async (slug: string) => {
  const schema = `customer_${slug}`;
  await expectPublished(database, schema);
  return {
    definitions: await definitions(schema),
    versions: await versions(slug),
    orders: await readTableData(database, 'orders', schema),
  };
};

test('written into a new table, written into it after a failed swap, or written into it directly', async () => {
  const outcomes: Awaited<ReturnType<typeof outcome>>[] = [];
  const ways = { into: intoThem, beside: always, refused: { ...always, attempts: 0 } };
  for (const [slug, replacing] of Object.entries(ways)) {
    await new CustomerStore(database).add(catalogue, { slug, name: slug, tier: 'enterprise' });
    const before = [await oidOf(`customer_${slug}.order_hdr`), await oidOf(`customer_${slug}.orders`)];
    const { tables } = await load(database, paths, { customer: slug, replacing });
    expect(tables.find(({ table }) => table === 'orders')).toMatchObject({ inserted: orders.rows.length, updated: 0, deleted: 0 });
    const after = [await oidOf(`customer_${slug}.order_hdr`), await oidOf(`customer_${slug}.orders`)];
    expect(after.map((oid, at) => oid !== before[at])).toEqual(slug === 'beside' ? [true, true] : [false, false]);
    outcomes.push(await outcome(slug));
  }
  expect(outcomes[1]).toEqual(outcomes[0]);
  expect(outcomes[2]).toEqual(outcomes[0]);
  // A client without data downloads the table, so its rows are not logged.
  expect(outcomes[0]?.versions.every(({ logged }) => logged === 0)).toBe(true);
});

test('rows of a table that was emptied are logged, however they are written', async () => {
  const empty = deliveries.folderNamed('empty').write('order_hdr.csv', asCsv({ ...orders, rows: [] }));
  const outcomes: Awaited<ReturnType<typeof outcome>>[] = [];
  for (const [slug, replacing] of Object.entries({ into: intoThem, beside: always })) {
    await load(database, [empty], { customer: slug, replacing: intoThem });
    await load(database, paths, { customer: slug, replacing });
    outcomes.push(await outcome(slug));
  }
  expect(outcomes[1]).toEqual(outcomes[0]);
  expect(outcomes[0]?.versions.find(({ name }) => name === 'orders')?.logged).toBe(orders.rows.length);
});

test('a table whose registration is deleted leaves nothing to the next one', async () => {
  const register = (name: string) =>
    withClient(database.pool, (client) =>
      registerDataset(client, 'customer_beside', { kind: 'raw', name, key_column: 'id', tier: 'basic' }),
    );
  const idOf = async (name: string) => (await query('select id from customer_beside._datasets where name = $1', [name]))[0].id;
  await register('first');
  const first = await idOf('first');
  await query(`insert into customer_beside._changed_keys values ($1, 'key', 1, false)`, [first]);
  await query(`delete from customer_beside._datasets where name = 'first'`, []);
  await register('second');
  expect(await idOf('second')).toBeGreaterThan(first);
});
