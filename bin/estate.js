#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=16
// Later versions of Node let new objects take 128 MB before they look at them, four times what 20 does, and no request is faster for it;
// glibc keeps what each of a process's threads has freed for that thread, unless it is told how many may do so.
//
// In a checkout, where what it is developed with is installed, the service is built first, so that a command is never older than the code.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = new URL('..', import.meta.url);
const built = new URL('dist/main.js', folder);
const [build, sources] = ['scripts/build.mjs', 'src/main.ts'].map((path) => fileURLToPath(new URL(path, folder)));

const isCheckout = () => {
  try {
    createRequire(import.meta.url).resolve('typescript/package.json');
    return existsSync(build) && existsSync(sources);
  } catch {
    return false;
  }
};

if (process.env.NODE_ENV !== 'production' && isCheckout())
  execFileSync(process.execPath, [build], { cwd: fileURLToPath(folder), stdio: ['ignore', 'inherit', 'inherit'] });
if (existsSync(built)) await import(built.href);
else {
  process.stderr.write('estate: the service is not built: run `npm ci --omit=dev && npm run build` in its folder first\n');
  process.exitCode = 1;
}
