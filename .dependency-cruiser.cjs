/** Imports only go down the list of layers in docs/architecture.md; `rest` and `graphql` never meet, `demo` has one door. */
const layers = {
  catalogue: [],
  errors: ['catalogue'],
  metrics: [],
  timing: [],
  database: ['catalogue', 'errors', 'metrics'],
  access: ['catalogue', 'errors', 'metrics', 'database'],
  sync: ['catalogue', 'errors', 'metrics', 'database'],
  http: ['catalogue', 'errors', 'metrics', 'timing', 'access'],
  pages: ['catalogue', 'errors', 'metrics', 'http'],
  read: ['catalogue', 'errors', 'metrics', 'timing', 'database', 'access'],
  rest: ['catalogue', 'errors', 'metrics', 'database', 'access', 'http', 'read'],
  portal: ['catalogue', 'errors', 'metrics', 'database', 'access', 'http', 'pages', 'sync'],
  graphql: ['catalogue', 'errors', 'metrics', 'database', 'access', 'http', 'pages', 'read'],
  'warm-up': ['catalogue', 'database', 'access', 'graphql', 'read'],
  docs: ['catalogue', 'errors', 'metrics', 'http', 'pages', 'read', 'rest', 'graphql'],
};

/** Files that every layer but the catalogue may count in or throw from. */
const files = ['errors', 'metrics', 'timing'];
const place = (layer) => (files.includes(layer) ? `^src/${layer}\\.ts$` : `^src/${layer}/`);

/** The only file of `src/` that imports `demo/`. */
const demoDoor = '^src/cli/demo\\.ts$';

/** What the demo needs: tables to generate for, a customer and its keys, and a way to load rows. */
const demoEntryPoints = [
  '^src/catalogue/',
  '^src/access/keys\\.ts$',
  '^src/database/(connection|customers)\\.ts$',
  '^src/sync/(first-load|request|vacuum)\\.ts$',
];

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^(src|demo)/', pathNot: ['^src/main\\.ts$', '/assets/'] },
      to: {},
    },
    ...Object.entries(layers).map(([layer, below]) => ({
      name: `${layer}-imports-downwards`,
      severity: 'error',
      from: { path: place(layer) },
      to: { path: '^src/', pathNot: [layer, ...below].map(place) },
    })),
    {
      name: 'demo-has-one-door',
      severity: 'error',
      from: { path: '^src/', pathNot: demoDoor },
      to: { path: '^demo/' },
    },
    {
      name: 'demo-is-loaded-when-asked-for',
      comment: 'A service on PostgreSQL starts without the demo. Types count as imports here: the list of commands takes one.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/program\\.ts$' },
      to: { path: [demoDoor, '^demo/(?!(keys|scale)\\.ts$)'], dynamic: false },
    },
    {
      name: 'demo-imports-entry-points',
      severity: 'error',
      from: { path: '^demo/' },
      to: { path: '^src/', pathNot: demoEntryPoints },
    },
    {
      name: 'settings-are-read-at-the-top',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/cli/', '^src/(main|service|config)\\.ts$'] },
      to: { path: '^src/config\\.ts$' },
    },
  ],
  options: { parser: 'swc', tsPreCompilationDeps: true, tsConfig: { fileName: 'tsconfig.json' }, doNotFollow: { path: 'node_modules' } },
};
