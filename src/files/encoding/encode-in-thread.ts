/** Writes the rows of a file in a thread beside the event loop (`worker.ts`). */
import { Worker } from 'node:worker_threads';
import { scriptText } from '../../script-text.ts';
import type { EncodingMessage, EncodingReport, EncodingTask } from './worker.ts';

const entry = 'src/files/encoding/worker.ts';

/** Chunks on their way to the thread. */
const maxAhead = 8;

/** Bounds of the thread's heap in megabytes. A row group needs a fraction of them. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

/** The time after which a thread without a file ends. Its start costs as much as a small file. */
const maxIdleMs = 5_000;

/** A thread that waits for its next file. */
let idle: { readonly thread: Worker; readonly timer: NodeJS.Timeout } | undefined;

const removeListeners = (thread: Worker): void => {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
};

const takeThread = (): Worker => {
  if (!idle) return new Worker(scriptText(entry), { eval: true, resourceLimits });
  const { thread, timer } = idle;
  idle = undefined;
  clearTimeout(timer);
  removeListeners(thread);
  thread.ref();
  return thread;
};

/** Keeps a thread for the next file. It does not keep the process alive. */
const keepThread = (thread: Worker): void => {
  removeListeners(thread);
  if (idle) return void thread.terminate();
  const forget = (): void => {
    if (idle?.thread === thread) idle = undefined;
  };
  const timer = setTimeout(() => {
    forget();
    void thread.terminate();
  }, maxIdleMs).unref();
  idle = { thread, timer };
  thread.once('error', forget);
  thread.once('exit', forget);
  thread.unref();
};

export type WrittenFile = Exclude<EncodingReport, 'taken'>;

/** Encodes rows to a new file: for Parquet from the format `fields`. Each chunk is copied before the next one is requested. */
export const encodeInThread = async (rows: AsyncIterable<Buffer>, task: EncodingTask): Promise<WrittenFile> => {
  const thread = takeThread();
  let ahead = 0;
  let wake = () => {};
  const written = new Promise<WrittenFile>((resolve, reject) => {
    thread.on('message', (report: EncodingReport) => {
      if (report === 'taken') {
        ahead--;
        wake();
      } else resolve(report);
    });
    thread.on('error', reject);
    thread.on('exit', () => reject(new Error('The thread that encodes the file ended')));
  });
  let hasFailed = false;
  written.catch(() => {
    hasFailed = true;
    wake();
  });
  const send = (message: EncodingMessage, transferred: readonly ArrayBuffer[] = []) => thread.postMessage(message, transferred);
  try {
    send(task);
    for await (const chunk of rows) {
      if (hasFailed) break;
      const copy = Uint8Array.from(chunk);
      ahead++;
      send(copy, [copy.buffer]);
      if (ahead >= maxAhead)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    send('end');
    const file = await written;
    keepThread(thread);
    return file;
  } catch (error) {
    // An incomplete file is open there.
    await thread.terminate();
    throw error;
  }
};
