/** `estate sync` with a source that is kept with the customer (contract: kept sources). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandLine, openCommandLine } from './command-line.ts';

let commandLine: CommandLine;
beforeAll(async () => {
  commandLine = await openCommandLine();
  await commandLine.json('customer', 'add', 'kontor', '--name', 'Kontor', '--tier', 'enterprise');
});
afterAll(() => commandLine.close());

const path = (name: string) => join(commandLine.folder, name);
const file = (name: string, text: string): string => {
  writeFileSync(path(name), text);
  return path(name);
};
const folder = (name: string, files: Readonly<Record<string, string>>): string => {
  mkdirSync(path(name));
  for (const [one, text] of Object.entries(files)) file(join(name, one), text);
  return path(name);
};
/** The document of a load, which shows its progress on standard error. */
const loaded = async (...line: readonly string[]) => JSON.parse((await commandLine.run('sync', 'kontor', ...line, '--json')).out);
const estate = (...line: readonly string[]) => commandLine.run(...line);

const source = (name: string, comment: string, column = 'Name') => `# ${comment}
name: ${name}
tables:
  - table: person
    path: "*.csv"
    primaryKey: Nr
    columns: { person_type_key: { constant: natural }, last_name: ${column} }
`;

test('a folder is read by the kept source, and the load names its version', async () => {
  const erp = file('erp.yml', source('erp', 'first', 'Wrong'));
  expect(await commandLine.json('source', 'keep', 'kontor', erp)).toMatchObject({ name: 'erp', version: 1 });
  file('erp.yml', source('erp', 'second'));
  expect((await estate('source', 'keep', 'kontor', erp)).out).toMatch(/^kontor: erp, version 2, kept by command line \(/);

  const export1 = folder('export1', { 'list.csv': 'Nr,Name\nA,Weber\n' });
  const { code, err, out } = await estate('sync', 'kontor', export1);
  expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^source: erp, version 2, kept by/) });
  expect(out).toContain('1 rows read');
  expect(await loaded(export1)).toMatchObject({ source: { name: 'erp', version: 2 } });
  expect((await loaded(export1, '--source', erp)).source).toEqual({ name: 'erp', version: null });
  const runs = await commandLine.json('sync', 'kontor', '--history');
  expect(runs.map((run: { source: string; source_version: number }) => [run.source, run.source_version])).toEqual([
    ['erp', null],
    ['erp', 2],
    ['erp', 2],
  ]);
  expect((await estate('source', 'show', 'kontor')).out).toBe(source('erp', 'second'));
  expect((await estate('source', 'show', 'kontor', 'erp', '1')).out).toBe(source('erp', 'first', 'Wrong'));
  expect(await commandLine.json('source', 'history', 'kontor')).toMatchObject([{ version: 2 }, { version: 1 }]);
});

test('a folder with a file of a raw table is not guessed about', async () => {
  const both = folder('both', { 'person.csv': 'Nr,Name\nA,Weber\n' });
  const { code, err } = await estate('sync', 'kontor', both);
  expect([code, err]).toEqual([1, expect.stringContaining('--full or --upsert for raw tables, --kept erp for the source')]);
  expect((await estate('sync', 'kontor', both, '--kept', 'erp', '--dry-run')).code).toBe(0);
  expect((await estate('sync', 'kontor', both, '--full')).err).toContain('person.csv');
  expect((await estate('sync', 'kontor', both, '--kept', 'erp', '--full')).code).toBe(2);
});

test('several kept sources need a name, and an ended one is not used', async () => {
  await commandLine.json('source', 'keep', 'kontor', file('south.yml', source('south', 'x')));
  const again = folder('again', { 'list.csv': 'Nr,Name\nA,Weber\n' });
  expect((await estate('sync', 'kontor', again)).err).toContain('kontor has the kept sources erp, south: name one.');
  expect((await estate('source', 'end', 'kontor', 'south')).out).toContain('south is ended');
  expect((await estate('sync', 'kontor', again)).code).toBe(0);
  expect((await estate('sync', 'kontor', again, '--kept', 'south')).err).toContain("kontor has no kept source 'south'");
});
