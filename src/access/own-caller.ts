/**
 * The process as a caller of itself during warm-up. Its key is random and exists in this process only. Its requests are not counted, logged
 * or traced.
 */
import type { Caller } from './caller.ts';
import { apiKeyText, randomKeyId } from './key-text.ts';

export class OwnCaller {
  #key: string | undefined;
  #caller: Caller | undefined;

  /** Accepts the returned key as this caller until `end`. */
  begin(caller: Caller): string {
    this.#caller = caller;
    this.#key = apiKeyText(randomKeyId());
    return this.#key;
  }

  end(): void {
    this.#key = undefined;
  }

  /** The caller if the header is the process's own key; otherwise undefined. */
  find(header: string | readonly string[] | undefined): Caller | undefined {
    return this.#key !== undefined && header === this.#key ? this.#caller : undefined;
  }
}
