/**
 * The only way from a request to a database connection: through the customer's queue.
 *
 * There are as many slots as connections, so an admitted request never waits for a connection. When a client disconnects, its request
 * leaves the queue.
 */
import type pg from 'pg';
import type { DataScope } from '../catalogue/data-scope.ts';
import { citusOf } from '../database/cluster/citus.ts';
import { type Database, type WorkClass, workClasses } from '../database/connections/connection.ts';
import { sessionOf } from '../database/connections/pg-session.ts';
import { qualify } from '../database/identifier.ts';
import { reads } from '../metrics.ts';
import type { Plan, PlanSource } from '../plan/plan.ts';
import { type AbortSignalLike, Queue, type Release } from '../scheduling/queue.ts';
import type { Timing } from '../timing.ts';
import { LeasedConnection, type ReadAttempt } from './leased-connection.ts';
import type { NodeReads, OtherServer } from './nodes.ts';
import type { Replicas } from './replicas.ts';

/** The customer, the data scope, the abort signal and the timing of one request. */
export interface RequestContext {
  readonly customerId: number;
  /** What the caller's key reads of the customer's tables; absent: everything. */
  readonly scope?: DataScope | undefined;
  readonly signal?: AbortSignalLike | undefined;
  /** Records waits and connections. */
  readonly timing?: Timing | undefined;
}

/** The maximum number of waiting requests of one customer, by work class. */
export const maxWaiting = { pages: 200, documents: 100, large: 32 } as const satisfies Record<WorkClass, number>;

export interface ConnectionsOptions {
  /** The maximum wait for a slot, in milliseconds. */
  readonly queueWaitMs: number;
  /** The time limit for reading a GraphQL document, in milliseconds. */
  readonly documentTimeoutMs: number;
  readonly replicas?: Replicas | undefined;
  readonly nodes?: Pick<NodeReads, 'for'> | undefined;
}

/**
 * The work class of a plan. `others` is the class of other plans. Groups and conditions without an index can read many rows for any size of
 * their answer, so they use the slots of documents.
 */
export const workClassOf = ({ groups, isUnindexed }: Plan, others: 'pages' | 'large'): WorkClass =>
  groups || isUnindexed ? 'documents' : others;

const firstAttempt: ReadAttempt = { server: 'any', retries: 0 };

/** A qualified table name. */
export type TableRef = Pick<PlanSource, 'schema' | 'name'>;

/**
 * Begins a read-only snapshot and locks its tables first. A snapshot older than a replacement table (`sync/changes/replacements.ts`) would find it
 * empty. `setting` is SQL before the locks.
 */
export const beginSnapshot = async (client: pg.ClientBase, tables: readonly TableRef[], setting = ''): Promise<void> => {
  const own = sessionOf(client).tableNames;
  const names = tables.map(({ schema, name }) => qualify(schema, name)).map((name) => own?.of(name) ?? name);
  await client.query(`begin isolation level repeatable read read only; ${setting}lock table ${names.join()} in access share mode`);
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
    citusOf(this.#database).guard.check(customerId);
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
    await beginSnapshot(client, tables, await citusOf(this.#database).keepsLocksHere(client));
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
      sessionOf(lease.client).trace = timing?.trace;
      return lease;
    } catch (error) {
      giveBack();
      throw error;
    }
  }
}
