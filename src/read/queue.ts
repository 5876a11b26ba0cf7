/**
 * Admission by customer: what one customer asks waits behind its own requests first (contract: waiting).
 *
 * Work of one class shares a number of places. One customer holds at most half of them, so that another one never waits for
 * all of its statements; a place that becomes free goes to the waiting customer who holds the fewest, and among equals to the
 * one who was served longest ago. Waiting is bounded in number and time.
 */
import { ApiError } from '../errors.ts';
import { queueRefusals, queueWaits, watchQueue } from '../metrics.ts';
import type { Timing } from '../timing.ts';

export interface Lane {
  /** In the metrics. */
  readonly name: string;
  /** How much work may be under way at once. */
  readonly places: number;
  /** How many requests of one customer may wait. */
  readonly waiting: number;
  /** How long a request waits at most, in milliseconds. */
  readonly waitMs: number;
}

/** Says that nobody waits for an answer any more; an `AbortSignal` is one. */
export interface AbandonSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Gives a place back; further calls do nothing. */
export type Leave = () => void;

interface Waiter {
  readonly admit: () => void;
}

const retryAfterSeconds = '5';

export class Queue {
  readonly #lane: Lane;
  readonly #mostOfOne: number;
  readonly #held = new Map<number, number>();
  /** Waiting requests by customer; the customer who was served longest ago comes first. */
  readonly #waiting = new Map<number, Set<Waiter>>();
  #inUse = 0;

  constructor(lane: Lane) {
    this.#lane = lane;
    this.#mostOfOne = Math.max(1, Math.ceil(lane.places / 2));
    watchQueue(lane.name, this);
  }

  get places(): number {
    return this.#lane.places;
  }

  /** Places in use, and requests that wait for one. */
  get state(): { readonly inUse: number; readonly waiting: number } {
    let waiting = 0;
    for (const waiters of this.#waiting.values()) waiting += waiters.size;
    return { inUse: this.#inUse, waiting };
  }

  /**
   * Waits for a place. Throws `busy` at once when too many requests of this customer wait already, `busy` when none came in
   * time, and `abandoned` when `signal` says that nobody waits for the answer any more.
   */
  async enter(customerId: number, signal?: AbandonSignal, timing?: Timing): Promise<Leave> {
    if (signal?.aborted) throw new ApiError('abandoned');
    const askedAt = performance.now();
    if (this.#mayHold(customerId) && this.#inUse < this.#lane.places) this.#hold(customerId);
    else await this.#wait(customerId, signal).finally(() => timing?.waited(this.#lane.name, askedAt));
    queueWaits.observe({ queue: this.#lane.name }, (performance.now() - askedAt) / 1_000);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#leave(customerId);
    };
  }

  #mayHold(customerId: number): boolean {
    return (this.#held.get(customerId) ?? 0) < this.#mostOfOne;
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
    queueRefusals.inc({ queue: this.#lane.name, reason });
    return new ApiError('busy', '', { 'Retry-After': retryAfterSeconds });
  }

  #wait(customerId: number, signal: AbandonSignal | undefined): Promise<void> {
    const waiters = this.#waiting.get(customerId) ?? new Set();
    if (waiters.size >= this.#lane.waiting) throw this.#refuse('full');
    this.#waiting.set(customerId, waiters);
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const giveUp = (error: ApiError) => {
        settle();
        waiters.delete(waiter);
        if (waiters.size === 0 && this.#waiting.get(customerId) === waiters) this.#waiting.delete(customerId);
        reject(error);
      };
      const waiter: Waiter = {
        admit: () => {
          settle();
          resolve();
        },
      };
      const onAbort = () => giveUp(new ApiError('abandoned'));
      const timer = setTimeout(() => giveUp(this.#refuse('late')), this.#lane.waitMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      waiters.add(waiter);
    });
  }
}
