/**
 * Writes every generated file: the settings, the licences, the schema, the examples and the types of the tests.
 *
 *   npm run codegen [-- --check]
 *
 * `--check` ends with 1 if a file was not up to date, and names it.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const places = ['.env.example', 'docs/administration.md', 'docs/licences.md', 'schema.graphql', 'examples', 'test/graphql/generated'];

const filesOf = (place: string): string[] =>
  statSync(place, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(place, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [join(place, entry.name)] : []))
    : [place];
const read = (): ReadonlyMap<string, string> =>
  new Map(places.flatMap(filesOf).map((path) => [path, readFileSync(path, { encoding: 'utf8', flag: 'a+' })]));

const before = read();
for (const script of ['scripts/settings-table.ts', 'scripts/licences.ts'])
  execFileSync(process.execPath, ['--import', 'tsx', script], { stdio: 'inherit' });
execFileSync(process.execPath, ['--import', 'tsx', 'node_modules/@graphql-codegen/cli/esm/bin.js', '--config', 'codegen.ts'], {
  stdio: 'inherit',
});
const changed = [...read()].flatMap(([path, text]) => (before.get(path) === text ? [] : [path]));
if (process.argv.includes('--check') && changed.length > 0) {
  console.error(`Not up to date until now: ${changed.join(', ')}.`);
  process.exitCode = 1;
}
