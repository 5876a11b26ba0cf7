/**
 * The service as a caller of itself, while it warms up: under a key that the process makes up, tells nobody and forgets. What it asks is
 * no customer's: it is not counted, logged or traced.
 */
import type { Caller } from './caller.ts';
import { keyText, randomKeyId } from './key-text.ts';

export class OwnCaller {
  #key: string | undefined;
  #caller: Caller | undefined;

  /** Lets in who shows the key that this gives back, as this caller, until `end`. */
  begin(caller: Caller): string {
    this.#caller = caller;
    this.#key = keyText(randomKeyId());
    return this.#key;
  }

  end(): void {
    this.#key = undefined;
  }

  /** The caller whose key a header is; undefined for all keys but the process's own. */
  find(header: string | readonly string[] | undefined): Caller | undefined {
    return this.#key !== undefined && header === this.#key ? this.#caller : undefined;
  }

  /** Whether a request was the process's own, also when that is over. */
  is(caller: Caller | undefined): boolean {
    return caller !== undefined && caller === this.#caller;
  }
}
