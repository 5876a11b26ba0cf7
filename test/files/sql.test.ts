/** SQL over files: the script of views, and the quota of readers that request parts (contract: script of views; parts of files). */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { asyncBufferFromUrl, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { duckdbScript } from '../../src/files/duckdb-script.ts';
import { scopedKey } from '../scopes/keys.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';

const quota = 500;
let service: TestService;
beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: String(quota) } });
});
afterAll(() => service.stop());

const issue = async (): Promise<string> =>
  (await new KeyStore(service.database, testSecret).create({ customer: await findCustomer(service.database, 'nord'), tier: 'enterprise' }))
    .key;

/** The remaining quota after a request of its own. */
const remaining = async (key: string): Promise<number> =>
  Number((await service.get('/catalog', { key })).headers.get('X-RateLimit-Remaining'));

const rangeOf = (path: string, key: string, range: string) => service.get(path, { key, headers: { Range: range } });

describe('the quota', () => {
  test('is enough for all columns of every file, in parts, again and again', { timeout: 300_000 }, async () => {
    const key = await issue();
    let requests = 0;
    const counting = (async (url: string, init: RequestInit) => {
      requests++;
      const headers = new Headers(init.headers);
      headers.set('X-API-Key', key);
      const response = await fetch(url, { ...init, headers });
      expect([url, response.ok]).toEqual([url, true]);
      return response;
    }) as typeof fetch;
    for (const [name, { columns }] of catalogue.tables) {
      const file = await asyncBufferFromUrl({ url: `${service.url}/files/${name}/latest.parquet`, fetch: counting });
      const { rows } = await service.database.pool.query(`select count(*)::int as count from customer_nord."${name}"`);
      for (const column of Object.keys(columns)) {
        const read = await parquetReadObjects({ file, columns: [column] });
        expect([name, column, read.length]).toEqual([name, column, rows[0].count]);
      }
    }
    expect(requests).toBeGreaterThan(2 * quota);
    // The address `latest`, and the file that it leads to.
    expect(quota - (await remaining(key))).toBe(2 * catalogue.tables.size + 1);
  });

  test('counts whole downloads, and what gets no part of a file', async () => {
    const key = await issue();
    const path = (await service.get('/files/properties/latest.parquet', { key })).headers.get('Location')!;
    const before = await remaining(key);
    const statusesOf = async (...answers: readonly Promise<{ readonly status: number }>[]) =>
      (await Promise.all(answers)).map(({ status }) => status);
    expect(await statusesOf(service.get(path, { key }), service.get(path, { key }))).toEqual([200, 200]);
    expect(before - (await remaining(key))).toBe(3);
    for (let at = 0; at < 2; at++) {
      expect((await rangeOf('/files/properties/999.parquet', key, 'bytes=0-1')).status).toBe(404);
      expect((await rangeOf('/files/nothing/1.parquet', key, 'bytes=0-1')).status).toBe(404);
    }
    expect(before - (await remaining(key))).toBe(8);
    expect(await statusesOf(rangeOf(path, key, 'bytes=0-1'), rangeOf(path, key, 'bytes=-4'), rangeOf(path, key, 'bytes=2-9'))).toEqual([
      206, 206, 206,
    ]);
    expect((await service.get(path, { key, method: 'HEAD' })).status).toBe(200);
    expect(before - (await remaining(key))).toBe(10);
    // Another key pays for itself.
    const other = await issue();
    expect(Number((await rangeOf(path, other, 'bytes=0-1')).headers.get('X-RateLimit-Remaining'))).toBe(quota - 1);
    expect(Number((await rangeOf(path, other, 'bytes=0-1')).headers.get('X-RateLimit-Remaining'))).toBe(quota - 1);
  });

  test('that is exhausted refuses parts as well', async () => {
    const key = await issue();
    const path = (await service.get('/files/properties/latest.parquet', { key })).headers.get('Location')!;
    expect((await rangeOf(path, key, 'bytes=0-1')).status).toBe(206);
    for (let at = 0; at < quota; at++) await service.get('/nothing', { key });
    expect((await rangeOf(path, key, 'bytes=0-1')).status).toBe(429);
  });
});

describe('the script of views', () => {
  const script = (key: string | null = null) => service.get('/docs/files/estate.sql', { key });

  test('has a view of every table, which DuckDB reads', { timeout: 300_000 }, async () => {
    const { status, headers, text } = await script();
    expect([status, headers.get('Content-Type'), headers.get('Content-Disposition')]).toEqual([
      200,
      'application/sql; charset=utf-8',
      'attachment; filename=estate.sql',
    ]);
    expect(text).toBe(duckdbScript(catalogue.tables.values(), service.url));
    // The extension httpfs is not part of DuckDB, so DuckDB reads copies of the files.
    const folder = join(tmpdir(), `estate-views-${randomUUID()}`);
    const key = await issue();
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const copies: string[] = [];
    let local = text.replaceAll(/^(install|load|create or replace secret) .*$/gm, '');
    for (const [address] of text.matchAll(/http[^']*\.parquet/g)) {
      const copy = `${folder}-${copies.length}.parquet`;
      const response = await fetch(address, { headers: { 'X-API-Key': key } });
      writeFileSync(copy, Buffer.from(await response.arrayBuffer()));
      copies.push(copy);
      local = local.replace(address, copy);
    }
    await connection.run(local);
    for (const name of catalogue.tables.keys()) {
      const read = await connection.runAndReadAll(`select count(*)::int from ${name}`);
      const { rows } = await service.database.pool.query(`select count(*)::int as count from customer_nord."${name}"`);
      expect([name, read.getRows()]).toEqual([name, [[rows[0].count]]]);
    }
    const { rows } = await service.database.pool.query<{ sum: string }>('select sum(total_net)::text as sum from customer_nord.orders');
    expect((await connection.runAndReadAll('select sum(total_net)::varchar from orders')).getRows()).toEqual([[rows[0]!.sum]]);
    for (const copy of copies) rmSync(copy);
  });

  test('with a key has the tables of which the key has files', async () => {
    const views = (text: string) => [...text.matchAll(/^create or replace view (\w+)/gm)].map(([, name]) => name);
    const listed = async (key: string) =>
      (await service.get('/files', { key })).json.flatMap(({ category, table }: Record<string, string>) =>
        category === 'raw' ? [] : [table],
      );
    for (const key of [keys.nordBasic, keys.nordEnterprise, await scopedKey(service, { properties: { ids: [1001] } })]) {
      const { status, headers, text } = await script(key);
      expect([status, headers.get('Cache-Control'), text.includes(key)]).toEqual([200, 'private, no-cache', false]);
      expect(views(text)).toEqual(await listed(key));
    }
    const customer = await findCustomer(service.database, 'nord');
    const rest = await new KeyStore(service.database, testSecret).create({ customer, tier: 'enterprise', groups: ['rest'] });
    expect((await script(rest.key)).status).toBe(403);
  });
});
