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
import type { Database, Listening } from '../database/connection.ts';
import { controlSchema, type DatasetKind } from '../database/control.ts';
import { type EpochState, epochQuery, settleEpochOf } from '../database/epoch.ts';
import { qualify } from '../database/identifier.ts';
import { leaseMs, versionsChannel } from '../database/publications.ts';
import type { DatasetState } from './datasets.ts';

/** States of one customer's tables. */
export interface States {
  get(kind: DatasetKind, name: string): DatasetState | undefined;
}

interface Memory {
  readonly states: States;
  readonly revision: number;
  readonly epoch: string | null;
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

interface StateRow extends DatasetState, EpochState {
  readonly kind: DatasetKind;
  readonly revision: number;
  readonly announced: boolean;
}

const keyOf = (kind: DatasetKind, name: string) => `${kind} ${name}`;

export class Versions {
  readonly #database: Database;
  readonly #options: VersionsOptions;
  readonly #memories = new Map<number, Memory>();
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
    const now = performance.now();
    const memory = this.#memories.get(customerId);
    if (memory && now - memory.confirmedAt < leaseMs) {
      memory.usedAt = now;
      return memory.states;
    }
    return this.#read(customerId, now);
  }

  async #read(customerId: number, askedAt: number): Promise<States> {
    const { rows } = await this.#database.pool.query<StateRow>({
      name: 'versions',
      text: `with e as materialized (${await epochQuery(this.#database)})
        select d.kind, d.name, d.version, d.row_count, d.synced_at, d.changed_at,
          coalesce(p.revision, 0) as revision, p.announced_at is not null as announced, e.epoch, e.is_foreign
        from e cross join ${qualify(controlSchema, 'datasets')} d left join ${qualify(controlSchema, 'publications')} p using (customer_id)
        where d.customer_id = $1`,
      values: [customerId],
    });
    const [first] = rows;
    if (first?.is_foreign) {
      await settleEpochOf(this.#database);
      return this.#read(customerId, performance.now());
    }
    const byName = new Map(rows.map((row) => [keyOf(row.kind, row.name), row]));
    const states: States = { get: (kind, name) => byName.get(keyOf(kind, name)) };
    if (first && !first.announced && !this.#database.embedded && !this.#isClosed) {
      this.#memories.set(customerId, { states, revision: first.revision, epoch: first.epoch, confirmedAt: askedAt, usedAt: askedAt });
      this.#renewal ??= setInterval(() => void this.#renew().catch(() => {}), renewalMs).unref();
    }
    return states;
  }

  /** Confirms the memories that are in use, and drops those that something is announced for. */
  async #renew(): Promise<void> {
    const askedAt = performance.now();
    for (const [customerId, { usedAt }] of this.#memories) if (askedAt - usedAt > idleMs) this.#memories.delete(customerId);
    const asked = new Map(this.#memories);
    if (asked.size === 0) {
      clearInterval(this.#renewal);
      this.#renewal = undefined;
      return;
    }
    const { rows } = await this.#database.pool.query<EpochState & { customer_id: number; revision: number; announced: boolean }>({
      name: 'announcements',
      text: `with e as materialized (${await epochQuery(this.#database)})
        select e.epoch, e.is_foreign, customer_id, revision, announced_at is not null as announced
        from e left join ${qualify(controlSchema, 'publications')} on customer_id = any($1)`,
      values: [[...asked.keys()]],
    });
    const { epoch, is_foreign } = rows[0] ?? {};
    const isHere = is_foreign === false;
    const published = new Map(rows.map((row) => [row.customer_id, row]));
    for (const [customerId, memory] of asked) {
      const { revision = 0, announced = false } = published.get(customerId) ?? {};
      if (isHere && memory.epoch === epoch && !announced && revision === memory.revision)
        memory.confirmedAt = Math.max(memory.confirmedAt, askedAt);
      else if (this.#memories.get(customerId) === memory) this.#memories.delete(customerId);
    }
  }

  #lost(error: Error): void {
    if (this.#isClosed) return;
    void this.#listening?.close().catch(() => {});
    this.#listening = undefined;
    this.#options.onError?.(error);
    clearTimeout(this.#listenAgain);
    this.#listenAgain = setTimeout(() => void this.open(), listenAgainMs).unref();
  }
}
