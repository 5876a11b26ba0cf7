/**
 * Bundles the service into `dist/` or the given folder: one file, its lazily loaded parts, and the files that they read.
 *
 * Files are replaced atomically, the entry last. The names of parts contain a hash. So the service can start or run during a build, also
 * when several builds run at once.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { graphiqlBundle, pageScript } from './page-script.mjs';
import { workerScript } from './worker-script.mjs';

/** Libraries of which the service uses a small part. Bundling removes the rest, which saves memory. */
const bundled = ['kysely', 'zod'];
/** Packages that an installation has. The bundles contain what the service uses of all others, which are development dependencies. */
const { dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const target = resolve(process.argv[2] ?? 'dist');
/** Files that the service reads at run time. They have the same paths next to the bundle. */
const read = [
  'CHANGELOG.md',
  'package.json',
  'examples/keep-a-copy.mjs',
  ...['administration', 'contract', 'load-your-export', 'operating'].map((name) => `docs/${name}.md`),
  'examples/webhook-receiver.py',
  'examples/webhook-receiver.mts',
  ...['src/web/pages/assets', 'src/web/explore/assets', 'docs/guide'].flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name)),
  ),
];

/** Scripts of pages, which the service also reads at run time. */
const scripts = [
  'src/web/browser/pages/page.ts',
  'src/web/browser/pages/chart.ts',
  'src/web/browser/charts/drawing.ts',
  'src/web/docs/page/main.ts',
  'src/web/explore/app/main.tsx',
];

/** Scripts of threads and of other processes, read in the same way. */
const workers = ['src/files/encoding/worker.ts', 'src/sources/outside/child.ts'];

/** Writes a file atomically. An identical file is not replaced. */
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
  external: Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !bundled.includes(name)),
  sourcemap: true,
  logLevel: 'warning',
  write: false,
});

const isEntry = ({ path }) => basename(path).startsWith('main.js');
const files = [
  ...read.map((path) => ({ path: join(target, 'files', path), contents: readFileSync(path) })),
  ...scripts.map((path) => ({ path: join(target, 'files', path.replace(/\.tsx?$/, '.js')), contents: pageScript(path) })),
  ...workers.map((path) => ({ path: join(target, 'files', path.replace(/\.ts$/, '.js')), contents: workerScript(path) })),
  ...graphiqlBundle().map(({ name, contents }) => ({ path: join(target, 'files/graphiql', name), contents })),
  ...outputFiles.filter((file) => !isEntry(file)),
  ...outputFiles.filter(isEntry),
];
for (const { path, contents } of files) put(path, Buffer.from(contents));

// Removes files of other sources. Temporary files of a concurrent build stay.
const made = new Set(files.map(({ path }) => relative(target, path)));
for (const name of readdirSync(target, { recursive: true, withFileTypes: true })) {
  const path = relative(target, join(name.parentPath ?? name.path, name.name));
  if (name.isFile() && !made.has(path) && !path.endsWith('.new')) rmSync(join(target, path), { force: true });
}
