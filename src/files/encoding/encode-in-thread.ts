/** Writes the rows of a file in a thread beside the event loop (`worker.ts`). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { EncodingReport, EncodingTask } from './worker.ts';

const isCheckout = import.meta.url.endsWith('.ts');
const entry = 'src/files/encoding/worker.ts';

interface Bundler {
  workerScript(entry: string): string;
}

let text: string | undefined;

/** The text of the thread, from the build, or bundled by a checkout. */
const workerText = (): string => {
  text ??= isCheckout
    ? (createRequire(import.meta.url)('../../../scripts/worker-script.mjs') as Bundler).workerScript(entry)
    : readFileSync(new URL(`./files/${entry.replace(/\.ts$/, '.js')}`, import.meta.url), 'utf8');
  return text;
};

/** Chunks on their way to the thread. */
const maxAhead = 8;

/** Bounds of the thread's heap in megabytes. A row group needs a fraction of them. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

export type WrittenFile = Exclude<EncodingReport, 'taken'>;

/** Encodes rows to a new file: for Parquet from the format `fields`. Each chunk is copied before the next one is requested. */
export const encodeInThread = async (rows: AsyncIterable<Buffer>, task: EncodingTask): Promise<WrittenFile> => {
  const worker = new Worker(workerText(), { eval: true, workerData: task, resourceLimits });
  let ahead = 0;
  let wake = () => {};
  const written = new Promise<WrittenFile>((resolve, reject) => {
    worker.on('message', (report: EncodingReport) => {
      if (report === 'taken') {
        ahead--;
        wake();
      } else resolve(report);
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('The thread that encodes the file ended')));
  });
  let hasFailed = false;
  written.catch(() => {
    hasFailed = true;
    wake();
  });
  try {
    for await (const chunk of rows) {
      if (hasFailed) break;
      const copy = Uint8Array.from(chunk);
      ahead++;
      worker.postMessage(copy, [copy.buffer]);
      if (ahead >= maxAhead)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    worker.postMessage(null);
    return await written;
  } finally {
    await worker.terminate();
  }
};
