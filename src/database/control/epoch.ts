/**
 * The epoch of data versions (contract: data epochs).
 *
 * A database that is restored from a backup would assign earlier version numbers again, to other data. Caches would then report unchanged
 * data, and copies would miss rows. So the control schema has one row that records where it was written: transaction, table, database,
 * cluster and timeline. A loaded dump, a copied database, and a recovered or promoted cluster change at least one of these. The first
 * process that notices begins a new epoch.
 *
 * Each customer's schema records the epoch of its versions and the number of its loads. If the epoch is not the current one, or
 * `estate.publications` has another number of loads, then the schema or the control schema was restored. The first read of the customer's
 * versions raises each of them above all earlier ones, restarts deltas, and marks every table as changed.
 *
 * Values that the session may not read, or cannot read on a standby, are not compared. A copy of the data files (a volume snapshot, a
 * copied folder of the embedded database) cannot be detected. The operator then runs `estate restored`.
 */
import { type Compilable, type SelectQueryBuilder, sql } from 'kysely';
import type pg from 'pg';
import { OperatorError } from '../../errors.ts';
import { citusOf } from '../cluster/citus.ts';
import type { Database } from '../connections/connection.ts';
import { withClient } from '../connections/transaction.ts';
import { controlSchema } from '../control-tables.ts';
import { qualify } from '../identifier.ts';
import { loadLockSpace } from '../load-lock.ts';
import { listCustomers } from './customers.ts';
import { controlQueries, runControlQuery } from './datasets.ts';
import { announceIfNone, closeIfOwn, summarize } from './publications.ts';
import { type CustomerSchema, type StateTables, stateQueries, stateTable } from './state-tables.ts';

const [epochs, publications] = ['epoch', 'publications'].map((name) => qualify(controlSchema, name));

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

/** What the control schema knows of a customer's loads. */
export interface LoadState extends EpochState {
  readonly revision: number;
  readonly announced_at: Date | null;
  /** The number of loads. */
  readonly known_loads: number;
}

/** Starts a statement that reads announcements. `e` is its single `EpochState` row. */
export const withEpoch = async (database: Database) => {
  const state = sql<EpochState>`(${sql.raw(await textOf(database))})`;
  return controlQueries.with(
    (named) => named('e').materialized(),
    () => state,
  );
};

/** Starts a statement that reads what the control schema knows of a customer's loads. `e` is its single `LoadState` row. */
export const withLoadState = async (database: Database, customerId: number) => {
  const state = sql<LoadState>`(select e.epoch, e.is_foreign, coalesce(p.revision, 0) as revision, p.announced_at, coalesce(p.loads, 0) as known_loads
    from (${sql.raw(await textOf(database))}) e left join ${sql.raw(publications!)} p on p.customer_id = ${customerId} limit 1)`;
  return controlQueries.with(
    (named) => named('e').materialized(),
    () => state,
  );
};

/**
 * The columns of the customer's `_state` that `isForeign` compares. The server does not know that tables have one row. Without the limit it
 * expects many and compiles the statement, which takes a hundred times as long as to run it.
 */
const lifeOf = (schema: string) => stateQueries(schema).selectFrom('_state').select(['epoch as own_epoch', 'loads']).limit(sql.lit(1));

/** What the control schema and the customer's own schema know of the loads. */
export interface Life extends LoadState {
  readonly own_epoch: string;
  readonly loads: number;
}

/** Whether the versions of the customer belong to another epoch, or the data or the control schema was restored. */
export const isForeign = (row: Life): boolean => row.is_foreign || row.own_epoch !== row.epoch || row.loads !== row.known_loads;

/** Runs a query on the customer's state. */
export type RunStateQuery = <Row>(query: Compilable<Row>, name: string) => Promise<Row[]>;

/** Reads a part of the customer's state with its life: one row for each row of the part, and one if it has none. */
export type ReadWithLife = <Row>(
  part: SelectQueryBuilder<StateTables, '_datasets', Row>,
  name: string,
  run: RunStateQuery,
) => Promise<(Life & { [K in keyof Row]: Row[K] | null })[]>;

/**
 * Prepares to read a customer's state with its life. On one server, one statement reads both.
 *
 * On Citus, a statement over the control schema and the customer's schema would copy one of them to the other's server. So there are two. If a
 * load was committed between them, the first one is repeated.
 */
export const prepareStateRead = async (database: Database, { id, schema }: CustomerSchema): Promise<ReadWithLife> => {
  const known = await withLoadState(database, id);
  const life = lifeOf(schema).as('s');
  if (!(await citusOf(database).isThere()))
    return (part, name, run) => {
      const query = known
        .selectFrom('e')
        .crossJoin(life)
        .leftJoin(part.as('d'), (join) => join.onTrue())
        .selectAll();
      return run(query, name) as Promise<never>;
    };
  const readKnown = async () => (await runControlQuery(database.pool, known.selectFrom('e').selectAll(), `loads ${schema}`))[0]!;
  const before = await readKnown();
  return async (part, name, run) => {
    const query = stateQueries(schema)
      .selectFrom(life)
      .leftJoin(part.as('d'), (join) => join.onTrue())
      .selectAll();
    const rows = (await run(query, name)) as readonly Pick<Life, 'loads'>[];
    const now = rows[0] && rows[0].loads > before.known_loads ? await readKnown() : before;
    return rows.map((row) => ({ ...row, ...now })) as never;
  };
};

/** Records the current location in the row. */
const takePlace = async (client: pg.ClientBase, may: boolean): Promise<void> => {
  await client.query(
    `update ${epochs} e set row_xid = pg_catalog.pg_current_xact_id()::xid, table_oid = e.tableoid, database_oid = p.database_oid,
       system_identifier = coalesce(p.system_identifier, e.system_identifier), timeline = coalesce(p.timeline, e.timeline)
     from (${place(may)}) p`,
  );
};

/** The time in 1/4096 ms. Versions grow more slowly, and it stays below 2^53 until 2089. */
const baseNow = `(extract(epoch from clock_timestamp() - timestamptz '2020-01-01 00:00:00Z') * 1000)::bigint * 4096`;

/** Begins a new epoch. Facts about the previous cluster are not copied. */
const beginEpoch = async (client: pg.ClientBase): Promise<void> => {
  await client.query(
    `insert into ${epochs} as e (id, base) select gen_random_uuid(), greatest(${baseNow}, (select max(base) from ${epochs}) + 1)
     on conflict (is_only) do update set id = excluded.id, base = excluded.base, begun_at = now(), system_identifier = null, timeline = null`,
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
 * Begins a new epoch if the data was restored or if `when` is `in any case`; otherwise records the location. It touches no customer's
 * schema. Returns whether a new
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
  await client.query('begin');
  try {
    await client.query('set local statement_timeout = 0');
    await client.query('select pg_catalog.pg_advisory_xact_lock($1)', [epochLock]);
    // Another process may have begun the epoch already.
    const { isDue } = await read();
    if (when === 'in any case') await keepLoadsOut(client);
    if (isDue) await beginEpoch(client);
    await takePlace(client, may);
    await client.query('commit');
    return isDue;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
};

/** Whether the customer's versions must be raised, and the current epoch. A lock makes the state wait for a commit on its way. */
const readLife = async (client: pg.ClientBase, { id, schema }: CustomerSchema, lock = '') => {
  const state = stateTable(schema, '_state');
  const { rows: own } = await client.query<{ epoch: string; loads: number }>(`select epoch, loads from ${state}${lock}`);
  const { rows: current } = await client.query<{ epoch: string; base: number; loads: number }>(
    `select e.id as epoch, e.base, coalesce(p.loads, 0) as loads from ${epochs} e left join ${publications} p on p.customer_id = $1`,
    [id],
  );
  const [there, here] = [own[0], current[0]];
  return { isDue: there?.epoch !== here?.epoch || there?.loads !== here?.loads, epoch: here?.epoch, base: here?.base };
};

/**
 * Raises all versions of a customer. The base is above every version of an earlier life, because it is derived from the time. The moment is
 * a value, because a server of shards accepts no volatile function in an update.
 */
const raiseVersions = async (client: pg.ClientBase, { id, schema }: CustomerSchema, epoch: string, base: number): Promise<void> => {
  const [state, datasets] = [stateTable(schema, '_state'), stateTable(schema, '_datasets')];
  const { rows } = await client.query<{ base: number; at: string }>(
    `select greatest(${baseNow}, $1::bigint, (select max(version) from ${datasets}) + 1, (select base from ${state}) + 1)::bigint as base,
       date_trunc('milliseconds', clock_timestamp())::text as at`,
    [base],
  );
  const raised = rows[0]!;
  const { rows: known } = await client.query<{ loads: number }>(
    `select greatest((select loads from ${publications} where customer_id = $1), (select loads from ${state})) as loads`,
    [id],
  );
  await client.query(`update ${state} set epoch = $1, base = $2, loads = $3`, [epoch, raised.base, (known[0]?.loads ?? 0) + 1]);
  await client.query(`delete from ${stateTable(schema, '_changed_keys')}`);
  await client.query(`delete from ${stateTable(schema, '_dataset_versions')}`);
  await client.query(
    `update ${datasets} set kept_from = $1::bigint, version = case when version > 0 then $1::bigint else 0 end,
       changed_at = case when version > 0 then $2::timestamptz end`,
    [raised.base, raised.at],
  );
  await summarize(client, { id, schema });
};

/** Raises the customer's versions if they belong to an earlier epoch or the data was restored. Call it outside a transaction. */
export const ensureVersions = async (client: pg.ClientBase, customer: CustomerSchema): Promise<boolean> => {
  if (!(await readLife(client, customer)).isDue) return false;
  // `/changes` must not pass the moment at which tables are marked as changed. Loads announce themselves for the same reason.
  const announcement = await announceIfNone(client, customer.id);
  try {
    await client.query('begin');
    await client.query('set local statement_timeout = 0');
    const { isDue, epoch, base } = await readLife(client, customer, ' for update');
    if (isDue && epoch !== undefined && base !== undefined) await raiseVersions(client, customer, epoch, base);
    await client.query('commit');
    return isDue;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    await closeIfOwn(client, customer.id, announcement).catch(() => {});
  }
};

/** Calls in flight by database and customer. Concurrent calls share one execution. */
const settling = new WeakMap<Database, Map<number, Promise<void>>>();

const shared = (database: Database, id: number, work: (client: pg.PoolClient) => Promise<unknown>): Promise<void> => {
  const ofDatabase = settling.get(database) ?? new Map<number, Promise<void>>();
  settling.set(database, ofDatabase);
  const known = ofDatabase.get(id);
  if (known) return known;
  const begun = withClient(database.pool, async (client) => void (await work(client))).finally(() => ofDatabase.delete(id));
  ofDatabase.set(id, begun);
  return begun;
};

const allCustomers = 0;

/** `ensureEpoch` on a separate connection. */
export const ensureEpochOf = (database: Database): Promise<void> => shared(database, allCustomers, (client) => ensureEpoch(client));

/**
 * Begins a new epoch in any case and raises the versions of all customers, so that the first answer to each of them has a new version. Throws
 * an `OperatorError` if a load is running.
 */
export const beginEpochForAll = async (database: Database): Promise<void> => {
  await withClient(database.pool, (client) => ensureEpoch(client, 'in any case'));
  for (const { id, schema_name: schema } of await listCustomers(database)) await ensureVersionsOf(database, { id, schema });
};

/** `ensureEpoch` and `ensureVersions` on a separate connection. */
export const ensureVersionsOf = async (database: Database, customer: CustomerSchema): Promise<void> => {
  await ensureEpochOf(database);
  await shared(database, customer.id, (client) => ensureVersions(client, customer));
};
