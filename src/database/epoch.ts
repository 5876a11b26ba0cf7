/**
 * Which life of the data this is: the epoch of its versions (contract: data epochs).
 *
 * A database that is restored from a backup goes back to earlier versions and would give out the same numbers again, for other
 * data: caches would be told that nothing changed, and copies would miss rows. Therefore the control schema keeps one row that
 * knows where it stands: the transaction that wrote it, its table, its database, the cluster and its timeline. A dump that is
 * loaded, a database that is copied, a cluster that is recovered or promoted put the row elsewhere, and whoever sees that first
 * (an instance that reads versions, a load, a command) begins a new epoch: every table's version is lifted above all that any
 * earlier life can have given out, deltas begin there, and every table counts as changed. From then on versions grow as before.
 *
 * What cannot be known, for lack of rights or on a standby, is not compared. A copy of the very files (a volume's snapshot, the
 * folder of the embedded database) shows nothing; then the operator says so: `estate restored`.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import { OperatorError } from '../errors.ts';
import { type Database, withClient } from './connection.ts';
import { controlSchema } from './control-schema.ts';
import { controlQueries, datasets } from './datasets.ts';
import { qualify } from './identifier.ts';
import { loadLockSpace } from './load-lock.ts';
import { announceAll, closeAnnouncements } from './publications.ts';

const epochs = qualify(controlSchema, 'epoch');

/** Key of the lock under which an epoch begins. */
const epochLock = 0x65706f63;

/** Where the data lives, as far as this session may know. */
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
  /** Null if the row is gone. */
  readonly epoch: string | null;
  /** The row was written elsewhere: the data was restored, and versions are not to be trusted until a new epoch has begun. */
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

/** Begins a statement that reads versions: `e` is its one `EpochState`. */
export const withEpoch = async (database: Database) => {
  const state = sql<EpochState>`(${sql.raw(await textOf(database))})`;
  return controlQueries.with(
    (named) => named('e').materialized(),
    () => state,
  );
};

/** Notes in the row where it stands by now. */
const takePlace = async (client: pg.ClientBase, may: boolean): Promise<void> => {
  await client.query(
    `update ${epochs} e set row_xid = pg_catalog.pg_current_xact_id()::xid, table_oid = e.tableoid, database_oid = p.database_oid,
       system_identifier = coalesce(p.system_identifier, e.system_identifier), timeline = coalesce(p.timeline, e.timeline)
     from (${place(may)}) p`,
  );
};

/**
 * Begins a new epoch. Its base is a time in 4096ths of a millisecond: no life makes versions that fast, so none has reached it;
 * it stays below 2^53 until 2089. What an earlier place knew of the cluster is not carried over.
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

/** Throws an `OperatorError` if a load is under way, and keeps others out until the transaction ends. */
const keepLoadsOut = async (client: pg.ClientBase): Promise<void> => {
  const { rows } = await client.query<{ slug: string }>(
    `select slug from ${qualify(controlSchema, 'customers')} where not pg_catalog.pg_try_advisory_xact_lock($1, id) order by slug`,
    [loadLockSpace],
  );
  if (rows[0]) throw new OperatorError(`A load of ${rows[0].slug} is under way; wait for its end or stop it first.`);
};

/**
 * Begins a new epoch if the data was restored, or in any case; otherwise makes sure that the place is noted. Says whether one
 * was begun. Outside of any transaction. Throws an `OperatorError` if it is to be begun in any case and a load is under way.
 */
export const settleEpoch = async (client: pg.ClientBase, when: 'if restored' | 'in any case' = 'if restored'): Promise<boolean> => {
  const may = await mayReadControl(client);
  const read = async () => {
    const { rows } = await client.query<EpochState & { is_incomplete: boolean }>(stateQuery(may));
    return { isDue: when === 'in any case' || rows[0]?.is_foreign !== false, isIncomplete: rows[0]?.is_incomplete };
  };
  const before = await read();
  if (!before.isDue && !before.isIncomplete) return false;
  // As a load does: `/changes` must not go past the moment at which tables are about to count as changed.
  const announcement = before.isDue ? await announceAll(client) : undefined;
  await client.query('begin');
  try {
    await client.query('set local statement_timeout = 0');
    await client.query('select pg_catalog.pg_advisory_xact_lock($1)', [epochLock]);
    // Another process may have been first.
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

/** As `settleEpoch`, on a connection of its own and once for all who ask at the same time. */
export const settleEpochOf = (database: Database): Promise<boolean> => {
  const known = settling.get(database);
  if (known) return known;
  const work = withClient(database.pool, (client) => settleEpoch(client)).finally(() => settling.delete(database));
  settling.set(database, work);
  return work;
};
