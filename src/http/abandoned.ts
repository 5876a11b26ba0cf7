/** Whether anybody still waits for an answer. */
import type { FastifyReply } from 'fastify';

/**
 * As much of an `AbortSignal` as those need who read for an answer. Each answer has one: on Node 20 an `AbortController` with a listener
 * or two takes 5 µs, a hundredth of a small answer's time.
 */
class Abandonment {
  aborted = false;
  readonly #listeners = new Set<() => void>();

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(): void {
    this.aborted = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}

/** Says that the client has gone away before its answer was complete. */
export const signalOf = ({ raw }: FastifyReply): Omit<Abandonment, 'abort'> => {
  const abandonment = new Abandonment();
  raw.once('close', () => {
    if (!raw.writableFinished) abandonment.abort();
  });
  if (raw.destroyed) abandonment.abort();
  return abandonment;
};
