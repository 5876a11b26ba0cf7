#!/usr/bin/env -S node --max-semi-space-size=16
// Later versions of Node let new objects take 128 MB before they look at them, four times what 20 does, and no request is faster for it.
//
// In a checkout the sources run, so that a command is never older than the code; without what runs them, or in production, the
// built service does.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const built = new URL('../dist/main.js', import.meta.url);
const sources = new URL('../src/main.ts', import.meta.url);

const canRunSources = () => {
  try {
    createRequire(import.meta.url).resolve('tsx/esm/api');
    return existsSync(sources);
  } catch {
    return false;
  }
};

const isBuilt = existsSync(built);
if (isBuilt && (process.env.NODE_ENV === 'production' || !canRunSources())) await import(built.href);
else if (canRunSources()) {
  const { register } = await import('tsx/esm/api');
  register();
  await import(sources.href);
} else {
  process.stderr.write('estate: the service is not built: run `npm ci --omit=dev && npm run build` in its folder first\n');
  process.exitCode = 1;
}
