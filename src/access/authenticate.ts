/** Who is calling: from the text of an `X-API-Key` header to customer, tier and endpoint groups. */
import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../database/connection.ts';
import type { Caller } from './caller.ts';
import { KeyLookup } from './key-lookup.ts';
import { hashKey, publicId } from './key-text.ts';

export type { Caller } from './caller.ts';

export class Authenticator {
  readonly #keys: KeyLookup;
  readonly #secret: string;

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
    const matches = known !== undefined && timingSafeEqual(known.hash, hashKey(this.#secret, header));
    return matches && known.isEnabled && known.expiresAt > Date.now() ? known.caller : undefined;
  }
}
