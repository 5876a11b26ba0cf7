/**
 * Who is calling: from the text of an `X-API-Key` header to customer, tier and endpoint groups.
 *
 * Keys are looked up by their public id and remembered for a moment, so that a revocation takes effect on every instance
 * within seconds and a busy key costs the database next to nothing (semantics 8).
 */
import { timingSafeEqual } from 'node:crypto';
import { type EndpointGroup, includesTier, type Tier } from '../catalogue/tiers.ts';
import type { Database } from '../database/connection.ts';
import { hashKey, publicId } from './key-text.ts';

export interface Caller {
  readonly keyId: string;
  /** What the rate-limit quota belongs to: it outlives rotations (semantics 11). */
  readonly lineage: string;
  readonly customer: { readonly id: number; readonly slug: string; readonly schema: string };
  readonly tier: Tier;
  readonly groups: ReadonlySet<EndpointGroup>;
}

interface KnownKey {
  readonly caller: Caller;
  readonly hash: Buffer;
  readonly expiresAt: number;
  readonly isEnabled: boolean;
}

interface Remembered {
  readonly key: Promise<KnownKey | undefined>;
  readonly until: number;
}

/** How long a revoked or disabled key may still be let in; semantics 8 allows 5 s. */
const rememberedMs = 2_000;
const keysRemembered = 10_000;

export class Authenticator {
  readonly #control: Database['control'];
  readonly #secret: string;
  readonly #remembered = new Map<string, Remembered>();

  constructor({ control }: Database, secret: string) {
    this.#control = control;
    this.#secret = secret;
  }

  /** The caller that a header names; undefined for every way in which a key can be wrong. */
  async authenticate(header: string | string[] | undefined): Promise<Caller | undefined> {
    if (typeof header !== 'string') return undefined;
    const id = publicId(header);
    if (!id) return undefined;
    const known = await this.#lookUp(id);
    const matches = known !== undefined && timingSafeEqual(known.hash, hashKey(this.#secret, header));
    return matches && known.isEnabled && known.expiresAt > Date.now() ? known.caller : undefined;
  }

  #lookUp(id: string): Promise<KnownKey | undefined> {
    const now = Date.now();
    const remembered = this.#remembered.get(id);
    if (remembered && remembered.until > now) return remembered.key;
    const key = this.#read(id);
    this.#remembered.delete(id);
    if (this.#remembered.size >= keysRemembered) this.#remembered.delete(this.#remembered.keys().next().value as string);
    this.#remembered.set(id, { key, until: now + rememberedMs });
    key.catch(() => this.#remembered.delete(id));
    return key;
  }

  async #read(id: string): Promise<KnownKey | undefined> {
    const row = await this.#control
      .selectFrom('api_keys as k')
      .innerJoin('customers as c', 'c.id', 'k.customer_id')
      .select(['k.id', 'k.lineage', 'k.hash', 'k.tier', 'k.groups', 'k.expires_at', 'k.disabled_at', 'k.revoked_at'])
      .select(['c.id as customer_id', 'c.slug', 'c.schema_name', 'c.tier as customer_tier'])
      .where('k.id', '=', id)
      .executeTakeFirst();
    if (!row) return undefined;
    return {
      hash: row.hash,
      expiresAt: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
      isEnabled: row.disabled_at === null && row.revoked_at === null,
      caller: {
        keyId: row.id,
        lineage: row.lineage,
        customer: { id: row.customer_id, slug: row.slug, schema: row.schema_name },
        tier: includesTier(row.customer_tier, row.tier) ? row.tier : row.customer_tier,
        groups: new Set(row.groups),
      },
    };
  }
}
