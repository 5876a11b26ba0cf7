/** Who is calling: from the text of an `X-API-Key` header to customer, tier and endpoint groups. */
import { hash, timingSafeEqual } from 'node:crypto';
import type { Database } from '../database/connection.ts';
import type { Caller } from './caller.ts';
import { KeyLookup, type KnownKey } from './key-lookup.ts';
import { stateOf } from './key-state.ts';
import { hashKey, publicId } from './key-text.ts';

export type { Caller } from './caller.ts';

export class Authenticator {
  readonly #keys: KeyLookup;
  readonly #secret: string;
  /** Digests of texts that were keys, so that a busy one costs no HMAC each time; never the texts. */
  readonly #verified = new WeakMap<KnownKey, string>();

  constructor(database: Database, secret: string) {
    this.#keys = new KeyLookup(database);
    this.#secret = secret;
  }

  /** The caller that a header names; undefined for every way in which a key can be wrong. */
  async authenticate(header: string | string[] | undefined): Promise<Caller | undefined> {
    if (typeof header !== 'string') return undefined;
    const id = publicId(header);
    if (!id) return undefined;
    const known = await this.#keys.find(id);
    return known && this.#isKey(known, header) && stateOf(known.times) === 'active' ? known.caller : undefined;
  }

  #isKey(known: KnownKey, text: string): boolean {
    const digest = hash('sha256', text, 'base64');
    if (this.#verified.get(known) === digest) return true;
    const isKey = timingSafeEqual(known.hash, hashKey(this.#secret, text));
    if (isKey) this.#verified.set(known, digest);
    return isKey;
  }
}
