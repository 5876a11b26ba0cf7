/** A load in the middle of a build: every file that is served is complete, and has the rows of its version (contract: building files). */

import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { asCsv, Deliveries, load, readTableData } from '../sync/support.ts';
import { latest } from './support.ts';

let service: TestService;
let deliveries: Deliveries;
const folder = mkdtempSync(join(tmpdir(), 'estate-files-'));
beforeAll(async () => {
  service = await startService({ environment: { FILES_DIR: folder } });
  deliveries = new Deliveries();
});
afterAll(async () => {
  await service.stop();
  deliveries.remove();
  rmSync(folder, { recursive: true });
});

const onDisk = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });

/** The data files of the table. */
const filesOnDisk = (): string[] => onDisk().filter((name) => name.includes('/raw.person.') && !name.endsWith('.json'));

test('requests during loads get complete files of one version each', { timeout: 300_000 }, async () => {
  const table = await readTableData(service.database, 'person');
  const place = table.columns.indexOf('last_name');
  expect(place).toBeGreaterThan(-1);
  /** The only value of the column in each version. */
  const valueOfVersion = new Map<number, string>();
  const loadValue = async (value: string): Promise<void> => {
    const rows = table.rows.map((row) => row.map((old, at) => (at === place ? value : old)));
    await load(service.database, [deliveries.write('person.csv', asCsv({ columns: table.columns, rows }))]);
    const { json } = await service.get('/raw/person?limit=1');
    expect(json.data[0].last_name).toBe(value);
    valueOfVersion.set(Number((await service.get('/raw/person?limit=1')).headers.get('X-Data-Version')), value);
  };
  await loadValue('value 0');
  let isLoading = true;
  const loads = (async () => {
    for (let step = 1; step <= 5; step++) await loadValue(`value ${step}`);
    isLoading = false;
  })();
  const seen = new Map<number, string>();
  const look = async (): Promise<void> => {
    const response = await latest(service, '/files/raw/person/latest.ndjson.gz', keys.nordEnterprise);
    // The version that the redirect named is gone after a load.
    if (response.status === 404) return;
    expect(response.status).toBe(200);
    const body = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('Repr-Digest')).toBe(`sha-256=:${createHash('sha256').update(body).digest('base64')}:`);
    const rows = gunzipSync(body)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { last_name: string });
    expect(rows.length).toBe(table.rows.length);
    const values = new Set(rows.map(({ last_name }) => last_name));
    expect(values.size).toBe(1);
    seen.set(Number(response.headers.get('X-Data-Version')), [...values][0]!);
  };
  while (isLoading) await look();
  await loads;
  await look();
  expect(seen.size).toBeGreaterThan(0);
  for (const [version, value] of seen) expect([version, value]).toEqual([version, valueOfVersion.get(version)]);

  // The last three versions are kept, and nothing temporary is left.
  for (let step = 6; step <= 9; step++) {
    await loadValue(`value ${step}`);
    await look();
  }
  const versions = [...valueOfVersion.keys()].sort((a, b) => b - a).slice(0, 3);
  const storedVersions = async () => {
    const { json } = await service.get('/files');
    const listed = json.find(({ table: name, category }: { table: string; category: string }) => name === 'person' && category === 'raw');
    return listed.files.find(({ format }: { format: string }) => format === 'ndjson.gz').kept_versions;
  };
  // A file is served before older ones are removed.
  const patience = { timeout: 60_000 };
  await expect.poll(storedVersions, patience).toEqual(versions);
  await expect.poll(() => filesOnDisk().length, patience).toBe(3);
  await expect.poll(() => onDisk().filter((name) => name.endsWith('.part')), patience).toEqual([]);
  expect((await service.get(`/files/raw/person/${versions[2]}.ndjson.gz`, { method: 'HEAD' })).status).toBe(200);
});
