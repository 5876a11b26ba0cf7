/** SQL over files: the script of views, and the quota of readers that request parts (contract: script of views; parts of files). */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
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
  test('is enough for all columns of every file, in parts', { timeout: 300_000 }, async () => {
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
      // A busy machine may build for more than the wait of one request.
      await expect
        .poll(
          async () =>
            (await fetch(`${service.url}/files/${name}/latest.parquet`, { method: 'HEAD', headers: { 'X-API-Key': keys.nordEnterprise } }))
              .status,
          { timeout: 120_000 },
        )
        .toBe(200);
      const file = await asyncBufferFromUrl({ url: `${service.url}/files/${name}/latest.parquet`, fetch: counting });
      const { rows } = await service.database.pool.query(`select count(*)::int as count from customer_nord."${name}"`);
      const metadata = await parquetMetadataAsync(file, { initialFetchSize: Math.floor(file.byteLength / 2) });
      for (const column of Object.keys(columns)) {
        const read = await parquetReadObjects({ file, metadata, columns: [column] });
        expect([name, column, read.length]).toEqual([name, column, rows[0].count]);
      }
    }
    expect(requests).toBeGreaterThan(quota);
    // The address `latest` and the file that it leads to are one.
    expect(quota - (await remaining(key))).toBe(catalogue.tables.size + 1);
  });

  describe('counts what is sent', () => {
    let path: string;
    let bytes: number;
    let etag: string;
    beforeAll(async () => {
      path = (await service.get('/files/properties/latest.parquet')).headers.get('Location')!;
      const { headers } = await service.get(path);
      [bytes, etag] = [Number(headers.get('Content-Length')), headers.get('ETag')!];
    });

    /** The requests of the quota that each of some requests takes, and their statuses. */
    const costs = async (key: string, requests: readonly [path: string, headers?: Record<string, string>, method?: string][]) => {
      const found: [status: number, requests: number][] = [];
      let before = await remaining(key);
      for (const [target, headers = {}, method = 'GET'] of requests) {
        const { status } = await service.get(target, { key, headers, method });
        const after = await remaining(key);
        found.push([status, before - after - 1]);
        before = after;
      }
      return found;
    };
    const times = <T>(count: number, value: T): T[] => Array(count).fill(value);

    test.each<[string, number, () => Record<string, string>]>([
      ['no range', 200, () => ({})],
      ['the range of all bytes', 206, () => ({ Range: 'bytes=0-' })],
      ['the range of all bytes, with its end', 206, () => ({ Range: `bytes=0-${bytes - 1}` })],
      ['a range beyond the end', 206, () => ({ Range: 'bytes=0-999999999' })],
      ['a suffix of all bytes', 206, () => ({ Range: `bytes=-${bytes + 5}` })],
      ['several ranges', 200, () => ({ Range: 'bytes=0-1,3-4' })],
      ['another unit', 200, () => ({ Range: 'rows=0-1' })],
      ['no range at all', 200, () => ({ Range: 'x' })],
      ['an inverted range', 200, () => ({ Range: 'bytes=5-1' })],
      ['a range of another version', 200, () => ({ Range: 'bytes=0-1', 'If-Range': '"other"' })],
    ])('a whole file each time: %s', async (_name, status, headers) => {
      expect(await costs(await issue(), times(12, [path, headers()]))).toEqual(times(12, [status, 1]));
    });

    test('what sends nothing, each time', async () => {
      const requests = [
        [path, { 'If-None-Match': etag }],
        [path, { 'If-None-Match': etag, Range: 'bytes=0-1' }],
        [path, { 'If-Match': '"other"', Range: 'bytes=0-1' }],
        [path, { Range: `bytes=${bytes}-` }],
        ['/files/properties/999.parquet', { Range: 'bytes=0-1' }],
        ['/files/nothing/1.parquet', { Range: 'bytes=0-1' }],
        ['/files/nothing/1.parquet', {}, 'HEAD'],
        [path, { Range: 'bytes=0-1' }, 'DELETE'],
      ] as [string, Record<string, string>, string?][];
      const statuses = [304, 304, 412, 416, 404, 404, 404, 405];
      const twice = [...requests, ...requests];
      expect(await costs(await issue(), twice)).toEqual([...statuses, ...statuses].map((status) => [status, 1]));
    });

    test('parts of a file once, until they are more than two files', async () => {
      const key = await issue();
      const parts = ['bytes=0-1', 'bytes=-4', 'bytes=2-9'].map((Range): [string, Record<string, string>] => [path, { Range }]);
      expect(await costs(key, [...parts, [path, {}, 'HEAD'], [path, { Range: 'bytes=0-' }, 'HEAD']])).toEqual([
        [206, 1],
        [206, 0],
        [206, 0],
        [200, 0],
        [206, 0],
      ]);
      const most = times(12, [path, { Range: 'bytes=1-' }] as [string, Record<string, string>]);
      const sum = (await costs(key, most)).reduce((all, [, requests]) => all + requests, 0);
      expect(sum).toBe(11);
      // Another key pays for itself.
      expect(await costs(await issue(), parts)).toEqual([[206, 1], ...times(2, [206, 0])]);
    });

    test('a redirect and its file once, whether they are whole, in parts or heads', async () => {
      const latest = '/files/properties/latest.parquet';
      const pair: [string][] = [[latest], [path]];
      expect(await costs(await issue(), [...pair, ...pair])).toEqual([...times(2, [[302, 0], [200, 1]])].flat()); // biome-ignore format: pairs
      for (const [headers, method, status] of [[{ Range: 'bytes=0-1' }, 'GET', 206], [{}, 'HEAD', 200]] as const) // biome-ignore format: pairs
        expect(
          await costs(await issue(), [
            [latest, headers, method],
            [path, headers, method],
            [latest, headers, method],
          ]),
        ).toEqual([
          [302, 1],
          [status, 0],
          [302, 0],
        ]);
      expect(await costs(await issue(), times(12, [latest]))).toEqual([...times(10, [302, 0]), ...times(2, [302, 1])]);
    });
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
    expect(text).toBe(duckdbScript(catalogue.tables.values(), service.address));
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
      local = local.replace(address, () => copy);
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
