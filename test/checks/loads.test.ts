/** Checks as a part of loads: the report, checks that refuse a load, and what a source says about checks (contract: checks of the data). */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { readResults } from '../../src/checks/results.ts';
import { checksWith, type SourceCheckSetting } from '../../src/checks/settings.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { inTransaction } from '../../src/database/connections/transaction.ts';
import { addCustomer } from '../../src/database/control/customers.ts';
import { loadSource } from '../../src/sources/load-source.ts';
import { parseSource } from '../../src/sources/source-file.ts';
import { openTestDatabase } from '../support/database.ts';
import { asCsv, Deliveries, load, readTableData, type TableData } from '../sync/support.ts';

let database: Database;
let orders: TableData;
const deliveries = new Deliveries();
beforeAll(async () => {
  database = await openTestDatabase();
  orders = await readTableData(database, 'order_hdr');
});
afterAll(async () => {
  await database.close();
  deliveries.remove();
});

/** A delivery of all orders, with one column changed in one row; returns its key, too. */
const orderWith = (column: string, value: string | null, row = 0) => {
  const rows = orders.rows.map((one, index) => (index === row ? one.with(orders.columns.indexOf(column), value) : one));
  return {
    key: orders.rows[row]![orders.columns.indexOf('order_hdr_id')],
    path: deliveries.write('order_hdr.csv', asCsv({ ...orders, rows })),
  };
};

const sourceChecks = (...checks: SourceCheckSetting[]) => ({ checks: { source: 'erp', checks } });

test('the report of a load has the failed checks with keys, and the results are kept with the load', async () => {
  const { key, path } = orderWith('creditor_no', '1');
  const result = await load(database, [path]);
  expect(result.checks_error).toBeNull();
  expect(result.failed_checks).toEqual([
    {
      name: 'orders.creditor_number.reference',
      table: 'orders',
      severity: 'warn',
      count: 1,
      keys: [key],
      en: 'references without target: creditor_number is in no row of creditor',
      de: 'Verweise ohne Ziel: creditor_number steht in keiner Zeile von creditor',
    },
  ]);
  const { rows: runs } = await database.pool.query('select max(id) as id from estate.sync_runs');
  const kept = (await readResults(database.pool, 'customer_nord')).filter(({ count }) => count > 0);
  expect(kept.map(({ name, run }) => [name, run])).toEqual([['orders.creditor_number.reference', runs[0].id]]);
  const { rows: history } = await database.pool.query('select * from customer_nord._check_runs');
  expect(history).toEqual([{ run: runs[0].id, name: 'orders.creditor_number.reference', count: 1 }]);
});

test('a load runs the checks of the tables that it changes, and keeps the results of others', async () => {
  const before = new Map((await readResults(database.pool, 'customer_nord')).map((result) => [result.name, result]));
  const result = await load(database, [orderWith('subject', 'changed').path]);
  expect(result.failed_checks).toEqual([]);
  const after = await readResults(database.pool, 'customer_nord');
  const run = (name: string) => after.find((each) => each.name === name)?.run;
  expect(run('orders.gross')).toBeGreaterThan(before.get('orders.gross')!.run!);
  expect(run('notifications.rows')).toBe(before.get('notifications.rows')!.run);
});

describe.each([
  ['in place', { share: 1, fewest: Number.POSITIVE_INFINITY }],
  ['by replacement', { share: 0, fewest: 1 }],
])('a check that refuses, of a table changed %s', (_how, replacing) => {
  test.each([
    ['orders.creditor_number.reference', 'creditor_no', '1'],
    ['orders.large', 'total_net', '99999999.00'],
    ['orders.invoice_count', 'invoice_count', '77'],
  ])('%s leaves the old data visible', async (check, column, value) => {
    const settings = sourceChecks(
      { check: 'orders.creditor_number.reference', severity: 'refuse' },
      { check: 'orders.invoice_count', severity: 'refuse' },
      {
        name: 'large',
        table: 'orders',
        where: 'any(total_net>90000000,total_net<0),creditor.status:is_not_null',
        severity: 'refuse',
        en: 'large orders',
      },
    );
    const before = await readTableData(database, 'orders');
    const { key, path } = orderWith(column, value, 3);
    for (const dryRun of [true, false])
      await expect(load(database, [path], { ...settings, replacing, dryRun })).rejects.toThrow(
        new RegExp(`^check ${check.replaceAll('.', '\\.')}: 1 .* \\(${key}\\)$`),
      );
    expect(await readTableData(database, 'orders')).toEqual(before);
    const { rows } = await database.pool.query('select error from estate.sync_runs order by id desc limit 1');
    expect(rows[0].error).toContain(`check ${check}: 1`);
  });
});

describe('what a source says', () => {
  test('holds for later loads, and the last of its settings counts', async () => {
    const { path } = orderWith('creditor_no', '1', 1);
    const off = sourceChecks({ check: 'reference', severity: 'refuse' }, { check: 'orders.creditor_number.reference', severity: 'off' });
    expect((await load(database, [path], off)).failed_checks).toEqual([]);
    expect((await load(database, [orderWith('creditor_no', '2', 1).path])).failed_checks).toEqual([]);
    await load(database, [orderWith('subject', 'x', 1).path], sourceChecks());
    const wrong = orderWith('creditor_no', '1', 1).path;
    expect((await load(database, [wrong])).failed_checks).toMatchObject([{ name: 'orders.creditor_number.reference', severity: 'warn' }]);
  });

  test('adds checks with a text, and one in the words of the condition', async () => {
    const added = { name: 'cheap', table: 'orders', where: 'total_net<100000000,order_number="AU, 1"' };
    const { path } = orderWith('order_no', 'AU, 1', 2);
    const result = await load(database, [path], sourceChecks(added));
    expect(result.failed_checks).toMatchObject([
      { name: 'orders.cheap', count: 1, en: `rows with ${added.where}`, de: `Zeilen mit ${added.where}` },
    ]);
    await load(database, [orderWith('subject', 'y').path], sourceChecks());
    expect((await readResults(database.pool, 'customer_nord')).map(({ name }) => name)).not.toContain('orders.cheap');
  });

  test('of several sources, the strictest counts', () => {
    const severityWith = (...sources: SourceCheckSetting[][]) =>
      checksWith(catalogue, sources).find(({ name }) => name === 'orders.gross')?.severity;
    const set = (severity: 'off' | 'warn' | 'refuse') => [{ check: 'orders.gross', severity }];
    expect([
      severityWith([]),
      severityWith(set('off')),
      severityWith(set('off'), set('refuse')),
      severityWith(set('refuse'), set('warn')),
    ]).toEqual(['warn', undefined, 'refuse', 'refuse']);
  });

  test.each<[string, SourceCheckSetting, string]>([
    ['an unknown check', { check: 'orders.none', severity: 'off' }, "There is no check 'orders.none'"],
    ['an unknown table', { name: 'a', table: 'persons', where: 'x=1' }, "check 'a': there is no category table 'persons'"],
    ['an unknown column', { name: 'a', table: 'orders', where: 'x=1' }, "check 'a': 'x' unknown; there is: order_id"],
    ['no comparison', { name: 'a', table: 'orders', where: 'order_id' }, "check 'a': 'order_id' is no comparison"],
    ['a name that exists', { name: 'gross', table: 'orders', where: 'order_id=1' }, "There is a check 'orders.gross' already."],
  ])('%s is refused before anything is read', async (_what, check, words) => {
    await expect(load(database, [orderWith('subject', 'z').path], sourceChecks(check))).rejects.toThrow(words);
  });

  test('comes from the source file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'estate-checks-'));
    cpSync('examples/sources/german-erp', folder, { recursive: true });
    const text = readFileSync(join(folder, 'source.yml'), 'utf8');
    const source = parseSource(
      `${text}\nchecks:\n  - check: future\n    severity: off\n  - name: large\n    table: property_structure\n    where: area_sqm>1000000\n    severity: refuse\n`,
      'source.yml',
    );
    const customer = await inTransaction(database.pool, (client) =>
      addCustomer(client, catalogue, { slug: 'verwaltung', name: 'Verwaltung', tier: 'enterprise' }),
    );
    await loadSource({ database, catalogue, customer }, { source, folder: join(folder, 'export') }, { retentionHours: 24, announceMs: 0 });
    rmSync(folder, { recursive: true });
    const names = (await readResults(database.pool, customer.schema_name)).map(({ name }) => name);
    expect(names).toContain('property_structure.large');
    expect(names.filter((name) => name.endsWith('.future'))).toEqual([]);
    // No load of orders, so no check of orders has a result.
    expect(names.filter((name) => name.startsWith('orders.'))).toEqual([]);
  });
});

test('an error of the checks does not undo the load, and is reported', async () => {
  await database.pool.query('alter table customer_nord.order_invoice rename column net_amount to net');
  try {
    const result = await load(database, [orderWith('subject', 'loaded all the same').path]);
    expect(result.checks_error).toContain('(SQLSTATE 42703)');
    const { rows } = await database.pool.query("select count(*) from customer_nord.orders where subject = 'loaded all the same'");
    expect(rows[0].count).toBe(1);
  } finally {
    await database.pool.query('alter table customer_nord.order_invoice rename column net to net_amount');
  }
});
