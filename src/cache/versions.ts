/**
 * The data versions of customers' tables: from memory while a version lease holds, otherwise from one statement on the state in the
 * customer's schema. The tables themselves are never read (contract: conditional requests; data versions).
 *
 * `database/control/publications.ts` explains why a lease is safe. A lease lasts `leaseMs` from the moment at which this instance read whether a
 * load is announced. It holds if none was, and if the revision equals that of the stored versions. Leases of active customers are renewed
 * in the background by one statement on `estate.publications`, whatever their number. A notification ends a lease at once. It also works without notifications, for example behind a transaction pooler.
 * On the embedded database nothing is stored, because this is its only process.
 *
 * What ends a lease also wakes the requests that wait for new data (`watches.ts`).
 *
 * Every statement also checks whether the data was restored from a backup. Then the versions are raised before any response
 * (`database/control/epoch.ts`).
 */
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { DatasetKind } from '../catalogue/table.ts';
import type { Database, Listening } from '../database/connections/connection.ts';
import { schemaOf } from '../database/control/customers.ts';
import { type DatasetState, datasetsOf, runControlQuery, runStateQuery, stateColumns } from '../database/control/datasets.ts';
import {
  ensureEpochOf,
  ensureVersionsOf,
  isForeign,
  type LoadState,
  prepareStateRead,
  withEpoch,
  withLoadState,
} from '../database/control/epoch.ts';
import { leaseMs, readPresent, versionsChannel } from '../database/control/publications.ts';
import { cacheLookups, versionFeed } from '../metrics.ts';
import type { States } from './states.ts';
import { type News, Watches } from './watches.ts';

/** The revision that a read must reflect. Announcements and loads increase it. */
export interface RequiredRevision {
  readonly revision: number;
  readonly epoch: string | null;
}

interface Found extends RequiredRevision {
  readonly states: States;
}

interface Memory extends RequiredRevision {
  /** Absent if only the revision was needed. */
  readonly states?: States;
  /** When the confirming statement was sent, in milliseconds of the monotonic clock. */
  confirmedAt: number;
  /** The time of the last request. */
  usedAt: number;
}

export interface VersionsOptions {
  /** Whether versions also follow the announcements of LISTEN. */
  readonly listen: boolean;
  /** Called when notifications fail; polling continues. */
  readonly onError?: (error: Error) => void;
}

/** Short enough that one renewal may fail. */
const renewalMs = leaseMs / 3;
/** Leases of inactive customers expire. */
const idleMs = 10_000;
const listenAgainMs = 5_000;

/** Identifies what was published of a customer. */
const publicationOf = ({ epoch, revision }: RequiredRevision): string => `${epoch} ${revision}`;

const keyOf = (kind: DatasetKind, name: string) => `${kind} ${name}`;

export class Versions {
  readonly #database: Database;
  readonly #options: VersionsOptions;
  readonly #memories = new Map<number, Memory>();
  /** Customers whose versions were recently read because no lease was possible. */
  readonly #recentReads = new LRUCache<number, Promise<unknown>>({ max: 10_000, ttl: leaseMs });
  readonly #watches = new Watches(async (customerId) => {
    const present = await readPresent(this.#database.pool, customerId);
    const { states, ...found } = await this.#read(customerId, performance.now());
    return { present, states, published: publicationOf(found) };
  });
  #renewal: NodeJS.Timeout | undefined;
  /** The renewal in flight. */
  #renewing: Promise<void> | undefined;
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
        (customerId) => this.#notified(Number(customerId)),
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

  /**
   * Reports news of a customer's tables until the returned function is called: after a load, and when the database does not answer or
   * `stopWatches` was called.
   */
  watch(customerId: number, heard: (news: News) => void): () => void {
    this.#renewRegularly();
    return this.#watches.add(customerId, heard);
  }

  /** Ends all watches, because the service stops. */
  stopWatches(): void {
    this.#watches.stop();
  }

  /** States at least as new as any that were visible at the time of the call. */
  async of(customerId: number): Promise<States> {
    return (await this.#find(customerId)).states;
  }

  /** States under a lease; undefined while a load is announced. One lease time has at most one read of the database. */
  async leased(customerId: number): Promise<States | undefined> {
    const states = this.#cached(customerId)?.states;
    if (states) return states;
    if (this.#database.embedded) return (await this.#read(customerId, performance.now())).states;
    let reading = this.#recentReads.get(customerId);
    if (!reading) {
      reading = this.#read(customerId, performance.now()).catch(() => {});
      this.#recentReads.set(customerId, reading);
    }
    await reading;
    return this.#cached(customerId)?.states;
  }

  /** The minimum revision that a read must reflect, on any server. */
  async requiredRevision(customerId: number): Promise<RequiredRevision> {
    const memory = this.#cached(customerId);
    if (memory) return memory;
    const requestedAt = performance.now();
    const query = (await withLoadState(this.#database, customerId)).selectFrom('e').selectAll();
    const [found] = await runControlQuery(this.#database.pool, query, 'required revision');
    if (!found?.is_foreign) return this.#keep(customerId, found!, requestedAt);
    await ensureEpochOf(this.#database);
    return this.requiredRevision(customerId);
  }

  /**
   * The revision under a lease; undefined while a load is announced. What was read under the same revision is current, unless a load has
   * committed within the lease, which its announcement prevents.
   */
  async leasedRevision(customerId: number): Promise<RequiredRevision | undefined> {
    if (!this.#cached(customerId)) await this.requiredRevision(customerId);
    return this.#cached(customerId);
  }

  async #find(customerId: number): Promise<Found> {
    const memory = this.#cached(customerId);
    return memory?.states ? (memory as Found) : this.#read(customerId, performance.now());
  }

  #cached(customerId: number): Memory | undefined {
    const now = performance.now();
    const memory = this.#memories.get(customerId);
    const isSure = memory !== undefined && now - memory.confirmedAt < leaseMs;
    cacheLookups.versions[isSure ? 'hit' : 'miss']++;
    if (!isSure) return undefined;
    memory.usedAt = now;
    return memory;
  }

  async #read(customerId: number, requestedAt: number): Promise<Found> {
    const schema = await schemaOf(this.#database, customerId);
    const read = await prepareStateRead(this.#database, { id: customerId, schema });
    const rows = await read(datasetsOf(schema).select(['kind', ...stateColumns]), `versions ${schema}`, (query, name) =>
      runStateQuery(this.#database, customerId, query, name),
    );
    const [first] = rows;
    if (!first) throw new Error(`The state of customer ${customerId} is missing`);
    if (isForeign(first)) {
      await ensureVersionsOf(this.#database, { id: customerId, schema });
      return this.#read(customerId, performance.now());
    }
    const byName = new Map(rows.map((row) => [keyOf(row.kind!, row.name!), row as DatasetState]));
    const states: States = { get: (kind, name) => byName.get(keyOf(kind, name)) };
    return this.#keep(customerId, first, requestedAt, states);
  }

  /** Stores a memory under a lease, unless a load is announced. */
  #keep<S extends States | undefined>(
    customerId: number,
    { revision, epoch, announced_at }: LoadState,
    requestedAt: number,
    states?: S,
  ): RequiredRevision & { readonly states: S } {
    const found = { revision, epoch, states: states as S };
    if (!announced_at && !this.#database.embedded && !this.#isClosed) {
      this.#memories.set(customerId, { revision, epoch, ...(states && { states }), confirmedAt: requestedAt, usedAt: requestedAt });
      this.#renewRegularly();
    }
    return found;
  }

  #renewRegularly(): void {
    if (this.#isClosed) return;
    this.#renewal ??= setInterval(() => {
      // A database that does not answer gets no second question meanwhile.
      this.#renewing ??= this.#renew()
        .catch(() => this.#watches.lost())
        .finally(() => {
          this.#renewing = undefined;
        });
    }, renewalMs).unref();
  }

  #notified(customerId: number): void {
    this.#memories.delete(customerId);
    this.#watches.notified(customerId);
  }

  /** Renews active leases, and drops those of customers with an announcement. Watches hear of new revisions. */
  async #renew(): Promise<void> {
    const requestedAt = performance.now();
    for (const [customerId, { usedAt }] of this.#memories) if (requestedAt - usedAt > idleMs) this.#memories.delete(customerId);
    const renewing = new Map(this.#memories);
    const oldest = Math.min(requestedAt, ...[...renewing.values()].map(({ confirmedAt }) => confirmedAt));
    versionFeed.ageSeconds.set((requestedAt - oldest) / 1_000);
    const watched = [...this.#watches.customerIds];
    if (renewing.size === 0 && watched.length === 0) {
      clearInterval(this.#renewal);
      this.#renewal = undefined;
      return;
    }
    const isRenewed = sql<boolean>`p.customer_id = any(${[...renewing.keys(), ...watched]})`;
    const query = (await withEpoch(this.#database))
      .selectFrom('e')
      .leftJoin('publications as p', (join) => join.on(isRenewed))
      .select(['epoch', 'is_foreign', 'customer_id', 'revision', 'announced_at']);
    const rows = await runControlQuery(this.#database.pool, query, 'announcements');
    const { epoch, is_foreign } = rows[0] ?? {};
    const isHere = is_foreign === false;
    const published = new Map(rows.map((row) => [row.customer_id, row]));
    for (const [customerId, memory] of renewing) {
      const { revision, announced_at } = published.get(customerId) ?? {};
      if (isHere && memory.epoch === epoch && !announced_at && (revision ?? 0) === memory.revision)
        memory.confirmedAt = Math.max(memory.confirmedAt, requestedAt);
      else if (this.#memories.get(customerId) === memory) this.#memories.delete(customerId);
    }
    for (const customerId of watched) {
      const { revision = 0 } = published.get(customerId) ?? {};
      this.#watches.polled(customerId, isHere ? publicationOf({ epoch: epoch ?? null, revision: revision ?? 0 }) : undefined);
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
