/** A page's own script with all that it imports, as one module for browsers. */
import { buildSync } from 'esbuild';

export const pageScript = (entry) =>
  buildSync({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    legalComments: 'eof',
    logLevel: 'warning',
    write: false,
  }).outputFiles[0].text;
