import { configDefaults, defineConfig } from 'vitest/config';

const unit = 'test/**/*.unit.test.ts';

export default defineConfig({
  // Vite would load a second copy of graphql, beside the one that its users among the packages have.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // Files follow each other in a process, which loads libraries and compiles the embedded database once: three quarters of the time.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      // What needs neither a database nor much time: `npm test -- --project unit` answers in seconds.
      { extends: true, test: { name: 'unit', include: [unit] } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, unit, 'test/browser/**', 'test/faults/**'],
          globalSetup: ['test/support/template.ts'],
        },
      },
    ],
  },
});
