/** The scripts of threads and of other processes, each bundled into one text with all that it imports. */
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const options = {
  absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
  bundle: true,
  platform: 'node',
  // What starts from a text is CommonJS.
  format: 'cjs',
  // No script opens a database.
  external: ['pg', 'mysql2', 'tedious'],
  target: 'node20',
  legalComments: 'eof',
  logLevel: 'warning',
  write: false,
};

/** The text of a script. */
export const workerScript = (entry) => buildSync({ ...options, entryPoints: [entry] }).outputFiles[0].text;
