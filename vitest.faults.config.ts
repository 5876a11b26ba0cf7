import { defineConfig } from 'vitest/config';
import { forks, resolve } from './test/support/vitest.ts';

/** What fails around the service, `npm run test:faults`: most needs PostgreSQL's programs, Redis, nginx and HAProxy. */
export default defineConfig({
  resolve,
  test: {
    include: ['test/faults/*.test.ts'],
    globalSetup: ['test/support/template.ts'],
    ...forks,
    // Bounds for a test that hangs. A busy machine needs ten times as long as a free one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
