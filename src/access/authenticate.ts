/** Authentication: from the text of a key to customer, tier and endpoint groups. */
import { hash, timingSafeEqual } from 'node:crypto';
import type { Database } from '../database/connections/connection.ts';
import type { Caller } from './caller.ts';
import { KeyLookup, type KnownKey, keyStateOf } from './key-lookup.ts';
import { hashKey, publicId } from './key-text.ts';

export class Authenticator {
  readonly #keys: KeyLookup;
  readonly #secret: string;
  /** Digests of recently valid keys, so that a busy key needs no HMAC each time. The keys themselves are not stored. */
  readonly #verified = new WeakMap<KnownKey, string>();

  constructor(database: Database, secret: string) {
    this.#keys = new KeyLookup(database);
    this.#secret = secret;
  }

  /** The caller of a header; undefined for any invalid key. */
  async authenticate(header: string | string[] | undefined): Promise<Caller | undefined> {
    if (typeof header !== 'string') return undefined;
    const id = publicId(header);
    if (!id) return undefined;
    const known = await this.#keys.find(id);
    if (!known) return undefined;
    if (this.#isKey(known, header) && keyStateOf(known.times) === 'active') return known.caller;
    await this.#keys.waitAsUnknown(id);
    return undefined;
  }

  /** The caller if the key is cached, without a database query. */
  recall(header: string | string[] | undefined): Caller | undefined {
    if (typeof header !== 'string') return undefined;
    const id = publicId(header);
    const known = id && this.#keys.recall(id);
    return known && this.#isKey(known, header) && keyStateOf(known.times) === 'active' ? known.caller : undefined;
  }

  #isKey(known: KnownKey, text: string): boolean {
    const digest = hash('sha256', text, 'base64');
    if (this.#verified.get(known) === digest) return true;
    const expected = hashKey(this.#secret, text);
    // `timingSafeEqual` throws for another length, which a row written by hand may have.
    const isKey = known.hash.length === expected.length && timingSafeEqual(known.hash, expected);
    if (isKey) this.#verified.set(known, digest);
    return isKey;
  }
}
