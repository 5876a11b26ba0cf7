import { defineConfig } from 'vitest/config';

/** Tests in a real browser; `npm run test:browser` needs a Chromium (`CHROMIUM`, or /usr/bin/chromium). */
export default defineConfig({
  // Vite would load a second copy of graphql, beside the one that its users among the packages have.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/browser/**/*.browser.test.ts'],
    globalSetup: ['test/support/template.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
