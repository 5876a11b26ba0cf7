/** The scripts of the pages for people, bundled for browsers. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Of every bundle for browsers. */
export const options = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2023',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'eof',
  logLevel: 'warning',
  write: false,
};

/** A page's script with all that it imports, as one module. */
export const pageScript = (entry) => buildSync({ ...options, entryPoints: [entry] }).outputFiles[0].text;

const graphiqlFolder = 'src/web/graphiql';
const browserFolder = 'src/web/browser';
/** The folders of GraphiQL's files. */
export const graphiqlFolders = [graphiqlFolder, browserFolder];
/** Files outside them that the page imports. */
export const sharedFiles = [
  'src/catalogue/texts/glossary.ts',
  'src/csv.ts',
  'src/graphql/schema/names.ts',
  'src/plan/vocabulary/labels.ts',
  'src/prints/power-query.ts',
  'src/prints/programs.ts',
];
const graphiqlScript = join(root, 'scripts/graphiql-bundle.mjs');

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();

/** What the bundle is made from: the page's files, the versions of the libraries, and the scripts. */
const graphiqlKey = () => {
  const hash = createHash('sha256');
  const scripts = [graphiqlScript, fileURLToPath(import.meta.url)];
  const others = [...sharedFiles, 'package-lock.json'].map((path) => join(root, path));
  for (const path of [...graphiqlFolders.flatMap((folder) => filesIn(join(root, folder))), ...others, ...scripts])
    hash.update(`${relative(root, path)}\0`).update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
};

const cache = join(root, 'node_modules/.cache/estate-graphiql');

const readFiles = (folder) => readdirSync(folder).map((name) => ({ name, contents: readFileSync(join(folder, name)) }));

const readCached = (folder) => {
  try {
    return readFiles(folder);
  } catch {
    return undefined;
  }
};

const buildGraphiql = () => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-graphiql-'));
  try {
    execFileSync(process.execPath, [graphiqlScript, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
    return readFiles(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const dayMs = 86_400_000;

/** Moves the files to their place as a whole, so that no process reads half of them. Bundles of other days are removed. */
const writeCached = (folder, files) => {
  const temporary = `${folder}.${process.pid}`;
  try {
    mkdirSync(temporary, { recursive: true });
    for (const { name, contents } of files) writeFileSync(join(temporary, name), contents);
    renameSync(temporary, folder);
    for (const path of readdirSync(cache).map((name) => join(cache, name)))
      if (Date.now() - statSync(path).mtimeMs > dayMs) rmSync(path, { recursive: true, force: true });
  } catch {
    // Another process writes the same bundle, or node_modules is read-only. The bundle is complete without a cache.
    rmSync(temporary, { recursive: true, force: true });
  }
};

/**
 * GraphiQL with its workers: files that import each other by relative addresses, each with its name and contents. They take seconds to
 * make, so they are cached.
 */
export const graphiqlBundle = () => {
  const folder = join(cache, graphiqlKey());
  const cached = readCached(folder);
  if (cached) return cached;
  const files = buildGraphiql();
  writeCached(folder, files);
  return files;
};
