/** `npm start` builds first. Concurrent builds, and builds next to a running service, do not disturb each other. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { graphiqlBundle } from '../../src/web/pages/static-files.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Inside the checkout, where the built service finds its packages. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join('node_modules', '.build-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = async (...parameters: readonly string[]) => {
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, out, err };
};

const build = () => run('scripts/build.mjs', folder);
const listing = () => readdirSync(folder, { recursive: true }).map(String).sort();

/** Missing parts that the current entry imports. */
const missingParts = (): string[] => {
  const missing: string[] = [];
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    if (!existsSync(join(folder, name))) {
      missing.push(name);
      return;
    }
    for (const [, part] of readFileSync(join(folder, name), 'utf8').matchAll(/["']\.\/([\w-]+\.js)["']/g)) visit(part as string);
  };
  if (existsSync(join(folder, 'main.js'))) visit('main.js');
  return missing;
};

test('concurrent builds: an existing entry is always complete, and it runs', { timeout: 120_000 }, async () => {
  let isOver = false;
  const builds = Promise.all([build(), build(), build()]).then((outcomes) => {
    isOver = true;
    return outcomes;
  });
  const missing = new Set<string>();
  while (!isOver) {
    for (const name of missingParts()) missing.add(name);
    await new Promise(setImmediate);
  }
  expect(await builds).toEqual(Array.from({ length: 3 }, () => ({ code: 0, out: '', err: '' })));
  expect([...missing]).toEqual([]);
  expect(listing().filter((name) => name.endsWith('.new'))).toEqual([]);
  expect(listing()).toContain(join('files', 'src', 'web', 'pages', 'assets', 'base.css'));
  expect(listing()).toContain(join('files', 'graphiql', 'graphiql.js'));
  expect(await run(join(folder, 'main.js'), '--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
});

test('a build during a service removes nothing that is in use, and removes outdated files', { timeout: 120_000 }, async () => {
  await build();
  const before = listing();
  writeFileSync(join(folder, 'chunk-OLD.js'), '');
  let isOver = false;
  const second = build().then(() => {
    isOver = true;
  });
  const gone = new Set<string>();
  while (!isOver) {
    for (const name of before) if (!existsSync(join(folder, name))) gone.add(name);
    await new Promise(setImmediate);
  }
  await second;
  expect([...gone]).toEqual([]);
  expect(listing()).toEqual(before);
});

test('GraphiQL contains DOMPurify once, in the version of the package', () => {
  const script = graphiqlBundle()
    .map(({ contents }) => String(contents))
    .join('\n');
  const installed = JSON.parse(readFileSync('node_modules/dompurify/package.json', 'utf8')).version;
  expect([...script.matchAll(/@license DOMPurify ([\d.]+)/g)].map(([, found]) => found)).toEqual([installed]);
  // The version of the copy in monaco-editor.
  const copy = readFileSync('node_modules/monaco-editor/esm/vs/base/browser/dompurify/dompurify.js', 'utf8');
  const [, old = ''] = /@license DOMPurify ([\d.]+)/.exec(copy) ?? [];
  expect([old, script.includes(`"${old}"`)]).toEqual([expect.stringMatching(/^\d/), false]);
});
