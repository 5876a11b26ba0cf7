/**
 * Runs VACUUM after the load's transaction, so that counts use index-only scans and deleted rows are freed. A server does it by itself
 * later. The embedded database never does, and a new customer need not wait.
 */
import type { Database } from '../../database/connections/connection.ts';
import type { Customer } from '../../database/control/customers.ts';
import { datasetsOf, runControlQuery } from '../../database/control/datasets.ts';
import { qualify } from '../../database/identifier.ts';

/** Vacuums the named tables of the customer; all registered tables by default. */
export const vacuum = async ({ pool }: Database, { schema_name }: Customer, tables?: readonly string[]): Promise<void> => {
  const names = tables ?? (await runControlQuery(pool, datasetsOf(schema_name).select('name'))).map(({ name }) => name);
  for (const name of names) await pool.query(`vacuum ${qualify(schema_name, name)}`);
};
