/** Claims of builds, and notes of requests, in a folder. */
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { dataScope } from '../../src/catalogue/data-scope.ts';
import { BuildClaims } from '../../src/files/store/build-claims.ts';
import { type FileName, nameInFolder } from '../../src/files/store/file-names.ts';
import { FolderObjects } from '../../src/files/store/folder-objects.ts';
import { RequestedFiles } from '../../src/files/store/requested-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'estate-claims-'));
afterAll(() => rmSync(folder, { recursive: true }));
const objects = new FolderObjects(folder, join(folder, '.work'));
const customer = { id: 7, schema: 'customer_a' };
const file: FileName = { customer, epoch: 'e', scope: undefined, kind: 'category', name: 'orders', format: 'csv.gz' };

test('one process at a time has the claim of a file', async () => {
  const [first, second] = [new BuildClaims(objects), new BuildClaims(objects)];
  const release = await first.take(file);
  expect(await second.take(file)).toBeUndefined();
  await (await second.take({ ...file, format: 'parquet' }))?.();
  await release?.();
  const next = await second.take(file);
  expect(next).toBeDefined();
  await next?.();
  expect(await objects.list('')).toEqual([]);
});

test('the claim of a process that ended is taken over', async () => {
  const [ended, next] = [new BuildClaims(objects), new BuildClaims(objects)];
  await ended.take(file);
  const long = Date.now() / 1_000 - 600;
  utimesSync(join(folder, nameInFolder(file, 'building')), long, long);
  const release = await next.take(file);
  expect(release).toBeDefined();
  await release?.();
});

test('requested files are found with their scope, and forgotten after their time', async () => {
  const requested = new RequestedFiles(objects);
  const scope = dataScope({ personal: ['contact'], properties: { ids: [1] } }, 'key');
  const odd: FileName = { ...file, kind: 'raw', name: 'Odd name/..', scope, format: 'parquet' };
  for (const each of [file, file, odd]) await requested.note(each);
  // A property set shows all rows of the tables that have files, so its name alone makes no other file.
  await requested.note({ ...file, scope: dataScope({ properties: { ids: [1] } }, 'other') });
  const found = await new RequestedFiles(objects).of(file, 0);
  expect(found.map(({ kind, name, format, scope: of }) => [kind, name, format, [...(of?.hidden ?? [])].sort()])).toEqual([
    ['category', 'orders', 'csv.gz', []],
    ['raw', 'Odd name/..', 'parquet', ['bank', 'birth', 'name', 'tax']],
  ]);
  await objects.write(nameInFolder({ ...file, name: 'part' }, 'requested'), '{"kind":');
  expect((await requested.of(file, 0)).length).toBe(2);
  expect(await requested.of(file, Date.now() + 60_000)).toEqual([]);
  expect(await objects.list('')).toEqual([]);
});
