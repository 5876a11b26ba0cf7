/** The state of customers' tables: one row of `estate.datasets` for each table. Loads and new epochs write it. */
import { type Compilable, type Expression, type Selectable, sql } from 'kysely';
import type pg from 'pg';
import type { DatasetKind } from '../../catalogue/table.ts';
import { qualify } from '../identifier.ts';
import type { ControlTables } from './control.ts';
import { controlSchema } from './control-schema.ts';
import { queriesOver } from './queries.ts';

export type Dataset = Selectable<ControlTables['datasets']>;

/** The qualified name, for statements that write the table. */
export const datasets = qualify(controlSchema, 'datasets');

/** Kysely over the control schema. It only writes SQL text; the caller chooses the connection. */
export const controlQueries = queriesOver<ControlTables>().withSchema(controlSchema);

/** A value, or an expression in a larger statement. */
type Given<T> = T | Expression<T>;

/** Selects a customer's tables, optionally of one kind and name. It can be part of a larger statement. */
export const datasetsOf = (customerId: Given<number>, kind?: Given<DatasetKind>, name?: Given<string>) => {
  const all = controlQueries.selectFrom('datasets').where('customer_id', '=', customerId);
  const ofKind = kind === undefined ? all : all.where('kind', '=', kind);
  return name === undefined ? ofKind : ofKind.where('name', '=', name);
};

/** The regclass of a dataset's table in the customer's schema; null if the table does not exist. */
export const relationIn = (schema: string) => sql<number | null>`pg_catalog.to_regclass(pg_catalog.format('%I.%I', ${schema}::text, name))`;

/** Runs a Kysely query. With a name, the server plans it once per connection. */
export const runControlQuery = async <Row>(client: pg.ClientBase | pg.Pool, query: Compilable<Row>, name?: string): Promise<Row[]> => {
  const { sql: text, parameters } = query.compile();
  const { rows } = await client.query({ text, values: [...parameters], ...(name !== undefined && { name }) });
  return rows;
};

/** The state of a table's data. `synced_at` and `changed_at` are null before the first load. */
export const stateColumns = ['name', 'version', 'row_count', 'synced_at', 'changed_at'] as const;
export type DatasetState = Pick<Dataset, (typeof stateColumns)[number]>;

/** Current states by table name, read from the database. They are not cached, so a load appears neither early nor late. */
export const readStates = async (pool: pg.Pool, customerId: number, kind: DatasetKind): Promise<ReadonlyMap<string, DatasetState>> => {
  const rows = await runControlQuery(pool, datasetsOf(customerId, kind).select(stateColumns), 'states');
  return new Map(rows.map((row) => [row.name, row]));
};

/** One table of the customer; undefined if it is not registered. */
export const findDataset = async (client: pg.ClientBase, customerId: number, kind: DatasetKind, name: string) => {
  const [dataset] = await runControlQuery(client, datasetsOf(customerId, kind, name).select(['id', 'version', 'row_count']));
  return dataset;
};

/** Registers a table of the customer at version 0, without a load. */
export const registerDataset = async (
  client: pg.ClientBase,
  customer_id: number,
  dataset: Pick<Dataset, 'kind' | 'name' | 'key_column' | 'tier'>,
): Promise<void> => {
  await runControlQuery(client, controlQueries.insertInto('datasets').values({ customer_id, ...dataset }));
};
