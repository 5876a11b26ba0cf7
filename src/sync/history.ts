/** The history of a customer's loads. */
import type { Database } from '../database/connection.ts';
import { controlSchema } from '../database/control.ts';
import type { Customer } from '../database/customers.ts';
import { qualify } from '../database/identifier.ts';
import { isLoading } from '../database/load-lock.ts';
import { brokenOff } from './load-session.ts';

export interface SyncRun {
  readonly id: number;
  readonly mode: string;
  readonly tables: readonly string[];
  readonly started_at: Date;
  /** Null while the load is under way. */
  readonly ended_at: Date | null;
  /** Rows of raw tables. */
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly error: string | null;
}

/** Enters the end of loads whose process died: they have no end, and nobody holds their lock. */
export const endDeadRuns = async ({ pool }: Database): Promise<void> => {
  await pool.query(
    `update ${qualify(controlSchema, 'sync_runs')} r set ended_at = pg_catalog.clock_timestamp(), error = $1
     where r.ended_at is null and not ${isLoading('r.customer_id')}`,
    [brokenOff],
  );
};

/** The newest loads, newest first. */
export const listRuns = async (database: Database, customer: Pick<Customer, 'id'>, most = 50): Promise<SyncRun[]> => {
  await endDeadRuns(database);
  return database.control
    .selectFrom('sync_runs')
    .select(['id', 'mode', 'tables', 'started_at', 'ended_at', 'inserted', 'updated', 'deleted', 'error'])
    .where('customer_id', '=', customer.id)
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
};
