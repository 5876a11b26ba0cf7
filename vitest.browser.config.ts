import { defineConfig } from 'vitest/config';
import { forks, resolve } from './test/support/vitest.ts';

/** Tests in a real browser; `npm run test:browser` needs a Chromium (`CHROMIUM`, or /usr/bin/chromium). */
export default defineConfig({
  resolve,
  test: {
    include: ['test/browser/**/*.browser.test.ts'],
    globalSetup: ['test/support/template.ts'],
    ...forks,
    // Bounds for a test that hangs. A busy machine needs ten times as long as a free one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
