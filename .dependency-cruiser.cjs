/** Imports only go down the list of layers in docs/architecture.md; `rest` and `graphql` never meet. */
const layers = {
  catalogue: [],
  errors: ['catalogue'],
  database: ['catalogue', 'errors'],
  access: ['catalogue', 'errors', 'database'],
  sync: ['catalogue', 'errors', 'database'],
  http: ['catalogue', 'errors', 'access'],
  read: ['catalogue', 'errors', 'database', 'access'],
  demo: ['catalogue', 'errors', 'database', 'access', 'sync'],
  rest: ['catalogue', 'errors', 'database', 'access', 'http', 'read'],
  portal: ['catalogue', 'errors', 'database', 'access', 'http', 'sync'],
  graphql: ['catalogue', 'errors', 'database', 'access', 'http', 'read'],
};

const place = (layer) => (layer === 'errors' ? '^src/errors\\.ts$' : `^src/${layer}/`);

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: ['^src/main\\.ts$', '^src/portal/assets/'] },
      to: {},
    },
    ...Object.entries(layers).map(([layer, below]) => ({
      name: `${layer}-imports-downwards`,
      severity: 'error',
      from: { path: place(layer) },
      to: { path: '^src/', pathNot: [layer, ...below].map(place) },
    })),
    {
      name: 'settings-are-read-at-the-top',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/cli/', '^src/(main|service|config)\\.ts$'] },
      to: { path: '^src/config\\.ts$' },
    },
  ],
  options: { parser: 'swc', tsPreCompilationDeps: true, tsConfig: { fileName: 'tsconfig.json' }, doNotFollow: { path: 'node_modules' } },
};
