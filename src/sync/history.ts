/** The history of a customer's loads. */
import type pg from 'pg';
import type { Database } from '../database/connections/connection.ts';
import { inTransactionOf, withClient } from '../database/connections/transaction.ts';
import type { Customer } from '../database/control/customers.ts';
import { controlSchema } from '../database/control-tables.ts';
import { qualify } from '../database/identifier.ts';
import { isLoading } from '../database/load-lock.ts';
import { OperatorError, type Surface, textFor } from '../errors.ts';
import { recordEvent } from '../webhooks/events.ts';
import { type Counts, noChanges } from './changes/differences.ts';

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
  /** The names of the files, and the rows and keys in them; empty for loads of earlier versions. */
  readonly files: readonly string[];
  readonly rows_read: number;
  /** The checks of the data that failed after the load; null if they did not run. */
  readonly failed_checks: number | null;
  /** The source, and its version if it is kept with the customer; null for files of raw tables. */
  readonly source: string | null;
  readonly source_version: number | null;
}

/** Stores the event of a failed load. */
const reportFailure = (
  client: pg.ClientBase,
  customer: Pick<Customer, 'id' | 'slug'>,
  { mode, tables }: Pick<SyncRun, 'mode' | 'tables'>,
): Promise<void> => recordEvent(client, { customer, type: 'load.failed', data: { mode, tables, failed_at: new Date() } });

/** Ends the customer's unfinished runs. Only the holder of the customer's lock calls it. */
export const endAborted = (client: pg.ClientBase, customer: Customer): Promise<void> =>
  inTransactionOf(client, async () => {
    const { rows } = await client.query<Pick<SyncRun, 'mode' | 'tables'>>(
      `update ${runs} set ended_at = pg_catalog.clock_timestamp(), error = $2 where customer_id = $1 and ended_at is null returning mode, tables`,
      [customer.id, aborted],
    );
    for (const run of rows) await reportFailure(client, customer, run);
  });

/** What a load brings. */
export interface Delivered {
  readonly mode: string;
  readonly tables: readonly string[];
  readonly files: readonly string[];
  readonly source?: { readonly name: string; readonly version: number | null } | undefined;
  /** Where a person reads the error. Default: the command line. */
  readonly surface?: Surface | undefined;
}

const errorOf = (error: unknown, { surface = 'commandLine' }: Delivered): string =>
  error instanceof OperatorError ? textFor(surface, error.text) : 'the load failed';

/** Records the start of a load. */
export const beginRun = async (client: pg.ClientBase, customer: Customer, delivered: Delivered): Promise<number> => {
  const { mode, tables, files, source } = delivered;
  const { rows } = await client.query<{ id: number }>(
    `insert into ${runs} (customer_id, mode, tables, files, source, source_version) values ($1, $2, $3, $4, $5, $6) returning id`,
    [customer.id, mode, tables, files, source?.name ?? null, source?.version ?? null],
  );
  return rows[0]?.id ?? 0;
};

const recorded = new WeakSet<object>();

/** Records the failure of a load that ended before its session began, such as a missing folder. A failure is recorded once. */
export const recordFailure = async ({ pool }: Database, customer: Customer, delivered: Delivered, error: unknown): Promise<void> => {
  const { mode, tables, files, source } = delivered;
  if (typeof error !== 'object' || error === null || recorded.has(error)) return;
  recorded.add(error);
  await withClient(pool, (client) =>
    inTransactionOf(client, async () => {
      await client.query(
        `insert into ${runs} (customer_id, mode, tables, files, source, source_version, ended_at, error)
         values ($1, $2, $3, $4, $5, $6, pg_catalog.clock_timestamp(), $7)`,
        [customer.id, mode, tables, files, source?.name ?? null, source?.version ?? null, errorOf(error, delivered)],
      );
      await reportFailure(client, customer, { mode, tables });
    }),
  );
};

/** Records the end of a load: rows of raw tables, or the error. */
export const endRun = async (client: pg.ClientBase, id: number, { inserted, updated, deleted }: Counts, error?: string): Promise<void> => {
  await client.query(
    `update ${runs} set ended_at = pg_catalog.clock_timestamp(), inserted = $2, updated = $3, deleted = $4, error = $5 where id = $1`,
    [id, inserted, updated, deleted, error ?? null],
  );
};

/** Records the end of a failed load. */
export const endFailedRun = async (
  { client, customer }: { readonly client: pg.ClientBase; readonly customer: Customer },
  id: number,
  delivered: Delivered,
  error: Error,
): Promise<void> => {
  recorded.add(error);
  await inTransactionOf(client, async () => {
    await endRun(client, id, noChanges, errorOf(error, delivered));
    await reportFailure(client, customer, delivered);
  });
};

/** What came of a load. */
export interface Outcome {
  /** Rows and keys in the files. */
  readonly read: number;
  readonly seconds: number;
  readonly tables: readonly LoadedTable[];
  /** The number of failed checks; null if the checks did not run. */
  readonly failedChecks: number | null;
  /** The same by table. A load can change checks of tables that it does not load. */
  readonly failures: ReadonlyMap<string, number> | null;
}

/** Records what came of a load: the rows of its files, its failed checks, and the last load of each table. */
export const recordOutcome = async (client: pg.ClientBase, customer: Customer, run: number, outcome: Outcome): Promise<void> => {
  const loads = qualify(controlSchema, 'table_loads');
  await client.query(`update ${runs} set rows_read = $2, failed_checks = $3 where id = $1`, [run, outcome.read, outcome.failedChecks]);
  await client.query(
    `insert into ${loads} as t (customer_id, table_name, loaded_at, rows, deleted, seconds, failed_checks)
     select $1, r.name, pg_catalog.clock_timestamp(), r.rows, r.deleted, $3, 0
     from jsonb_to_recordset($2::jsonb) as r (name text, rows bigint, deleted bigint)
     on conflict (customer_id, table_name) do update set loaded_at = excluded.loaded_at, rows = excluded.rows, deleted = excluded.deleted,
       seconds = excluded.seconds`,
    [customer.id, JSON.stringify(outcome.tables), outcome.seconds],
  );
  if (!outcome.failures) return;
  await client.query(`update ${loads} set failed_checks = coalesce(($2::jsonb ->> table_name)::integer, 0) where customer_id = $1`, [
    customer.id,
    JSON.stringify(Object.fromEntries(outcome.failures)),
  ]);
};

/** A table after a load. */
export interface LoadedTable {
  readonly name: string;
  readonly rows: number;
  readonly deleted: number;
}

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
    .select([
      'id',
      'mode',
      'tables',
      'started_at',
      'ended_at',
      'inserted',
      'updated',
      'deleted',
      'error',
      'files',
      'rows_read',
      'failed_checks',
      'source',
      'source_version',
    ])
    .where('customer_id', '=', customer.id)
    .orderBy('id', 'desc')
    .limit(max)
    .execute();
};
