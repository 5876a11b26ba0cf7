/**
 * Paces new connections. Accepting, parsing and closing a connection costs more than a small response, and nothing can refuse it in
 * advance. While several owners compete, the first requests of one owner's new connections start at a bounded rate
 * (contract: connection limits). Kept-alive connections are not paced.
 */
import { LRUCache } from 'lru-cache';

const perSecond = 250;
const burst = 100;
/** A request that would wait longer is refused after this time. */
export const maxDelayMs = 2_000;
const contestedMs = 1_000;
const maxOwners = 10_000;

/** A customer's id, or a network address. */
type Owner = number | string;

const intervalMs = 1_000 / perSecond;

export interface Pacing {
  readonly delayMs: number;
  readonly isRefused: boolean;
}

const none: Pacing = { delayMs: 0, isRefused: false };

export class ConnectionPace {
  /** For each owner, the time at which its bucket is full again. */
  readonly #fullAt = new LRUCache<Owner, number>({ max: maxOwners });
  #last: Owner | undefined;
  #changedAt = Number.NEGATIVE_INFINITY;

  /** Records a request of an owner. */
  see(owner: Owner, now = performance.now()): void {
    if (owner === this.#last) return;
    if (this.#last !== undefined) this.#changedAt = now;
    this.#last = owner;
  }

  /** The wait of the first request of an owner's new connection. A single owner does not wait. */
  delay(owner: Owner, now = performance.now()): Pacing {
    this.see(owner, now);
    if (now - this.#changedAt > contestedMs) return none;
    const fullAt = Math.max(this.#fullAt.get(owner) ?? 0, now);
    const delayMs = Math.max(0, fullAt - now - burst * intervalMs);
    if (delayMs > maxDelayMs) return { delayMs: maxDelayMs, isRefused: true };
    this.#fullAt.set(owner, fullAt + intervalMs);
    return { delayMs, isRefused: false };
  }
}
