/** Files in a store that honours conditions: manifests are never replaced (contract: building files). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileName } from '../../src/files/store/file-names.ts';
import { FileStore } from '../../src/files/store/file-store.ts';
import { parseS3Address } from '../../src/files/store/s3-address.ts';
import { S3Objects } from '../../src/files/store/s3-objects.ts';
import { hasMoto, type S3Server, startMoto } from '../support/s3.ts';

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

  test('an object is created once', async () => {
    expect([await objects.create('a/text', 'first'), await objects.create('a/text', 'second')]).toEqual([true, false]);
    expect(await objects.read('a/text')).toBe('first');
    await objects.removeFolder('a');
    expect(await objects.list('')).toEqual([]);
  });

  test('of two equal builds, the first one counts', async () => {
    const file: FileName = {
      customer: { id: 1, schema: 'customer_a' },
      epoch: 'e',
      readers: 'all',
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
});
