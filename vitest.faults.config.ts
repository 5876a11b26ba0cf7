import { defineConfig } from 'vitest/config';

/** What fails around the service, `npm run test:faults`: most needs PostgreSQL's programs, Redis, nginx and HAProxy. */
export default defineConfig({
  // Vite would load a second copy of graphql, beside the one that its users among the packages have.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/faults/*.test.ts'],
    globalSetup: ['test/support/template.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
