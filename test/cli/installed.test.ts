/** `bin/estate.js` in an installation with a build, and without one. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'estate-installed-'));
  cpSync('bin', join(folder, 'bin'), { recursive: true });
  // Sources exist, development dependencies do not, as after `npm prune --omit=dev`.
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/main.ts'), 'throw new Error();');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = () =>
  new Promise((resolve) => {
    execFile(process.execPath, [join(folder, 'bin/estate.js')], { env: { PATH: process.env.PATH } }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });

test('without a build, it says in one line what to do', async () => {
  expect(await run()).toEqual({ code: 1, out: '', err: expect.stringMatching(/^estate: the service is not built: [^\n]+\n$/) });
});

test('an existing build runs unchanged', async () => {
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist/main.js'), "console.log('built');");
  expect(await run()).toEqual({ code: 0, out: 'built\n', err: '' });
});

test('the package has a scope and is private, so that its name matches no public package', () => {
  const { name, private: isPrivate } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect([name, isPrivate]).toEqual([expect.stringMatching(/^@[a-z]+\/[a-z]+$/), true]);
  // `npx estate` outside of this folder would download an unrelated package.
  for (const file of ['README.md', 'docs/operating.md', 'docs/administration.md', 'docs/architecture.md', 'docs/performance.md'])
    expect(readFileSync(file, 'utf8')).not.toContain('npx estate');
});
