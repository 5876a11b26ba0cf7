/** Detects a client that disconnects before its response is complete. */
import type { FastifyReply } from 'fastify';

/**
 * The part of `AbortSignal` that readers need. Every response has one. On Node 20, an `AbortController` with one or two listeners takes 5
 * µs, which is 1% of the time of a small response.
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

/** A signal that aborts when the client disconnects before its response is complete. */
export const abortSignalOf = ({ raw }: FastifyReply): Omit<Abandonment, 'abort'> => {
  const abandonment = new Abandonment();
  raw.once('close', () => {
    if (!raw.writableFinished) abandonment.abort();
  });
  if (raw.destroyed) abandonment.abort();
  return abandonment;
};
