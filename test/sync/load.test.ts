/** Inputs that `estate sync` accepts and refuses, and their effects. */
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/database/connections/connection.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { listRuns } from '../../src/sync/history.ts';
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
/** Restores everyone with a full load. */
afterEach(async () => {
  await load(database, [deliveries.write('person.csv', asCsv(persons))]);
});

const copyOf = ({ columns, rows }: TableData): TableData => ({ columns, rows: rows.map((row) => [...row]) });
const personWith = (change: Readonly<Record<string, string | null>>): (string | null)[] =>
  persons.columns.map((column, index) => (column in change ? change[column]! : persons.rows[0]![index]!));
const asNdjson = ({ columns, rows }: TableData) =>
  rows.map((row) => JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, row[index]])))).join('\n');

const refused = async (name: string, content: string | Buffer, options: LoadOptions = {}): Promise<string> => {
  const before = await readTableData(database, 'person');
  const error = await load(database, [deliveries.write(name, content)], options).then(
    () => new Error('it was taken'),
    (reason: Error) => reason,
  );
  expect(await readTableData(database, 'person')).toEqual(before);
  return error.message;
};

test('a new index of the catalogue is created with the next load', async () => {
  const tables = ['tenants', 'employees', 'owner', 'creditor', 'cost_center'];
  const indexes = async () => {
    const { rows } = await database.pool.query<{ indexname: string }>(
      "select indexname from pg_indexes where schemaname = 'customer_nord' and tablename = any($1) order by 1",
      [tables],
    );
    return rows.map(({ indexname }) => indexname);
  };
  const before = await indexes();
  const gone = before.filter((name) => name.startsWith('ix_tenants_') || name === 'ix_cost_center_property');
  for (const name of gone) await database.pool.query(`drop index customer_nord."${name}"`);
  const centers = await readTableData(database, 'cost_center');
  await load(database, [deliveries.write('person.csv', asCsv(persons)), deliveries.write('cost_center.csv', asCsv(centers))]);
  expect(await indexes()).toEqual(before);
  expect(gone).toContain('ix_cost_center_property');
});

describe('a delivery is read in every format', () => {
  const renamed = () => {
    const sheet = copyOf(persons);
    sheet.rows[0]![sheet.columns.indexOf('last_name')] = 'Neu, "quoted"\nand broken';
    return sheet;
  };
  test.each([
    ['person.csv', () => asCsv(renamed())],
    ['person.csv.gz', () => gzipSync(asCsv(renamed()))],
    ['person.ndjson', () => asNdjson(renamed())],
    ['person.jsonl.gz', () => gzipSync(asNdjson(renamed()))],
    ['person.csv', () => `\uFEFF${asCsv(renamed())}`],
    ['person.csv', () => asCsv(renamed()).replaceAll('\r\n', '\n')],
  ])('%s', async (name, content) => {
    const { tables, read } = await load(database, [deliveries.write(name, content())]);
    expect(read).toBe(persons.rows.length);
    expect(tables[0]).toMatchObject({ kind: 'raw', table: 'person', inserted: 0, updated: 1, deleted: 0 });
    expect(await readTableData(database, 'person')).toEqual(renamed());
    await expectPublished(database);
  });

  test('zstd, if Node supports it', async () => {
    const { createZstdDecompress } = (await import('node:zlib')) as { createZstdDecompress?: unknown };
    if (!createZstdDecompress)
      expect(await refused('person.csv.zst', Buffer.from('28b52ffd', 'hex'))).toMatch(/^person\.csv\.zst: reading zstd needs Node 22\.15/);
  });
});

describe('a load changes what differs and nothing else', () => {
  test('an unchanged table keeps version and changed_at, and is synced now', async () => {
    const before = [await readDatasetState(database, 'raw', 'person'), await readDatasetState(database, 'category', 'tenants')];
    const { tables } = await load(database, [deliveries.write('person.csv', asCsv(persons))]);
    expect(tables.every(({ inserted, updated, deleted }) => inserted + updated + deleted === 0)).toBe(true);
    const after = [await readDatasetState(database, 'raw', 'person'), await readDatasetState(database, 'category', 'tenants')];
    for (const [index, state] of after.entries()) {
      expect(state).toMatchObject({ version: before[index].version, changed_at: before[index].changed_at });
      expect(state.synced_at.getTime()).toBeGreaterThan(before[index].synced_at.getTime());
    }
  });

  test('upsert inserts and updates and does not delete; listed keys are deleted', async () => {
    const added = personWith({ person_id: '990001', last_name: 'Neu' });
    const changed = personWith({ last_name: 'Anders' });
    const rows = deliveries.write('person.csv', asCsv({ columns: persons.columns, rows: [added, changed] }));
    expect((await load(database, [rows], { mode: 'upsert' })).tables[0]).toMatchObject({ inserted: 1, updated: 1, deleted: 0 });
    const keys = deliveries.folderNamed('keys').write('person.csv', 'person_id,why\n990001,gone\n42,never was\n');
    expect((await load(database, [], { mode: 'upsert', deletes: [keys] })).tables[0]).toMatchObject({ inserted: 0, deleted: 1 });
  });

  test('an upsert keeps the values of columns that the file does not have', async () => {
    const required = ['person_id', 'person_type_key', 'created_at', 'changed_at', 'last_name'];
    const columns = persons.columns.filter((column) => required.includes(column));
    const row = columns.map((column) => (column === 'last_name' ? 'Kurz' : persons.rows[0]![persons.columns.indexOf(column)]!));
    await load(database, [deliveries.write('person.csv', asCsv({ columns, rows: [row] }))], { mode: 'upsert' });
    const expected = copyOf(persons);
    expected.rows[0]![persons.columns.indexOf('last_name')] = 'Kurz';
    expect(await readTableData(database, 'person')).toEqual(expected);
  });

  test('a dry run shows the changes, those of category tables too, and makes none', async () => {
    const rows = persons.rows.map((row) => row.with(persons.columns.indexOf('last_name'), 'Neu'));
    const before = await readDatasetState(database, 'raw', 'person');
    const path = deliveries.write('person.csv', asCsv({ columns: persons.columns, rows }));
    const { tables, dry_run } = await load(database, [path], { dryRun: true });
    expect(dry_run).toBe(true);
    expect(tables[0]).toMatchObject({ kind: 'raw', table: 'person', inserted: 0, updated: rows.length, deleted: 0 });
    expect(tables.find(({ table }) => table === 'tenants')?.updated).toBeGreaterThan(0);
    expect(await readTableData(database, 'person')).toEqual(persons);
    expect(await readDatasetState(database, 'raw', 'person')).toEqual(before);
  });

  test('a dry run refuses rows that cannot be published', async () => {
    const path = deliveries.write('person.csv', asCsv({ columns: persons.columns, rows: persons.rows.slice(1) }));
    await expect(load(database, [path], { dryRun: true })).rejects.toThrow('leads to no row of person');
  });

  test('an unknown table is created on request, with its declared key', async () => {
    const path = deliveries.write('meter.csv', 'meter_id,place\n1,cellar\n2,\n');
    await expect(load(database, [path])).rejects.toThrow(
      "There is no raw table 'meter'. To make it from the file's columns: --create --key <column>.",
    );
    const newTables = { key: 'meter_id', tier: 'basic' as const };
    expect((await load(database, [path], { newTables })).tables).toEqual([
      { kind: 'raw', table: 'meter', inserted: 2, updated: 0, deleted: 0, version: 1 },
    ]);
    deliveries.write('meter.csv', 'meter_id,place\n2,roof\n');
    expect((await load(database, [path])).tables[0]).toMatchObject({ inserted: 0, updated: 1, deleted: 1, version: 2 });
    deliveries.write('meter.csv', 'meter_id,place,floor\n2,roof,3\n');
    await expect(load(database, [path], { newTables })).rejects.toThrow(
      'meter.csv, line 1, column floor: the table meter has no such column, and no load adds one: leave the column out, or make a table of another name with --create',
    );
    // A full file without a column empties it; guards.test.ts has the refusal of such a load.
    deliveries.write('meter.csv', 'meter_id\n2\n3\n');
    expect((await load(database, [path], { newTables })).tables[0]).toMatchObject({ inserted: 1, updated: 1, deleted: 0 });
    const { rows } = await database.pool.query('select place from customer_nord.meter order by meter_id');
    expect(rows).toEqual([{ place: null }, { place: null }]);
    await expect(load(database, [deliveries.write('orders.csv', 'id\n1\n')], { newTables: { key: 'id', tier: 'basic' } })).rejects.toThrow(
      "A new raw table cannot be called 'orders': the name is taken.",
    );
  });
});

describe('a delivery with errors is refused as a whole, and every error is named', () => {
  const person = (change: Readonly<Record<string, string | null>>) =>
    asCsv({ columns: persons.columns, rows: [persons.rows[1]!, personWith(change)] });
  test.each<[what: string, name: string, content: () => string | Buffer, message: string | RegExp]>([
    [
      'a type',
      'person.csv',
      () => person({ birth_date: '2024-02-30' }),
      'person.csv, line 3, column birth_date: "2024-02-30" is no date such as 2024-12-31',
    ],
    [
      'a required value',
      'person.csv',
      () => person({ person_type_key: null }),
      'person.csv, line 3, column person_type_key: a value is required',
    ],
    [
      'two in one line',
      'person.csv',
      () => person({ person_id: 'x', birth_date: 'y' }),
      /person_id: "x" is no integer\n.*birth_date: "y" is no date/,
    ],
    [
      'too large an integer',
      'person.csv',
      () => person({ person_id: '2147483648' }),
      'person.csv, line 3, column person_id: "2147483648" is beyond 32 bits',
    ],
    [
      'a key twice',
      'person.csv',
      () => person({ person_id: persons.rows[1]![0]! }),
      /^person\.csv, line 3, column person_id: "\d+" is on line 2 already$/,
    ],
    [
      'a short line',
      'person.csv',
      () => `${asCsv({ columns: persons.columns, rows: [] })}1,2\r\n`,
      'person.csv, line 2: 2 values instead of 18',
    ],
    [
      'an unknown column',
      'person.csv',
      () => 'person_id,shoe_size\n1,42\n',
      /^person\.csv, line 1, column shoe_size: the table person has no such column\n/,
    ],
    [
      'no key column',
      'person.csv',
      () => asCsv({ columns: persons.columns.slice(1), rows: [] }),
      'person.csv, line 1, column person_id: the column is missing',
    ],
    [
      'an open quote',
      'person.csv',
      () => `${asCsv(persons)}"open`,
      /^person\.csv, line \d+, column person_id: the quote that begins here is not closed/,
    ],
    ['an end mark', 'person.csv', () => `${asCsv(persons)}\\.\r\n`, /line \d+: a line of \\\. alone cannot be loaded$/],
    ['nothing', 'person.csv', () => '', 'person.csv is empty: a CSV file has a header line.'],
    [
      'no JSON',
      'person.ndjson',
      () => `${asNdjson(persons)}\n{"person_id":`,
      /^person\.ndjson, line \d+: it is no JSON: position \d+ is not as JSON requires/,
    ],
    [
      'a nested value',
      'person.ndjson',
      () => asNdjson(persons).replace('"title":null', '"title":{}'),
      'person.ndjson, line 1, column title: an object or a list is no value of a column',
    ],
    [
      'bytes that are no UTF-8',
      'person.csv',
      () => Buffer.from(person({ street: 'Bergstraße', city: 'München' }), 'latin1'),
      /line 3, column street: is not UTF-8: it reads "Bergstraße" as windows-1252; .*\n.*line 3, column city: is not UTF-8: it reads "München"/,
    ],
    [
      'a damaged archive',
      'person.csv.gz',
      () => 'this is no archive',
      'person.csv.gz is no gzip archive: pack it, or remove the ending of its name.',
    ],
  ])('%s', async (_what, name, content, message) => {
    expect(await refused(name, content())).toMatch(message);
  });

  test('at most 20 are shown, then a count', async () => {
    const rows =
      persons.columns.length > 0 ? Array.from({ length: 30 }, (_, n) => personWith({ person_id: String(n + 1), birth_date: 'never' })) : [];
    const lines = (await refused('person.csv', asCsv({ columns: persons.columns, rows }))).split('\n');
    expect(lines).toHaveLength(21);
    expect(lines[20]).toBe('… and 10 more errors');
  });

  test('a value that conflicts with an existing row is named with its line, and not shown', async () => {
    const sheet = await readTableData(database, 'creditor_hdr');
    const at = sheet.columns.indexOf('creditor_id');
    const copy = [...sheet.rows[0]!];
    copy[at] = '999999';
    const path = deliveries.write('creditor_hdr.csv', asCsv({ columns: sheet.columns, rows: [sheet.rows[1]!, copy] }));
    const place = (column: string) => `creditor_hdr.csv, line 3, column ${column}: another row of creditor_hdr has this already`;
    await expect(load(database, [path], { mode: 'upsert' })).rejects.toThrow(
      new Error([place('creditor_no'), place('person_id'), place('account_id')].join('\n')),
    );
  });

  test('two files of one table, a folder without files, a file of unknown type', async () => {
    const one = deliveries.write('person.csv', asCsv(persons));
    const other = deliveries.write('person.ndjson', asNdjson(persons));
    await expect(load(database, [one, other])).rejects.toThrow('Two files are of the table person');
    await expect(load(database, [deliveries.folderNamed('empty').folder])).rejects.toThrow('holds no .csv or .ndjson files');
    await expect(load(database, [deliveries.write('person.xlsx', '')])).rejects.toThrow('is neither .csv nor .ndjson');
  });
});

test('the history has every load, with its rows or the reason of its failure', async () => {
  await load(database, [deliveries.write('person.csv', asCsv({ columns: persons.columns, rows: [personWith({ last_name: 'Neu' })] }))], {
    mode: 'upsert',
  });
  await refused('person.csv', 'person_id\nx\n');
  const [failed, done] = await listRuns(database, await findCustomer(database, 'nord'));
  expect(failed).toMatchObject({ mode: 'full', tables: ['person'], inserted: 0, error: expect.stringContaining('the column is missing') });
  expect(done).toMatchObject({ mode: 'upsert', tables: ['person'], inserted: 0, updated: 1, deleted: 0, error: null });
  expect(done!.ended_at!.getTime()).toBeGreaterThanOrEqual(done!.started_at.getTime());
});

test('no staged data remains', async () => {
  const { rows } = await database.pool.query(`select relname from pg_catalog.pg_class where relname like '% %' and relkind = 'r'`);
  expect(rows).toEqual([]);
});
