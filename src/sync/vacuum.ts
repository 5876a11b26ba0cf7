/**
 * Lets counts and key-only reads use indexes alone, and frees what was deleted; after the load's transaction, which VACUUM
 * cannot join. A server does it by itself in time; the embedded database never does, and a new customer need not wait.
 */
import type { Database } from '../database/connection.ts';
import type { Customer } from '../database/customers.ts';
import { ask, datasetsOf } from '../database/datasets.ts';
import { qualify } from '../database/identifier.ts';

/** Vacuums tables of the customer; all that are registered unless some are named. */
export const vacuum = async ({ pool }: Database, { id, schema_name }: Customer, tables?: readonly string[]): Promise<void> => {
  const names = tables ?? (await ask(pool, datasetsOf(id).select('name'))).map(({ name }) => name);
  for (const name of names) await pool.query(`vacuum ${qualify(schema_name, name)}`);
};
