/** The limit on requests in flight: of one key (contract: waiting), and of the process (contract: overload). */
import { ApiError } from '../errors.ts';
import { held } from '../metrics.ts';

/** More requests than this take longer together than one after the other. */
export const maxInFlight = 400;

export class RequestsInFlight {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  /** `max` is the limit for each key; 0 for no limit. */
  constructor(max: number) {
    this.#max = max || Number.POSITIVE_INFINITY;
  }

  /**
   * Counts a request. Throws `busy` when its key already has the maximum number in flight, and `overloaded` when the process has. The
   * returned function ends the count.
   */
  enter(keyFamily: string): () => void {
    const count = this.#counts.get(keyFamily) ?? 0;
    if (count >= this.#max) throw new ApiError('busy');
    if (held.requests >= maxInFlight) throw new ApiError('overloaded');
    this.#counts.set(keyFamily, count + 1);
    held.requests++;
    return () => this.#leave(keyFamily);
  }

  #leave(keyFamily: string): void {
    held.requests--;
    const count = (this.#counts.get(keyFamily) ?? 0) - 1;
    if (count > 0) this.#counts.set(keyFamily, count);
    else this.#counts.delete(keyFamily);
  }
}
