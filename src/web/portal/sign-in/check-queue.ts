/**
 * The queue of password checks. One check runs at a time, so that many sign-ins use at most one CPU, and addresses take turns.
 *
 * The queue is bounded for each address and in total. If it is full, a check of an address with fewer waiting checks replaces the newest
 * check of the address with the most. So many sign-ins from one address delay others by at most one check.
 */

/** The error of a check without a place. The caller may try again. */
export class QueueFull extends Error {}

interface Waiting {
  readonly start: () => void;
  readonly refuse: () => void;
}

export interface CheckQueueBounds {
  /** The maximum number of waiting checks of one address. */
  readonly perAddress: number;
  /** The maximum number of waiting checks of all addresses. */
  readonly inAll: number;
}

export class CheckQueue {
  readonly #bounds: CheckQueueBounds;
  /** The waiting checks by address, in the order of their turns. An address without waiting checks has no entry. */
  readonly #waiting = new Map<string, Waiting[]>();
  #length = 0;
  #isBusy = false;

  constructor(bounds: CheckQueueBounds) {
    this.#bounds = bounds;
  }

  /** Runs a check when the queue reaches it. Throws `QueueFull` if there is no place for it, or if it loses its place. */
  async run<T>(address: string, check: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await this.#wait(address);
    this.#isBusy = true;
    try {
      return await check();
    } finally {
      this.#isBusy = false;
      this.#startNext();
    }
  }

  #wait(address: string): Promise<void> {
    const own = this.#waiting.get(address) ?? [];
    if (own.length >= this.#bounds.perAddress) throw new QueueFull();
    if (this.#length >= this.#bounds.inAll) this.#makeRoom(own.length);
    return new Promise((resolve, reject) => {
      own.push({ start: resolve, refuse: () => reject(new QueueFull()) });
      this.#waiting.set(address, own);
      this.#length++;
    });
  }

  /** Rejects the newest check of the address with the most, if that has more than the new one would have. */
  #makeRoom(held: number): void {
    const max = [...this.#waiting.values()].reduce((one, other) => (other.length > one.length ? other : one));
    if (max.length <= held + 1) throw new QueueFull();
    this.#length--;
    max.pop()?.refuse();
  }

  /** Starts the oldest check of the next address. That address then moves to the end. */
  #startNext(): void {
    const [turn] = this.#waiting;
    if (!turn) return;
    const [address, checks] = turn;
    const next = checks.shift();
    this.#length--;
    this.#waiting.delete(address);
    if (checks.length > 0) this.#waiting.set(address, checks);
    // Until the check continues, no other check may start.
    this.#isBusy = true;
    next?.start();
  }
}
