/** The commands that documents and comments name exist. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: Readonly<Record<string, string>> };
/** The names of `runNamedScript` with their files. */
const namedScripts = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/^ {2}'?([a-z-]+)'?: \['([\w/.-]+)', /gm)].map(
    ([, name = '', file = '']) => [name, file] as const,
  );
const named = { bench: namedScripts('bench/run.ts'), citus: namedScripts('scripts/citus/run.ts') };

const files = execFileSync('git', ['ls-files', '*.md', '*.ts', '.ci/run', 'Dockerfile'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && path !== 'CHANGELOG.md' && existsSync(path));
const texts = files.map((path) => [path, readFileSync(path, 'utf8')] as const);

test('each `npm run` names a script of package.json', () => {
  const unknown = texts.flatMap(([path, text]) =>
    [...text.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].flatMap(([, name = '']) => (name in scripts ? [] : [`${path}: ${name}`])),
  );
  expect(unknown).toEqual([]);
});

test.each(['bench', 'citus'] as const)('each `npm run %s` names one of its scripts', (command) => {
  const known = named[command].map(([name]) => name);
  expect(known.length).toBeGreaterThan(2);
  const pattern = new RegExp(`npm run ${command} (?:\\[)?-- (["\\w-]+)`, 'g');
  const unknown = texts.flatMap(([path, text]) =>
    [...text.matchAll(pattern)].flatMap(([, name = '']) => (known.includes(name) ? [] : [`${path}: ${name}`])),
  );
  expect(unknown).toEqual([]);
  for (const [, file] of named[command]) expect([file, existsSync(file)]).toEqual([file, true]);
});
