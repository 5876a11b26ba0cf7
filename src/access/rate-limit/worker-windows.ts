/** Windows that the workers of an instance share. The primary process counts (contract: shared quota). */
import cluster, { type Worker } from 'node:cluster';
import { type Counted, FixedWindows, type OpenWindows, type Windows } from './fixed-windows.ts';

interface Question {
  readonly ask: 'count' | 'forget';
  readonly id: number;
  readonly windows: string;
  readonly lengthMs: number;
  readonly max: number | undefined;
  readonly name: string;
  readonly by: number;
}
interface Reply {
  readonly id: number;
  readonly counted: Counted;
}

const isQuestion = (message: unknown): message is Question => (message as Partial<Question> | null)?.ask !== undefined;
const isReply = (message: unknown): message is Reply => (message as Partial<Reply> | null)?.counted !== undefined;

/** In the primary process: handles the messages of workers. */
export const countForWorkers = (): void => {
  const all = new Map<string, FixedWindows>();
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (!isQuestion(message)) return;
    const { ask, id, windows, lengthMs, max, name, by } = message;
    const counts = all.get(windows) ?? new FixedWindows(lengthMs, max);
    all.set(windows, counts);
    if (ask === 'forget') counts.forget(name);
    else if (worker.isConnected()) worker.send({ id, counted: counts.count(name, by) } satisfies Reply);
  });
};

/** In a worker: creates windows that live in the primary process. A worker that loses the primary exits. */
export const createWorkerWindows = (): OpenWindows => {
  const waiting = new Map<number, (counted: Counted) => void>();
  let last = 0;
  process.on('message', (message: unknown) => {
    if (!isReply(message)) return;
    waiting.get(message.id)?.(message.counted);
    waiting.delete(message.id);
  });
  return (windows, lengthMs, max): Windows => {
    const send = (ask: Question['ask'], name: string, by: Question['by']): number => {
      const id = ++last;
      process.send?.({ ask, id, windows, lengthMs, max, name, by } satisfies Question);
      return id;
    };
    return {
      count: (name, by = 1) => new Promise((resolve) => waiting.set(send('count', name, by), resolve)),
      forget: (name) => send('forget', name, 0),
    };
  };
};
