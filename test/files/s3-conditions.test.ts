/** Files in a store that honours conditions: manifests are never replaced, and one instance builds a file (contract: building files). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileName } from '../../src/files/store/file-names.ts';
import { FileStore } from '../../src/files/store/file-store.ts';
import { parseS3Address } from '../../src/files/store/s3-address.ts';
import { S3Objects } from '../../src/files/store/s3-objects.ts';
import { fileBuilds } from '../../src/metrics.ts';
import { hasMoto, type S3Server, startMoto } from '../support/s3.ts';
import { startInstance, startService, type TestService } from '../support/service.ts';
import { Deliveries } from '../sync/support.ts';
import { latest, loadNames } from './support.ts';

const patience = { timeout: 60_000 };

// Moto is a package of Python. Where it is absent, this is skipped, and s3.test.ts covers the rest.
describe.runIf(hasMoto)('a store with conditions', () => {
  let s3: S3Server;
  let objects: S3Objects;
  const folder = mkdtempSync(join(tmpdir(), 'estate-s3-conditions-'));
  beforeAll(async () => {
    s3 = await startMoto();
    objects = new S3Objects(parseS3Address(s3.url())!);
  });
  afterAll(async () => {
    await s3.stop();
    rmSync(folder, { recursive: true });
  });

  test('an object is created once, and written again', async () => {
    expect([await objects.create('a/text', 'first'), await objects.create('a/text', 'second')]).toEqual([true, false]);
    expect(await objects.read('a/text')).toBe('first');
    await objects.write('a/text', 'third');
    await objects.write('b/c/text', '');
    expect(await objects.read('a/text')).toBe('third');
    expect(await objects.folders()).toEqual(['a', 'b']);
    await objects.removeFolder('a');
    await objects.removeFolder('b');
    expect(await objects.list('')).toEqual([]);
  });

  test('of two equal builds, the first one counts', async () => {
    const file: FileName = {
      customer: { id: 1, schema: 'customer_a' },
      epoch: 'e',
      scope: undefined,
      kind: 'category',
      name: 'orders',
      format: 'parquet',
    };
    const { signal } = new AbortController();
    const stores = [1, 2].map(() => new FileStore({ folder, s3: parseS3Address(s3.url())! }));
    await Promise.all(
      stores.map(async (store, index) => {
        const path = join(folder, String(index));
        writeFileSync(path, `file ${index}`);
        await store.publish(file, path, { version: 1, bytes: 6, rows: 1, sha256: String(index), syncedAt: null }, signal);
      }),
    );
    const found = await Promise.all(stores.map((store) => store.find(file, 1)));
    expect(found[0]).toEqual(found[1]);
    // The data of the other one is removed.
    expect((await objects.list('')).length).toBe(2);
    await stores[0]!.removeCustomer('customer_a');
  });

  test('several instances build a requested file once after a load', { timeout: 120_000 }, async () => {
    const environment = { FILES_S3_URL: s3.url(), FILES_DIR: folder };
    const service: TestService = await startService({ environment });
    const deliveries = new Deliveries();
    const built = async () => {
      const { values } = await fileBuilds.count.get();
      return values.find(({ labels }) => labels.reason === 'load' && labels.result === 'built')?.value ?? 0;
    };
    await (await latest(service, '/files/raw/person/latest.csv.gz')).arrayBuffer();
    const before = await built();
    await loadNames(service, deliveries, 'in the store');
    const others: FastifyInstance[] = await Promise.all([1, 2, 3].map(() => startInstance(service.database, environment)));
    const place = async () => {
      const { json } = await service.get('/files');
      const { version, files } = json.find(
        ({ table, category }: { table: string; category: string }) => `${category} ${table}` === 'raw person',
      );
      return files.find(({ format }: { format: string }) => format === 'csv.gz').kept_versions.indexOf(version);
    };
    await expect.poll(place, patience).toBe(0);
    await expect.poll(async () => (await objects.list('')).some(({ name }) => name.includes('/building/')), patience).toBe(false);
    expect((await built()) - before).toBe(1);
    for (const app of others) await app.close();
    await service.stop();
    deliveries.remove();
  });
});
