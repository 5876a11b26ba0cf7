/**
 * Citus, if the database has it: each customer's schema is on one node, and `estate` is on the coordinator (decision 050).
 */
import type pg from 'pg';
import type { Database } from '../connections/connection.ts';
import { inTransaction } from '../connections/transaction.ts';
import { controlSchema } from '../control/control-schema.ts';
import { loadLockSpace } from '../control/load-lock.ts';
import { stateTable } from '../control/state-tables.ts';
import { qualify } from '../identifier.ts';

const hasExtension = async (client: pg.ClientBase | pg.Pool): Promise<boolean> => {
  const { rowCount } = await client.query(`select from pg_catalog.pg_extension where extname = 'citus'`);
  return rowCount === 1;
};

const known = new WeakMap<Database, Promise<boolean>>();

/** Whether customers' schemas may be on other nodes. It is read once, on a connection that the caller has or on one of its own. */
export const hasCitus = (database: Database, client: pg.ClientBase | pg.Pool = database.pool): Promise<boolean> => {
  if (database.embedded) return Promise.resolve(false);
  const found = known.get(database) ?? hasExtension(client);
  known.set(database, found);
  found.catch(() => known.delete(database));
  return found;
};

/**
 * Runs definitions of tables and indexes. One text saves round trips. Citus sends such a text to the nodes as it is, where it may have one
 * statement only.
 */
export const runDefinitions = async (database: Database, client: pg.ClientBase, statements: readonly string[]): Promise<void> => {
  if (statements.length === 0) return;
  const texts = (await hasCitus(database, client)) ? statements : [statements.join('; ')];
  for (const text of texts) await client.query(text);
};

/** Distributes a customer's schema, in the client's transaction. Without Citus, or if it is distributed, nothing happens. */
export const distributeSchema = async (client: pg.ClientBase, schema: string): Promise<boolean> => {
  if (!(await hasExtension(client))) return false;
  const { rowCount } = await client.query(
    'select from pg_catalog.pg_dist_schema where schemaid = (select oid from pg_catalog.pg_namespace where nspname = $1)',
    [schema],
  );
  if (rowCount !== 0) return false;
  // Distributed tables have no triggers. This one is for instances of an earlier version.
  await client.query(`drop trigger if exists mirrors_dataset on ${stateTable(schema, '_datasets')}`);
  await client.query('select pg_catalog.citus_schema_distribute($1::regnamespace)', [schema]);
  return true;
};

interface Undistributed {
  readonly id: number;
  readonly slug: string;
  readonly schema_name: string;
}

/** The customers whose schemas are on the coordinator. The database has Citus. */
export const listUndistributed = async (pool: pg.Pool): Promise<readonly Undistributed[]> => {
  const { rows } = await pool.query<Undistributed>(
    `select c.id, c.slug, c.schema_name from ${qualify(controlSchema, 'customers')} c join pg_catalog.pg_namespace n on n.nspname = c.schema_name
     where n.oid not in (select schemaid from pg_catalog.pg_dist_schema) order by c.slug`,
  );
  return rows;
};

/**
 * Distributes the schemas of all customers that are on the coordinator, each in a transaction under the customer's load lock. Readers of a
 * customer wait while its rows are copied. Returns the slugs. Instances of version 1.2 and earlier must not run.
 */
export const distributeCustomers = async (database: Database): Promise<readonly string[]> => {
  if (!(await hasCitus(database))) return [];
  const distributed: string[] = [];
  for (const { id, slug, schema_name } of await listUndistributed(database.pool)) {
    const isNew = await inTransaction(database.pool, async (client) => {
      await client.query('set local statement_timeout = 0');
      await client.query('select pg_catalog.pg_advisory_xact_lock($1, $2)', [loadLockSpace, id]);
      return distributeSchema(client, schema_name);
    });
    if (isNew) distributed.push(slug);
  }
  return distributed;
};
