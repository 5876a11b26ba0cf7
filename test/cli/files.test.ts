/** `estate files list|build|prune` (contract: commands; building files). */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandLine, openCommandLine } from './command-line.ts';

let commandLine: CommandLine;
beforeAll(async () => {
  commandLine = await openCommandLine();
});
afterAll(() => commandLine.close());

const estate: CommandLine['run'] = (...line) => commandLine.run(...line);
const json: CommandLine['json'] = (...line) => commandLine.json(...line);
const onDisk = (): string[] =>
  readdirSync(join(commandLine.folder, 'files'), { recursive: true, encoding: 'utf8' }).filter((name) => !name.endsWith('.json'));

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
