/** Files over HTTP: list, builds, tags, ranges, rights (contract: files; building files; files and rights). */
import { createHash } from 'node:crypto';
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { scopedKey } from '../scopes/keys.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';
import { latest, whenBuilt } from './support.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const keyWith = async (groups: readonly ('rest' | 'raw' | 'graphql' | 'files')[], tier: 'basic' | 'enterprise' = 'enterprise') =>
  (await new KeyStore(service.database, testSecret).create({ customer: await findCustomer(service.database, 'nord'), tier, groups })).key;

const bodyOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

describe('a file', () => {
  test('is built by the first request and does not change', async () => {
    const redirect = await service.get('/files/orders/latest.parquet');
    expect([redirect.status, redirect.headers.get('Cache-Control')]).toEqual([302, 'private, no-cache']);
    const path = redirect.headers.get('Location')!;
    expect(path).toMatch(/^\/files\/orders\/\d+\.parquet$/);
    const built = await whenBuilt(service, path);
    const body = await bodyOf(built);
    expect([built.status, body.subarray(0, 4).toString(), body.subarray(-4).toString()]).toEqual([200, 'PAR1', 'PAR1']);
    expect(
      Object.fromEntries(
        ['Content-Type', 'Cache-Control', 'Accept-Ranges', 'Content-Length'].map((name) => [name, built.headers.get(name)]),
      ),
    ).toEqual({
      'Content-Type': 'application/vnd.apache.parquet',
      'Cache-Control': 'private, max-age=31536000, immutable',
      'Accept-Ranges': 'bytes',
      'Content-Length': String(body.length),
    });
    const version = built.headers.get('X-Data-Version');
    expect(built.headers.get('Content-Disposition')).toBe(`attachment; filename=orders-${version}.parquet`);
    expect(built.headers.get('ETag')).toMatch(/^"[0-9a-f]+"$/);
    const sha256 = createHash('sha256').update(body).digest();
    expect(built.headers.get('Repr-Digest')).toBe(`sha-256=:${sha256.toString('base64')}:`);

    const { json } = await service.get('/files');
    const listed = json.find(({ table, category }: { table: string; category: string }) => table === 'orders' && category === 'operations');
    expect(listed).toMatchObject({ version: Number(version), columns: expect.arrayContaining(['order_id']) });
    expect(listed.files[0]).toEqual({
      format: 'parquet',
      endpoint_url: path,
      bytes: body.length,
      sha256: sha256.toString('hex'),
      kept_versions: [Number(version)],
    });
    expect(listed.files[1]).toMatchObject({ format: 'csv.gz', bytes: null, sha256: null });
  });

  test('has ranges, tags and HEAD', async () => {
    const whole = await latest(service, '/files/properties/latest.csv.gz');
    const path = new URL(whole.url).pathname;
    const [body, etag] = [await bodyOf(whole), whole.headers.get('ETag')!];
    const part = await fetch(service.url + path, { headers: { 'X-API-Key': keys.nordEnterprise, Range: 'bytes=2-9' } });
    expect([part.status, part.headers.get('Content-Range')]).toEqual([206, `bytes 2-9/${body.length}`]);
    expect(await bodyOf(part)).toEqual(body.subarray(2, 10));
    const end = await fetch(service.url + path, { headers: { 'X-API-Key': keys.nordEnterprise, Range: 'bytes=-5' } });
    expect(await bodyOf(end)).toEqual(body.subarray(-5));
    const other = await service.get(path, { headers: { Range: 'bytes=0-1', 'If-Range': '"other"' } });
    expect([other.status, other.headers.get('Content-Length')]).toEqual([200, String(body.length)]);
    const beyond = await service.get(path, { headers: { Range: `bytes=${body.length}-` } });
    expect([beyond.status, beyond.headers.get('Content-Range')]).toEqual([416, `bytes */${body.length}`]);
    const same = await service.get(path, { headers: { 'If-None-Match': etag } });
    expect([same.status, same.headers.get('ETag'), same.text]).toEqual([304, etag, '']);
    const head = await service.get(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('Content-Length'), head.headers.get('ETag'), head.text]).toEqual([
      200,
      String(body.length),
      etag,
      '',
    ]);
  });

  test('with If-Match is sent only if the tag is exactly its tag', async () => {
    const whole = await latest(service, '/files/properties/latest.csv.gz');
    const path = new URL(whole.url).pathname;
    const [body, etag] = [await bodyOf(whole), whole.headers.get('ETag')!];
    for (const [tags, status] of [
      [etag, 200],
      ['*', 200],
      [` "other" , ${etag}`, 200],
      ['"other"', 412],
      [`W/${etag}`, 412],
      [etag.replace(/"$/, '-gzip"'), 412],
      ['', 412],
    ] as const)
      expect([tags, (await service.get(path, { headers: { 'If-Match': tags } })).status]).toEqual([tags, status]);
    // The condition comes before If-None-Match and Range (RFC 9110, section 13.2.2).
    for (const headers of [{ 'If-None-Match': etag }, { Range: 'bytes=0-1' }, { Range: `bytes=${body.length}-` }] as const) {
      const refused = await service.get(path, { headers: { ...headers, 'If-Match': '"other"' } as Record<string, string> });
      expect([refused.status, refused.json?.title, refused.headers.get('Cache-Control')]).toEqual([
        412,
        'Precondition Failed',
        'private, no-store',
      ]);
    }
    const part = await fetch(service.url + path, { headers: { 'X-API-Key': keys.nordEnterprise, Range: 'bytes=0-1', 'If-Match': etag } });
    expect([part.status, await bodyOf(part)]).toEqual([206, body.subarray(0, 2)]);
  });

  test('that is not built in the time that the client prefers is a 202, and has no tag yet', async () => {
    const path = (await service.get('/files/creditor/latest.ndjson.gz')).headers.get('Location')!;
    const first = await service.get(path, { headers: { Prefer: 'wait=0', 'If-Match': '"other"' } });
    expect([first.status, first.json.state, first.headers.get('Preference-Applied')]).toEqual([202, 'building', 'wait=0']);
    expect(Number(first.headers.get('Retry-After'))).toBeGreaterThan(0);
    // Without a preference the request waits, and gets the file as soon as it is built.
    expect((await service.get(path)).status).toBe(200);
  });

  test('of an unknown table, version or format is a 404', async () => {
    for (const path of [
      '/files/nothing/latest.parquet',
      '/files/orders/latest.xlsx',
      '/files/orders/01.parquet',
      '/files/orders/orders',
      '/files/raw/orders/latest.parquet',
    ])
      expect([path, (await service.get(path)).status]).toEqual([path, 404]);
    const { status, json } = await service.get('/files/orders/999.parquet');
    expect([status, json.detail]).toEqual([404, 'No file of version 999: the last three versions that were built are kept']);
  });

  test('is readable by ranges over HTTP: single columns of a Parquet file', async () => {
    const whole = await latest(service, '/files/booking_positions/latest.parquet');
    const length = (await bodyOf(whole)).length;
    let read = 0;
    const file = await asyncBufferFromUrl({
      url: whole.url,
      byteLength: length,
      requestInit: { headers: { 'X-API-Key': keys.nordEnterprise } },
      fetch: async (url: string | URL | Request, init?: RequestInit) => {
        const response = await fetch(url, init);
        expect(response.status).toBe(206);
        read += Number(response.headers.get('Content-Length'));
        return response;
      },
    } as Parameters<typeof asyncBufferFromUrl>[0]);
    const metadata = await parquetMetadataAsync(file, { initialFetchSize: 16_384 });
    expect(metadata.key_value_metadata?.find(({ key }) => key === 'description:fiscal_year')?.value).toBeTruthy();
    const rows = await parquetReadObjects({ file, metadata, columns: ['property_id', 'fiscal_year'] });
    const { rows: expected } = await service.database.pool.query(
      'select property_id, fiscal_year from customer_nord.booking_positions order by booking_position_id',
    );
    expect(rows).toEqual(expected);
    expect(read).toBeLessThan(length);
  });
});

describe('rights', () => {
  test('a key needs the group files, and raw for raw tables', async () => {
    const [rest, files] = [await keyWith(['rest', 'raw']), await keyWith(['files'])];
    expect((await service.get('/files', { key: rest })).status).toBe(403);
    expect((await service.get('/files/orders/latest.parquet', { key: rest })).status).toBe(403);
    expect((await service.get('/files/orders/latest.parquet', { key: files })).status).toBe(302);
    expect((await service.get('/files/raw/person/latest.parquet', { key: files })).status).toBe(403);
    expect((await service.get('/files/raw/person/latest.parquet')).status).toBe(302);
    const { json } = await service.get('/files', { key: files });
    expect(json.filter(({ category }: { category: string }) => category === 'raw')).toEqual([]);
  });

  test('a key reads the tables of its tier', async () => {
    for (const path of ['/files/accounts/latest.parquet', '/files/accounts/1.parquet', '/files/tenants/latest.csv.gz'])
      expect([path, (await service.get(path, { key: keys.nordBasic })).status]).toEqual([path, 403]);
    const { json } = await service.get('/files', { key: keys.nordBasic });
    expect(new Set(json.map(({ category }: { category: string }) => category))).toEqual(new Set(['property', 'raw']));
  });

  test('a key without personal data has files of its own', async () => {
    const key = await scopedKey(service, { personal: [] });
    const whole = await latest(service, '/files/tenants/latest.ndjson.gz');
    const limited = await latest(service, '/files/tenants/latest.ndjson.gz', key);
    expect([limited.status, new URL(limited.url).pathname]).toEqual([200, new URL(whole.url).pathname]);
    expect(limited.headers.get('ETag')).not.toBe(whole.headers.get('ETag'));
    const parquet = await latest(service, '/files/tenants/latest.parquet', key);
    const bytes = await parquet.arrayBuffer();
    const rows = await parquetReadObjects({ file: bytes });
    const { json } = await service.get('/stakeholder/tenants?limit=1000', { key });
    expect(rows.length).toBe(json.length);
    const nullColumns = (all: readonly Record<string, unknown>[]) =>
      Object.keys(all[0]!).filter((name) => all.every((row) => row[name] === null || row[name] === undefined));
    expect(nullColumns(rows)).toEqual(nullColumns(json));
    const names = await service.database.pool.query<{ name: string }>(
      'select iban as name from customer_nord.tenants where iban is not null',
    );
    const text = Buffer.from(bytes).toString('latin1');
    for (const { name } of names.rows) expect(text.includes(Buffer.from(name).toString('latin1'))).toBe(false);
  });

  test('a key with a property set has no files of tables of which it reads a part', async () => {
    const key = await scopedKey(service, { properties: { ids: [1001] } });
    const { status, json } = await service.get('/files/orders/latest.parquet', { key });
    expect([status, json.detail]).toEqual([403, 'A key with a property set reads no files of orders: read its pages']);
    expect((await service.get('/files/owner/latest.parquet', { key })).status).toBe(403);
    const listed = await service.get('/files', { key });
    for (const { table, category } of listed.json)
      if (category !== 'raw') expect((await service.get(`/files/${table}/latest.parquet`, { key })).status).toBe(302);
    expect(listed.json.map(({ table }: { table: string }) => table)).not.toContain('orders');
  });

  test('two customers never share a file or a tag', async () => {
    const nord = await latest(service, '/files/kontenmapping_ranges/latest.ndjson.gz');
    const sued = await latest(service, '/files/kontenmapping_ranges/latest.ndjson.gz', keys.suedEnterprise);
    expect([nord.status, sued.status]).toEqual([200, 200]);
    expect(sued.headers.get('ETag')).not.toBe(nord.headers.get('ETag'));
    const path = new URL(sued.url).pathname;
    const foreign = await service.get(path, { key: keys.suedEnterprise, headers: { 'If-None-Match': nord.headers.get('ETag')! } });
    expect(foreign.status).toBe(200);
  });
});
