#!/usr/bin/env node
// In production the built service runs; in a checkout the sources do, so that a command is never older than the code.
import { existsSync } from 'node:fs';

const built = new URL('../dist/main.js', import.meta.url);
if (process.env.NODE_ENV === 'production' && existsSync(built)) {
  await import(built.href);
} else {
  const { register } = await import('tsx/esm/api');
  register();
  await import('../src/main.ts');
}
