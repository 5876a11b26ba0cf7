/**
 * The connection of a load and the lock that keeps loads of one customer apart.
 *
 * A load is one session: when its process dies, however it dies, the server ends the session, rolls back and gives up the
 * lock. What it had staged stands in a schema of its own, which the next load drops first; a run in the history that has no
 * end although the lock was free is one that died.
 */
import type pg from 'pg';
import { type Database, withClient } from '../database/connection.ts';
import { controlSchema } from '../database/control-schema.ts';
import type { Customer } from '../database/customers.ts';
import { settleEpoch } from '../database/epoch.ts';
import { qualify, quote } from '../database/identifier.ts';
import { loadLockSpace, stagingOf } from '../database/load-lock.ts';
import { OperatorError } from '../errors.ts';
import { endBrokenOff } from './history.ts';

export interface LoadSession {
  readonly database: Database;
  readonly client: pg.PoolClient;
  readonly customer: Customer;
  /** The schema that holds what is staged. */
  readonly staging: string;
}

/** Loads may take long and sort much; a server notices within seconds that its loader is gone. */
const settings = [
  { name: 'statement_timeout', value: '0' },
  { name: 'work_mem', value: '64MB' },
  { name: 'maintenance_work_mem', value: '256MB' },
  { name: 'client_connection_check_interval', value: '2s' },
  // What is staged need not survive a crash; the load's own transaction does wait for the disk.
  { name: 'synchronous_commit', value: 'off' },
] as const;

/** Takes the customer's lock if it is free. */
export const tryLock = async (client: pg.ClientBase, { id }: Customer): Promise<boolean> => {
  const { rows } = await client.query<{ locked: boolean }>('select pg_catalog.pg_try_advisory_lock($1, $2) as locked', [loadLockSpace, id]);
  return rows[0]?.locked ?? false;
};

export const unlock = async (client: pg.ClientBase, { id }: Customer): Promise<void> => {
  await client.query('select pg_catalog.pg_advisory_unlock($1, $2)', [loadLockSpace, id]);
};

const lock = async (client: pg.ClientBase, customer: Customer, waiting: () => void): Promise<void> => {
  if (await tryLock(client, customer)) return;
  waiting();
  await client.query('select pg_catalog.pg_advisory_lock($1, $2)', [loadLockSpace, customer.id]);
};

/** Removes what a load staged; only for the holder of the lock. */
export const dropStaging = async (client: pg.ClientBase, customer: Customer): Promise<void> => {
  await client.query(`drop schema if exists ${quote(stagingOf(customer.id))} cascade`);
};

/** The customer may have been removed while its lock was waited for. */
const refuseRemoved = async (client: pg.ClientBase, { id, slug }: Customer): Promise<void> => {
  const { rowCount } = await client.query(`select from ${qualify(controlSchema, 'customers')} where id = $1`, [id]);
  if (rowCount === 0) throw new OperatorError(`There is no customer '${slug}' any more.`);
};

/** Removes what an earlier load left behind; only for the holder of the lock. */
const cleanUp = async (client: pg.ClientBase, customer: Customer): Promise<void> => {
  await dropStaging(client, customer);
  await endBrokenOff(client, customer);
};

/**
 * Runs a load that no other of this customer overlaps; `waiting` is called when there is one to wait for. Nothing staged
 * outlives it. `watch` is given the connection before anything waits, and what it gives back is called when the work is over.
 */
export const withLoadSession = async <T>(
  database: Database,
  customer: Customer,
  waiting: () => void,
  work: (session: LoadSession) => Promise<T>,
  watch: (client: pg.PoolClient) => () => Promise<void> = () => async () => {},
): Promise<T> =>
  withClient(database.pool, async (client) => {
    const unwatch = watch(client);
    try {
      if (!database.embedded) for (const { name, value } of settings) await client.query(`set ${name} = '${value}'`);
      await lock(client, customer, waiting);
      await refuseRemoved(client, customer);
      await cleanUp(client, customer);
      // Before anything is published: versions must not repeat those of before a restore.
      await settleEpoch(client);
      const staging = stagingOf(customer.id);
      await client.query(`create schema ${quote(staging)}`);
      return await work({ database, client, customer, staging });
    } finally {
      await unwatch();
      await end(client, customer, database.embedded);
    }
  });

/** Nothing here may hide why the load failed; what cannot be done now, the next load does. */
const end = async (client: pg.PoolClient, customer: Customer, isOnlyConnection: boolean): Promise<void> => {
  await dropStaging(client, customer).catch(() => {});
  await unlock(client, customer).catch(() => {});
  if (!isOnlyConnection) for (const { name } of settings) await client.query(`reset ${name}`).catch(() => {});
};
