/**
 * What is known of customers' tables as a whole: a row of `estate.datasets` for each, which loads and new epochs write. Every
 * question about them begins here.
 */
import { type Compilable, type Expression, type Selectable, sql } from 'kysely';
import type pg from 'pg';
import type { ControlTables, DatasetKind } from './control.ts';
import { controlSchema } from './control-schema.ts';
import { qualify } from './identifier.ts';
import { queriesOver } from './queries.ts';

export type Dataset = Selectable<ControlTables['datasets']>;

/** The table itself, for statements that write it. */
export const datasets = qualify(controlSchema, 'datasets');

/** Kysely over the control schema, for text that runs on the connection of whoever asks. */
export const controlQueries = queriesOver<ControlTables>().withSchema(controlSchema);

/** A value, or where in a larger statement it stands. */
type Given<T> = T | Expression<T>;

/** A customer's tables, of one kind and by one name where these are given; part of a larger statement, or one of its own. */
export const datasetsOf = (customerId: Given<number>, kind?: Given<DatasetKind>, name?: Given<string>) => {
  const all = controlQueries.selectFrom('datasets').where('customer_id', '=', customerId);
  const ofKind = kind === undefined ? all : all.where('kind', '=', kind);
  return name === undefined ? ofKind : ofKind.where('name', '=', name);
};

/** The table behind a dataset in the customer's schema; null if it is not there. */
export const relationIn = (schema: string) => sql<number | null>`pg_catalog.to_regclass(pg_catalog.format('%I.%I', ${schema}::text, name))`;

/** Runs what Kysely wrote; under a name the server plans it once per connection. */
export const ask = async <Row>(client: pg.ClientBase | pg.Pool, query: Compilable<Row>, name?: string): Promise<Row[]> => {
  const { sql: text, parameters } = query.compile();
  const { rows } = await client.query({ text, values: [...parameters], ...(name !== undefined && { name }) });
  return rows;
};

/** What callers are told of a table's data; `synced_at` and `changed_at` are null before the first load. */
export const stateColumns = ['name', 'version', 'row_count', 'synced_at', 'changed_at'] as const;
export type DatasetState = Pick<Dataset, (typeof stateColumns)[number]>;

/** States by table name as the database has them now; never remembered, so that no load is announced early or late. */
export const readStates = async (pool: pg.Pool, customerId: number, kind: DatasetKind): Promise<ReadonlyMap<string, DatasetState>> => {
  const rows = await ask(pool, datasetsOf(customerId, kind).select(stateColumns), 'states');
  return new Map(rows.map((row) => [row.name, row]));
};

/** One of the customer's tables; undefined if it is not registered. */
export const findDataset = async (client: pg.ClientBase, customerId: number, kind: DatasetKind, name: string) => {
  const [dataset] = await ask(client, datasetsOf(customerId, kind, name).select(['id', 'version', 'row_count']));
  return dataset;
};

/** Makes a table of the customer known, at version 0 and never synced. */
export const registerDataset = async (
  client: pg.ClientBase,
  customer_id: number,
  dataset: Pick<Dataset, 'kind' | 'name' | 'key_column' | 'tier'>,
): Promise<void> => {
  await ask(client, controlQueries.insertInto('datasets').values({ customer_id, ...dataset }));
};
