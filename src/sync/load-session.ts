/**
 * The connection of a load and the lock that separates loads of one customer.
 *
 * A load is one session. When its process dies, the server ends the session, rolls back and releases the lock. Its staging tables are in
 * the customer's schema, so that each statement of the load touches one schema. Their names have a space, which no other table's name has.
 * The next load drops them first. A run without an end, whose lock is free, belongs to a dead process.
 */
import type pg from 'pg';
import type { Database } from '../database/connections/connection.ts';
import { lostClientSettings } from '../database/connections/session-settings.ts';
import { withClient } from '../database/connections/transaction.ts';
import type { Customer } from '../database/control/customers.ts';
import { ensureEpoch, ensureVersions } from '../database/control/epoch.ts';
import { controlSchema } from '../database/control-tables.ts';
import { qualify } from '../database/identifier.ts';
import { releaseLoadLock, takeLoadLock } from '../database/load-lock.ts';
import { OperatorError } from '../errors.ts';
import { endAborted } from './history.ts';

export interface LoadSession {
  readonly database: Database;
  readonly client: pg.PoolClient;
  readonly customer: Customer;
}

/** Loads may run long and sort large tables. The server detects a lost client within seconds. */
const settings = [
  { name: 'statement_timeout', value: '0' },
  { name: 'work_mem', value: '64MB' },
  { name: 'maintenance_work_mem', value: '256MB' },
  ...Object.entries(lostClientSettings).map(([name, value]) => ({ name, value })),
  // Staging tables need not survive a crash. The load's own transaction waits for the disk.
  { name: 'synchronous_commit', value: 'off' },
] as const;

/** Drops the staging tables. Only the holder of the lock calls it. */
export const dropStaging = async (client: pg.ClientBase, { schema_name }: Customer): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind = 'r' and c.relname like '% %'`,
    [schema_name],
  );
  if (rows.length > 0) await client.query(`drop table ${rows.map(({ name }) => qualify(schema_name, name)).join(', ')}`);
};

/** The customer may have been removed during the wait for its lock. */
const refuseRemoved = async (client: pg.ClientBase, { id, slug }: Customer): Promise<void> => {
  const { rowCount } = await client.query(`select from ${qualify(controlSchema, 'customers')} where id = $1`, [id]);
  if (rowCount === 0) throw new OperatorError(`There is no customer '${slug}' any more.`);
};

/** Drops the staging tables of an earlier load. Only the holder of the lock calls it. */
const cleanUp = async (client: pg.ClientBase, customer: Customer): Promise<void> => {
  await dropStaging(client, customer);
  await endAborted(client, customer);
};

/**
 * Runs a load without overlap with others of this customer. `waiting` is called if another load runs
 * or the customer moves to another node. Staging tables are dropped at the
 * end. `watch` receives the connection before any wait; its result is called after the work.
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
      await takeLoadLock(client, customer.id, waiting);
      await refuseRemoved(client, customer);
      await cleanUp(client, customer);
      // A restore must be detected before a publication, because versions must not repeat.
      await ensureEpoch(client);
      await ensureVersions(client, { id: customer.id, schema: customer.schema_name });
      return await work({ database, client, customer });
    } finally {
      await unwatch();
      await end(client, customer, database.embedded);
    }
  });

/** A failure here must not hide the error of the load. The next load repeats the clean-up. */
const end = async (client: pg.PoolClient, customer: Customer, isOnlyConnection: boolean): Promise<void> => {
  await dropStaging(client, customer).catch(() => {});
  await releaseLoadLock(client, customer.id).catch(() => {});
  if (!isOnlyConnection) for (const { name } of settings) await client.query(`reset ${name}`).catch(() => {});
};
