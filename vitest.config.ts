import { configDefaults, defineConfig } from 'vitest/config';
import { forks, resolve } from './test/support/vitest.ts';

const unit = 'test/**/*.unit.test.ts';

export default defineConfig({
  resolve,
  test: {
    ...forks,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      // Tests without a database.
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
