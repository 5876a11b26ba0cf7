/** The scripts of the pages for people, bundled for browsers. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

const options = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2023',
  legalComments: 'eof',
  logLevel: 'warning',
  write: false,
};

/** A page's script with all that it imports, as one module. */
export const pageScript = (entry) => buildSync({ ...options, entryPoints: [entry] }).outputFiles[0].text;

const graphiqlFolder = 'src/web/graphiql';
const graphiqlEntries = {
  graphiql: `${graphiqlFolder}/studio/main.tsx`,
  'graphiql-editor-worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
  'graphiql-graphql-worker': 'monaco-graphql/esm/graphql.worker.js',
  'graphiql-json-worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
};

/** GraphiQL imports the formatter by its old names, which are CommonJS: a split bundle would give it no named exports. */
const formatter = {
  'prettier/parser-babel': 'prettier/plugins/babel',
  'prettier/parser-graphql': 'prettier/plugins/graphql',
};

const buildGraphiql = () => {
  const { outputFiles, metafile } = buildSync({
    ...options,
    entryPoints: graphiqlEntries,
    outdir: 'graphiql',
    splitting: true,
    chunkNames: 'graphiql-[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.ttf': 'dataurl' },
    alias: formatter,
    metafile: true,
  });
  const outside = Object.keys(metafile.inputs).filter((path) => !/(^|\/)node_modules\//.test(path) && !path.startsWith(graphiqlFolder));
  if (outside.length > 0) throw new Error(`The cache of the GraphiQL bundle does not see changes of ${outside.join(', ')}`);
  // Lazily loaded parts of a library repeat its style sheet. The one of the entry has all rules.
  return outputFiles
    .map(({ path, contents }) => ({ name: basename(path), contents: Buffer.from(contents) }))
    .filter(({ name }) => !name.endsWith('.css') || name === 'graphiql.css');
};

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();

/** What the bundle is made from: the page's files, the versions of the libraries, and this script. */
const graphiqlKey = () => {
  const hash = createHash('sha256');
  for (const path of [...filesIn(join(root, graphiqlFolder)), join(root, 'package-lock.json'), fileURLToPath(import.meta.url)])
    hash.update(`${relative(root, path)}\0`).update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
};

const cache = join(root, 'node_modules/.cache/estate-graphiql');

const readCached = (folder) => {
  try {
    return readdirSync(folder).map((name) => ({ name, contents: readFileSync(join(folder, name)) }));
  } catch {
    return undefined;
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
