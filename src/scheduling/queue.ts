/**
 * The fair queue: requests of one customer wait behind requests of the same customer first (contract: waiting).
 *
 * Requests of one work class share a number of slots. One customer holds at most half of them, so another customer never waits for all of
 * its statements. A free slot goes to the waiting customer with the fewest slots, and among equals to the one that was served longest ago.
 * The number of waiting requests and their wait are limited.
 */
import { ApiError } from '../errors.ts';
import { queueRefusals, queueWaits, watchQueue } from '../metrics.ts';
import type { Timing } from '../timing.ts';

export interface QueueOptions {
  /** The label in metrics. */
  readonly name: string;
  /** The maximum number of requests in flight. */
  readonly slots: number;
  /** The maximum number of waiting requests of one customer. */
  readonly waiting: number;
  /** The maximum wait in milliseconds. */
  readonly waitMs: number;
}

/** The part of `AbortSignal` that readers need. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Releases a slot; further calls have no effect. */
export type Release = () => void;

interface Waiter {
  readonly admit: () => void;
}

export class Queue {
  readonly #options: QueueOptions;
  readonly #maxOfOne: number;
  readonly #held = new Map<number, number>();
  /** Waiting requests by customer; the customer that was served longest ago comes first. */
  readonly #waiting = new Map<number, Set<Waiter>>();
  #inUse = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#maxOfOne = Math.max(1, Math.ceil(options.slots / 2));
    watchQueue(options.name, this);
  }

  get slots(): number {
    return this.#options.slots;
  }

  /** Used slots and waiting requests. */
  get state(): { readonly inUse: number; readonly waiting: number } {
    let waiting = 0;
    for (const waiters of this.#waiting.values()) waiting += waiters.size;
    return { inUse: this.#inUse, waiting };
  }

  /**
   * Waits for a slot. Throws `busy` at once if too many requests of this customer wait, `busy` after the maximum wait, and `abandoned` when
   * `signal` aborts.
   */
  async enter(customerId: number, signal?: AbortSignalLike, timing?: Timing): Promise<Release> {
    if (signal?.aborted) throw new ApiError('abandoned');
    const since = performance.now();
    if (this.#mayHold(customerId) && this.#inUse < this.#options.slots) this.#hold(customerId);
    else await this.#wait(customerId, signal).finally(() => timing?.waited(this.#options.name, since));
    queueWaits.observe({ queue: this.#options.name }, (performance.now() - since) / 1_000);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#leave(customerId);
    };
  }

  #mayHold(customerId: number): boolean {
    return (this.#held.get(customerId) ?? 0) < this.#maxOfOne;
  }

  #hold(customerId: number): void {
    this.#inUse++;
    this.#held.set(customerId, (this.#held.get(customerId) ?? 0) + 1);
  }

  #leave(customerId: number): void {
    this.#inUse--;
    const held = (this.#held.get(customerId) ?? 0) - 1;
    if (held > 0) this.#held.set(customerId, held);
    else this.#held.delete(customerId);
    this.#admitNext();
  }

  #admitNext(): void {
    let next: number | undefined;
    for (const customerId of this.#waiting.keys()) {
      const held = this.#held.get(customerId) ?? 0;
      if (this.#mayHold(customerId) && (next === undefined || held < (this.#held.get(next) ?? 0))) next = customerId;
    }
    if (next === undefined) return;
    const waiters = this.#waiting.get(next)!;
    const [first] = waiters;
    waiters.delete(first!);
    this.#waiting.delete(next);
    if (waiters.size > 0) this.#waiting.set(next, waiters);
    this.#hold(next);
    first!.admit();
  }

  #refuse(reason: 'full' | 'late'): ApiError {
    queueRefusals.inc({ queue: this.#options.name, reason });
    return new ApiError('busy');
  }

  #wait(customerId: number, signal: AbortSignalLike | undefined): Promise<void> {
    const waiters = this.#waiting.get(customerId) ?? new Set();
    if (waiters.size >= this.#options.waiting) throw this.#refuse('full');
    this.#waiting.set(customerId, waiters);
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const leave = (error: ApiError) => {
        stopWaiting();
        waiters.delete(waiter);
        if (waiters.size === 0 && this.#waiting.get(customerId) === waiters) this.#waiting.delete(customerId);
        reject(error);
      };
      const waiter: Waiter = {
        admit: () => {
          stopWaiting();
          resolve();
        },
      };
      const onAbort = () => leave(new ApiError('abandoned'));
      const timer = setTimeout(() => leave(this.#refuse('late')), this.#options.waitMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      waiters.add(waiter);
    });
  }
}
