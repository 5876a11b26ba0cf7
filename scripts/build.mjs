/**
 * Bundles the service into `dist/`, or into the folder that is named: one file and its lazily loaded parts, with what they read
 * from disk beside them.
 *
 * Each file takes its place whole, the entry last, and parts carry a hash of what they hold: whoever starts or runs the service
 * meanwhile, in this build or another one at the same time, finds all that it needs.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { graphiqlBundle, pageScript } from './page-script.mjs';

/** Libraries of which the service uses a small part: bundled, what it does not use takes no memory. */
const bundled = ['kysely', 'zod'];
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const target = resolve(process.argv[2] ?? 'dist');
/** What the service reads from disk, beside the bundle under the same paths. */
const read = [
  'CHANGELOG.md',
  'package.json',
  'examples/keep-a-copy.mjs',
  ...['src/web/pages/assets', 'src/web/docs/assets', 'docs/guide'].flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name)),
  ),
];

/** Scripts of pages, which the service reads as it reads those. */
const scripts = ['src/web/docs/page/main.js'];

/** Puts a file in its place; one that is the same already stays. */
const put = (path, contents) => {
  const old = (() => {
    try {
      return readFileSync(path);
    } catch {
      return undefined;
    }
  })();
  if (old?.equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}.new`;
  writeFileSync(beside, contents);
  renameSync(beside, path);
};

const { outputFiles } = await build({
  entryPoints: ['src/main.ts'],
  outdir: target,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: Object.keys(dependencies).filter((name) => !bundled.includes(name)),
  sourcemap: true,
  logLevel: 'warning',
  write: false,
});

const isEntry = ({ path }) => basename(path).startsWith('main.js');
const files = [
  ...read.map((path) => ({ path: join(target, 'files', path), contents: readFileSync(path) })),
  ...scripts.map((path) => ({ path: join(target, 'files', path.replace(/\.ts$/, '.js')), contents: pageScript(path) })),
  ...graphiqlBundle().map(({ name, contents }) => ({ path: join(target, 'files/graphiql', name), contents })),
  ...outputFiles.filter((file) => !isEntry(file)),
  ...outputFiles.filter(isEntry),
];
for (const { path, contents } of files) put(path, Buffer.from(contents));

// What no build of these sources made goes; what another one is about to move stays.
const made = new Set(files.map(({ path }) => relative(target, path)));
for (const name of readdirSync(target, { recursive: true, withFileTypes: true })) {
  const path = relative(target, join(name.parentPath ?? name.path, name.name));
  if (name.isFile() && !made.has(path) && !path.endsWith('.new')) rmSync(join(target, path), { force: true });
}
