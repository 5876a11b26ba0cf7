/** The state of customers' tables: one row of `_datasets` in the customer's schema for each table. Loads and new epochs write it. */
import type { Compilable, Expression, Selectable } from 'kysely';
import pg from 'pg';
import type { DatasetKind } from '../../catalogue/table.ts';
import { retryRead } from '../../errors.ts';
import { citusOf } from '../cluster/citus.ts';
import type { Database } from '../connections/connection.ts';
import { sessionOf } from '../connections/pg-session.ts';
import { withClient } from '../connections/transaction.ts';
import { type ControlTables, controlSchema } from '../control-tables.ts';
import { queriesOver } from './queries.ts';
import { type CustomerSchema, type StateTables, stateQueries, stateTable } from './state-tables.ts';

export type Dataset = Selectable<StateTables['_datasets']>;

/** Kysely over the control schema. It only writes SQL text; the caller chooses the connection. */
export const controlQueries = queriesOver<ControlTables>().withSchema(controlSchema);

/** A value, or an expression in a larger statement. */
type Given<T> = T | Expression<T>;

/** Selects a customer's tables, optionally of one kind and name. It can be part of a larger statement. */
export const datasetsOf = (schema: string, kind?: Given<DatasetKind>, name?: Given<string>) => {
  const all = stateQueries(schema).selectFrom('_datasets');
  const ofKind = kind === undefined ? all : all.where('kind', '=', kind);
  return name === undefined ? ofKind : ofKind.where('name', '=', name);
};

/** A control query is short. A server that has not answered it by then hangs. */
export const controlWithinMs = 10_000;

/**
 * Runs a Kysely query. With a name, the server plans its text once per connection. A connection keeps a bounded number of plans, because
 * each customer has texts of its own. On a pool, a transient error is retried, and a server that does not answer within
 * `controlWithinMs` is unavailable: pools run queries that read.
 */
export const runControlQuery = async <Row>(client: pg.ClientBase | pg.Pool, query: Compilable<Row>, name?: string): Promise<Row[]> =>
  client instanceof pg.Pool
    ? retryRead(() => withClient(client, (own) => runOn(own, query, name, controlWithinMs)))
    : runOn(client, query, name);

const runOn = async <Row>(client: pg.ClientBase, query: Compilable<Row>, name?: string, query_timeout?: number): Promise<Row[]> => {
  const { sql: text, parameters } = query.compile();
  const session = sessionOf(client);
  const statement = session.translate({ text, ...(name !== undefined && { name }) });
  if (statement.name) await session.touch(statement.name);
  const { rows } = await client.query({ ...statement, values: [...parameters], ...(query_timeout && { query_timeout }) });
  return rows;
};

/**
 * Runs a query on a customer's state that no transaction contains. On Citus, it throws `unavailable` if the customer's node does not answer.
 */
export const runStateQuery = async <Row>(database: Database, customerId: number, query: Compilable<Row>, name: string): Promise<Row[]> => {
  const citus = citusOf(database);
  citus.guard.check(customerId);
  return retryRead(async () =>
    withClient(await citus.statePool(), async (client) => {
      const unwatch = citus.guard.watch(customerId, client);
      return runOn(client, query, name, controlWithinMs).finally(unwatch);
    }),
  );
};

/** The state of a table's data. `synced_at` and `changed_at` are null before the first load. */
export const stateColumns = ['name', 'version', 'row_count', 'synced_at', 'changed_at'] as const;
export type DatasetState = Pick<Dataset, (typeof stateColumns)[number]>;

/** Current states by table name, read from the database. They are not cached, so a load appears neither early nor late. */
export const readDatasetStates = async (
  database: Database,
  { id, schema }: CustomerSchema,
  kind: DatasetKind,
): Promise<ReadonlyMap<string, DatasetState>> => {
  const rows = await runStateQuery(database, id, datasetsOf(schema, kind).select(stateColumns), `states ${schema}`);
  return new Map(rows.map((row) => [row.name, row]));
};

/** One table of the customer; undefined if it is not registered. */
export const findDataset = async (client: pg.ClientBase, schema: string, kind: DatasetKind, name: string) => {
  const [dataset] = await runControlQuery(client, datasetsOf(schema, kind, name).select(['id', 'version', 'row_count']));
  return dataset;
};

/** Registers a table of the customer at version 0, without a load. The change log may have entries of a table that is gone. */
export const registerDataset = async (
  client: pg.ClientBase,
  schema: string,
  { kind, name, key_column, tier }: Pick<Dataset, 'kind' | 'name' | 'key_column' | 'tier'>,
): Promise<void> => {
  const [datasets, log] = [stateTable(schema, '_datasets'), stateTable(schema, '_changed_keys')];
  const { rows } = await client.query<{ id: number }>(
    `select greatest((select max(id) from ${datasets}), (select max(dataset_id) from ${log}), 0) + 1 as id`,
  );
  await client.query(`insert into ${datasets} (id, kind, name, key_column, tier) values ($1, $2, $3, $4, $5)`, [
    rows[0]?.id,
    kind,
    name,
    key_column,
    tier,
  ]);
};

/**
 * The columns of those of the named tables that exist in a schema. It is a statement of its own, because the state may be on another server
 * than the catalogs that are read here.
 */
export const readColumns = async (
  pool: pg.Pool,
  schema: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const columns = {
    name: 'columns',
    text: `select name, array(select attname::text from pg_catalog.pg_attribute where attrelid = t.oid and attnum > 0 and not attisdropped
             order by attnum) as columns
           from unnest($2::text[]) name cross join lateral (select pg_catalog.to_regclass(pg_catalog.format('%I.%I', $1::text, name)) as oid) t
           where t.oid is not null`,
    values: [schema, names],
    query_timeout: controlWithinMs,
  };
  const { rows } = await pool.query<{ name: string; columns: readonly string[] }>(columns);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
};

/** The SQL types of a table's columns by name, such as `numeric(14,2)`; empty if there is no such table. */
export const readColumnTypes = async (client: pg.ClientBase, schema: string, name: string): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await client.query<{ name: string; type: string }>({
    name: 'column types',
    text: `select attname::text as name, pg_catalog.format_type(atttypid, atttypmod) as type from pg_catalog.pg_attribute
           where attrelid = pg_catalog.to_regclass(pg_catalog.format('%I.%I', $1::text, $2::text)) and attnum > 0 and not attisdropped`,
    values: [schema, name],
  });
  return new Map(rows.map((row) => [row.name, row.type]));
};
