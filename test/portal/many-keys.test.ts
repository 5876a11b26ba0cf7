/** The cost of a list depends on the page, not on the number of keys: no query scans the whole table. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/database/connections/connection.ts';
import { readStalest } from '../../src/web/portal/customers/freshness.ts';
import { type KeySort, keySorts, readKeys } from '../../src/web/portal/keys/key-list.ts';
import { onServer, openTestDatabase } from '../support/database.ts';

let database: Database;
const made = 20_000;

beforeAll(async () => {
  database = await openTestDatabase();
  const { pool } = database;
  await pool.query(
    `insert into estate.customers (slug, name, tier, schema_name)
     select 'many' || i, 'Many', 'basic', 'customer_many' || i from generate_series(1, 200) i`,
  );
  await pool.query(
    `insert into estate.api_keys (id, customer_id, lineage, name, tier, groups, hash, created_at, expires_at, revoked_at)
     select 'many' || i, (select max(id) from estate.customers) - i % 200, 'many' || i, 'Key ' || md5(i::text), 'basic', '{rest,raw,graphql}', sha256(i::text::bytea), now() - i * interval '1 s',
       case when i % 5 = 0 then now() + i * interval '1 min' end, case when i % 10 = 0 then now() end
     from generate_series(1, $1::integer) i`,
    [made],
  );
  await pool.query('vacuum analyze estate.api_keys, estate.customers');
});
afterAll(() => database.close());

const list = (sort: KeySort, page = 1, isDescending = false) =>
  readKeys(database, { search: '', sort, isDescending, page }, { withEnded: true });

test.runIf(onServer)('for every order, also with counts', async () => {
  const scans = async () => {
    await database.pool.query('select pg_stat_force_next_flush()');
    const { rows } = await database.pool.query<{ seq_scan: number }>("select seq_scan from pg_stat_user_tables where relname = 'api_keys'");
    return rows[0]?.seq_scan;
  };
  const before = await scans();
  for (const sort of keySorts) for (const isDescending of [false, true]) await list(sort, 1, isDescending);
  await list('created', made / 50);
  await readStalest(database, 10);
  expect(await scans()).toBe(before);
});

test.runIf(onServer)('a search with few results reads them once', async () => {
  const read = async () => {
    await database.pool.query('select pg_stat_force_next_flush()');
    const { rows } = await database.pool.query<{ read: number }>(
      "select seq_tup_read + idx_tup_fetch as read from pg_stat_user_tables where relname = 'api_keys'",
    );
    return rows[0]?.read ?? 0;
  };
  const before = await read();
  const { rows, total } = await readKeys(database, { search: 'key abc', sort: 'created', isDescending: true, page: 1 }, {});
  expect(rows).toHaveLength(total);
  expect((await read()) - before).toBeLessThan(1.1 * made);
});

test('the number of active keys of all customers, and of the few that are shown', async () => {
  const { rows } = await database.pool.query<{ total: number }>(
    'select count(*)::integer as total from estate.api_keys where revoked_at is null and disabled_at is null and (expires_at is null or expires_at > now())',
  );
  const { customers, activeKeys } = await readStalest(database, 3);
  expect(customers).toHaveLength(3);
  expect(activeKeys).toBe(rows[0]?.total);
});

test('pages of the second half, which are read from the end, follow those of the first', async () => {
  const { total } = await list('created');
  const last = Math.ceil(total / 50);
  const middle = Math.floor(last / 2);
  const { rows } = await database.pool.query<{ id: string }>('select id from estate.api_keys order by created_at, id');
  const found: string[] = [];
  for (let page = middle - 1; page <= middle + 2; page++) found.push(...(await list('created', page)).rows.map(({ id }) => id));
  expect(found).toEqual(rows.slice((middle - 2) * 50, (middle + 2) * 50).map(({ id }) => id));
  expect((await list('created', last)).rows).toHaveLength(total % 50 || 50);
  expect((await list('created', last + 1)).rows).toEqual([]);
});
