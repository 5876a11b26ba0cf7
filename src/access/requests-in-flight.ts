/** The limits on the requests of one key: in flight, and waiting for changes (contract: waiting). */
import { ApiError } from '../errors.ts';
import { held } from '../metrics.ts';

/** The maximum number of requests of a key that wait for changes. */
export const maxWaitingPerKey = 4;

/** Requests by key. */
class Counts {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, change: 1 | -1): void {
    const count = this.of(key) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

/** One request in flight. */
export interface InFlight {
  /** Ends the count. */
  leave(): void;
  /**
   * Counts the request as waiting instead of in flight, because it holds nothing but its connection. The returned function undoes it. Throws
   * `busy` when the key already has `maxWaitingPerKey` waiting.
   */
  wait(): () => void;
}

export class RequestsInFlight {
  readonly #max: number;
  readonly #running = new Counts();
  readonly #waiting = new Counts();

  /** `max` is the limit for each key; 0 for no limit. */
  constructor(max: number) {
    this.#max = max || Number.POSITIVE_INFINITY;
  }

  /** Counts a request. Throws `busy` when its key already has the maximum number in flight. */
  enter(keyFamily: string): InFlight {
    if (this.#running.of(keyFamily) >= this.#max) throw new ApiError('busy');
    let state: 'running' | 'waiting' | 'left' = 'left';
    const become = (next: typeof state): void => {
      if (state === 'running') this.#run(keyFamily, -1);
      if (state === 'waiting') this.#wait(keyFamily, -1);
      if (next === 'running') this.#run(keyFamily, 1);
      if (next === 'waiting') this.#wait(keyFamily, 1);
      state = next;
    };
    become('running');
    return {
      leave: () => become('left'),
      wait: () => {
        if (this.#waiting.of(keyFamily) >= maxWaitingPerKey) throw new ApiError('busy');
        if (state === 'running') become('waiting');
        return () => {
          if (state === 'waiting') become('running');
        };
      },
    };
  }

  #run(keyFamily: string, change: 1 | -1): void {
    held.requests += change;
    this.#running.add(keyFamily, change);
  }

  #wait(keyFamily: string, change: 1 | -1): void {
    held.waiting += change;
    this.#waiting.add(keyFamily, change);
  }
}
