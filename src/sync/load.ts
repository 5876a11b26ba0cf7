/**
 * Fills the empty tables of a new customer from generated rows and publishes the category tables from them, in one
 * transaction: readers see all of it or nothing. There is nothing to compare with, so nothing is staged.
 */
import type pg from 'pg';
import type { Catalogue } from '../catalogue/index.ts';
import { rawTables } from '../catalogue/raw/index.ts';
import type { Database } from '../database/connection.ts';
import { controlSchema } from '../database/control.ts';
import type { Customer } from '../database/customers.ts';
import { createJoinIndexes } from '../database/ddl.ts';
import { qualify, quote } from '../database/identifier.ts';
import { dateVersions, raiseVersion } from './change-log.ts';
import { type Batch, copyText } from './copy-text.ts';
import type { Progress } from './progress.ts';
import { publishAll } from './publish.ts';

/** Fills the empty tables of a new customer, inside the client's transaction. */
export const loadInitial = async (
  database: Database,
  client: pg.PoolClient,
  catalogue: Catalogue,
  customer: Customer,
  batches: Iterable<Batch>,
  progress: Progress = () => {},
): Promise<void> => {
  const schema = customer.schema_name;
  for (const { table, rows } of batches) {
    const columns = Object.keys(rawTables[table].columns).map(quote).join(', ');
    await database.copy(client, `copy ${qualify(schema, table)} (${columns}) from stdin`, [copyText(rows)]);
    progress('load', table, rows.length);
  }
  for (const statement of createJoinIndexes(catalogue, schema)) await client.query(statement);
  for (const table of Object.keys(rawTables)) await client.query(`analyze ${qualify(schema, table)}`);
  for (const table of catalogue.tables.values()) {
    progress('publish', table.name);
    await publishAll({ client, customer }, catalogue, table, true);
  }
  await makeFirstVersions(client, customer);
  await recordRun(client, customer);
};

/** Enters the rows into the history, as a load that began with the transaction. */
const recordRun = async (client: pg.ClientBase, { id }: Customer): Promise<void> => {
  await client.query(
    `insert into ${qualify(controlSchema, 'sync_runs')} (customer_id, mode, tables, ended_at, inserted)
     select $1, 'demo', array_agg(name order by name), pg_catalog.clock_timestamp(), sum(row_count)
     from ${qualify(controlSchema, 'datasets')} where customer_id = $1 and kind = 'raw'`,
    [id],
  );
};

/** Every table is at its first version now, with its rows counted. */
const makeFirstVersions = async (client: pg.ClientBase, { id, schema_name }: Customer): Promise<void> => {
  const datasets = qualify(controlSchema, 'datasets');
  const { rows } = await client.query<{ id: number; name: string }>(`select id, name from ${datasets} where customer_id = $1`, [id]);
  for (const dataset of rows) {
    const { rows: counted } = await client.query<{ count: number }>(`select count(*) from ${qualify(schema_name, dataset.name)}`);
    await raiseVersion(client, dataset.id, counted[0]?.count ?? 0);
  }
  const ids = rows.map((dataset) => dataset.id);
  await dateVersions(client, ids, ids);
};
