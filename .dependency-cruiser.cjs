/** Imports only go down the list of layers in docs/architecture.md; `rest`, `graphql` and `agents` never meet, `demo` has one door. */
const layers = {
  catalogue: [],
  body: [],
  errors: ['catalogue'],
  metrics: [],
  timing: [],
  plan: ['catalogue', 'errors'],
  database: ['catalogue', 'errors', 'metrics'],
  access: ['catalogue', 'errors', 'metrics', 'database'],
  sql: ['catalogue', 'plan', 'database'],
  scheduling: ['errors', 'metrics', 'timing'],
  wire: ['body', 'catalogue', 'errors', 'timing', 'plan', 'sql', 'database', 'scheduling'],
  cache: ['body', 'catalogue', 'metrics', 'plan', 'database', 'wire'],
  execute: ['body', 'access', 'catalogue', 'errors', 'metrics', 'timing', 'plan', 'sql', 'database', 'scheduling', 'wire', 'cache'],
  sync: ['catalogue', 'errors', 'metrics', 'database'],
  http: ['body', 'catalogue', 'errors', 'metrics', 'timing', 'scheduling', 'access'],
  files: ['catalogue', 'errors', 'metrics', 'database', 'plan', 'scheduling', 'wire', 'cache', 'execute'],
  rest: ['body', 'catalogue', 'errors', 'metrics', 'database', 'access', 'http', 'plan', 'scheduling', 'wire', 'cache', 'execute', 'files'],
  graphql: [
    'body',
    'catalogue',
    'errors',
    'metrics',
    'database',
    'access',
    'http',
    'plan',
    'sql',
    'scheduling',
    'wire',
    'cache',
    'execute',
  ],
  agents: ['body', 'catalogue', 'errors', 'access', 'http', 'plan', 'scheduling', 'wire', 'cache', 'execute'],
  web: ['body', 'catalogue', 'errors', 'metrics', 'database', 'access', 'sync', 'http', 'plan', 'execute', 'files', 'rest', 'graphql'],
  'warm-up': ['catalogue', 'database', 'access', 'graphql', 'plan', 'execute'],
};

/** Layers that are a single file. */
const files = ['body', 'errors', 'metrics', 'timing'];
const place = (layer) => (files.includes(layer) ? `^src/${layer}\\.ts$` : `^src/${layer}/`);

/** The only file of `src/` that imports `demo/`. */
const demoDoor = '^src/cli/commands/demo\\.ts$';

/** What the demo needs: tables to generate for, a customer and its keys, and a way to load rows. */
const demoEntryPoints = [
  '^src/catalogue/',
  '^src/access/keys\\.ts$',
  '^src/database/(connections/(connection|transaction)|control/customers)\\.ts$',
  '^src/sync/(first-load|request|changes/vacuum)\\.ts$',
];

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^(src|demo)/', pathNot: ['^src/main\\.ts$', '/assets/', '^src/web/graphiql/(studio/|examples\\.ts$)'] },
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
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // The parser does not read JSX. scripts/page-script.mjs checks what these files import: nothing outside src/web/graphiql.
    exclude: { path: '\\.tsx$' },
  },
};
