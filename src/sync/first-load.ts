/**
 * Fills the empty tables of a new customer from generated rows and publishes the category tables, in one transaction. There are no rows to
 * compare with, so nothing is staged.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import type { Catalogue } from '../catalogue/index.ts';
import { type RawTableName, rawTables } from '../catalogue/raw/index.ts';
import type { Database } from '../database/connections/connection.ts';
import type { Customer } from '../database/control/customers.ts';
import { controlQueries, datasetsOf, runControlQuery } from '../database/control/datasets.ts';
import { countLoad } from '../database/control/publications.ts';
import { createRawIndexes } from '../database/ddl.ts';
import { qualify, quote } from '../database/identifier.ts';
import { dateVersions, raiseVersion } from './changes/change-log.ts';
import { publishAll } from './changes/publish.ts';
import type { Progress } from './request.ts';

export type Value = string | number | boolean | null;

/** Rows of one raw table, with values in catalogue column order. */
export interface Batch {
  readonly table: RawTableName;
  readonly rows: readonly (readonly Value[])[];
}

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

const encode = (value: Value): string => {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  return special.test(value) ? value.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? character) : value;
};

/** Rows in COPY's text format: tabs between values, `\N` for null, backslashes before special characters. */
export const rowsText = (rows: readonly (readonly Value[])[]): string => {
  let text = '';
  for (const row of rows) {
    for (let column = 0; column < row.length; column++) text += column === 0 ? encode(row[0]!) : `\t${encode(row[column]!)}`;
    text += '\n';
  }
  return text;
};

/** Fills the empty tables of a new customer, in the client's transaction. `pause` is awaited before each step. */
export const loadInitial = async (
  database: Database,
  client: pg.PoolClient,
  catalogue: Catalogue,
  customer: Customer,
  batches: Iterable<Batch>,
  progress: Progress = () => {},
  pause: () => Promise<void> = async () => {},
): Promise<void> => {
  const schema = customer.schema_name;
  for (const { table, rows } of batches) {
    await pause();
    const columns = Object.keys(rawTables[table].columns).map(quote).join(', ');
    await database.copy(client, `copy ${qualify(schema, table)} (${columns}) from stdin`, [rowsText(rows)]);
    progress('load', table, rows.length);
  }
  for (const statement of createRawIndexes(catalogue, schema)) await client.query(statement);
  for (const table of Object.keys(rawTables)) await client.query(`analyze ${qualify(schema, table)}`);
  for (const table of catalogue.tables.values()) {
    await pause();
    progress('publish', table.name);
    await publishAll({ client, customer }, catalogue, table, { isFirst: true, place: (raw) => qualify(schema, raw) });
  }
  await makeFirstVersions(client, customer);
  await recordRun(client, customer);
};

/** Records the rows in the history, as a load that started with the transaction. */
const recordRun = async (client: pg.ClientBase, { id, schema_name }: Customer): Promise<void> => {
  const tables = await runControlQuery(client, datasetsOf(schema_name, 'raw').select(['name', 'row_count']).orderBy('name'));
  await runControlQuery(
    client,
    controlQueries.insertInto('sync_runs').values({
      customer_id: id,
      mode: 'demo',
      tables: tables.map(({ name }) => name),
      ended_at: sql`pg_catalog.clock_timestamp()`,
      inserted: tables.reduce((rows, { row_count }) => rows + row_count, 0),
    } as never),
  );
};

/** Sets every table to its first version and counts its rows. */
const makeFirstVersions = async (client: pg.ClientBase, { id, schema_name: schema }: Customer): Promise<void> => {
  const tables = await runControlQuery(client, datasetsOf(schema).select(['id', 'name']));
  for (const dataset of tables) {
    const { rows: counted } = await client.query<{ count: number }>(`select count(*) from ${qualify(schema, dataset.name)}`);
    await raiseVersion(client, schema, dataset.id, counted[0]?.count ?? 0);
  }
  const ids = tables.map((dataset) => dataset.id);
  await dateVersions(client, schema, ids, ids);
  await countLoad(client, { id, schema });
};
