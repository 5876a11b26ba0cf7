#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=16 --heap-growing-percent=40
// Bounds the memory of a process. From Node 24 on, new objects may take 128 MB before the first collection, and V8 keeps freed pages in a pool.
// With V8's own growth of the heap, pipelined requests of one customer took 650 MB, and invalid documents 580 MB.
// glibc keeps freed memory for each thread unless its arenas are limited.
//
// In a checkout with development dependencies, the service is built first, so that a command never runs old code.
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
  process.stderr.write('estate: the service is not built: run `npm ci && npm run build` in its folder first\n');
  process.exitCode = 1;
}
