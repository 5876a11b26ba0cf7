/** `.ci/rounds` finds the base of a contribution, and does all rounds if it finds none. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'estate-rounds-'));
const origin = join(folder, 'origin');
afterAll(() => rmSync(folder, { recursive: true }));

const git = (at: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], { cwd: at, encoding: 'utf8', stdio: 'pipe' });

const commit = (at: string, path: string, text: string): void => {
  mkdirSync(dirname(join(at, path)), { recursive: true });
  writeFileSync(join(at, path), text);
  git(at, 'add', '.');
  git(at, 'commit', '-q', '-m', path);
};

const clone = (name: string, ...options: readonly string[]): string => {
  git(folder, 'clone', '-q', ...options, `file://${origin}`, name);
  return join(folder, name);
};

const roundsIn = (at: string, environment: NodeJS.ProcessEnv = {}): string =>
  execFileSync(join(at, '.ci/rounds'), {
    cwd: at,
    env: { PATH: process.env.PATH, ...environment },
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();

beforeAll(() => {
  mkdirSync(origin);
  git(origin, 'init', '-q', '-b', 'main');
  cpSync('.ci/rounds', join(origin, '.ci/rounds'));
  writeFileSync(join(origin, 'package.json'), '{"version":"1.1.0"}');
  commit(origin, 'src/sql/select.ts', 'first');
  commit(origin, 'CHANGELOG.md', '## 1.1.0\n');
  commit(origin, 'README.md', 'text');
});

test('a fifth if nothing of it has changed since the last release', () => {
  expect(roundsIn(clone('unchanged'))).toBe('0.2');
});

test('all if it has changed since the last release, also if it is not committed', () => {
  const changed = clone('changed');
  writeFileSync(join(changed, 'src/sql/select.ts'), 'second');
  expect(roundsIn(changed)).toBe('1');
  commit(changed, 'src/sql/select.ts', 'second');
  git(changed, 'push', '-q', 'origin', 'HEAD:changed');
  const main = clone('main', '-b', 'changed');
  git(main, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  expect(roundsIn(main)).toBe('1');
  expect(roundsIn(main, { BASE: 'HEAD' })).toBe('0.2');
});

test('a branch is compared with the commit where it left main', () => {
  const branch = clone('branch');
  commit(branch, 'docs/guide.md', 'text');
  expect(roundsIn(branch)).toBe('0.2');
  commit(branch, 'test/rest/rows.exhaustive.test.ts', 'a test');
  expect(roundsIn(branch)).toBe('1');
});

test('every path that is named exists, because git is silent about others', () => {
  const [, list = ''] = /^tested=\((.*)\)$/m.exec(readFileSync('.ci/rounds', 'utf8')) ?? [];
  const paths = list.split(' ').map((path) => path.replaceAll("'", ''));
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => execFileSync('git', ['ls-files', '--', path], { encoding: 'utf8' }) === '')).toEqual([]);
});

test('a data scope is part of it', () => {
  const branch = clone('scope');
  commit(branch, 'src/catalogue/data-scope.ts', 'text');
  expect(roundsIn(branch)).toBe('1');
});

test('all without a base: a clone without history, and a version that the changelog does not have', () => {
  expect(roundsIn(clone('shallow', '--depth', '1'))).toBe('1');
  const unreleased = clone('unreleased');
  writeFileSync(join(unreleased, 'package.json'), '{"version":"1.2.0"}');
  expect(roundsIn(unreleased)).toBe('1');
});
