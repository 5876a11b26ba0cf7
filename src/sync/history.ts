/** The history of a customer's loads. */
import type pg from 'pg';
import type { Database } from '../database/connections/connection.ts';
import { controlSchema } from '../database/control/control.ts';
import type { Customer } from '../database/control/customers.ts';
import { isLoading } from '../database/control/load-lock.ts';
import { qualify } from '../database/identifier.ts';
import type { Counts } from './changes/differences.ts';

const runs = qualify(controlSchema, 'sync_runs');

/** The error text of a load whose process died. */
const aborted = 'aborted';

export interface SyncRun {
  readonly id: number;
  readonly mode: string;
  readonly tables: readonly string[];
  readonly started_at: Date;
  /** Null while the load runs. */
  readonly ended_at: Date | null;
  /** Rows of raw tables. */
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly error: string | null;
}

/** Ends the customer's unfinished runs. Only the holder of the customer's lock calls it. */
export const endAborted = async (client: pg.ClientBase, { id }: Customer): Promise<void> => {
  await client.query(`update ${runs} set ended_at = pg_catalog.clock_timestamp(), error = $2 where customer_id = $1 and ended_at is null`, [
    id,
    aborted,
  ]);
};

/** Records the start of a load. */
export const beginRun = async (client: pg.ClientBase, customer: Customer, mode: string, tables: readonly string[]): Promise<number> => {
  const { rows } = await client.query<{ id: number }>(`insert into ${runs} (customer_id, mode, tables) values ($1, $2, $3) returning id`, [
    customer.id,
    mode,
    tables,
  ]);
  return rows[0]?.id ?? 0;
};

/** Records the end of a load: rows of raw tables, or the error. */
export const endRun = async (client: pg.ClientBase, id: number, { inserted, updated, deleted }: Counts, error?: string): Promise<void> => {
  await client.query(
    `update ${runs} set ended_at = pg_catalog.clock_timestamp(), inserted = $2, updated = $3, deleted = $4, error = $5 where id = $1`,
    [id, inserted, updated, deleted, error ?? null],
  );
};

/** Ends the runs whose process died: they are unfinished, and no session holds their lock. */
export const endDeadRuns = async ({ pool }: Database): Promise<void> => {
  await pool.query(
    `update ${runs} r set ended_at = pg_catalog.clock_timestamp(), error = $1
     where r.ended_at is null and not ${isLoading('r.customer_id')}`,
    [aborted],
  );
};

/** The newest loads, newest first. */
export const listRuns = async (database: Database, customer: Pick<Customer, 'id'>, max = 50): Promise<SyncRun[]> => {
  await endDeadRuns(database);
  return database.control
    .selectFrom('sync_runs')
    .select(['id', 'mode', 'tables', 'started_at', 'ended_at', 'inserted', 'updated', 'deleted', 'error'])
    .where('customer_id', '=', customer.id)
    .orderBy('id', 'desc')
    .limit(max)
    .execute();
};
