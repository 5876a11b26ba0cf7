/**
 * Says that nobody waits for an answer any more. Each answer has one, and an `AbortController` with a listener or two takes a hundredth
 * of a small answer's time; this does as much of it as reading needs.
 */

type Listener = () => void;

/** What reading listens to; an `AbortSignal` is one as well. */
export interface AbandonSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: Listener, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: Listener): void;
}

export class Abandonment implements AbandonSignal {
  #aborted = false;
  readonly #listeners = new Set<Listener>();

  get aborted(): boolean {
    return this.#aborted;
  }

  addEventListener(_type: 'abort', listener: Listener): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: Listener): void {
    this.#listeners.delete(listener);
  }

  /** Tells those who listen, once. */
  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
