/** The scripts of threads, each bundled into one text with all that it imports. */
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const options = {
  absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
  bundle: true,
  platform: 'node',
  // A thread that starts from a text is CommonJS.
  format: 'cjs',
  target: 'node20',
  legalComments: 'eof',
  logLevel: 'warning',
  write: false,
};

/** The text of a thread. */
export const workerScript = (entry) => buildSync({ ...options, entryPoints: [entry] }).outputFiles[0].text;
