/** A file that equals the table's last load is not sent to the database again, and the table counts as synced. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../src/database/connections/connection.ts';
import { ensureEpoch } from '../../src/database/control/epoch.ts';
import { openTestDatabase } from '../support/database.ts';
import { asCsv, Deliveries, expectPublished, type LoadOptions, load, readDatasetState, readTableData, type TableData } from './support.ts';

let database: Database;
let persons: TableData;
const deliveries = new Deliveries();
beforeAll(async () => {
  database = await openTestDatabase();
  persons = await readTableData(database, 'person');
});
afterAll(async () => {
  await database.close();
  deliveries.remove();
});

let path: string;
beforeEach(async () => {
  path = deliveries.write('person.csv', asCsv(persons));
  await load(database, [path]);
});

/** Loads a file. Returns whether it was sent, and the result. */
const reload = async (file = path, options: LoadOptions = {}) => {
  const phases: string[] = [];
  const result = await load(database, [file], options, (phase) => phases.push(phase));
  return { isSent: phases.includes('check'), ...result };
};

test('a repeated file is synced, without sending it and without a new version', async () => {
  const before = [await readDatasetState(database, 'raw', 'person'), await readDatasetState(database, 'category', 'tenants')];
  const { isSent, read, tables, synced_at } = await reload();
  expect(isSent).toBe(false);
  expect(read).toBe(persons.rows.length);
  expect(tables.length).toBeGreaterThan(2);
  expect(tables.every(({ inserted, updated, deleted }) => inserted + updated + deleted === 0)).toBe(true);
  for (const [index, name] of (['person', 'tenants'] as const).entries())
    expect(await readDatasetState(database, index === 0 ? 'raw' : 'category', name)).toEqual({ ...before[index], synced_at });
});

test('with a changed file in the same load, the tables that depend on it are published', async () => {
  const creditors = await readTableData(database, 'creditor_hdr');
  const at = creditors.columns.indexOf('bank_name');
  const other = deliveries.write('creditor_hdr.csv', asCsv({ ...creditors, rows: creditors.rows.map((row) => row.with(at, 'Bank')) }));
  const { tables } = await load(database, [path, other]);
  expect(tables.find(({ table }) => table === 'person')).toMatchObject({ updated: 0 });
  expect(tables.find(({ table }) => table === 'creditor')).toMatchObject({ updated: creditors.rows.length });
  await expectPublished(database);
});

test.each<[what: string, file: () => string]>([
  ['rows in another order', () => deliveries.write('person.csv', asCsv({ ...persons, rows: persons.rows.toReversed() }))],
  ['packed', () => deliveries.write('person.csv.gz', gzipSync(asCsv(persons)))],
  ['other ends of lines', () => deliveries.write('person.csv', asCsv(persons).replaceAll('\r\n', '\n'))],
])('another file with the same rows is compared, and is then the known one: %s', async (_what, file) => {
  const [first, second] = [await reload(file()), await reload(file())];
  expect([first.isSent, second.isSent]).toEqual([true, false]);
  expect(first.tables[0]).toMatchObject({ inserted: 0, updated: 0, deleted: 0 });
});

test('the same bytes in another format are another file', async () => {
  const empty = deliveries.write('person.ndjson', '');
  const of = deliveries.write('person.jsonl.gz', gzipSync(''));
  for (const file of [empty, of]) await expect(reload(file)).rejects.toThrow();
  expect((await reload()).isSent).toBe(false);
});

test.each<[what: string, change: () => Promise<unknown>]>([
  [
    'loaded differently since',
    async () => {
      const row = persons.rows[0]!.with(persons.columns.indexOf('city'), 'Anderswo');
      await load(database, [deliveries.folderNamed('upsert').write('person.csv', asCsv({ ...persons, rows: [row] }))], { mode: 'upsert' });
    },
  ],
  ['restored', () => database.pool.connect().then((client) => ensureEpoch(client, 'in any case').finally(() => client.release()))],
  [
    'emptied and filled by hand',
    () =>
      database.pool.query(`create table kept as table customer_nord.person; truncate customer_nord.person;
        update kept set city = 'by hand'; insert into customer_nord.person table kept; drop table kept`),
  ],
])('a table that was %s is compared', async (_what, change) => {
  await change();
  expect((await reload()).isSent).toBe(true);
  expect(await readTableData(database, 'person')).toEqual(persons);
  await expectPublished(database);
});

test('incremental loads, and loads with the option, are always compared', async () => {
  expect((await reload(path, { mode: 'upsert' })).isSent).toBe(true);
  expect((await reload(path, { reread: true })).isSent).toBe(true);
  await database.pool.query(`update customer_nord.person set city = 'by hand'`);
  expect((await reload(path, { reread: true })).tables[0]).toMatchObject({ updated: persons.rows.length });
});

test('a failed load does not record its files', async () => {
  const rows = persons.rows.map((row) => row.with(persons.columns.indexOf('city'), 'Neu'));
  const other = deliveries.folderNamed('failing').write('person.csv', asCsv({ ...persons, rows }));
  await expect(
    load(database, [other], {}, (phase) => {
      if (phase === 'publish') throw new Error('stopped');
    }),
  ).rejects.toThrow('stopped');
  expect((await reload()).isSent).toBe(false);
  expect((await reload(other)).tables[0]).toMatchObject({ updated: persons.rows.length });
});
