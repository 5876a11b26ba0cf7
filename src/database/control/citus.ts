/**
 * Citus, if the database has it: each customer's schema is on one node, and `estate` is on the coordinator (decision 050).
 */
import type pg from 'pg';
import type { Database } from '../connections/connection.ts';

/** Schemas that a session creates are not distributed by themselves. Without Citus, the setting means nothing. */
export const createsPlainSchemas = `set citus.enable_schema_based_sharding = off`;

const hasExtension = async (client: pg.ClientBase | pg.Pool): Promise<boolean> => {
  const { rowCount } = await client.query(`select from pg_catalog.pg_extension where extname = 'citus'`);
  return rowCount === 1;
};

const known = new WeakMap<Database, Promise<boolean>>();

/** Whether customers' schemas may be on other nodes. It is read once. */
export const hasCitus = (database: Database): Promise<boolean> => {
  if (database.embedded) return Promise.resolve(false);
  const found = known.get(database) ?? hasExtension(database.pool);
  known.set(database, found);
  found.catch(() => known.delete(database));
  return found;
};

/** Distributes a customer's schema, in the client's transaction. Without Citus, or if it is distributed, nothing happens. */
export const distributeSchema = async (client: pg.ClientBase, schema: string): Promise<boolean> => {
  if (!(await hasExtension(client))) return false;
  const { rowCount } = await client.query(
    'select from pg_catalog.pg_dist_schema where schemaid = (select oid from pg_catalog.pg_namespace where nspname = $1)',
    [schema],
  );
  if (rowCount !== 0) return false;
  await client.query('select pg_catalog.citus_schema_distribute($1::regnamespace)', [schema]);
  return true;
};
