/**
 * Keys by their public id, remembered for a moment, so that a revocation takes effect on every instance within seconds and a
 * busy key costs the database next to nothing (contract: key revocation).
 *
 * Anybody can make up ids. Those that no key is known for are looked up together, one statement at a time and a few a second,
 * whoever asks and however many there are: a valid key is never refused for the sake of made-up ones from the same address
 * (contract: requests without a key), the first request with it waits a tenth of a second at most. Ids of keys are asked for at
 * once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { includesTier } from '../catalogue/tiers.ts';
import type { Database } from '../database/connection.ts';
import { remembered } from '../metrics.ts';
import type { Caller } from './caller.ts';
import type { KeyTimes } from './key-state.ts';

export interface KnownKey {
  readonly caller: Caller;
  readonly hash: Buffer;
  readonly times: KeyTimes;
}

interface Remembered {
  readonly key: Promise<KnownKey | undefined>;
  readonly until: number;
}

type Found = ReadonlyMap<string, KnownKey>;

interface Batch {
  readonly ids: Set<string>;
  readonly found: Promise<Found>;
}

/** How long a key may still be let in that was revoked or disabled, or whose customer was suspended; at most 5 s (contract: key revocation). */
export const keyRememberedMs = 2_000;
/** How long a key may be refused that was asked for before it was issued. */
const unknownMs = 1_000;
/** Between two statements that look for ids of which no key is known. */
const betweenMs = 100;
const mostRemembered = 10_000;

export class KeyLookup {
  readonly #control: Database['control'];
  /** Keys that there are; an entry outlives its time, since it tells a key's id from a made-up one. */
  readonly #known = new LRUCache<string, Remembered>({ max: mostRemembered });
  /** Apart, so that made-up ids never push out keys. */
  readonly #unknown = new LRUCache<string, true>({ max: mostRemembered, ttl: unknownMs });
  /** What waits for its statement, and what is being looked for by one. */
  #batch: Batch | undefined;
  #reading: Batch | undefined;
  #lastBatch: Promise<unknown> = Promise.resolve();

  constructor({ control }: Database) {
    this.#control = control;
  }

  /** The key with this public id; undefined if there is none. */
  find(id: string): Promise<KnownKey | undefined> {
    const known = this.#known.get(id);
    const isKnown = known ? known.until > performance.now() : this.#unknown.has(id);
    remembered.keys[isKnown ? 'hit' : 'miss']++;
    if (known) return isKnown ? known.key : this.#readAgain(id);
    return isKnown ? Promise.resolve(undefined) : this.#askWithOthers(id);
  }

  #readAgain(id: string): Promise<KnownKey | undefined> {
    const key = this.#read([id]).then((found) => found.get(id));
    this.#known.set(id, { key, until: performance.now() + keyRememberedMs });
    // Asked for again by whoever comes next; until then it is still the id of a key.
    key.catch(() => this.#known.set(id, { key, until: 0 }));
    return key;
  }

  async #askWithOthers(id: string): Promise<KnownKey | undefined> {
    if (this.#reading?.ids.has(id)) return (await this.#reading.found).get(id);
    this.#batch ??= this.#startBatch();
    this.#batch.ids.add(id);
    return (await this.#batch.found).get(id);
  }

  /** A batch takes ids until the one before it is done and its time has come. */
  #startBatch(): Batch {
    const ids = new Set<string>();
    const found = this.#lastBatch.then(() => {
      this.#batch = undefined;
      this.#reading = batch;
      const reading = this.#read([...ids]).finally(() => {
        this.#reading = undefined;
      });
      this.#lastBatch = Promise.allSettled([reading, pause(betweenMs, undefined, { ref: false })]);
      return reading;
    });
    const batch = { ids, found };
    return batch;
  }

  async #read(ids: readonly string[]): Promise<Found> {
    const until = performance.now() + keyRememberedMs;
    const rows = await this.#control
      .selectFrom('api_keys as k')
      .innerJoin('customers as c', 'c.id', 'k.customer_id')
      .select(['k.id', 'k.lineage', 'k.hash', 'k.tier', 'k.groups', 'k.expires_at', 'k.disabled_at', 'k.revoked_at'])
      .select(['c.id as customer_id', 'c.slug', 'c.schema_name', 'c.tier as customer_tier', 'c.suspended_at'])
      .where(sql<boolean>`k.id = any(${ids}::text[])`)
      .execute();
    const found = new Map<string, KnownKey>();
    for (const row of rows)
      found.set(row.id, {
        hash: row.hash,
        times: row,
        caller: {
          keyId: row.id,
          lineage: row.lineage,
          customer: { id: row.customer_id, slug: row.slug, schema: row.schema_name },
          tier: includesTier(row.customer_tier, row.tier) ? row.tier : row.customer_tier,
          groups: new Set(row.groups),
          expiresAt: row.expires_at,
          isSuspended: row.suspended_at !== null,
        },
      });
    for (const id of ids) this.#remember(id, found.get(id), until);
    return found;
  }

  #remember(id: string, key: KnownKey | undefined, until: number): void {
    if (key) this.#known.set(id, { key: Promise.resolve(key), until });
    else {
      this.#known.delete(id);
      this.#unknown.set(id, true);
    }
  }
}
