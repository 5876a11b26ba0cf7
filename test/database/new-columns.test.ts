/** Tables of an earlier version get the columns of this one, beside their readers (docs/operating.md, Upgrade and rollback). */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { withClient } from '../../src/database/connections/transaction.ts';
import { findAllDifferences } from '../../src/database/inspect.ts';
import { upgradeDatabase } from '../../src/sync/upgrade/upgrade.ts';
import { onServer } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { sqlOn } from '../support/specification.ts';
import { asCsv, Deliveries, expectPublished, load, readDatasetState, readTableData } from '../sync/support.ts';

const tables = [
  'contract_ends',
  'orders',
  'projects',
  'properties',
  'property_structure',
  'technical_objects',
  'creditor',
  'employees',
  'owner',
  'tenants',
];
/** Of the upgrade, and of later versions: they are undone too, because migrations have an order. */
const migrations = [
  '015_outdated_customers',
  '016_questions_of_keys',
  '017_outcomes_of_questions',
  '018_uploads',
  '019_kept_sources',
  '020_waiting_uploads',
  '021_drafts',
];

let service: TestService;
const deliveries = new Deliveries();
const sql = (text: string) => sqlOn(service)(text);
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  deliveries.remove();
});

/** The tables and the control schema as the previous version has them. */
beforeEach(async () => {
  for (const slug of ['nord', 'sued'])
    for (const table of tables) await sql(`alter table customer_${slug}.${table} drop column city, drop column postal_code`);
  await sql('drop table estate.outdated_customers, estate.uploads, estate.kept_sources');
  await sql('alter table estate.sync_runs drop column source, drop column source_version');
  await sql('alter table estate.questions drop column saved_by, drop column outcomes');
  await sql(`delete from estate.kysely_migration where name >= '${migrations[0]}'`);
});
afterEach(() => upgradeDatabase(service.database, catalogue));

const upgrade = () => upgradeDatabase(service.database, catalogue);

test('every customer gets the columns with their values, and a second start does nothing', async () => {
  expect((await findAllDifferences(service.database, catalogue)).length).toBe(20);
  const { applied, added } = await upgrade();
  expect(applied).toEqual(migrations);
  expect(added.filter((line) => line.startsWith('customer nord'))).toEqual(
    tables.map((table) => `customer nord: table ${table} has the new columns city, postal_code`),
  );
  expect(added.length).toBe(20);
  expect(await findAllDifferences(service.database, catalogue)).toEqual([]);
  for (const schema of ['customer_nord', 'customer_sued']) await expectPublished(service.database, schema);
  expect(await upgrade()).toEqual({ applied: [], added: [] });
});

test('the rows have a new version, so no tag and no delta misses the columns', async () => {
  const path = '/property/properties?limit=3&columns=property_id,address';
  const before = await service.get(path);
  const old = await readDatasetState(service.database, 'category', 'properties');
  const untouched = await readDatasetState(service.database, 'category', 'offers');
  await upgrade();
  const after = await service.get(path, { headers: { 'If-None-Match': before.headers.get('etag')! } });
  expect([after.status, after.text]).toEqual([200, before.text]);
  const now = await readDatasetState(service.database, 'category', 'properties');
  expect(now.version).toBeGreaterThan(old.version);
  expect(now.changed_at > old.changed_at).toBe(true);
  // Nothing was loaded.
  expect(now.synced_at).toEqual(old.synced_at);
  expect(await readDatasetState(service.database, 'category', 'offers')).toEqual(untouched);
  const delta = await service.get(`/property/properties/deltas?since_version=${old.version}&limit=100000`);
  // A copy lacks the new columns, so it is downloaded again. An instance of the earlier version answers the same.
  expect(delta.status).toBe(410);
  const next = await service.get(`/property/properties/deltas?since_version=${now.version}`);
  expect([next.status, next.json.upserts, next.json.deletes]).toEqual([200, [], []]);
  const copy = await service.get('/property/properties?limit=1000');
  expect(Number(copy.headers.get('x-data-version'))).toBe(now.version);
  for (const row of copy.json) expect([row.postal_code, row.city].join(', ')).toBe(row.address);
});

test('an interrupted upgrade continues', async () => {
  await sql('alter table customer_nord.properties add column "new city" text');
  await upgrade();
  await expectPublished(service.database);
  expect(await findAllDifferences(service.database, catalogue)).toEqual([]);
});

test('the next load fills the columns and builds their indexes', async () => {
  await upgrade();
  const sheet = await readTableData(service.database, 'property_hdr');
  for (const row of sheet.rows) row[sheet.columns.indexOf('city')] = 'Lübeck';
  await load(service.database, [deliveries.write('property_hdr.csv', asCsv(sheet))]);
  await expectPublished(service.database);
  const { json } = await service.get('/property/properties/groups?by=city&count=true');
  expect(json).toEqual([{ city: 'Lübeck', count: sheet.rows.length }]);
  const indexes = await sql(`select indexname from pg_indexes where schemaname = 'customer_nord' and indexname = 'ix_properties_city'`);
  expect(indexes.length).toBe(1);
});

test.runIf(onServer)('a long reader delays the upgrade, and the upgrade delays no other reader', async () => {
  const reader = await withClient(service.database.pool, async (client) => {
    await client.query('begin');
    await client.query('select count(*) from customer_nord.properties');
    const upgraded = upgrade();
    let done = false;
    const ended = upgraded.finally(() => {
      done = true;
    });
    // The upgrade asks for the table while these are read.
    for (let asked = 0; asked < 20; asked++)
      expect((await service.get(`/property/properties?limit=1&columns=property_id&offset=${asked}`)).status).toBe(200);
    expect(done).toBe(false);
    await client.query('rollback');
    return ended;
  });
  expect(reader.added.length).toBe(20);
});
