/** The history of a customer's loads. */
import type pg from 'pg';
import type { Database } from '../database/connection.ts';
import { controlSchema } from '../database/control.ts';
import type { Customer } from '../database/customers.ts';
import { qualify } from '../database/identifier.ts';
import { isLoading } from '../database/load-lock.ts';
import type { Counts } from './differences.ts';

const runs = qualify(controlSchema, 'sync_runs');

/** What is said of a load whose process died. */
const brokenOff = 'broken off';

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

/** Enters the end of the customer's loads that have none; only for the holder of the customer's lock. */
export const endBrokenOff = async (client: pg.ClientBase, { id }: Customer): Promise<void> => {
  await client.query(`update ${runs} set ended_at = pg_catalog.clock_timestamp(), error = $2 where customer_id = $1 and ended_at is null`, [
    id,
    brokenOff,
  ]);
};

/** Enters a load into the history. */
export const beginRun = async (client: pg.ClientBase, customer: Customer, mode: string, tables: readonly string[]): Promise<number> => {
  const { rows } = await client.query<{ id: number }>(`insert into ${runs} (customer_id, mode, tables) values ($1, $2, $3) returning id`, [
    customer.id,
    mode,
    tables,
  ]);
  return rows[0]?.id ?? 0;
};

/** Enters how a load ended: rows of raw tables, or why it failed. */
export const endRun = async (client: pg.ClientBase, id: number, { inserted, updated, deleted }: Counts, error?: string): Promise<void> => {
  await client.query(
    `update ${runs} set ended_at = pg_catalog.clock_timestamp(), inserted = $2, updated = $3, deleted = $4, error = $5 where id = $1`,
    [id, inserted, updated, deleted, error ?? null],
  );
};

/** Enters the end of loads whose process died: they have no end, and nobody holds their lock. */
export const endDeadRuns = async ({ pool }: Database): Promise<void> => {
  await pool.query(
    `update ${runs} r set ended_at = pg_catalog.clock_timestamp(), error = $1
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
