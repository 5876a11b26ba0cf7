/**
 * Counts in windows of fixed length, each of which starts with the first of what it counts.
 *
 * Time is the process's own: a wall clock that is set back would lengthen a window, one set forward would end it.
 */

interface Window {
  readonly startedAt: number;
  count: number;
}

export interface Counted {
  /** How many there were in the present window, this one included. */
  readonly count: number;
  /** Milliseconds until the window ends. */
  readonly msLeft: number;
}

export class FixedWindows {
  readonly #lengthMs: number;
  readonly #most: number;
  /** All windows are of one length, so they end in the order in which they were added. */
  readonly #windows = new Map<string, Window>();

  /** Remembers at most `most` windows; beyond that the one that would end first is forgotten. */
  constructor(lengthMs: number, most = Number.POSITIVE_INFINITY) {
    this.#lengthMs = lengthMs;
    this.#most = most;
  }

  count(name: string): Counted {
    const now = performance.now();
    this.#forgetEnded(now);
    let window = this.#windows.get(name);
    if (!window) {
      window = { startedAt: now, count: 0 };
      this.#windows.set(name, window);
      if (this.#windows.size > this.#most) this.#windows.delete(this.#windows.keys().next().value as string);
    }
    window.count++;
    return { count: window.count, msLeft: window.startedAt + this.#lengthMs - now };
  }

  /** Starts anew with the next count. */
  forget(name: string): void {
    this.#windows.delete(name);
  }

  #forgetEnded(now: number): void {
    for (const [name, { startedAt }] of this.#windows) {
      if (startedAt + this.#lengthMs > now) return;
      this.#windows.delete(name);
    }
  }
}
