/** Bundles the service into `dist/`: one file and its lazily loaded parts, with what they read from disk beside them. */
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

/** Libraries of which the service uses a small part: bundled, what it does not use takes no memory. */
const bundled = ['kysely', 'zod'];
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: Object.keys(dependencies).filter((name) => !bundled.includes(name)),
  sourcemap: true,
  logLevel: 'warning',
});
cpSync('src/portal/assets', 'dist/assets', { recursive: true });
