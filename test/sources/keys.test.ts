/** Keys of a source stay: in the next load, in any order, without a key, and after a dump that another database restores. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { inTransaction } from '../../src/database/connections/transaction.ts';
import { AssignedKeys } from '../../src/sources/keys/assigned-keys.ts';
import { parseSource } from '../../src/sources/source-file.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { isCluster } from '../support/server-databases.ts';
import { changesOf, folderWith, LoadedCustomer, readSourceFile, removeFolders } from './support.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>;
let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
  removeFolders();
});

test('a search for keys reads these keys alone, also before the table has statistics', async () => {
  const { schema_name } = (await LoadedCustomer.add(database, 'viele-schluessel')).customer;
  const textsOf = (batch: number) => Array.from({ length: 1_000 }, (_, index) => `MV-${batch * 1_000 + index}`);
  await inTransaction(database.pool, async (client) => {
    const keys = await AssignedKeys.open(client, schema_name, new Set());
    for (let batch = 0; batch < 5; batch++) await keys.assign('account', 'erp', textsOf(batch));
    const rowsRead = async (): Promise<number> => {
      const { rows } = await client.query(
        'select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_all_tables where schemaname = $1 and relname = $2',
        [schema_name, '_source_keys'],
      );
      return Number(rows[0].count);
    };
    const before = await rowsRead();
    const others = await AssignedKeys.open(client, schema_name, new Set());
    expect((await others.find('account', 'erp', textsOf(2))).filter((key) => key !== undefined)).toHaveLength(1_000);
    if (!(await isCluster(process.env.DATABASE_URL))) expect((await rowsRead()) - before).toBe(1_000);
  });
});

const withoutKey = parseSource(
  `name: list
tables:
  - table: person
    path: people.csv
    primaryKey: $row
    columns: { person_type_key: { constant: natural }, last_name: name }
`,
  'list.yml',
);

test('rows without a key have keys of their content', async () => {
  const customer = await LoadedCustomer.add(database, 'ohne-schluessel');
  const folder = folderWith({ 'people.csv': 'name\nAnna\nBea\nAnna\nCem\n' });
  const keys = () => customer.ask('select person_id, last_name from $schema.person order by 1');
  await customer.load(withoutKey, folder);
  const before = await keys();
  expect(before.map(({ last_name }) => last_name)).toEqual(['Anna', 'Bea', 'Anna', 'Cem']);
  writeFileSync(join(folder, 'people.csv'), 'name\nCem\nAnna\nAnna\nBea\n');
  expect(changesOf(await customer.load(withoutKey, folder))).toEqual([]);
  // A changed row is a new row.
  writeFileSync(join(folder, 'people.csv'), 'name\nCem\nAnna\nAnna\nBeate\n');
  await customer.load(withoutKey, folder);
  expect((await keys()).map(({ person_id }) => person_id)).toEqual([
    before[0]!.person_id,
    before[2]!.person_id,
    before[3]!.person_id,
    1_000_000_005,
  ]);
});

test('a row that disappears and comes back has its key again', async () => {
  const customer = await LoadedCustomer.add(database, 'wieder-da');
  const source = {
    ...withoutKey,
    tables: withoutKey.tables.map((table) => ({
      ...table,
      primaryKey: ['nr', 'unit'],
      columns: { ...table.columns, company_name: 'unit' },
    })),
  };
  const rows = () => customer.ask('select person_id, last_name from $schema.person order by 2');
  const both = folderWith({ 'people.csv': 'nr,unit,name\n1,23,A\n12,3,B\nx,y,C\n' });
  await customer.load(source, both);
  const before = await rows();
  expect(new Set(before.map(({ person_id }) => person_id)).size).toBe(3);
  await customer.load(source, folderWith({ 'people.csv': 'nr,unit,name\n12,3,B\nx,y,C\n' }));
  await customer.load(source, both);
  expect(await rows()).toEqual(before);
});

test.runIf(onServer && !(await isCluster(process.env.DATABASE_URL)))('a dump that another database restores has the keys', async () => {
  const source = readSourceFile('examples/sources/german-erp/source.yml');
  const folder = 'examples/sources/german-erp/export';
  const first = await LoadedCustomer.add(database, 'umzug');
  await first.load(source, folder);
  const schema = first.customer.schema_name;
  const keys = (customer: LoadedCustomer) =>
    customer.ask('select tenancy_hdr_id, contract_number, floor_area_id from $schema.tenancy_hdr order by 1');
  const other: TestDatabase = await openTestDatabase();
  try {
    // The same customer elsewhere has loaded another export before, so its next integers are others.
    const second = await LoadedCustomer.add(other, 'umzug');
    const run = promisify(execFile);
    const { stdout } = await run('pg_dump', ['--no-owner', '-n', schema, database.address as string], { maxBuffer: 1 << 28 });
    const file = join(folderWith({ 'dump.sql': stdout }), 'dump.sql');
    await other.pool.query(`drop schema ${schema} cascade`);
    await run('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', '-f', file, other.address as string]);
    expect(changesOf(await second.load(source, folder))).toEqual([]);
    expect(await keys(second)).toEqual(await keys(first));
  } finally {
    await other.close();
  }
});
