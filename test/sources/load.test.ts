/** Loads of the shipped examples: keys, references, repeated loads and dry runs. Their answers are in answers.test.ts. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { inTransaction } from '../../src/database/connections/transaction.ts';
import { type Customer, addCustomer as create } from '../../src/database/control/customers.ts';
import { firstAssigned } from '../../src/sources/keys/key-text.ts';
import { loadSource } from '../../src/sources/load-source.ts';
import { parseSource } from '../../src/sources/source-file.ts';
import { openTestDatabase } from '../support/database.ts';

let database: Database;
const scratch = mkdtempSync(join(tmpdir(), 'estate-sources-'));
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
  rmSync(scratch, { recursive: true });
});

const addCustomer = (slug: string): Promise<Customer> =>
  inTransaction(database.pool, (client) => create(client, catalogue, { slug, name: slug, tier: 'enterprise' }));

/** A copy of an example that the test may change. */
const copyOf = (name: string) => {
  const folder = mkdtempSync(join(scratch, `${name}-`));
  cpSync(`examples/sources/${name}`, folder, { recursive: true });
  return { folder: join(folder, 'export'), source: parseSource(readFileSync(join(folder, 'source.yml'), 'utf8'), 'source.yml') };
};

const load = (customer: Customer, example: ReturnType<typeof copyOf>) =>
  loadSource({ database, catalogue, customer }, example, { retentionHours: 24, announceMs: 0 });

const ask = async (customer: Customer, sql: string) => {
  const { rows } = await database.pool.query(sql.replaceAll('$schema', () => customer.schema_name));
  return rows;
};

const changes = (result: Awaited<ReturnType<typeof load>>) =>
  result.tables.filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0).map(({ table }) => table);

describe('the German property management', () => {
  let customer: Customer;
  const example = copyOf('german-erp');
  beforeAll(async () => {
    customer = await addCustomer('verwaltung');
    await load(customer, example);
  });

  test('shows each row once as progress', async () => {
    const customer = await addCustomer('progress');
    const shown: [phase: string, rows: number][] = [];
    const { read } = await loadSource(
      { database, catalogue, customer },
      example,
      { retentionHours: 24, announceMs: 0 },
      (phase, _, rows = 0) => shown.push([phase, rows]),
    );
    expect(shown.reduce((sum, [, rows]) => sum + rows, 0)).toBe(read);
    expect(shown.map(([phase]) => phase)).toContain('load');
  });

  test('keeps integers, assigns the others, and resolves references', async () => {
    expect(await ask(customer, 'select property_id, property_name from $schema.property_hdr order by 1')).toEqual([
      { property_id: 7, property_name: 'Seestraße 14' },
      { property_id: 12, property_name: 'Müllerhof' },
      { property_id: 30, property_name: 'Parkdeck Süd' },
    ]);
    expect(
      await ask(customer, 'select tenancy_hdr_id, contract_number, person_id, account_id from $schema.tenancy_hdr order by 1 limit 1'),
    ).toEqual([{ tenancy_hdr_id: 1_000_000_001, contract_number: 'MV-1001', person_id: 1_000_000_001, account_id: 1_000_000_001 }]);
    expect(
      await ask(
        customer,
        'select count(*) from $schema.contract_condition c join $schema.tenancy_hdr t using (account_id) join $schema.person using (person_id)',
      ),
    ).toEqual([{ count: 9 }]);
  });

  test('changes nothing if it is loaded again, in any order of its rows', async () => {
    expect(changes(await load(customer, example))).toEqual([]);
    const path = join(example.folder, 'mietvertraege.csv');
    const [header, ...rows] = readFileSync(path, 'latin1').split('\r\n').slice(0, -1);
    writeFileSync(path, `${[header, ...rows.reverse()].join('\r\n')}\r\n`, 'latin1');
    expect(changes(await load(customer, example))).toEqual([]);
  });

  test('changes one row, with the time of the load', async () => {
    const path = join(example.folder, 'mieter.csv');
    writeFileSync(path, readFileSync(path, 'latin1').replace('Lehmann', 'Lehmann-Groß'), 'latin1');
    const result = await load(customer, example);
    expect(result.tables.find(({ table }) => table === 'person')).toMatchObject({ inserted: 0, updated: 1, deleted: 0 });
    const [times] = await ask(
      customer,
      'select count(*) filter (where changed_at > created_at) as changed, count(*) as all from $schema.person',
    );
    expect(times).toEqual({ changed: 1, all: 7 });
  });
});

test('a dry run shows the rows, the changes and the failed checks of the load, and changes nothing', async () => {
  const customer = await addCustomer('probe');
  const { source, folder } = copyOf('german-erp');
  const checked = { ...source, checks: [{ name: 'owing', table: 'tenants', where: 'balance>0', en: 'tenants that owe' }] };
  const loadWith = (dryRun: boolean) =>
    loadSource({ database, catalogue, customer }, { source: checked, folder }, { retentionHours: 24, announceMs: 0, dryRun });
  const shown = ({ read, tables, failed_checks, checks_error }: Awaited<ReturnType<typeof loadWith>>) => ({
    read,
    tables,
    failed_checks,
    checks_error,
  });
  const tried = await loadWith(true);
  expect(tried.dry_run).toBe(true);
  expect(tried.read).toBe(36);
  expect(tried.failed_checks).toContainEqual(expect.objectContaining({ name: 'tenants.owing', count: 3 }));
  // The examples are keys of the export. No integer that the service assigned is among them.
  const keys = tried.failed_checks.flatMap((check) => check.keys);
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.filter((key) => Number(key) > firstAssigned.integer)).toEqual([]);
  expect(await ask(customer, "select count(*)::int as rows, to_regclass('$schema._source_keys') as keys from $schema.person")).toEqual([
    { rows: 0, keys: null },
  ]);
  expect(await ask(customer, 'select count(*)::int as results from $schema._checks')).toEqual([{ results: 0 }]);
  expect(shown(await loadWith(false))).toEqual(shown(tried));
});
