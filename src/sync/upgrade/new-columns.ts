/**
 * Adds columns of a newer catalogue to the category tables of existing customers.
 *
 * Readers continue. The columns are added under names with a space, which locks a table for a moment. Their values are written beside the
 * readers. The end of the transaction gives them their names and creates data versions, because tags, files and deltas must change with the
 * rows. An interrupted upgrade continues at the next start.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Catalogue } from '../../catalogue/index.ts';
import { kinds } from '../../catalogue/kinds.ts';
import type { Table } from '../../catalogue/table.ts';
import { citusOf } from '../../database/cluster/citus.ts';
import type { Database } from '../../database/connections/connection.ts';
import { allowWaiting } from '../../database/connections/transaction.ts';
import type { Customer } from '../../database/control/customers.ts';
import { findDataset } from '../../database/control/datasets.ts';
import { controlSchema } from '../../database/control-tables.ts';
import { projection } from '../../database/ddl.ts';
import { qualify, quote } from '../../database/identifier.ts';
import { findMissingColumns } from '../../database/inspect.ts';
import { type AnnouncedOptions, inAnnouncedTransaction } from '../announced.ts';
import { dateVersions, startOver } from '../changes/change-log.ts';

import { type LoadSession, withLoadSession } from '../load-session.ts';
import { stateOf } from '../refusal.ts';

const outdated = qualify(controlSchema, 'outdated_customers');

/** A category table of a customer, and the columns that it lacks. */
interface Incomplete {
  readonly table: Table;
  readonly columns: readonly string[];
}

/** The name of a column without its values. */
const unfilled = (column: string): string => quote(`new ${column}`.slice(0, 63));

/** No reader waits longer than this for the upgrade. */
const patienceMs = 250;

const lockTimeout = '55P03';

/** Runs statements that need a table for themselves, again and again until its readers leave a gap. */
const inGap = async ({ client, database }: LoadSession, statements: readonly string[]): Promise<void> => {
  await citusOf(database).sendSettings(client);
  for (;;) {
    try {
      await client.query('savepoint gap');
      await client.query(`set local lock_timeout = ${patienceMs}`);
      for (const statement of statements) await client.query(statement);
      await client.query('set local lock_timeout = 0');
      return void (await client.query('release savepoint gap'));
    } catch (error) {
      if (stateOf(error) !== lockTimeout) throw error;
      await client.query('rollback to savepoint gap');
    }
    await sleep(patienceMs);
  }
};

/** Adds the columns without values. */
const addUnfilled = async (session: LoadSession, { table, columns }: Incomplete): Promise<void> => {
  const added = columns.map((name) => {
    const { kind, digits } = table.columns[name]!;
    return `add column if not exists ${unfilled(name)} ${kinds[kind].ddl(digits)}`;
  });
  const { client, customer } = session;
  await client.query('begin');
  try {
    await allowWaiting(client);
    await inGap(session, [`alter table ${qualify(customer.schema_name, table.name)} ${added.join(', ')}`]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
};

/** Writes the values of the columns, and a data version without deltas from earlier ones. Returns the id of the dataset, if it has a new version. */
const fill = async (session: LoadSession, { table, columns }: Incomplete): Promise<readonly number[]> => {
  const { client, customer } = session;
  const schema = customer.schema_name;
  const name = qualify(schema, table.name);
  const key = quote(table.key);
  await client.query(
    `update ${name} t set ${columns.map((column) => `${unfilled(column)} = p.${quote(column)}`).join(', ')}
     from (${projection((raw) => qualify(schema, raw), table)}) p where p.${key} = t.${key}`,
  );
  const dataset = await findDataset(client, schema, 'category', table.name);
  if (!dataset || dataset.version === 0) return [];
  await startOver(client, schema, dataset.id);
  return [dataset.id];
};

/** Gives the columns their names. */
const nameStatements = ({ schema_name }: Customer, { table, columns }: Incomplete): readonly string[] => {
  const alter = `alter table ${qualify(schema_name, table.name)}`;
  return columns.flatMap((name) => [
    `${alter} rename column ${unfilled(name)} to ${quote(name)}`,
    ...(table.columns[name]?.required ? [`${alter} alter column ${quote(name)} set not null`] : []),
  ]);
};

const incompleteOf = async (client: pg.ClientBase | pg.Pool, catalogue: Catalogue, { schema_name }: Customer): Promise<Incomplete[]> =>
  [...(await findMissingColumns(client, catalogue, schema_name))].map(([name, columns]) => ({
    table: catalogue.tables.get(name)!,
    columns,
  }));

const complete = async (session: LoadSession, catalogue: Catalogue, options: AnnouncedOptions): Promise<readonly string[]> => {
  const { client, customer } = session;
  const incomplete = await incompleteOf(client, catalogue, customer);
  if (incomplete.length === 0) return [];
  for (const one of incomplete) await addUnfilled(session, one);
  await inAnnouncedTransaction(session, options, async (untilKnown) => {
    const made: number[] = [];
    for (const one of incomplete) made.push(...(await fill(session, one)));
    await untilKnown();
    await inGap(
      session,
      incomplete.flatMap((one) => nameStatements(customer, one)),
    );
    await dateVersions(client, customer.schema_name, [], made);
  });
  return incomplete.map(({ table, columns }) => `customer ${customer.slug}: table ${table.name} has the new columns ${columns.join(', ')}`);
};

/** Adds the missing columns of the customers' category tables. Waits for running loads. Returns a line for each changed table. */
export const addMissingColumns = async (
  { database, catalogue }: { database: Database; catalogue: Catalogue },
  customers: readonly Customer[],
  options: AnnouncedOptions = {},
): Promise<readonly string[]> => {
  const added: string[] = [];
  for (const customer of customers) {
    if ((await incompleteOf(database.pool, catalogue, customer)).length > 0)
      added.push(
        ...(await withLoadSession(
          database,
          customer,
          () => {},
          (session) => complete(session, catalogue, options),
        )),
      );
    await database.pool.query(`delete from ${outdated} where customer_id = $1`, [customer.id]);
  }
  return added;
};

/** The customers that no process of this version has completed. */
export const listOutdated = async ({ pool }: Database): Promise<readonly Customer[]> => {
  const { rows } = await pool.query<Customer>(
    `select c.* from ${qualify(controlSchema, 'customers')} c join ${outdated} o on o.customer_id = c.id order by c.id`,
  );
  return rows;
};
