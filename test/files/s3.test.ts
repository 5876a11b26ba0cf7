/** Files in an S3-compatible store: the same answers as from a folder, and 503 while the store is unreachable or slow (contract: files). */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileStore } from '../../src/files/store/file-store.ts';
import { parseS3Address, type S3Address } from '../../src/files/store/s3-address.ts';
import { S3Objects } from '../../src/files/store/s3-objects.ts';
import { recordedLog } from '../support/log.ts';
import { type S3Server, startS3 } from '../support/s3.ts';
import { startInstance, startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { latest } from './support.ts';

let s3: S3Server;
let proxy: TcpProxy;
const folder = mkdtempSync(join(tmpdir(), 'estate-s3-work-'));
const addressOf = (url: string): S3Address => parseS3Address(url)!;

beforeAll(async () => {
  s3 = await startS3();
  proxy = await new TcpProxy(s3.port).listen();
});
afterAll(async () => {
  proxy.close();
  await s3.stop();
  rmSync(folder, { recursive: true });
});

/** The names of all objects. */
const namesIn = async (prefix = ''): Promise<string[]> => {
  const found = await new S3Objects(addressOf(s3.url())).list(prefix);
  return found.map(({ name }) => name).sort();
};
const bodyOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());
const collect = async (bytes: AsyncIterable<Buffer> | undefined): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
};

describe('a service', () => {
  let service: TestService;
  const { logger, texts } = recordedLog();
  beforeAll(async () => {
    service = await startService({ environment: { FILES_S3_URL: s3.url(proxy.port), FILES_DIR: folder }, logger });
  });
  afterAll(() => service.stop());

  test('stores files in the bucket, and none in the folder', async () => {
    const built = await latest(service, '/files/orders/latest.parquet');
    const body = await bodyOf(built);
    expect([built.status, body.subarray(0, 4).toString()]).toEqual([200, 'PAR1']);
    expect(built.headers.get('Repr-Digest')).toBe(`sha-256=:${createHash('sha256').update(body).digest('base64')}:`);
    expect((await namesIn()).map((name) => name.replace(/[-.][0-9a-f]{16}(?=[./])|\.[0-9a-f-]{36}$/g, ''))).toEqual([
      `customer_nord/category.orders.${built.headers.get('X-Data-Version')}.parquet`,
      `customer_nord/category.orders.${built.headers.get('X-Data-Version')}.parquet.json`,
    ]);
    expect(readdirSync(folder, { recursive: true })).toEqual(['.work']);

    const path = new URL(built.url).pathname;
    const part = await fetch(service.url + path, { headers: { 'X-API-Key': keys.nordEnterprise, Range: 'bytes=5-104' } });
    expect([part.status, part.headers.get('Content-Range')]).toEqual([206, `bytes 5-104/${body.length}`]);
    expect(await bodyOf(part)).toEqual(body.subarray(5, 105));
    const { json } = await service.get('/files');
    const listed = json.find(({ table, category }: { table: string; category: string }) => table === 'orders' && category === 'operations');
    expect(listed.files[0]).toMatchObject({ bytes: body.length, kept_versions: [Number(built.headers.get('X-Data-Version'))] });
  });

  test('finds the files of another instance', async () => {
    const built = await latest(service, '/files/properties/latest.csv.gz');
    const other = await startInstance(service.database, { FILES_S3_URL: s3.url(), FILES_DIR: folder });
    const answer = await other.inject({ url: new URL(built.url).pathname, headers: { 'x-api-key': keys.nordEnterprise } });
    expect([built.status, answer.statusCode, answer.headers.etag]).toEqual([200, 200, built.headers.get('ETag')]);
    expect(answer.rawPayload).toEqual(await bodyOf(built));
    await other.close();
  });

  test('builds a file again whose data the store has lost', async () => {
    const built = await latest(service, '/files/creditor/latest.ndjson.gz');
    const etag = built.headers.get('ETag');
    const objects = new S3Objects(addressOf(s3.url()));
    const [data = ''] = (await namesIn()).filter((name) => name.includes('.creditor.') && !name.endsWith('.json'));
    await objects.remove(data);
    expect((await service.get(new URL(built.url).pathname)).status).toBe(404);
    expect((await latest(service, '/files/creditor/latest.ndjson.gz')).headers.get('ETag')).toBe(etag);
  });

  test('builds a file whose manifest is only a part', async () => {
    const built = await latest(service, '/files/orders/latest.csv.gz');
    const [manifest = ''] = (await namesIn()).filter((name) => /\.orders\.[0-9a-f]+\.\d+\.csv\.gz\.json$/.test(name));
    await new S3Objects(addressOf(s3.url())).remove(manifest);
    await new S3Objects(addressOf(s3.url())).create(manifest, '{"version":');
    const other = await startInstance(service.database, { FILES_S3_URL: s3.url(), FILES_DIR: folder });
    const answer = await other.inject({
      url: new URL(built.url).pathname,
      headers: { 'x-api-key': keys.nordEnterprise, prefer: 'wait=0' },
    });
    expect(answer.statusCode).toBe(202);
    await other.close();
  });

  test('answers 503 while the store is unreachable or slow, and names neither address nor key', async () => {
    const built = await latest(service, '/files/tenants/latest.parquet');
    const path = new URL(built.url).pathname;
    await built.arrayBuffer();
    const refused = async () => {
      const answers = [await service.get(path), await service.get('/files'), await service.get('/files/raw/person/1.csv.gz')];
      for (const { status, headers, json } of answers)
        expect([status, headers.get('Retry-After'), json?.detail]).toEqual([
          503,
          '5',
          'The store of files is not available; try again later',
        ]);
    };
    proxy.cutAfter(0);
    await refused();
    expect((await service.get('/operations/orders?limit=1')).status).toBe(200);
    proxy.repair();
    expect((await service.get(path)).status).toBe(200);
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const waiting = await startInstance(service.database, { FILES_S3_URL: s3.url(port), FILES_DIR: folder });
    const answer = await waiting.inject({ url: path, headers: { 'x-api-key': keys.nordEnterprise } });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
    await waiting.close();
    silent.close();
    const log = texts.join('');
    expect(log).toMatch(/The store of files (?:did not answer|answered)/);
    for (const secret of [`127.0.0.1:${proxy.port}`, `:${s3.port}`, 'S3RVER', 'some/folders', 'AWS4-HMAC'])
      expect(log).not.toContain(secret);
  });

  test('removes the files of a customer', async () => {
    const store = new FileStore({ folder, s3: addressOf(s3.url()) });
    await latest(service, '/files/orders/latest.parquet', keys.suedEnterprise);
    await store.removeCustomer('customer_nord');
    expect(await namesIn('customer_nord')).toEqual([]);
    expect((await namesIn('customer_sued')).length).toBe(2);
    expect(await store.pruneAll(new Set())).toBe(1);
    expect(await namesIn()).toEqual([]);
  });
});

describe('an upload', () => {
  const times = { answerMs: 2_000, transferMs: 2_000, pauseMs: 1 };
  const path = join(folder, 'large');
  const bytes = randomBytes(20 * 2 ** 20 + 7);
  beforeAll(() => writeFileSync(path, bytes));
  const signal = new AbortController().signal;

  test('of several parts is complete, and has ranges', async () => {
    const objects = new S3Objects(addressOf(s3.url()), times);
    await objects.upload(path, 'large/whole', signal);
    expect((await collect(await objects.open('large/whole', 0, bytes.length - 1))).equals(bytes)).toBe(true);
    expect((await collect(await objects.open('large/whole', 9_000_000, 9_000_099))).equals(bytes.subarray(9_000_000, 9_000_100))).toBe(
      true,
    );
    expect(await objects.open('large/other', 0, 9)).toBeUndefined();
    expect(await objects.read('large/other')).toBeUndefined();
    await objects.removeFolder('large');
    expect(await namesIn('large')).toEqual([]);
  });

  test('that is cut leaves nothing that can be seen', async () => {
    const objects = new S3Objects(addressOf(s3.url(proxy.port)), times);
    for (const bytesOfAnswers of [50, 700, 1_100, 1_500]) {
      proxy.cutAfter(bytesOfAnswers);
      await expect(objects.upload(path, 'large/cut', signal)).rejects.toMatchObject({ kind: 'filesUnavailable' });
      proxy.repair();
      // The store may have the last part, and only its answer was lost. Then the object is complete.
      const found = await collect(await objects.open('large/cut', 0, bytes.length - 1));
      expect(found.length === 0 || found.equals(bytes)).toBe(true);
      await objects.removeFolder('large');
    }
    const aborted = AbortSignal.abort();
    await expect(objects.upload(path, 'large/cut', aborted)).rejects.toThrow();
    expect(await namesIn('large')).toEqual([]);
  });

  test('that is too slow fails', async () => {
    proxy.slowTo(10);
    const objects = new S3Objects(addressOf(s3.url(proxy.port)), { ...times, answerMs: 200 });
    await expect(objects.upload(path, 'large/slow', signal)).rejects.toMatchObject({ kind: 'filesUnavailable' });
    proxy.repair();
    expect(await namesIn('large')).toEqual([]);
  });

  test('with a wrong key or bucket fails with the code of the store', async () => {
    const wrong = new S3Objects({ ...addressOf(s3.url()), secretAccessKey: 'wrong' }, times);
    await expect(wrong.read('name')).rejects.toMatchObject({
      kind: 'filesUnavailable',
      cause: { message: 'The store of files answered 403 SignatureDoesNotMatch' },
    });
    const missing = new S3Objects({ ...addressOf(s3.url()), endpoint: `http://127.0.0.1:${s3.port}/nothing` }, times);
    await expect(missing.list('')).rejects.toMatchObject({ cause: { message: 'The store of files answered 404 NoSuchBucket' } });
  });
});

test('a store that redirects is unavailable at once, and the other host is not asked', async () => {
  const requests = { store: 0, other: 0 };
  let status = 0;
  const other = createHttpServer((_request, response) => {
    requests.other++;
    response.end('a file of another host');
  }).listen(0, '127.0.0.1');
  const store = createHttpServer((_request, response) => {
    requests.store++;
    response.writeHead(status, { Location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/` }).end();
  }).listen(0, '127.0.0.1');
  await Promise.all([once(other, 'listening'), once(store, 'listening')]);
  const objects = new S3Objects(addressOf(s3.url((store.address() as AddressInfo).port)));
  const path = join(folder, 'redirected');
  const works = {
    list: () => objects.list(''),
    read: () => objects.read('name'),
    create: () => objects.create('name', 'text'),
    upload: () => objects.upload(path, 'name', new AbortController().signal),
    open: () => objects.open('name', 0, 9),
    remove: () => objects.remove('name'),
  };
  for (const bytes of [10, 9 * 2 ** 20]) {
    writeFileSync(path, Buffer.alloc(bytes));
    for (status of [300, 301, 302, 303, 307, 308])
      for (const [name, work] of Object.entries(works)) {
        requests.store = 0;
        const failed = await work().then(
          () => undefined,
          (error) => error,
        );
        expect([name, failed?.kind, failed?.cause?.message]).toEqual([
          name,
          'filesUnavailable',
          expect.stringContaining(`answered ${status}`),
        ]);
        expect([name, requests]).toEqual([name, { store: 1, other: 0 }]);
      }
  }
  for (const server of [other, store]) server.close();
});

test('an address of a store has key, secret, host and bucket', () => {
  expect(parseS3Address('https://key:a%2Fb@store.example:9000/bucket/a/b/?region=eu-central-1')).toEqual({
    endpoint: 'https://store.example:9000/bucket',
    accessKeyId: 'key',
    secretAccessKey: 'a/b',
    region: 'eu-central-1',
    prefix: 'a/b/',
  });
  for (const wrong of [
    '',
    'https://store.example/bucket',
    'https://key:secret@store.example/',
    's3://key:secret@a/b',
    'https://key:secret@a/b?x=1',
  ])
    expect([wrong, parseS3Address(wrong)]).toEqual([wrong, undefined]);
});
