/**
 * Counters in windows of fixed length. A window starts with its first count.
 *
 * It uses the monotonic clock, because a change of the wall clock would lengthen or end a window.
 */

interface Window {
  endsAt: number;
  count: number;
}

export interface Counted {
  /** The count in the current window, including what was added. */
  readonly count: number;
  /** Milliseconds until the window ends. */
  readonly msLeft: number;
}

/** Windows of one length, local to this process or shared with others. */
export interface Windows {
  /** Adds a whole number to the count: 1 by default, or 0 to read it. */
  count(name: string, by?: number): Counted | Promise<Counted>;
  /** Ends the window; the next count starts a new one. */
  forget(name: string): unknown;
}

/** Creates windows. Shared windows with the same name have the same counts. */
export type OpenWindows = (name: string, lengthMs: number, max?: number) => Windows;

export const ownWindows: OpenWindows = (_name, lengthMs, max) => new FixedWindows(lengthMs, max);

export class FixedWindows implements Windows {
  readonly #lengthMs: number;
  readonly #max: number;
  /** Windows have one length, so they end in insertion order. Adopted windows end earlier. */
  readonly #windows = new Map<string, Window>();

  /** Stores at most `most` windows. Beyond that, the window that ends first is dropped. */
  constructor(lengthMs: number, max = Number.POSITIVE_INFINITY) {
    this.#lengthMs = lengthMs;
    this.#max = max;
  }

  count(name: string, by = 1): Counted {
    const now = performance.now();
    this.#forgetEnded(now);
    let window = this.#windows.get(name);
    if (!window || window.endsAt <= now) {
      this.#windows.delete(name);
      window = { endsAt: now + this.#lengthMs, count: 0 };
      this.#windows.set(name, window);
      if (this.#windows.size > this.#max) this.#windows.delete(this.#windows.keys().next().value as string);
    }
    window.count += by;
    return { count: window.count, msLeft: Math.min(this.#lengthMs, window.endsAt - now) };
  }

  /** Continues from a count of other processes in the same window. */
  adopt(name: string, { count, msLeft }: Counted): void {
    const window = this.#windows.get(name);
    if (!window) return;
    window.count = Math.max(window.count, count);
    window.endsAt = performance.now() + msLeft;
  }

  forget(name: string): void {
    this.#windows.delete(name);
  }

  #forgetEnded(now: number): void {
    for (const [name, { endsAt }] of this.#windows) {
      if (endsAt > now) return;
      this.#windows.delete(name);
    }
  }
}
