/**
 * The epoch of data versions (contract: data epochs).
 *
 * A database that is restored from a backup would assign earlier version numbers again, to other data. Caches would then report unchanged
 * data, and copies would miss rows. So the control schema has one row that records where it was written: transaction, table, database,
 * cluster and timeline. A loaded dump, a copied database, and a recovered or promoted cluster change at least one of these. The first
 * process that notices begins a new epoch: it raises every version above all earlier ones, restarts deltas, and marks every table as
 * changed.
 *
 * Values that the session may not read, or cannot read on a standby, are not compared. A copy of the data files (a volume snapshot, a
 * copied folder of the embedded database) cannot be detected. The operator then runs `estate restored`.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import { OperatorError } from '../../errors.ts';
import type { Database } from '../connections/connection.ts';
import { withClient } from '../connections/transaction.ts';
import { qualify } from '../identifier.ts';
import { controlSchema } from './control-schema.ts';
import { controlQueries, datasets } from './datasets.ts';
import { loadLockSpace } from './load-lock.ts';
import { announceAll, closeAnnouncements } from './publications.ts';

const epochs = qualify(controlSchema, 'epoch');

/** The key of the advisory lock for a new epoch. */
const epochLock = 0x65706f63;

/** The location of the data, as far as this session may read it. */
const place = (mayReadControl: boolean): string =>
  `select d.oid as database_oid,
     ${mayReadControl ? '(select system_identifier from pg_catalog.pg_control_system())' : 'null::bigint'} as system_identifier,
     case when pg_catalog.pg_is_in_recovery() then null
       else pg_catalog.left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 8) end as timeline
   from pg_catalog.pg_database d where d.datname = pg_catalog.current_database()`;

const stateQuery = (mayReadControl: boolean): string =>
  `select e.id as epoch,
     coalesce(e.row_xid <> e.xmin or e.table_oid <> e.tableoid or e.database_oid <> p.database_oid
       or e.system_identifier <> p.system_identifier or e.timeline <> p.timeline, e.id is null) as is_foreign,
     e.row_xid is null or e.system_identifier is null and p.system_identifier is not null
       or e.timeline is null and p.timeline is not null as is_incomplete
   from (${place(mayReadControl)}) p left join ${epochs} e on true`;

export interface EpochState {
  /** Null if the row does not exist. */
  readonly epoch: string | null;
  /** The row was written elsewhere, so the data was restored. Versions are not valid until a new epoch begins. */
  readonly is_foreign: boolean;
}

const mayReadControl = async (client: pg.ClientBase | pg.Pool): Promise<boolean> => {
  const { rows } = await client.query<{ may: boolean }>(
    `select coalesce(has_function_privilege(to_regprocedure('pg_catalog.pg_control_system()'), 'execute'), false) as may`,
  );
  return rows[0]?.may ?? false;
};

const queries = new WeakMap<Database, Promise<string>>();

const textOf = (database: Database): Promise<string> => {
  const known = queries.get(database);
  if (known) return known;
  const query = mayReadControl(database.pool).then(stateQuery);
  queries.set(database, query);
  query.catch(() => queries.delete(database));
  return query;
};

/** Starts a statement that reads versions. `e` is its single `EpochState` row. */
export const withEpoch = async (database: Database) => {
  const state = sql<EpochState>`(${sql.raw(await textOf(database))})`;
  return controlQueries.with(
    (named) => named('e').materialized(),
    () => state,
  );
};

/** Records the current location in the row. */
const takePlace = async (client: pg.ClientBase, may: boolean): Promise<void> => {
  await client.query(
    `update ${epochs} e set row_xid = pg_catalog.pg_current_xact_id()::xid, table_oid = e.tableoid, database_oid = p.database_oid,
       system_identifier = coalesce(p.system_identifier, e.system_identifier), timeline = coalesce(p.timeline, e.timeline)
     from (${place(may)}) p`,
  );
};

/**
 * Begins a new epoch. The base version is the time in 1/4096 ms. No earlier epoch has reached it, because versions grow more slowly, and it
 * stays below 2^53 until 2089. Facts about the previous cluster are not copied.
 */
const beginEpoch = async (client: pg.ClientBase): Promise<void> => {
  await client.query(
    `insert into ${epochs} as e (id, base)
     select gen_random_uuid(), greatest(
       (extract(epoch from clock_timestamp() - timestamptz '2020-01-01 00:00:00Z') * 1000)::bigint * 4096,
       (select max(version) from ${datasets}) + 1, (select max(base) from ${epochs}) + 1)
     on conflict (is_only) do update set id = excluded.id, base = excluded.base, begun_at = now(), system_identifier = null, timeline = null`,
  );
  await client.query(`delete from ${qualify(controlSchema, 'changed_keys')}`);
  await client.query(`delete from ${qualify(controlSchema, 'dataset_versions')}`);
  await client.query(
    `update ${datasets} set kept_from = e.base, version = case when version > 0 then e.base else 0 end,
       changed_at = case when version > 0 then date_trunc('milliseconds', clock_timestamp()) end from ${epochs} e`,
  );
};

/** Locks out loads until the transaction ends. Throws an `OperatorError` if a load is running. */
const keepLoadsOut = async (client: pg.ClientBase): Promise<void> => {
  const { rows } = await client.query<{ slug: string }>(
    `select slug from ${qualify(controlSchema, 'customers')} where not pg_catalog.pg_try_advisory_xact_lock($1, id) order by slug`,
    [loadLockSpace],
  );
  if (rows[0]) throw new OperatorError(`A load of ${rows[0].slug} is running; wait for its end or stop it first.`);
};

/**
 * Begins a new epoch if the data was restored or if `when` is `in any case`; otherwise records the location. Returns whether a new
 * epoch began. Call it outside a transaction. Throws an `OperatorError` if it is forced while a load is running.
 */
export const ensureEpoch = async (client: pg.ClientBase, when: 'if restored' | 'in any case' = 'if restored'): Promise<boolean> => {
  const may = await mayReadControl(client);
  const read = async () => {
    const { rows } = await client.query<EpochState & { is_incomplete: boolean }>(stateQuery(may));
    return { isDue: when === 'in any case' || rows[0]?.is_foreign !== false, isIncomplete: rows[0]?.is_incomplete };
  };
  const before = await read();
  if (!before.isDue && !before.isIncomplete) return false;
  // `/changes` must not pass the moment at which tables are marked as changed. Loads announce themselves for the same reason.
  const announcement = before.isDue ? await announceAll(client) : undefined;
  await client.query('begin');
  try {
    await client.query('set local statement_timeout = 0');
    await client.query('select pg_catalog.pg_advisory_xact_lock($1)', [epochLock]);
    // Another process may have begun the epoch already.
    const { isDue } = await read();
    if (when === 'in any case') await keepLoadsOut(client);
    if (isDue) await beginEpoch(client);
    await takePlace(client, may);
    if (announcement) await closeAnnouncements(client, isDue ? undefined : announcement);
    await client.query('commit');
    return isDue;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    if (announcement) await closeAnnouncements(client, announcement).catch(() => {});
    throw error;
  }
};

const settling = new WeakMap<Database, Promise<boolean>>();

/** `settleEpoch` on a separate connection. Concurrent calls share one execution. */
export const ensureEpochOf = (database: Database): Promise<boolean> => {
  const known = settling.get(database);
  if (known) return known;
  const work = withClient(database.pool, (client) => ensureEpoch(client)).finally(() => settling.delete(database));
  settling.set(database, work);
  return work;
};
