/**
 * The only way to a database connection for what callers ask: through the customer's queue, and back when the work is done.
 *
 * There are as many places as connections, so whoever is admitted never waits for one. Whoever goes away leaves the queue,
 * or has the statement cancelled that nobody waits for any more.
 */
import type pg from 'pg';
import { type Database, type WorkClass, workClasses } from '../database/connection.ts';
import { ApiError } from '../errors.ts';
import { type Leave, Queue } from './queue.ts';

/** On whose behalf something is read, and whether anybody still waits for it. */
export interface Asker {
  readonly customerId: number;
  readonly signal?: AbortSignal | undefined;
}

/** How many requests of one customer may wait for each class. */
export const mostWaiting = { pages: 200, documents: 100, large: 32 } as const satisfies Record<WorkClass, number>;

const canceled = '57014';
const takesTooLong = () => new ApiError('timeout', '', { 'Retry-After': '30' });

/** A failure as callers are told it: a statement that ran out of time is no fault of the service. */
export const asTimeout = (error: unknown, signal: AbortSignal | undefined): unknown => {
  if (signal?.aborted) return new ApiError('abandoned');
  return (error as { code?: unknown } | null)?.code === canceled ? takesTooLong() : error;
};

export interface ConnectionsOptions {
  /** How long a request waits for its place, in milliseconds. */
  readonly queueWaitMs: number;
  /** How long a GraphQL document may read, in milliseconds. */
  readonly documentTimeoutMs: number;
}

/** A connection of a customer's, until it is given back. */
export class Lease {
  readonly client: pg.PoolClient;
  readonly #database: Database;
  readonly #leave: Leave;
  readonly #signal: AbortSignal | undefined;
  #cancelling: Promise<boolean> | undefined;
  #isBroken = false;
  #isEnded = false;

  constructor(client: pg.PoolClient, database: Database, leave: Leave, signal: AbortSignal | undefined) {
    this.client = client;
    this.#database = database;
    this.#leave = leave;
    this.#signal = signal;
    // A backend that dies would otherwise end the process; the query under way rejects as well.
    client.on('error', this.#onError);
    signal?.addEventListener('abort', this.cancel, { once: true });
  }

  /** Throws `timeout` or `abandoned` when nothing more is to be read. */
  throwIfCancelled(): void {
    if (this.#cancelling) throw asTimeout({ code: canceled }, this.#signal);
  }

  /** A failure of a statement as callers are told it. */
  told(error: unknown): unknown {
    return asTimeout(error, this.#signal);
  }

  /** Ends the statement that is under way, if there is one. */
  readonly cancel = (): void => {
    if (!this.#isEnded) this.#cancelling ??= this.#database.cancel(this.client);
  };

  /** Gives the connection back; it is dropped if it broke, or if `isDropped`. */
  async end(isDropped = false): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#signal?.removeEventListener('abort', this.cancel);
    // A cancellation that may still be on its way must not meet the next statement.
    const isUnsure = this.#cancelling !== undefined && !(await this.#cancelling);
    const drops = this.#isBroken || ((isDropped || isUnsure) && !this.#database.embedded);
    this.client.removeListener('error', this.#onError);
    if (drops) this.client.once('error', () => {});
    this.client.release(drops);
    this.#leave();
  }

  readonly #onError = (): void => {
    this.#isBroken = true;
  };
}

export class Connections {
  readonly #database: Database;
  readonly #documentTimeoutMs: number;
  readonly #queues: Readonly<Record<WorkClass, Queue>>;

  constructor(database: Database, { documentTimeoutMs, queueWaitMs }: ConnectionsOptions) {
    this.#database = database;
    this.#documentTimeoutMs = documentTimeoutMs;
    this.#queues = Object.fromEntries(
      workClasses.map((name) => {
        const places = database.shares[name].options.max;
        return [name, new Queue({ places, waiting: mostWaiting[name], waitMs: queueWaitMs })];
      }),
    ) as Record<WorkClass, Queue>;
  }

  /** Waits for a place without a connection. Throws `busy` and `abandoned` as `Queue.enter` does. */
  enter(share: WorkClass, { customerId, signal }: Asker): Promise<Leave> {
    return this.#queues[share].enter(customerId, signal);
  }

  /** Runs what asks the service's own tables in the customer's turn. */
  async within<T>(share: WorkClass, asker: Asker, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(share, asker);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Waits for a connection, likewise. */
  async take(share: WorkClass, asker: Asker): Promise<Lease> {
    const leave = await this.enter(share, asker);
    return this.#connect(share, asker, leave);
  }

  /** Runs the reading of a document whose place its caller holds, on one connection and within the time that it has. */
  async read<T>(asker: Asker, work: (lease: Lease) => Promise<T>): Promise<T> {
    const lease = await this.#connect('documents', asker, () => {});
    const timer = setTimeout(lease.cancel, this.#documentTimeoutMs);
    try {
      return await work(lease);
    } finally {
      clearTimeout(timer);
      await lease.end();
    }
  }

  /** Runs `work` on one connection. Throws `timeout` when a statement takes too long, and what `take` throws. */
  async run<T>(share: WorkClass, asker: Asker, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const lease = await this.take(share, asker);
    try {
      return await work(lease.client);
    } catch (error) {
      throw asTimeout(error, asker.signal);
    } finally {
      await lease.end();
    }
  }

  /** The same in one read-only snapshot. */
  inSnapshot<T>(share: WorkClass, asker: Asker, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.run(share, asker, async (client) => {
      await client.query('begin isolation level repeatable read read only');
      try {
        return await work(client);
      } finally {
        await client.query('commit').catch(() => {});
      }
    });
  }

  async #connect(share: WorkClass, { signal }: Asker, leave: Leave): Promise<Lease> {
    try {
      return new Lease(await this.#database.shares[share].connect(), this.#database, leave, signal);
    } catch (error) {
      leave();
      throw error;
    }
  }
}
