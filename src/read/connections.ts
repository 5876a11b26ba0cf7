/**
 * The only way to a database connection for what callers ask: through the customer's queue, and back when the work is done.
 *
 * There are as many places as connections, so whoever is admitted never waits for one. Whoever goes away leaves the queue,
 * or has the statement cancelled that nobody waits for any more.
 */
import type pg from 'pg';
import { type Database, type Server, type WorkClass, workClasses } from '../database/connection.ts';
import { qualify } from '../database/identifier.ts';
import { ApiError } from '../errors.ts';
import { databaseErrors, reads } from '../metrics.ts';
import type { Timing } from '../timing.ts';
import type { Source } from './plan.ts';
import { type AbandonSignal, type Leave, Queue } from './queue.ts';
import type { Replicas } from './replicas.ts';
import { traceStatements } from './traced.ts';

/** On whose behalf something is read, and whether anybody still waits for it. */
export interface Asker {
  readonly customerId: number;
  readonly signal?: AbandonSignal | undefined;
  /** Told of waits and connections. */
  readonly timing?: Timing | undefined;
}

/** How many requests of one customer may wait for each class. */
export const mostWaiting = { pages: 200, documents: 100, large: 32 } as const satisfies Record<WorkClass, number>;

const canceled = '57014';
const takesTooLong = () => new ApiError('timeout', '', { 'Retry-After': '30' });

/** A failure as callers are told it: a statement that ran out of time is no fault of the service. */
export const asTimeout = (error: unknown, signal: AbandonSignal | undefined): unknown => {
  if (signal?.aborted) return new ApiError('abandoned');
  if (error instanceof ApiError) return error;
  const { code } = error as { readonly code?: unknown };
  databaseErrors.inc({ class: typeof code === 'string' && code.length === 5 ? code.slice(0, 2) : 'connection' });
  return code === canceled ? takesTooLong() : error;
};

export interface ConnectionsOptions {
  /** How long a request waits for its place, in milliseconds. */
  readonly queueWaitMs: number;
  /** How long a GraphQL document may read, in milliseconds. */
  readonly documentTimeoutMs: number;
  readonly replicas?: Replicas | undefined;
}

/** A connection of a customer's, until it is given back. */
export class Lease {
  readonly client: pg.PoolClient;
  readonly #database: Database;
  readonly #leave: Leave;
  readonly #signal: AbandonSignal | undefined;
  /** The replica that it leads to; undefined at the primary. */
  readonly #replica: Server | undefined;
  #cancelling: Promise<boolean> | undefined;
  #hasFailed = false;
  #isBroken = false;
  #isEnded = false;

  constructor(client: pg.PoolClient, database: Database, leave: Leave, signal: AbandonSignal | undefined, replica?: Server) {
    this.client = client;
    this.#database = database;
    this.#leave = leave;
    this.#signal = signal;
    this.#replica = replica;
    // A backend that dies would otherwise end the process; the query under way rejects as well.
    client.on('error', this.#onError);
    signal?.addEventListener('abort', this.cancel, { once: true });
  }

  /** Throws `timeout` or `abandoned` when nothing more is to be read. */
  throwIfCancelled(): void {
    if (this.#cancelling) throw asTimeout({ code: canceled }, this.#signal);
  }

  /**
   * Whether what was read is to be read again at the primary: a replica that is stopped, or that had to give up a statement for
   * what it replays, is no failure of the service.
   */
  get isWorthAnother(): boolean {
    return this.#replica !== undefined && this.#hasFailed && !this.#cancelling;
  }

  /** A failure of a statement as callers are told it. */
  told(error: unknown): unknown {
    if (!(error instanceof ApiError)) this.#hasFailed = true;
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
    const drops = this.#isBroken || isDropped || isUnsure;
    this.client.removeListener('error', this.#onError);
    if (drops) this.client.once('error', () => {});
    this.client.release(drops);
    this.#leave();
  }

  readonly #onError = (): void => {
    this.#isBroken = true;
  };
}

/** A table, qualified. */
export type Place = Pick<Source, 'schema' | 'name'>;

/**
 * Begins a read-only snapshot of tables, which are locked first: a snapshot that is older than a table that takes another's
 * place (`sync/replacements.ts`) would find it empty.
 */
export const beginSnapshot = async (client: pg.ClientBase, places: readonly Place[]): Promise<void> => {
  const tables = places.map(({ schema, name }) => qualify(schema, name)).join();
  await client.query(`begin isolation level repeatable read read only; lock table ${tables} in access share mode`);
};

/** At a replica that is up to date, if there is one, or at the primary. */
export type Where = 'any' | 'primary';

export class Connections {
  readonly #database: Database;
  readonly #documentTimeoutMs: number;
  readonly #replicas: Replicas | undefined;
  readonly #queues: Readonly<Record<WorkClass, Queue>>;

  constructor(database: Database, { documentTimeoutMs, queueWaitMs, replicas }: ConnectionsOptions) {
    this.#database = database;
    this.#documentTimeoutMs = documentTimeoutMs;
    this.#replicas = replicas;
    this.#queues = Object.fromEntries(
      workClasses.map((name) => {
        const places = database.shares[name].options.max;
        return [name, new Queue({ name, places, waiting: mostWaiting[name], waitMs: queueWaitMs })];
      }),
    ) as Record<WorkClass, Queue>;
  }

  /** Waits for a place without a connection. Throws `busy` and `abandoned` as `Queue.enter` does. */
  enter(share: WorkClass, { customerId, signal, timing }: Asker): Promise<Leave> {
    return this.#queues[share].enter(customerId, signal, timing);
  }

  /** Runs what asks the service's own tables in the customer's turn. */
  async within<T>(share: WorkClass, asker: Asker, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(share, asker);
    const disconnected = asker.timing?.connected();
    try {
      return await work();
    } finally {
      disconnected?.();
      leave();
    }
  }

  /** Waits for a connection, likewise. */
  async take(share: WorkClass, asker: Asker, server: Where = 'any'): Promise<Lease> {
    const leave = await this.enter(share, asker);
    return this.#connect(share, asker, leave, server);
  }

  /**
   * Runs the reading of a document whose place its caller holds, on one connection and within the time that it has. What a replica
   * fails at is done again at the primary.
   */
  async read<T>(asker: Asker, work: (lease: Lease) => Promise<T>, server: Where = 'any'): Promise<T> {
    const lease = await this.#connect('documents', asker, () => {}, server);
    const timer = setTimeout(lease.cancel, this.#documentTimeoutMs);
    try {
      const result = await work(lease);
      if (!lease.isWorthAnother) return result;
    } catch (error) {
      lease.told(error);
      if (!lease.isWorthAnother) throw error;
    } finally {
      clearTimeout(timer);
      await lease.end(lease.isWorthAnother);
    }
    return this.read(asker, work, 'primary');
  }

  /**
   * Runs `work` on one connection, and again at the primary if a replica fails. Throws `timeout` when a statement takes too long,
   * and what `take` throws.
   */
  async run<T>(share: WorkClass, asker: Asker, work: (client: pg.PoolClient) => Promise<T>, server: Where = 'any'): Promise<T> {
    const lease = await this.take(share, asker, server);
    try {
      return await work(lease.client);
    } catch (error) {
      const told = lease.told(error);
      if (!lease.isWorthAnother) throw told;
    } finally {
      await lease.end(lease.isWorthAnother);
    }
    return this.run(share, asker, work, 'primary');
  }

  /** The same in one read-only snapshot of tables. */
  inSnapshot<T>(share: WorkClass, asker: Asker, places: readonly Place[], work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.run(share, asker, async (client) => {
      try {
        await beginSnapshot(client, places);
        return await work(client);
      } finally {
        await client.query('commit').catch(() => {});
      }
    });
  }

  async #connect(share: WorkClass, { customerId, signal, timing }: Asker, leave: Leave, where: Where): Promise<Lease> {
    const disconnected = timing?.connected();
    const giveBack = () => {
      disconnected?.();
      leave();
    };
    try {
      const replica = where === 'any' ? await this.#replicas?.for(customerId) : undefined;
      const client = await replica?.shares[share].connect().catch(() => undefined);
      reads[client ? 'replica' : 'primary']++;
      const lease = client
        ? new Lease(client, this.#database, giveBack, signal, replica)
        : new Lease(await this.#database.shares[share].connect(), this.#database, giveBack, signal);
      traceStatements(lease.client, timing?.trace);
      return lease;
    } catch (error) {
      giveBack();
      throw error;
    }
  }
}
