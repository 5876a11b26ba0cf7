/** `estate files list|build|prune` (contract: commands; building files). */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { onServer, openTestDatabase } from '../support/database.ts';
import { runEstateInThread } from '../support/program.ts';
import { testSecret } from '../support/settings.ts';

// Every command opens the database.
vi.setConfig({ testTimeout: 240_000 });

let folder: string;
let environment: Record<string, string>;
let drop: () => Promise<void> = async () => {};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'estate-cli-files-'));
  environment = { DATA_DIR: folder, LOG_LEVEL: 'silent' };
  if (!onServer) return;
  const database = await openTestDatabase();
  environment = { ...environment, DATABASE_URL: database.address as string, KEY_SECRET: testSecret };
  drop = database.close;
});
afterAll(async () => {
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

const estate = (...line: string[]) => runEstateInThread(line, environment);
const json = async (...line: string[]) => {
  const { code, out, err } = await estate(...line, '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
};
const onDisk = (): string[] =>
  readdirSync(join(folder, 'files'), { recursive: true, encoding: 'utf8' }).filter((name) => !name.endsWith('.json'));

test('files are built, listed and removed with their customer', async () => {
  await json('migrate');
  expect((await estate('demo', '--customer', 'probe', '--scale', 'tiny', '--seed', '1')).code).toBe(0);
  const built = await json('files', 'build', 'probe', '--table', 'properties', 'raw/person', '--format', 'parquet', 'ndjson.gz');
  expect(built.map(({ table, format }: { table: string; format: string }) => `${table}.${format}`)).toEqual([
    'properties.parquet',
    'properties.ndjson.gz',
    'raw/person.parquet',
    'raw/person.ndjson.gz',
  ]);
  expect(built[0]).toMatchObject({ customer: 'probe', version: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const again = await json('files', 'build', 'probe', '--table', 'properties', '--format', 'parquet');
  expect(again).toEqual([built[0]]);
  expect(await json('files', 'list', '--customer', 'probe')).toEqual(built);
  expect((await estate('files', 'list')).out).toMatch(/^probe +raw\/person +ndjson\.gz +1 +\d+ +\d+ +\S+Z$/m);
  const unknown = await estate('files', 'build', 'probe', '--table', 'nothing');
  expect(unknown).toMatchObject({ code: 1, err: 'estate: The customer has no table nothing.\n' });

  expect(await json('files', 'prune')).toEqual({ removed: 0 });
  expect((await estate('customer', 'remove', 'probe', '--confirm', 'probe')).code).toBe(0);
  // Only the empty folder of files in work is left.
  expect(onDisk()).toEqual(['.work']);
  expect(await json('files', 'prune')).toEqual({ removed: 0 });
});
