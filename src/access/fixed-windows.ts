/**
 * Counts in windows of fixed length, each of which starts with the first of what it counts.
 *
 * Time is the process's own: a wall clock that is set back would lengthen a window, one set forward would end it.
 */

interface Window {
  endsAt: number;
  count: number;
}

export interface Counted {
  /** How many there were in the present window, this one included. */
  readonly count: number;
  /** Milliseconds until the window ends. */
  readonly msLeft: number;
}

/** Where windows of one length are kept: in this process, or where others count in them too. */
export interface Windows {
  count(name: string): Counted | Promise<Counted>;
  /** Starts anew with the next count. */
  forget(name: string): unknown;
}

/** Makes windows; whoever makes them by the same name shares them, as far as they are shared. */
export type OpenWindows = (name: string, lengthMs: number, most?: number) => Windows;

export const ownWindows: OpenWindows = (_name, lengthMs, most) => new FixedWindows(lengthMs, most);

export class FixedWindows implements Windows {
  readonly #lengthMs: number;
  readonly #most: number;
  /** All windows are of one length, so they end in the order in which they were added; those that were adopted, earlier. */
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
    if (!window || window.endsAt <= now) {
      this.#windows.delete(name);
      window = { endsAt: now + this.#lengthMs, count: 0 };
      this.#windows.set(name, window);
      if (this.#windows.size > this.#most) this.#windows.delete(this.#windows.keys().next().value as string);
    }
    window.count++;
    return { count: window.count, msLeft: Math.min(this.#lengthMs, window.endsAt - now) };
  }

  /** Goes on from what others have counted in the same window. */
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
