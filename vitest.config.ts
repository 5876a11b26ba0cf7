import { configDefaults, defineConfig } from 'vitest/config';

const unit = 'test/**/*.unit.test.ts';
const exhaustive = 'test/**/*.exhaustive.test.ts';
const faults = 'test/faults/*.test.ts';
const browser = 'test/browser/**/*.browser.test.ts';

/**
 * The service tests of `npm test` besides the unit tests: one or two files of each room, each API, and every file whose subject is SQL, the wire
 * protocol, or the embedded database. `.ci/run` runs them on the embedded database, and all tests on PostgreSQL.
 */
const quick = [
  'access/keys',
  'agents/tools',
  'analyst/questions',
  'catalogue/{lease-term,measures}',
  'checks/checks',
  'cli/{first-start,serve}',
  'database/*',
  'demo/integrity',
  'docs/{postgresql-versions,site}',
  'execute/{own-customer,transient-errors}',
  'explore/description',
  'files/{files,sql}',
  'graphql/{filters,groups,http}',
  'http/{gate,wire}',
  'isolation/connections',
  'ops/files',
  'plan/{extreme-values,not-finite}',
  'portal/{customers,sign-in}',
  'prints/*',
  'rest/{format,pages,physical-order,raw,reused-buffers,rows}',
  'scopes/rows',
  'sources/{load,random/random}',
  'sql/*',
  'sync/{load,refusals,restore}',
  'webhooks/receivers',
  'wire/*',
].map((name) => `test/${name}.test.ts`);

/** Loads the demo once for the project. */
const globalSetup = ['test/support/template.ts'];

/** A number of the environment, as text. */
const numberOf = (name: string, standard: number): string => {
  const text = process.env[name] ?? String(standard);
  if (!(Number(text) > 0)) throw new Error(`${name} must be a number above 0, not "${text}".`);
  return text;
};

export default defineConfig({
  // Otherwise Vite would load a second copy of graphql, next to the one that other packages import.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    // Test files share a process, because each would load the libraries and compile the embedded database again.
    pool: 'forks',
    maxWorkers: 3,
    isolate: false,
    // Bounds for a test that hangs. A busy machine needs many times as long as a free one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      // Tests without a database.
      { extends: true, test: { name: 'unit', include: [unit] } },
      { extends: true, test: { name: 'quick', include: quick, exclude: [...configDefaults.exclude, unit], globalSetup } },
      // Every file that no other project names.
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, unit, ...quick, exhaustive, faults, browser],
          globalSetup,
        },
      },
      // Thousands of random requests, loads and files. `SEED` repeats those of a day, and `ROUNDS` is their share of the full number.
      {
        extends: true,
        test: {
          name: 'exhaustive',
          include: [exhaustive],
          globalSetup,
          setupFiles: ['test/support/report-seed.ts'],
          env: { SEED: numberOf('SEED', Math.floor(Date.now() / 86_400_000)), ROUNDS: numberOf('ROUNDS', 1) },
        },
      },
      // What fails around the service: most needs the programs of PostgreSQL, Redis, nginx and HAProxy.
      { extends: true, test: { name: 'faults', include: [faults], globalSetup } },
      // Pages in Chromium: `CHROMIUM`, or /usr/bin/chromium.
      { extends: true, test: { name: 'browser', include: [browser], globalSetup } },
    ],
  },
});
