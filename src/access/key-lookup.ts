/**
 * Looks up keys by their public id, with a short-lived cache. A revocation takes effect on every instance within seconds, and a busy key
 * costs the database almost nothing (contract: key revocation).
 *
 * Anyone can invent ids. Unknown ids are looked up together: one statement at a time and a few each second, for all clients. So invented
 * keys never block a valid key from the same address (contract: requests without a key). The first request of a new key waits a tenth of a
 * second at most. Known ids are looked up at once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { DataScope, ScopeDefinition } from '../catalogue/data-scope.ts';
import { includesTier, isEndpointGroup } from '../catalogue/tiers.ts';
import type { Database } from '../database/connections/connection.ts';
import { runControlQuery } from '../database/control/datasets.ts';
import { cacheLookups } from '../metrics.ts';
import type { Caller } from './caller.ts';
import { scopeOf } from './scope.ts';

/** The times that end or disable a key. */
export interface KeyTimes {
  readonly revoked_at: Date | null;
  readonly expires_at: Date | null;
  readonly disabled_at: Date | null;
}

export type KeyState = 'active' | 'disabled' | 'expired' | 'revoked';

/** Only an active key is valid. Of several states, the most final one is returned. */
export const keyStateOf = ({ revoked_at, disabled_at, expires_at }: KeyTimes): KeyState => {
  if (revoked_at) return 'revoked';
  if (expires_at && expires_at.getTime() <= Date.now()) return 'expired';
  return disabled_at ? 'disabled' : 'active';
};

/** SQL: the key `k` is neither revoked nor expired. */
export const hasNotEnded = sql<boolean>`k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`;

/** SQL: `stateOf` of the key `k` is `active`. */
export const isActive = sql<boolean>`${hasNotEnded} and k.disabled_at is null`;

export interface KnownKey {
  readonly caller: Caller;
  readonly hash: Buffer;
  readonly times: KeyTimes;
}

interface CachedKey {
  readonly key: Promise<KnownKey | undefined>;
  /** The key, once it is known. */
  readonly found?: KnownKey | undefined;
  readonly until: number;
}

type Found = ReadonlyMap<string, KnownKey>;

interface Batch {
  readonly ids: Set<string>;
  readonly found: Promise<Found>;
}

/** How long a key stays valid after it is revoked or disabled, or its customer is suspended; at most 5 s (contract: key revocation). */
export const keyCachedMs = 2_000;
/** How long a key may be refused that was looked up before it was issued. */
const unknownMs = 1_000;
/** The minimum time between two statements that look up unknown ids. */
const betweenMs = 100;
const maxCached = 10_000;

/** The scope of a key. A newer program may have stored one that this program does not understand; its key is refused. */
const understood = (stored: ScopeDefinition | null): DataScope | undefined | 'unknown' => {
  try {
    return scopeOf(stored);
  } catch {
    return 'unknown';
  }
};

export class KeyLookup {
  readonly #database: Pick<Database, 'control' | 'pool'>;
  /** Known keys. An expired entry stays, because it shows that the id is not invented. */
  readonly #known = new LRUCache<string, CachedKey>({ max: maxCached });
  /** Ids of recent batches. Separate from `#known`, so that invented ids never evict keys. */
  readonly #inBatches = new LRUCache<string, true>({ max: maxCached, ttl: unknownMs });
  /** Ids that wait for the next statement, and ids of the statement in flight. */
  #batch: Batch | undefined;
  #reading: Batch | undefined;
  #lastBatch: Promise<unknown> = Promise.resolve();

  constructor(database: Pick<Database, 'control' | 'pool'>) {
    this.#database = database;
  }

  /** The key with this public id; undefined if there is none. */
  find(id: string): Promise<KnownKey | undefined> {
    const known = this.#known.get(id);
    const isKnown = known ? known.until > performance.now() : this.#inBatches.has(id);
    cacheLookups.keys[isKnown ? 'hit' : 'miss']++;
    if (known) return isKnown ? known.key : this.#refresh(id);
    return isKnown ? Promise.resolve(undefined) : this.#findInBatch(id);
  }

  /** The key if it is cached, without a database query. It may be out of date. */
  recall(id: string): KnownKey | undefined {
    return this.#known.get(id)?.found;
  }

  /** Waits like a request with an unknown id, so that the time of a refusal does not show whether the id exists. */
  async waitAsUnknown(id: string): Promise<void> {
    if (!this.#inBatches.has(id)) await this.#findInBatch(id);
  }

  #refresh(id: string): Promise<KnownKey | undefined> {
    const key = this.#read([id]).then((found) => found.get(id));
    const found = this.recall(id);
    this.#known.set(id, { key, found, until: performance.now() + keyCachedMs });
    // The next request looks it up again. Until then the id still counts as known.
    key.catch(() => this.#known.set(id, { key, found, until: 0 }));
    return key;
  }

  async #findInBatch(id: string): Promise<KnownKey | undefined> {
    if (this.#reading?.ids.has(id)) return (await this.#reading.found).get(id);
    this.#batch ??= this.#startBatch();
    this.#batch.ids.add(id);
    return (await this.#batch.found).get(id);
  }

  /** A batch collects ids until the previous one is complete and its time has come. */
  #startBatch(): Batch {
    const ids = new Set<string>();
    const found = this.#lastBatch.then(() => {
      this.#batch = undefined;
      this.#reading = batch;
      const reading = this.#read([...ids]).finally(() => {
        this.#reading = undefined;
      });
      const remember = () => {
        for (const id of ids) this.#inBatches.set(id, true);
      };
      reading.then(remember, () => {});
      this.#lastBatch = Promise.allSettled([reading, pause(betweenMs, undefined, { ref: false })]);
      return reading;
    });
    const batch = { ids, found };
    return batch;
  }

  async #read(ids: readonly string[]): Promise<Found> {
    const until = performance.now() + keyCachedMs;
    const query = this.#database.control
      .selectFrom('api_keys as k')
      .innerJoin('customers as c', 'c.id', 'k.customer_id')
      .select(['k.id', 'k.lineage', 'k.hash', 'k.tier', 'k.groups', 'k.scope', 'k.expires_at', 'k.disabled_at', 'k.revoked_at'])
      .select(['c.id as customer_id', 'c.slug', 'c.schema_name', 'c.tier as customer_tier', 'c.suspended_at'])
      .where(sql<boolean>`k.id = any(${ids}::text[])`);
    const rows = await runControlQuery(this.#database.pool, query, 'keys');
    const found = new Map<string, KnownKey>();
    for (const row of rows) {
      const scope = understood(row.scope);
      if (scope === 'unknown') continue;
      found.set(row.id, {
        hash: row.hash,
        times: row,
        caller: {
          keyId: row.id,
          keyFamily: row.lineage,
          customer: { id: row.customer_id, slug: row.slug, schema: row.schema_name },
          tier: includesTier(row.customer_tier, row.tier) ? row.tier : row.customer_tier,
          groups: new Set(row.groups.filter(isEndpointGroup)),
          ...(row.groups.includes('deliveries') && { isDelivery: true }),
          scope,
          expiresAt: row.expires_at,
          isSuspended: row.suspended_at !== null,
        },
      });
    }
    for (const id of ids) this.#cache(id, found.get(id), until);
    return found;
  }

  #cache(id: string, key: KnownKey | undefined, until: number): void {
    if (key) this.#known.set(id, { key: Promise.resolve(key), found: key, until });
    else this.#known.delete(id);
  }
}
