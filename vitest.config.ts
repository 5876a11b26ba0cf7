import { configDefaults, defineConfig } from 'vitest/config';
import { forks, resolve } from './test/support/vitest.ts';

const unit = 'test/**/*.unit.test.ts';

export default defineConfig({
  resolve,
  test: {
    ...forks,
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
