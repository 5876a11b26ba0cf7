/**
 * The versions of customers' tables as this instance knows them: from memory while that is sure to be current, else from one
 * statement on `estate.datasets`. Tables themselves are never touched (contract: conditional requests; data versions).
 *
 * What makes memory sure is told in `database/publications.ts`: it holds for `leaseMs` from the moment at which this instance
 * asked whether anything is announced, if nothing was and the revision is the one that the memory was read at. Leases of
 * customers that are asked for are renewed in the background; a notification ends a lease at once. Without notifications,
 * as behind a transaction pooler, all this holds as well. The embedded database remembers nothing: its only process is this.
 *
 * Every statement here also asks whether the data was restored from a backup; then a new epoch begins before anything is
 * answered (`database/epoch.ts`).
 */
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database, Listening } from '../database/connection.ts';
import type { DatasetKind } from '../database/control.ts';
import { ask, type DatasetState, datasetsOf, stateColumns } from '../database/datasets.ts';
import { settleEpochOf, withEpoch } from '../database/epoch.ts';
import { leaseMs, versionsChannel } from '../database/publications.ts';
import { remembered, versionFeed } from '../metrics.ts';

/** Up to where a customer's data has to be shown: announcements and loads count `revision` up. */
export interface Standing {
  readonly revision: number;
  readonly epoch: string | null;
}

/** States of one customer's tables. */
export interface States {
  get(kind: DatasetKind, name: string): DatasetState | undefined;
}

interface Found extends Standing {
  readonly states: States;
}

interface Memory extends Found {
  /** When the confirmation that the memory stands on was asked for, in milliseconds of the process's own clock. */
  confirmedAt: number;
  /** When a request last asked. */
  usedAt: number;
}

export interface VersionsOptions {
  /** Hear of announcements by LISTEN too. */
  readonly listen: boolean;
  /** Told when notifications cannot be heard; polling goes on. */
  readonly onError?: (error: Error) => void;
}

/** Renewals are asked for often enough that one may be late. */
const renewalMs = leaseMs / 3;
/** Leases of customers that nobody asks for lapse. */
const idleMs = 10_000;
const listenAgainMs = 5_000;

const keyOf = (kind: DatasetKind, name: string) => `${kind} ${name}`;

export class Versions {
  readonly #database: Database;
  readonly #options: VersionsOptions;
  readonly #memories = new Map<number, Memory>();
  /** For whom the database was asked lately for want of a lease. */
  readonly #asked = new LRUCache<number, Promise<unknown>>({ max: 10_000, ttl: leaseMs });
  #renewal: NodeJS.Timeout | undefined;
  #listening: Listening | undefined;
  #listenAgain: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(database: Database, options: VersionsOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** Starts to hear of announcements; without this, or when it fails, leases are renewed by polling alone. */
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

  /** States that are at least as new as any that were visible when this was called. */
  async of(customerId: number): Promise<States> {
    return (await this.#find(customerId)).states;
  }

  /**
   * The same for those who can do without: undefined while a load is announced. However many ask, the database is asked once in
   * the time of a lease.
   */
  async leased(customerId: number): Promise<States | undefined> {
    const memory = this.#remembered(customerId);
    if (memory) return memory.states;
    if (this.#database.embedded) return (await this.#read(customerId, performance.now())).states;
    let asked = this.#asked.get(customerId);
    if (!asked) {
      asked = this.#read(customerId, performance.now()).catch(() => {});
      this.#asked.set(customerId, asked);
    }
    await asked;
    return this.#remembered(customerId)?.states;
  }

  /** What whoever reads now must show, wherever it is read; as new as any that was visible when this was called. */
  standing(customerId: number): Promise<Standing> {
    return this.#find(customerId);
  }

  async #find(customerId: number): Promise<Found> {
    return this.#remembered(customerId) ?? this.#read(customerId, performance.now());
  }

  #remembered(customerId: number): Found | undefined {
    const now = performance.now();
    const memory = this.#memories.get(customerId);
    const isSure = memory !== undefined && now - memory.confirmedAt < leaseMs;
    remembered.versions[isSure ? 'hit' : 'miss']++;
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
    const rows = await ask(this.#database.pool, query, 'versions');
    const [first] = rows;
    if (first?.is_foreign) {
      await settleEpochOf(this.#database);
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

  /** Confirms the memories that are in use, and drops those that something is announced for. */
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
    const rows = await ask(this.#database.pool, query, 'announcements');
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
