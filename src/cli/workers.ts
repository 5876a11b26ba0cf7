/** Several processes at one port: the primary process starts them, counts for them, and replaces those that die. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { countForWorkers } from '../access/worker-windows.ts';
import { OperatorError } from '../errors.ts';

/** Between a worker that dies and its successor, so that what kills them all does not fill the machine. */
const replaceAfterMs = 200;

/** What answers at a port: workers, or this process. */
export interface Running {
  readonly port: number;
  /** Resolves when all is over in order. */
  stop(): Promise<void>;
}

/** Starts workers; resolves when all of them listen. Throws an `OperatorError` if one ends before that. */
export const startWorkers = async (count: number, logger: Logger): Promise<Running> => {
  let isStopping = false;
  countForWorkers();
  const start = (hasListened = false): Promise<AddressInfo> =>
    new Promise((resolve, reject) => {
      const worker = cluster.fork();
      worker.once('listening', (address) => {
        hasListened = true;
        resolve(address as unknown as AddressInfo);
      });
      // What cannot be told to one that has died is nobody's loss; one that could not be started never ends.
      worker.on('error', (error) => {
        if (worker.process.pid === undefined) throw error;
      });
      worker.once('exit', (code, signal) => {
        reject(new OperatorError(`A worker ended with ${signal ?? code} before it listened.`));
        if (isStopping || !hasListened) return;
        logger.error({ worker: worker.process.pid, code, signal }, 'a worker died, another takes its place');
        setTimeout(() => isStopping || start(true).catch(() => {}), replaceAfterMs);
      });
    });
  const stop = async (): Promise<void> => {
    isStopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const ended = workers.map((worker) => once(worker, 'exit'));
    for (const worker of workers) worker.process.kill('SIGTERM');
    await Promise.all(ended);
  };
  try {
    const [first] = await Promise.all(Array.from({ length: count }, () => start()));
    return { port: first?.port ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
