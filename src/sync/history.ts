/** The history of a customer's loads. */
import type { Database } from '../database/connection.ts';
import type { Customer } from '../database/customers.ts';

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

/** The newest loads, newest first. */
export const listRuns = ({ control }: Database, customer: Pick<Customer, 'id'>, most = 50): Promise<SyncRun[]> =>
  control
    .selectFrom('sync_runs')
    .select(['id', 'mode', 'tables', 'started_at', 'ended_at', 'inserted', 'updated', 'deleted', 'error'])
    .where('customer_id', '=', customer.id)
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
