/** Bundles GraphiQL into the folder of the argument. A process of its own, because esbuild has plugins only in asynchronous builds. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { graphiqlFolders, options, sharedFiles } from './page-script.mjs';

const entries = {
  graphiql: `${graphiqlFolders[0]}/studio/main.tsx`,
  'graphiql-editor-worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
  'graphiql-graphql-worker': 'monaco-graphql/esm/graphql.worker.js',
  'graphiql-json-worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
};

/** GraphiQL imports the formatter by its old names, which are CommonJS: a split bundle would give it no named exports. */
const formatter = {
  'prettier/parser-babel': 'prettier/plugins/babel',
  'prettier/parser-graphql': 'prettier/plugins/graphql',
};

/** monaco-editor contains a copy of DOMPurify that lacks later fixes. Its imports lead to the package. */
const sanitizer = {
  name: 'sanitizer',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/dompurify\/dompurify\.js$/ }, () => ({
      path: join(options.absWorkingDir, graphiqlFolders[0], 'studio/sanitizer.js'),
    })),
};

const { outputFiles, metafile } = await build({
  ...options,
  entryPoints: entries,
  outdir: 'graphiql',
  splitting: true,
  chunkNames: 'graphiql-[name]-[hash]',
  loader: { '.ttf': 'dataurl' },
  alias: formatter,
  plugins: [sanitizer],
  metafile: true,
});
const isSeen = (path) =>
  /(^|\/)node_modules\//.test(path) || graphiqlFolders.some((folder) => path.startsWith(folder)) || sharedFiles.includes(path);
const outside = Object.keys(metafile.inputs).filter((path) => !isSeen(path));
if (outside.length > 0) throw new Error(`The cache of the GraphiQL bundle does not see changes of ${outside.join(', ')}`);

const [, , target] = process.argv;
mkdirSync(target, { recursive: true });
for (const { path, contents } of outputFiles) {
  const name = basename(path);
  // Lazily loaded parts of a library repeat its style sheet. The one of the entry has all rules.
  if (!name.endsWith('.css') || name === 'graphiql.css') writeFileSync(join(target, name), contents);
}
