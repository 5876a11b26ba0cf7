/**
 * The data versions of customers' tables: from memory while a version lease holds, otherwise from one statement on `estate.datasets`. The
 * tables themselves are never read (contract: conditional requests; data versions).
 *
 * `database/control/publications.ts` explains why a lease is safe. A lease lasts `leaseMs` from the moment at which this instance asked whether a
 * load is announced. It holds if none was, and if the revision equals that of the stored versions. Leases of active customers are renewed
 * in the background, and a notification ends a lease at once. It also works without notifications, for example behind a transaction pooler.
 * On the embedded database nothing is stored, because this is its only process.
 *
 * Every statement also checks whether the data was restored from a backup. Then a new epoch begins before any response
 * (`database/control/epoch.ts`).
 */
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { DatasetKind } from '../catalogue/table.ts';
import type { Database, Listening } from '../database/connections/connection.ts';
import { type DatasetState, datasetsOf, runControlQuery, stateColumns } from '../database/control/datasets.ts';
import { ensureEpochOf, withEpoch } from '../database/control/epoch.ts';
import { leaseMs, versionsChannel } from '../database/control/publications.ts';
import { cacheLookups, versionFeed } from '../metrics.ts';

/** The revision that a read must reflect. Announcements and loads increase it. */
export interface RequiredRevision {
  readonly revision: number;
  readonly epoch: string | null;
}

/** States of one customer's tables. */
export interface States {
  get(kind: DatasetKind, name: string): DatasetState | undefined;
}

interface Found extends RequiredRevision {
  readonly states: States;
}

interface Memory extends Found {
  /** When the confirming statement was sent, in milliseconds of the monotonic clock. */
  confirmedAt: number;
  /** The time of the last request. */
  usedAt: number;
}

export interface VersionsOptions {
  /** Also receive announcements by LISTEN. */
  readonly listen: boolean;
  /** Called when notifications fail; polling continues. */
  readonly onError?: (error: Error) => void;
}

/** Short enough that one renewal may fail. */
const renewalMs = leaseMs / 3;
/** Leases of inactive customers expire. */
const idleMs = 10_000;
const listenAgainMs = 5_000;

const keyOf = (kind: DatasetKind, name: string) => `${kind} ${name}`;

export class Versions {
  readonly #database: Database;
  readonly #options: VersionsOptions;
  readonly #memories = new Map<number, Memory>();
  /** Customers whose versions were recently read because no lease was possible. */
  readonly #asked = new LRUCache<number, Promise<unknown>>({ max: 10_000, ttl: leaseMs });
  #renewal: NodeJS.Timeout | undefined;
  #listening: Listening | undefined;
  #listenAgain: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(database: Database, options: VersionsOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** Starts to listen for announcements. Without it, or if it fails, polling alone renews leases. */
  async open(): Promise<void> {
    if (!this.#options.listen || !this.#database.listen || this.#isClosed) return;
    try {
      const listening = await this.#database.listen(
        versionsChannel,
        (customerId) => this.#memories.delete(Number(customerId)),
        (error) => this.#lost(error),
      );
      if (this.#isClosed) await listening.close();
      else this.#listening = listening;
      versionFeed.isListening.set(this.#listening ? 1 : 0);
    } catch (error) {
      this.#lost(error as Error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#renewal);
    clearTimeout(this.#listenAgain);
    await this.#listening?.close();
  }

  /** States at least as new as any that were visible at the time of the call. */
  async of(customerId: number): Promise<States> {
    return (await this.#find(customerId)).states;
  }

  /** States under a lease; undefined while a load is announced. The database is asked at most once in the time of a lease. */
  async leased(customerId: number): Promise<States | undefined> {
    const memory = this.#cached(customerId);
    if (memory) return memory.states;
    if (this.#database.embedded) return (await this.#read(customerId, performance.now())).states;
    let asked = this.#asked.get(customerId);
    if (!asked) {
      asked = this.#read(customerId, performance.now()).catch(() => {});
      this.#asked.set(customerId, asked);
    }
    await asked;
    return this.#cached(customerId)?.states;
  }

  /** The minimum revision that a read must reflect, on any server. */
  standing(customerId: number): Promise<RequiredRevision> {
    return this.#find(customerId);
  }

  async #find(customerId: number): Promise<Found> {
    return this.#cached(customerId) ?? this.#read(customerId, performance.now());
  }

  #cached(customerId: number): Found | undefined {
    const now = performance.now();
    const memory = this.#memories.get(customerId);
    const isSure = memory !== undefined && now - memory.confirmedAt < leaseMs;
    cacheLookups.versions[isSure ? 'hit' : 'miss']++;
    if (!isSure) return undefined;
    memory.usedAt = now;
    return memory;
  }

  async #read(customerId: number, askedAt: number): Promise<Found> {
    const query = (await withEpoch(this.#database))
      .selectFrom('e')
      .crossJoin(
        datasetsOf(customerId)
          .select(['customer_id', 'kind', ...stateColumns])
          .as('d'),
      )
      .leftJoin('publications as p', 'p.customer_id', 'd.customer_id')
      .select(['kind', ...stateColumns, 'epoch', 'is_foreign', 'revision', 'announced_at']);
    const rows = await runControlQuery(this.#database.pool, query, 'versions');
    const [first] = rows;
    if (first?.is_foreign) {
      await ensureEpochOf(this.#database);
      return this.#read(customerId, performance.now());
    }
    const byName = new Map(rows.map((row) => [keyOf(row.kind, row.name), row]));
    const states: States = { get: (kind, name) => byName.get(keyOf(kind, name)) };
    const found = { states, revision: first?.revision ?? 0, epoch: first?.epoch ?? null };
    if (first && !first.announced_at && !this.#database.embedded && !this.#isClosed) {
      this.#memories.set(customerId, { ...found, confirmedAt: askedAt, usedAt: askedAt });
      this.#renewal ??= setInterval(() => void this.#renew().catch(() => {}), renewalMs).unref();
    }
    return found;
  }

  /** Renews active leases, and drops those of customers with an announcement. */
  async #renew(): Promise<void> {
    const askedAt = performance.now();
    for (const [customerId, { usedAt }] of this.#memories) if (askedAt - usedAt > idleMs) this.#memories.delete(customerId);
    const asked = new Map(this.#memories);
    const oldest = Math.min(askedAt, ...[...asked.values()].map(({ confirmedAt }) => confirmedAt));
    versionFeed.ageSeconds.set((askedAt - oldest) / 1_000);
    if (asked.size === 0) {
      clearInterval(this.#renewal);
      this.#renewal = undefined;
      return;
    }
    const isAsked = sql<boolean>`p.customer_id = any(${[...asked.keys()]})`;
    const query = (await withEpoch(this.#database))
      .selectFrom('e')
      .leftJoin('publications as p', (join) => join.on(isAsked))
      .select(['epoch', 'is_foreign', 'customer_id', 'revision', 'announced_at']);
    const rows = await runControlQuery(this.#database.pool, query, 'announcements');
    const { epoch, is_foreign } = rows[0] ?? {};
    const isHere = is_foreign === false;
    const published = new Map(rows.map((row) => [row.customer_id, row]));
    for (const [customerId, memory] of asked) {
      const { revision, announced_at } = published.get(customerId) ?? {};
      if (isHere && memory.epoch === epoch && !announced_at && (revision ?? 0) === memory.revision)
        memory.confirmedAt = Math.max(memory.confirmedAt, askedAt);
      else if (this.#memories.get(customerId) === memory) this.#memories.delete(customerId);
    }
  }

  #lost(error: Error): void {
    if (this.#isClosed) return;
    void this.#listening?.close().catch(() => {});
    this.#listening = undefined;
    versionFeed.isListening.set(0);
    this.#options.onError?.(error);
    clearTimeout(this.#listenAgain);
    this.#listenAgain = setTimeout(() => void this.open(), listenAgainMs).unref();
  }
}
