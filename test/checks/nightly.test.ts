/** Nightly loads: failures before a load are in the history and the metrics, files are archived, and the doctor names what is wrong. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabaseMetrics } from '../../src/database/control/database-metrics.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { runEstate } from '../support/program.ts';
import { testSecret } from '../support/settings.ts';
import { asCsv, Deliveries, readTableData } from '../sync/support.ts';

const deliveries = new Deliveries();
let database: Awaited<ReturnType<typeof openTestDatabase>>;

afterAll(() => deliveries.remove());

describe.runIf(onServer)('on a server', () => {
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  const estate = (...parameters: string[]) =>
    runEstate(parameters, { DATABASE_URL: database.address ?? '', KEY_SECRET: testSecret, DATA_DIR: deliveries.folder });

  const metric = async (name: string): Promise<string | undefined> =>
    new RegExp(`^${name.replaceAll(/[{}]/g, '\\$&')} (.*)$`, 'm').exec(await createDatabaseMetrics(database)())?.[1];

  test('a missing folder is in the history, and the metric of failed loads is 1', async () => {
    const missing = join(deliveries.folder, 'missing');
    expect((await estate('sync', 'nord', missing)).code).toBe(1);
    const history = JSON.parse((await estate('sync', 'nord', '--history', '--json')).out);
    expect(history[0]).toMatchObject({ mode: 'full', files: ['missing'], inserted: 0, error: expect.stringContaining('missing') });
    expect(await metric('estate_load_failed{customer="nord"}')).toBe('1');
    const { out } = await estate('doctor', '--json');
    expect(JSON.parse(out).findings).toContainEqual(expect.objectContaining({ check: 'loads', found: 'the last load failed: nord' }));
  });

  test('a load without errors moves its files into the archive, and a refused one leaves them', async () => {
    const folder = join(deliveries.folder, 'export');
    const archive = join(deliveries.folder, 'archive');
    mkdirSync(folder);
    const orders = await readTableData(database, 'order_hdr');
    const at = orders.columns.indexOf('creditor_no');
    const delivery = new Deliveries(folder);
    const path = delivery.write(
      'order_hdr.csv',
      asCsv({ ...orders, rows: orders.rows.map((row, n) => (n === 0 ? row.with(at, '1') : row)) }),
    );
    delivery.write('note.txt', 'not loaded');
    expect((await estate('sync', 'nord', folder, '--strict', '--archive', archive)).code).toBe(1);
    expect([existsSync(path), existsSync(archive)]).toEqual([true, false]);
    expect((await estate('sync', 'nord', folder, '--archive', join(folder, 'old'))).err).toContain('outside of the delivery');
    const { code, out } = await estate('sync', 'nord', folder, '--archive', archive);
    expect([code, readdirSync(folder)]).toEqual([0, ['note.txt']]);
    expect(out).toMatch(/^warn +orders\.creditor_number\.reference +1 +references without target/m);
    const [stamped = ''] = readdirSync(archive);
    expect(stamped).toMatch(/^\d{4}-\d\d-\d\dT\d{9}Z$/);
    expect(readdirSync(join(archive, stamped))).toEqual(['order_hdr.csv']);
  });

  test('the metrics and the doctor show tables whose checks fail', async () => {
    expect(await metric('estate_load_failed{customer="nord"}')).toBe('0');
    expect(await metric('estate_table_failed_checks{customer="nord",table="orders"}')).toBe('1');
    const { rows } = await database.pool.query('select count(*) from customer_nord.orders');
    expect(await metric('estate_table_rows{customer="nord",table="orders"}')).toBe(String(rows[0].count));
    expect(await metric('estate_table_deleted_rows{customer="nord",table="order_hdr"}')).toBe('0');
    const { out } = await estate('doctor', '--json');
    expect(JSON.parse(out).findings).toContainEqual(expect.objectContaining({ check: 'data', found: 'checks fail: nord' }));
  });

  test('estate check shows the failed checks, and all of them', async () => {
    const { out, code } = await estate('check', 'nord', '--json');
    const { failed } = JSON.parse(out);
    expect([code, failed.map(({ name }: { name: string }) => name)]).toEqual([0, ['orders.creditor_number.reference']]);
    const all = JSON.parse((await estate('check', 'nord', '--all', '--again', '--json')).out);
    expect(all.failed).toHaveLength(all.checks);
    expect((await estate('check', 'sued')).out).toContain('no load was checked');
  });
});
