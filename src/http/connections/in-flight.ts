/** Counts the requests in flight of each key (contract: waiting). */
import { ApiError } from '../../errors.ts';

const retryAfterSeconds = '5';

export class RequestsInFlight {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  /** `max` is the limit for each key; 0 for no limit. */
  constructor(max: number) {
    this.#max = max || Number.POSITIVE_INFINITY;
  }

  /** Throws `busy` when the key already has the maximum number of requests in flight. */
  enter(lineage: string): void {
    const count = this.#counts.get(lineage) ?? 0;
    if (count >= this.#max) throw new ApiError('busy', '', { 'Retry-After': retryAfterSeconds });
    this.#counts.set(lineage, count + 1);
  }

  leave(lineage: string): void {
    const count = (this.#counts.get(lineage) ?? 0) - 1;
    if (count > 0) this.#counts.set(lineage, count);
    else this.#counts.delete(lineage);
  }
}
