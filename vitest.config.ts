import { configDefaults, defineConfig } from 'vitest/config';

const unit = 'test/**/*.unit.test.ts';
const exhaustive = 'test/**/*.exhaustive.test.ts';
const faults = 'test/faults/*.test.ts';
const browser = 'test/browser/**/*.browser.test.ts';

/** Loads the demo once for the project. */
const globalSetup = ['test/support/template.ts'];

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
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, unit, exhaustive, faults, browser],
          globalSetup,
        },
      },
      // Thousands of random requests, loads and files.
      { extends: true, test: { name: 'exhaustive', include: [exhaustive], globalSetup } },
      // What fails around the service: most needs the programs of PostgreSQL, Redis, nginx and HAProxy.
      { extends: true, test: { name: 'faults', include: [faults], globalSetup } },
      // Pages in Chromium: `CHROMIUM`, or /usr/bin/chromium.
      { extends: true, test: { name: 'browser', include: [browser], globalSetup } },
    ],
  },
});
