/** Requested files are built again after a load, without a request (contract: building files). */
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { FileFormat } from '../../src/files/formats.ts';
import { fileBuilds } from '../../src/metrics.ts';
import { scopedKey } from '../scopes/keys.ts';
import { onServer } from '../support/database.ts';
import { startInstance, startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { Deliveries } from '../sync/support.ts';
import { latest, loadNames } from './support.ts';

let folder: string;
let service: TestService;
let deliveries: Deliveries;
const instances: FastifyInstance[] = [];
beforeAll(() => {
  deliveries = new Deliveries();
});
afterAll(() => deliveries.remove());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'estate-rebuilds-'));
  service = await startService({ environment: { FILES_DIR: folder } });
});
afterEach(async () => {
  await Promise.all(instances.splice(0).map((app) => app.close()));
  await service.stop();
  rmSync(folder, { recursive: true });
});

const patience = { timeout: 60_000 };

/** An instance that starts after a load. It is checked at its start. The embedded database has no notifications, so there it is needed. */
const startLater = async (environment: Readonly<Record<string, string>> = {}): Promise<void> => {
  instances.push(await startInstance(service.database, { FILES_DIR: folder, ...environment }));
};

interface Listed {
  readonly version: number;
  readonly kept: (format: FileFormat) => readonly number[];
}

/** What `/files` says of the raw table, which is no request for a file. */
const listed = async (key: string = keys.nordEnterprise): Promise<Listed> => {
  const { json } = await service.get('/files', { key });
  const { version, files } = json.find(
    ({ table, category }: { table: string; category: string }) => table === 'person' && category === 'raw',
  );
  return { version, kept: (format) => files.find((file: { format: string }) => file.format === format).kept_versions };
};

/** Waits until there is a file of the current version. */
const untilCurrent = async (format: FileFormat, key?: string): Promise<number> => {
  const isCurrent = async () => {
    const { version, kept } = await listed(key);
    return kept(format).includes(version);
  };
  await expect.poll(isCurrent, patience).toBe(true);
  return (await listed(key)).version;
};

const textOf = async (version: number, key: string = keys.nordEnterprise): Promise<string> => {
  const response = await fetch(`${service.url}/files/raw/person/${version}.ndjson.gz`, { headers: { 'X-API-Key': key } });
  expect(response.status).toBe(200);
  return gunzipSync(Buffer.from(await response.arrayBuffer())).toString();
};

const built = async (): Promise<number> => {
  const { values } = await fileBuilds.count.get();
  return values.find(({ labels }) => labels.reason === 'load' && labels.result === 'built')?.value ?? 0;
};

const namesIn = (part: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes(`/${part}/`));

test('a requested file has the version of a load, and other formats have not', async () => {
  await (await latest(service, '/files/raw/person/latest.ndjson.gz')).arrayBuffer();
  const before = await listed();
  await loadNames(service, deliveries, 'after the load');
  if (!onServer) await startLater();
  const version = await untilCurrent('ndjson.gz');
  expect(version).toBeGreaterThan(before.version);
  const lines = (await textOf(version)).trimEnd().split('\n');
  expect(new Set(lines.map((line) => JSON.parse(line).last_name))).toEqual(new Set(['after the load']));
  expect((await listed()).kept('csv.gz')).toEqual([]);
  expect((await listed()).kept('ndjson.gz')).toEqual([version, before.version]);
});

test('the file of a key without personal data is built for such keys', async () => {
  const key = await scopedKey(service, { personal: ['contact'] });
  await (await latest(service, '/files/raw/person/latest.ndjson.gz', key)).arrayBuffer();
  await loadNames(service, deliveries, 'A hidden name');
  if (!onServer) await startLater();
  const version = await untilCurrent('ndjson.gz', key);
  const text = await textOf(version, key);
  expect([text.includes('"last_name":null'), text.includes('A hidden name')]).toEqual([true, false]);
  expect((await listed()).kept('ndjson.gz')).toEqual([]);
});

test('of several instances, one builds each file', async () => {
  const formats = ['parquet', 'csv.gz', 'ndjson.gz'] as const;
  for (const format of formats) await (await latest(service, `/files/raw/person/latest.${format}`)).arrayBuffer();
  const before = await built();
  await startLater();
  await startLater();
  await loadNames(service, deliveries, 'built once');
  if (!onServer) await Promise.all([startLater(), startLater(), startLater()]);
  for (const format of formats) await untilCurrent(format);
  await expect.poll(() => namesIn('building'), patience).toEqual([]);
  expect((await built()) - before).toBe(formats.length);
});

test('after loads in a row, the last version has a file', async () => {
  await (await latest(service, '/files/raw/person/latest.parquet')).arrayBuffer();
  await (await latest(service, '/files/raw/person/latest.ndjson.gz')).arrayBuffer();
  const starting = onServer ? undefined : startLater();
  for (let step = 1; step <= 5; step++) await loadNames(service, deliveries, `step ${step}`);
  await starting;
  if (!onServer) await startLater();
  await untilCurrent('parquet');
  const version = await untilCurrent('ndjson.gz');
  expect(await textOf(version)).toContain('"last_name":"step 5"');
});

test('a file that nobody requested for days is not built again', async () => {
  await (await latest(service, '/files/raw/person/latest.parquet')).arrayBuffer();
  await (await latest(service, '/files/raw/person/latest.ndjson.gz')).arrayBuffer();
  await expect.poll(() => namesIn('requested').length, patience).toBe(2);
  const [old = ''] = namesIn('requested').filter((name) => name.endsWith('.parquet'));
  expect(JSON.parse(readFileSync(join(folder, old), 'utf8'))).toEqual({ kind: 'raw', name: 'person', format: 'parquet', hidden: [] });
  const eightDaysAgo = Date.now() / 1_000 - 8 * 86_400;
  utimesSync(join(folder, old), eightDaysAgo, eightDaysAgo);
  await loadNames(service, deliveries, 'nobody asks');
  if (!onServer) await startLater();
  await untilCurrent('ndjson.gz');
  expect(namesIn('requested')).not.toContain(old);
  expect((await listed()).kept('parquet')).not.toContain((await listed()).version);
});

test('with FILES_REBUILD_DAYS=0 no request is noted', async () => {
  const other = mkdtempSync(join(tmpdir(), 'estate-rebuilds-off-'));
  const app = await startInstance(service.database, { FILES_DIR: other, FILES_REBUILD_DAYS: '0' });
  const headers = { 'x-api-key': keys.nordEnterprise };
  const { version } = await listed();
  const ask = () => app.inject({ url: `/files/raw/person/${version}.csv.gz`, headers });
  await expect.poll(async () => (await ask()).statusCode, patience).toBe(200);
  await app.close();
  expect(readdirSync(other, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('requested'))).toEqual([]);
  rmSync(other, { recursive: true });
});
