/** The text of a script that runs in a thread or in another process. `scripts/worker-script.mjs` bundles it with all that it imports. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

interface Bundler {
  workerScript(entry: string): string;
}

const isCheckout = import.meta.url.endsWith('.ts');
const texts = new Map<string, string>();

/** The text of `entry`, such as `src/files/encoding/worker.ts`: from the build, or bundled by a checkout. */
export const scriptText = (entry: string): string => {
  let text = texts.get(entry);
  if (text === undefined) {
    text = isCheckout
      ? (createRequire(import.meta.url)('../scripts/worker-script.mjs') as Bundler).workerScript(entry)
      : readFileSync(new URL(`./files/${entry.replace(/\.ts$/, '.js')}`, import.meta.url), 'utf8');
    texts.set(entry, text);
  }
  return text;
};
