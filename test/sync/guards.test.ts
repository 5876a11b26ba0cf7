/** Loads that would lose much of a table are refused with their figures (contract: losses in loads). */
import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/database/connections/connection.ts';
import { findDelivery } from '../../src/sync/files/source-files.ts';
import { openTestDatabase } from '../support/database.ts';
import { asCsv, Deliveries, type LoadOptions, load, readTableData } from './support.ts';

let database: Database;
const deliveries = new Deliveries();
const newTables = { key: 'id', tier: 'basic' as const };
const guarded = { allowDeletes: [], allowEmptyColumns: [] };
const meters = (from: number, to: number, place = 'cellar') =>
  asCsv({ columns: ['id', 'place'], rows: Array.from({ length: to - from + 1 }, (_, n) => [String(from + n), place]) });
const deliver = (content: string, options: LoadOptions = {}) =>
  load(database, [deliveries.write('meter.csv', content)], { ...guarded, ...options });

beforeAll(async () => {
  database = await openTestDatabase();
  await deliver(meters(1, 100), { newTables });
});
afterAll(async () => {
  await database.close();
  deliveries.remove();
});

test.each([
  ['a fifth', meters(1, 79), 'would delete 21 of 100 rows, and the table would have 79'],
  ['all rows', 'id,place\r\n', 'would delete 100 of 100 rows, and the table would have 0'],
  ['all keys', meters(101, 200), 'would delete 100 of 100 rows, and the table would have 100'],
])('more deletions than allowed: %s', async (_what, content, words) => {
  const before = await readTableData(database, 'meter');
  for (const dryRun of [true, false])
    await expect(deliver(content, { dryRun })).rejects.toMatchObject({
      message: expect.stringContaining(`meter: the load ${words}. To allow it: --allow-deletes meter`),
      inPortal: expect.stringContaining(`meter: the load ${words}. The page of the load asks for it`),
    });
  expect(await readTableData(database, 'meter')).toEqual(before);
});

test.each([
  ['missing', 'id\r\n'.concat(Array.from({ length: 100 }, (_, n) => `${n + 1}\r\n`).join(''))],
  ['empty', meters(1, 100, '').replaceAll('""', '')],
])('a column with values that is %s', async (_what, content) => {
  await expect(deliver(content)).rejects.toThrow(
    'meter: the load has no values for place, and the table has. To allow it: --allow-empty-columns meter',
  );
});

test('few deletions are allowed, and the options allow the rest', async () => {
  expect((await deliver(meters(11, 100))).tables[0]).toMatchObject({ deleted: 10 });
  expect((await deliver(meters(91, 100), { allowDeletes: ['meter'] })).tables[0]).toMatchObject({ deleted: 80 });
  expect((await deliver(meters(91, 100, '').replaceAll('""', ''), { allowEmptyColumns: ['meter'] })).tables[0]).toMatchObject({
    updated: 10,
  });
});

test('a file that changes while it is read is refused', async () => {
  const path = deliveries.write('meter.csv', meters(91, 100, 'roof'));
  await expect(
    load(database, [path], guarded, (phase) => {
      if (phase === 'read') appendFileSync(path, '101,roof\r\n');
    }),
  ).rejects.toThrow('meter.csv changed while it was read');
});

test('files of a folder that are not loaded are named, without control characters', () => {
  const folder = deliveries.folderNamed('mixed');
  for (const name of ['person.csv', 'PERSON.CSV', 'person.xlsx', 'notes', 'x\u001b[2J.csv.bak']) folder.write(name, 'x');
  const { files, unloaded } = findDelivery([folder.folder], 'rows');
  expect(files.map(({ name }) => name)).toEqual(['person.csv']);
  expect(unloaded).toEqual([
    { name: 'PERSON.CSV', reason: 'file names are in lower case' },
    { name: 'notes', reason: 'it is neither .csv nor .ndjson (plain, .gz or .zst)' },
    { name: 'person.xlsx', reason: 'only .csv and .ndjson are loaded without a source' },
    { name: 'x\\u{1b}[2J.csv.bak', reason: 'it is neither .csv nor .ndjson (plain, .gz or .zst)' },
  ]);
});
