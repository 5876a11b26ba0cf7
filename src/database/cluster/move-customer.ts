/**
 * Moves a customer's schema to another node of Citus, under the customer's load lock. A running load completes first, and loads that start
 * meanwhile wait. Requests are answered during the move: rows are copied by logical replication, and the switch takes a moment.
 *
 * The move is one transaction. If it is cancelled, or its process or a node ends, the customer is where it was. Citus removes the copies
 * that it leaves.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { isTransient, maxRetries, OperatorError } from '../../errors.ts';
import type { Database } from '../connections/connection.ts';
import { sessionOf } from '../connections/pg-session.ts';
import { withClient } from '../connections/transaction.ts';
import { controlSchema } from '../control-tables.ts';
import { qualify, quote } from '../identifier.ts';
import { releaseLoadLock, takeLoadLock } from '../load-lock.ts';
import { citusOf } from './citus.ts';
import { addressText, findNode, type NodeAddress, nodeOf } from './nodes.ts';

/** The state of a move: what Citus does, and the bytes on the new node and in all. */
export interface MoveStep {
  readonly status: string;
  readonly copied: number;
  readonly total: number;
}

export interface MoveOptions {
  /** Stops the move. */
  readonly signal?: AbortSignal;
  /** Called without a step before a wait for a load, and with a step at the beginning of the move and about once a second. */
  readonly progress?: (step?: MoveStep) => void;
}

export interface Moved {
  readonly from: NodeAddress;
  readonly to: NodeAddress;
  /** False if the customer was on this node already. */
  readonly isMoved: boolean;
}

const canceled = '57014';
const intervalMs = 1_000;

/** A move may take long. The server detects a lost client within seconds. */
const settings = { statement_timeout: '0', client_connection_check_interval: '2s' } as const;

const stepQuery = `select coalesce(max(status), '') as status, coalesce(sum(target_shard_size), 0)::float8 as copied,
  coalesce(sum(source_shard_size), 0)::float8 as total from pg_catalog.get_rebalance_progress() where sessionid = $1`;

/** Reports the steps of a session's move until the result is called. A question that fails is repeated. */
const watchMove = (database: Database, client: pg.PoolClient, progress: NonNullable<MoveOptions['progress']>): (() => void) => {
  const { processId } = sessionOf(client);
  let isAsking = false;
  const ask = async () => {
    if (isAsking) return;
    isAsking = true;
    try {
      const { rows } = await database.operators.pool.query<MoveStep>(stepQuery, [processId]);
      if (rows[0]?.status) progress(rows[0]);
    } catch {
      // The move itself reports what is wrong.
    } finally {
      isAsking = false;
    }
  };
  const timer = setInterval(() => void ask(), intervalMs);
  return () => clearInterval(timer);
};

/** Citus removes the copies of an earlier move in the background, and refuses the next one meanwhile. */
const removesCopies = /^shard move failed as the orphaned shard .* could not be cleaned up/;
const removedWithinMs = 60_000;

/** The customer that moves. */
type Moving = Readonly<Record<'slug' | 'schema_name', string>> & { readonly id: number };

/** Runs the move, again while Citus removes earlier copies, and after a transient error. */
const moveSchema = async (client: pg.PoolClient, values: readonly unknown[], { progress, signal }: MoveOptions): Promise<void> => {
  const end = performance.now() + removedWithinMs;
  for (let retries = 0; ; ) {
    signal?.throwIfAborted();
    try {
      await client.query('select pg_catalog.citus_schema_move($1::regnamespace, $2::text, $3::integer)', [...values]);
      return;
    } catch (error) {
      const waits = removesCopies.test((error as Error).message) && performance.now() < end;
      if (!waits && !(isTransient(error) && retries++ < maxRetries)) throw error;
    }
    progress?.({ status: 'waiting for the removal of earlier copies', copied: 0, total: 0 });
    await pause(intervalMs, undefined, signal && { signal });
  }
};

const move = async (
  database: Database,
  client: pg.PoolClient,
  { id, slug, schema_name }: Moving,
  to: NodeAddress,
  { progress = () => {}, signal }: MoveOptions,
): Promise<Moved> => {
  findNode(await citusOf(database).nodes(client), to);
  await takeLoadLock(client, id, () => progress());
  const { rowCount } = await client.query(`select from ${qualify(controlSchema, 'customers')} where id = $1`, [id]);
  if (rowCount === 0) throw new OperatorError(`There is no customer '${slug}' any more.`);
  const from = await nodeOf(client, schema_name);
  if (!from) throw new OperatorError(`The schema of '${slug}' is not distributed. Run: estate migrate.`);
  if (from.host === to.host && from.port === to.port) return { from, to, isMoved: false };
  signal?.throwIfAborted();
  progress({ status: 'starting', copied: 0, total: 0 });
  const unwatch = watchMove(database, client, progress);
  try {
    await moveSchema(client, [quote(schema_name), to.host, to.port], { progress, ...(signal && { signal }) });
  } catch (error) {
    if ((error as { code?: string }).code === canceled) throw error;
    throw new OperatorError(`The move failed, and ${slug} is on ${addressText(from)} as before: ${(error as Error).message}`);
  } finally {
    unwatch();
  }
  return { from, to, isMoved: true };
};

/**
 * Moves a customer to a node. Throws an `OperatorError` if the database has no Citus, the node is unknown, the move is stopped or it fails.
 * Then the customer is where it was.
 */
export const moveCustomer = (database: Database, customer: Moving, to: NodeAddress, options: MoveOptions = {}): Promise<Moved> =>
  withClient(database.pool, async (client) => {
    const { signal } = options;
    const stop = () => void database.cancel(client);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      signal?.throwIfAborted();
      if (!database.embedded) for (const [name, value] of Object.entries(settings)) await client.query(`set ${name} = '${value}'`);
      return await move(database, client, customer, to, options);
    } catch (error) {
      if (!signal?.aborted) throw error;
      throw new OperatorError(`${customer.slug}: stopped; the customer was not moved.`);
    } finally {
      signal?.removeEventListener('abort', stop);
      await releaseLoadLock(client, customer.id).catch(() => {});
      if (!database.embedded) for (const name of Object.keys(settings)) await client.query(`reset ${name}`).catch(() => {});
    }
  });
