/** Several processes on one port. The primary process starts workers, counts for them, and replaces those that exit. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { countForWorkers } from '../access/rate-limit/worker-windows.ts';
import { OperatorError } from '../errors.ts';

/** The delay before a replacement starts, so that a permanent failure does not cause a restart loop at full speed. */
const replaceAfterMs = 200;

/** What listens on the port: workers, or this process. */
export interface RunningService {
  readonly port: number;
  /** Resolves after a clean shutdown. */
  stop(): Promise<void>;
}

/** Starts workers and resolves when all of them listen. Throws an `OperatorError` if one exits before that. */
export const startWorkers = async (count: number, logger: Logger): Promise<RunningService> => {
  let isStopping = false;
  countForWorkers();
  const start = (hasListened = false): Promise<AddressInfo> =>
    new Promise((resolve, reject) => {
      const worker = cluster.fork();
      worker.once('listening', (address) => {
        hasListened = true;
        resolve(address as unknown as AddressInfo);
      });
      // A message to a worker that has exited can be dropped.
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
