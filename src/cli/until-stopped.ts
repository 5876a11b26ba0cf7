/** Work that Ctrl-C stops. */
import { Cancelled } from '../sync/cancel.ts';

/** Runs `work` with a signal that Ctrl-C and SIGTERM abort. The second signal ends the process. */
export const untilStopped = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
  const stop = new AbortController();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const abort = () => {
    stop.abort(new Cancelled());
    for (const signal of signals) process.removeListener(signal, abort);
  };
  for (const signal of signals) process.on(signal, abort);
  try {
    await work(stop.signal);
  } finally {
    for (const signal of signals) process.removeListener(signal, abort);
  }
};
