/**
 * The only way from a request to a database connection: through the customer's queue.
 *
 * There are as many slots as connections, so an admitted request never waits for a connection. When a client disconnects, its request
 * leaves the queue and its statement is cancelled.
 */
import type pg from 'pg';
import type { DataScope } from '../catalogue/data-scope.ts';
import { hasCitus } from '../database/cluster/citus.ts';
import { guardOf } from '../database/cluster/node-guard.ts';
import { type Database, type WorkClass, workClasses } from '../database/connections/connection.ts';
import { setTableNames, tableNamesOf } from '../database/connections/table-names.ts';
import { qualify } from '../database/identifier.ts';
import { ApiError, isTransient, maxRetries } from '../errors.ts';
import { databaseErrors, reads } from '../metrics.ts';
import { maxFilled } from '../plan/groups/groups.ts';
import type { Source } from '../plan/plan.ts';
import { type AbandonSignal, Queue, type Release } from '../scheduling/queue.ts';
import type { Timing } from '../timing.ts';
import { traceStatements } from '../wire/statements.ts';
import type { NodeReads, OtherServer } from './nodes.ts';
import type { Replicas } from './replicas.ts';

/** The customer, the data scope, the abort signal and the timing of one request. */
export interface RequestContext {
  readonly customerId: number;
  /** What the caller's key reads of the customer's tables; absent: everything. */
  readonly scope?: DataScope | undefined;
  readonly signal?: AbandonSignal | undefined;
  /** Records waits and connections. */
  readonly timing?: Timing | undefined;
}

/** The maximum number of waiting requests of one customer, by work class. */
export const maxWaiting = { pages: 200, documents: 100, large: 32 } as const satisfies Record<WorkClass, number>;

const canceled = '57014';
/** Raised for too many empty buckets (`sql/bands.ts`). */
const beyondFill = '2201E';
const tooManyBuckets = () =>
  new ApiError(
    'limitExceeded',
    `The answer would have more than ${maxFilled} groups with empty buckets: limit the rows by dates or values, choose larger buckets, or fill fewer keys`,
  );
const takesTooLong = () => new ApiError('timeout', '', { 'Retry-After': '30' });

/** Translates a database error into an `ApiError` where one exists. A statement timeout is not an internal error. */
export const translateDatabaseError = (error: unknown, signal: AbandonSignal | undefined): unknown => {
  if (signal?.aborted) return new ApiError('abandoned');
  if (error instanceof ApiError) return error;
  const { code } = error as { readonly code?: unknown };
  if (code === beyondFill) return tooManyBuckets();
  databaseErrors.inc({ class: typeof code === 'string' && code.length === 5 ? code.slice(0, 2) : 'connection' });
  return code === canceled ? takesTooLong() : error;
};

export interface ConnectionsOptions {
  /** The maximum wait for a slot, in milliseconds. */
  readonly queueWaitMs: number;
  /** The time limit for reading a GraphQL document, in milliseconds. */
  readonly documentTimeoutMs: number;
  readonly replicas?: Replicas | undefined;
  readonly nodes?: Pick<NodeReads, 'for'> | undefined;
}

/** `any`: an up-to-date replica or the customer's node if there is one, otherwise the primary. */
export type ServerChoice = 'any' | 'primary';

/** The server of a read, and how often the read was repeated after a transient error. */
export interface ReadAttempt {
  readonly server: ServerChoice;
  readonly retries: number;
}

const firstAttempt: ReadAttempt = { server: 'any', retries: 0 };

interface LeaseOptions {
  readonly customerId: number;
  readonly leave: Release;
  readonly signal: AbandonSignal | undefined;
  /** The server, if it is not the primary. */
  readonly other?: OtherServer | undefined;
  readonly attempt: ReadAttempt;
}

/** A connection that a request holds until `end`. */
export class LeasedConnection {
  readonly client: pg.PoolClient;
  readonly #database: Database;
  readonly #leave: Release;
  readonly #signal: AbandonSignal | undefined;
  readonly #other: OtherServer | undefined;
  readonly #attempt: ReadAttempt;
  readonly #unwatch: () => void;
  #cancelling: Promise<boolean> | undefined;
  #hasFailed = false;
  #isTransient = false;
  #isLate = false;
  #isBroken = false;
  #isEnded = false;

  constructor(client: pg.PoolClient, database: Database, { customerId, leave, signal, other, attempt }: LeaseOptions) {
    this.client = client;
    this.#database = database;
    this.#leave = leave;
    this.#signal = signal;
    this.#other = other;
    this.#attempt = attempt;
    this.#unwatch = guardOf(database).watch(customerId, client);
    setTableNames(client, other?.names);
    // Without a listener, a failing backend would end the process. The running query rejects as well.
    client.on('error', this.#onError);
    signal?.addEventListener('abort', this.cancel, { once: true });
  }

  /** Throws `timeout` or `abandoned` after cancellation. */
  throwIfCancelled(): void {
    if (this.#cancelling) throw translateDatabaseError({ code: canceled }, this.#signal);
  }

  /**
   * Where to retry the read; undefined if it is not repeated. A stopped replica, or one that cancelled a statement because of replay, is not a
   * failure of the service. Neither is a node that no longer has the customer, nor a transaction that lost against another one.
   */
  get nextAttempt(): ReadAttempt | undefined {
    if (this.#cancelling || !this.#hasFailed) return undefined;
    const { retries } = this.#attempt;
    // On a node, a statement takes as long as on the primary, so one that reached its time limit is not repeated.
    if (this.#other && !(this.#other.names && this.#isLate)) return { server: 'primary', retries };
    return this.#isTransient && retries < maxRetries ? { server: 'primary', retries: retries + 1 } : undefined;
  }

  /** Translates the error of a statement for callers. */
  translateError(error: unknown): unknown {
    if (!(error instanceof ApiError)) {
      this.#hasFailed = true;
      this.#isLate ||= (error as { readonly code?: unknown }).code === canceled;
      this.#other?.failed?.(false);
    }
    this.#isTransient ||= isTransient(error);
    return translateDatabaseError(error, this.#signal);
  }

  /** Cancels the running statement, if there is one. */
  readonly cancel = (): void => {
    if (!this.#isEnded) this.#cancelling ??= this.#database.cancel(this.client);
  };

  /** Returns the connection to its pool. A broken connection is discarded, and also if `isDropped`. */
  async end(isDropped = false): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#unwatch();
    this.#signal?.removeEventListener('abort', this.cancel);
    // A late cancel request must not cancel the next statement of this connection.
    const isUnsure = this.#cancelling !== undefined && !(await this.#cancelling);
    const drops = this.#isBroken || isDropped || isUnsure;
    this.client.removeListener('error', this.#onError);
    if (drops) this.client.once('error', () => {});
    setTableNames(this.client, undefined);
    this.client.release(drops);
    this.#leave();
  }

  readonly #onError = (): void => {
    this.#isBroken = true;
  };
}

/** A qualified table name. */
export type TableRef = Pick<Source, 'schema' | 'name'>;

/**
 * Begins a read-only snapshot and locks its tables first. A snapshot older than a replacement table (`sync/changes/replacements.ts`) would find it
 * empty.
 *
 * Citus sends a lock to every node, so a node that is lost would stop the reads of all customers. The setting keeps it on this server: on the
 * coordinator it locks the names of the tables, and on the customer's node the tables themselves.
 */
export const beginSnapshot = async (client: pg.ClientBase, tables: readonly TableRef[], isSharded = false): Promise<void> => {
  const own = tableNamesOf(client);
  const names = tables.map(({ schema, name }) => qualify(schema, name)).map((name) => own?.of(name) ?? name);
  const here = isSharded ? 'set local citus.enable_ddl_propagation = off; ' : '';
  await client.query(`begin isolation level repeatable read read only; ${here}lock table ${names.join()} in access share mode`);
};

export class Connections {
  readonly #database: Database;
  readonly #documentTimeoutMs: number;
  readonly #replicas: Replicas | undefined;
  readonly #nodes: Pick<NodeReads, 'for'> | undefined;
  readonly #queues: Readonly<Record<WorkClass, Queue>>;

  constructor(database: Database, { documentTimeoutMs, queueWaitMs, replicas, nodes }: ConnectionsOptions) {
    this.#database = database;
    this.#documentTimeoutMs = documentTimeoutMs;
    this.#replicas = replicas;
    this.#nodes = nodes;
    this.#queues = Object.fromEntries(
      workClasses.map((name) => {
        const slots = database.shares[name].options.max;
        return [name, new Queue({ name, slots, waiting: maxWaiting[name], waitMs: queueWaitMs })];
      }),
    ) as Record<WorkClass, Queue>;
  }

  /** Waits for a slot, without a connection. Throws `busy` and `abandoned` as `Queue.enter` does, and `unavailable` as the guard does. */
  async enter(workClass: WorkClass, { customerId, signal, timing }: RequestContext): Promise<Release> {
    guardOf(this.#database).check(customerId);
    return this.#queues[workClass].enter(customerId, signal, timing);
  }

  /** Runs control queries in a slot of the customer. */
  async within<T>(workClass: WorkClass, requestContext: RequestContext, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(workClass, requestContext);
    const disconnected = requestContext.timing?.connected();
    try {
      return await work();
    } finally {
      disconnected?.();
      leave();
    }
  }

  /** Waits for a slot and a connection. */
  async take(workClass: WorkClass, requestContext: RequestContext, attempt: ReadAttempt = firstAttempt): Promise<LeasedConnection> {
    const leave = await this.enter(workClass, requestContext);
    return this.#connect(workClass, requestContext, leave, attempt);
  }

  /**
   * Reads a document on one connection within its time limit. The caller holds the slot. A failed read on a replica is retried on the
   * primary, and a read with a transient error is repeated.
   */
  async read<T>(
    requestContext: RequestContext,
    work: (lease: LeasedConnection) => Promise<T>,
    attempt: ReadAttempt = firstAttempt,
  ): Promise<T> {
    const lease = await this.#connect('documents', requestContext, () => {}, attempt);
    const timer = setTimeout(lease.cancel, this.#documentTimeoutMs);
    let nextAttempt: ReadAttempt | undefined;
    try {
      const result = await work(lease);
      nextAttempt = lease.nextAttempt;
      if (!nextAttempt) return result;
    } catch (error) {
      lease.translateError(error);
      nextAttempt = lease.nextAttempt;
      if (!nextAttempt) throw error;
    } finally {
      clearTimeout(timer);
      await lease.end(nextAttempt !== undefined);
    }
    return this.read(requestContext, work, nextAttempt);
  }

  /**
   * Runs `work` on one connection. A failed read on a replica is retried on the primary, and a read with a transient error is repeated.
   * Throws `timeout` when a statement takes too long, and the errors of `take`.
   */
  async run<T>(
    workClass: WorkClass,
    requestContext: RequestContext,
    work: (client: pg.PoolClient) => Promise<T>,
    attempt: ReadAttempt = firstAttempt,
  ): Promise<T> {
    const lease = await this.take(workClass, requestContext, attempt);
    let nextAttempt: ReadAttempt | undefined;
    try {
      return await work(lease.client);
    } catch (error) {
      const translated = lease.translateError(error);
      nextAttempt = lease.nextAttempt;
      if (!nextAttempt) throw translated;
    } finally {
      await lease.end(nextAttempt !== undefined);
    }
    return this.run(workClass, requestContext, work, nextAttempt);
  }

  /** Runs `work` in a read-only snapshot of tables. */
  inSnapshot<T>(
    workClass: WorkClass,
    requestContext: RequestContext,
    tables: readonly TableRef[],
    work: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    return this.run(workClass, requestContext, async (client) => {
      try {
        await this.beginSnapshot(client, tables);
        return await work(client);
      } finally {
        await client.query('commit').catch(() => {});
      }
    });
  }

  /** `beginSnapshot` as this database needs it. */
  async beginSnapshot(client: pg.ClientBase, tables: readonly TableRef[]): Promise<void> {
    await beginSnapshot(client, tables, await hasCitus(this.#database, client));
  }

  /** A server that may answer for the customer instead of the primary. */
  async #otherFor(customerId: number): Promise<OtherServer | undefined> {
    const replica = await this.#replicas?.for(customerId);
    return replica ? { server: replica } : this.#nodes?.for(customerId);
  }

  async #connect(
    workClass: WorkClass,
    { customerId, signal, timing }: RequestContext,
    leave: Release,
    attempt: ReadAttempt,
  ): Promise<LeasedConnection> {
    const disconnected = timing?.connected();
    const giveBack = () => {
      disconnected?.();
      leave();
    };
    try {
      const other = attempt.server === 'any' ? await this.#otherFor(customerId) : undefined;
      const client = await other?.server.shares[workClass].connect().catch(() => {
        other.failed?.(true);
        return undefined;
      });
      reads[!client ? 'primary' : other?.names ? 'node' : 'replica']++;
      const options = { customerId, leave: giveBack, signal, attempt };
      const lease = client
        ? new LeasedConnection(client, this.#database, { ...options, other })
        : new LeasedConnection(await this.#database.shares[workClass].connect(), this.#database, options);
      traceStatements(lease.client, timing?.trace);
      return lease;
    } catch (error) {
      giveBack();
      throw error;
    }
  }
}
