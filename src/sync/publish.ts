/**
 * Publishes raw tables' changes to a category table: the rows that they can reach are projected anew, and those that differ
 * are applied.
 */

import type { Catalogue } from '../catalogue/index.ts';
import { rawTables } from '../catalogue/raw/index.ts';
import type { Table } from '../catalogue/table.ts';
import { createCategoryIndexes, projection } from '../database/ddl.ts';
import { qualify, quote } from '../database/identifier.ts';
import { type Dataset, noteAll } from './change-log.ts';
import { drivingKey, reachedKeys } from './dependants.ts';
import { apply, type Comparison, type Counts, compare, nothing, total } from './differences.ts';
import type { LoadSession } from './load-session.ts';
import { stagedName } from './stage.ts';

export interface Published {
  readonly counts: Counts;
  /** Where the differences are noted; empty of meaning if there are none. */
  readonly changed: string;
}

export const unchanged: Published = { counts: nothing, changed: '' };

/** Fills a table that has no rows from its whole projection; its first rows come before its indexes. */
export const publishAll = async (
  { client, customer }: Pick<LoadSession, 'client' | 'customer'>,
  catalogue: Catalogue,
  table: Table,
  isFirst: boolean,
) => {
  const schema = customer.schema_name;
  const names = Object.keys(table.columns).map(quote).join(', ');
  const { rowCount } = await client.query(
    `insert into ${qualify(schema, table.name)} (${names})\n${projection(schema, table)}\norder by ${table.source.as}.${quote(rawTables[table.source.table].key)}`,
  );
  if (isFirst) for (const statement of createCategoryIndexes(catalogue, schema, table)) await client.query(statement);
  await client.query(`analyze ${qualify(schema, table.name)}`);
  return rowCount ?? 0;
};

/** Brings the category table up to date with the changed raw tables, given where the differences of each are noted. */
export const publishChanges = async (
  session: LoadSession,
  catalogue: Catalogue,
  table: Table,
  { dataset, changed }: { dataset: Dataset; changed: ReadonlyMap<string, string> },
): Promise<Published> => {
  const { client, customer } = session;
  const noted = stagedName(session, table.name, 'published');
  if (dataset.rowCount === 0) {
    const inserted = await publishAll(session, catalogue, table, dataset.version === 0);
    if (dataset.version > 0) await noteAll(client, qualify(customer.schema_name, table.name), table.key, noted);
    return { counts: { ...nothing, inserted }, changed: noted };
  }
  const comparison = await projectReached(session, table, changed);
  if (!comparison) return unchanged;
  const counts = await compare(client, { ...comparison, changed: noted });
  if (total(counts) > 0) await apply(client, { ...comparison, changed: noted }, counts);
  return { counts, changed: noted };
};

/** Projects the rows that the changes reach, as they are to be; undefined if they reach none. */
const projectReached = async (
  session: LoadSession,
  table: Table,
  changed: ReadonlyMap<string, string>,
): Promise<Omit<Comparison, 'changed'> | undefined> => {
  const { client, customer } = session;
  const current = qualify(customer.schema_name, table.name);
  const reached = stagedName(session, table.name, 'reached');
  const next = stagedName(session, table.name, 'next');
  const key = quote(table.key);
  const columns = Object.keys(table.columns);
  // Both tables take their types from the category table, so that text compares by its collation.
  await client.query(`create unlogged table ${reached} as select ${key} from ${current} with no data`);
  const { rowCount } = await client.query(
    `insert into ${reached} select * from (${reachedKeys(customer.schema_name, table, changed)}) as keys (key) where key is not null`,
  );
  if (rowCount === 0) return undefined;
  await client.query(`analyze ${reached}`);
  await client.query(`create unlogged table ${next} (like ${current})`);
  await client.query(
    `insert into ${next} (${columns.map(quote).join(', ')}) ${projection(customer.schema_name, table)}
     where ${table.source.as}.${quote(drivingKey(table))} in (select ${key} from ${reached})`,
  );
  await client.query(`analyze ${next}`);
  return { current, next, key: table.key, columns, scope: `select ${key} from ${reached}`, witnesses: [] };
};
