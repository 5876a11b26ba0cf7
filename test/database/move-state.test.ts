/** The state of customers' data moves into their schemas: nothing that clients remember becomes wrong (decision 050). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareDatabase } from '../../src/database/prepare.ts';
import { startService, startServiceOn, type TestService } from '../support/service.ts';
import { sqlOn } from '../support/specification.ts';
import { asCsv, Deliveries, load, readTableData } from '../sync/support.ts';

let service: TestService;
const deliveries = new Deliveries();
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  deliveries.remove();
});

const rename = async (name: string) => {
  const sheet = await readTableData(service.database, 'person');
  for (const row of sheet.rows) row[sheet.columns.indexOf('company_name')] = name;
  await load(service.database, [deliveries.write('person.csv', asCsv(sheet))]);
};

/** Puts the state where version 1.2 had it. */
const moveBack = async (sql: (text: string) => Promise<unknown>) => {
  await sql(`create table estate.datasets (customer_id integer not null references estate.customers (id) on delete cascade, kind text not null,
    name text not null, key_column text, tier text, version bigint not null default 0, row_count bigint not null default 0,
    synced_at timestamptz, changed_at timestamptz, id integer generated always as identity unique, kept_from bigint not null default 0,
    primary key (customer_id, kind, name))`);
  const tables = { dataset_versions: 'version, made_at', changed_keys: 'key, version, is_deleted' };
  for (const [name, columns] of Object.entries({ ...tables, deliveries: 'version, filenode, bytes, digest' })) {
    await sql(`create table estate.${name} as select dataset_id, ${columns} from customer_nord._${name} limit 0`);
    for (const slug of ['nord', 'sued'])
      await sql(`insert into estate.${name} select dataset_id + ${slug === 'sued' ? 1000 : 0}, ${columns} from customer_${slug}._${name}`);
  }
  for (const slug of ['nord', 'sued']) {
    await sql(`insert into estate.datasets overriding system value
      select (select id from estate.customers where slug = '${slug}'), kind, name, key_column, tier, version, row_count, synced_at, changed_at,
        id + ${slug === 'sued' ? 1000 : 0}, kept_from from customer_${slug}._datasets`);
    for (const table of ['_state', '_dataset_versions', '_changed_keys', '_deliveries', '_datasets'])
      await sql(`drop table customer_${slug}.${table}`);
  }
  await sql("select setval(pg_get_serial_sequence('estate.datasets', 'id'), 10000)");
  await sql(
    'alter table estate.publications drop column loads, drop column total_rows, drop column last_synced_at, drop column last_changed_at',
  );
  await sql(
    'drop table estate.questions, estate.table_loads, estate.webhook_deliveries, estate.webhook_events, estate.webhook_endpoints, estate.outdated_customers, estate.uploads, estate.kept_sources',
  );
  await sql(
    'alter table estate.sync_runs drop column files, drop column rows_read, drop column failed_checks, drop column source, drop column source_version',
  );
  await sql("delete from estate.kysely_migration where name >= '010'");
};

test('ETags, cursors, deltas and the record of the last file stay valid', async () => {
  const { database, get } = service;
  const sql = sqlOn(service);
  await rename('Before');
  await rename('Between');
  const page = await get('/raw/person?limit=2');
  const tag = { 'If-None-Match': page.headers.get('etag') as string };
  const version = Number(page.headers.get('x-data-version'));
  const next = `/raw/person?limit=2&cursor=${page.json.next_cursor}`;
  const delta = `/stakeholder/tenants/deltas?since_version=${version - 1}&limit=3`;
  const before = [(await get(next)).json, (await get(delta)).json];
  const more = `${delta}&cursor=${before[1].next_cursor}`;
  const rest = (await get(more)).json;

  await moveBack(sql);
  expect(await prepareDatabase(database)).toContain('010_customer_state');
  const moved = await startServiceOn(database);
  expect((await moved.get('/raw/person?limit=2', { headers: tag })).status).toBe(304);
  expect([(await moved.get(next)).json, (await moved.get(delta)).json]).toEqual(before);
  expect((await moved.get(more)).json).toEqual(rest);
  const { tables } = await load(database, [deliveries.write('person.csv', asCsv(await readTableData(database, 'person')))]);
  expect(tables[0]).toMatchObject({ table: 'person', version });
});

test('instances of the version before see the versions of new loads, and cannot load', async () => {
  const sql = sqlOn(service);
  await rename('After');
  const [there] = await sql("select version, row_count, changed_at from customer_nord._datasets where name = 'person'");
  const old =
    "select version, row_count, changed_at from estate.datasets d join estate.customers c on c.id = customer_id where slug = 'nord'";
  expect(await sql(`${old} and d.name = 'person'`)).toEqual([there]);
  // Their query for versions joins both tables without qualified names.
  const states = `select name, version, row_count, synced_at, changed_at, revision, announced_at
    from estate.datasets left join estate.publications p using (customer_id)`;
  expect((await sql(`${states} where name = 'person'`)).length).toBeGreaterThan(0);
  // Their deltas start again, because the change log is not written twice.
  const [{ kept }] = await sql(
    `select kept_from = version as kept from (${old.replace('version,', 'version, kept_from,')} and d.name = 'person') d`,
  );
  expect(kept).toBe(true);
  await expect(sql("update estate.datasets set version = version + 1 where name = 'person'")).rejects.toThrow('use the newer version');
});

test('a second start moves nothing', async () => {
  const states = () => sqlOn(service)('select loads from customer_nord._state');
  const before = await states();
  expect(await prepareDatabase(service.database)).toEqual([]);
  expect(await states()).toEqual(before);
});

test('a customer whose schema alone is restored gets new versions, and no other customer does', async () => {
  const sql = sqlOn(service);
  const versions = (slug: string) => sql(`select name, version from customer_${slug}._datasets order by kind, name`);
  const [nord, sued] = [await versions('nord'), await versions('sued')];
  const etag = (await service.get('/raw/person?limit=1')).headers.get('etag') as string;
  // As a dump has it that was made one load earlier.
  await sql('update customer_nord._state set loads = loads - 1');
  await rename('Again');
  expect((await service.get('/raw/person?limit=1', { headers: { 'If-None-Match': etag } })).status).toBe(200);
  for (const { name, version } of nord) {
    const [now] = (await versions('nord')).filter((each) => each.name === name);
    expect(now?.version).toBeGreaterThan(version);
  }
  expect(await versions('sued')).toEqual(sued);
});
