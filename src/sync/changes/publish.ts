/**
 * Publishes changes of raw tables to a category table. It projects the affected rows again and applies the differences. If many rows are
 * affected, it projects all rows into a replacement table (`replacements.ts`).
 */
import type pg from 'pg';
import type { Catalogue } from '../../catalogue/index.ts';
import { rawTables } from '../../catalogue/raw/index.ts';
import type { Table } from '../../catalogue/table.ts';
import { citusOf } from '../../database/cluster/citus.ts';
import type { Dataset } from '../../database/control/datasets.ts';
import { type ColumnPosition, createCategoryIndexes, projection } from '../../database/ddl.ts';
import { qualify, quote } from '../../database/identifier.ts';
import type { LoadSession } from '../load-session.ts';
import { stagedName } from '../staging/stage.ts';
import { logAllKeys } from './change-log.ts';
import { drivingKey, reachedKeys } from './dependants.ts';
import { apply, type Comparison, type Counts, compare, noChanges, total } from './differences.ts';
import type { Replacements } from './replacements.ts';

export interface Published {
  readonly counts: Counts;
  /** The table of the differences; unused if there are none. */
  readonly changed: string;
}

export const unchanged: Published = { counts: noChanges, changed: '' };

/** Writes all rows of a category table into an empty table. */
const projectAll = async (client: pg.ClientBase, place: ColumnPosition, table: Table, into: string): Promise<number> => {
  const names = Object.keys(table.columns).map(quote).join(', ');
  const { rowCount } = await client.query(
    `insert into ${into} (${names})\n${projection(place, table)}\norder by ${table.source.as}.${quote(rawTables[table.source.table].key)}`,
  );
  return rowCount ?? 0;
};

/** Fills an empty table from its projection. The rows are written before the indexes are built. */
export const publishAll = async (
  { client, customer }: Pick<LoadSession, 'client' | 'customer'>,
  catalogue: Catalogue,
  table: Table,
  { isFirst, place }: { isFirst: boolean; place: ColumnPosition },
) => {
  const schema = customer.schema_name;
  const rowCount = await projectAll(client, place, table, qualify(schema, table.name));
  if (isFirst) for (const statement of createCategoryIndexes(catalogue, schema, table)) await client.query(statement);
  await client.query(`analyze ${qualify(schema, table.name)}`);
  return rowCount;
};

/** The input of a publication: for each changed raw table, the table of its differences and their number. */
export interface Publishing {
  readonly dataset: Pick<Dataset, 'version' | 'row_count'>;
  readonly changed: ReadonlyMap<string, { readonly noted: string; readonly counts: Counts }>;
  readonly replacements: Replacements;
}

/** Updates the category table after changes of raw tables. */
export const publishChanges = async (
  session: LoadSession,
  catalogue: Catalogue,
  table: Table,
  publishing: Publishing,
): Promise<Published> => {
  const { client, customer } = session;
  const { dataset, changed, replacements } = publishing;
  const { place } = replacements;
  const noted = stagedName(session, table.name, 'published');
  const isMuch = (rows: number) => replacements.isWorthwhile(rows, dataset.row_count);
  // Changed rows of the driving table are always affected.
  const isMuchDriven = isMuch(total(changed.get(table.source.table)?.counts ?? noChanges));
  let next = isMuchDriven ? await projectBeside(session, table, replacements) : undefined;
  if (dataset.row_count === 0 && next) {
    // Indexes on an empty table cost nothing, and a replacement table inherits them.
    await citusOf(session.database).define(client, createCategoryIndexes(catalogue, customer.schema_name, table));
    const inserted = await logAllKeys(client, next.next, table.key, noted);
    await replacements.finish(table.name, next, { ...noChanges, inserted });
    return { counts: { ...noChanges, inserted }, changed: noted };
  }
  if (dataset.row_count === 0) {
    const inserted = await publishAll(session, catalogue, table, { isFirst: dataset.version === 0, place });
    if (dataset.version > 0) await logAllKeys(client, qualify(customer.schema_name, table.name), table.key, noted);
    return { counts: { ...noChanges, inserted }, changed: noted };
  }
  if (!next) {
    const reached = stagedName(session, table.name, 'reached');
    const rows = await findReached(session, table, publishing, reached);
    if (rows === 0) return unchanged;
    if (!isMuchDriven && isMuch(rows)) next = await projectBeside(session, table, replacements);
    next ??= await projectReached(session, table, place, reached);
  }
  const counts = await compare(client, next);
  if (next.scope === undefined && isMuch(total(counts))) await replacements.finish(table.name, next, counts);
  else if (total(counts) > 0) await apply(client, next, counts);
  return { counts, changed: noted };
};

const comparisonOf = (session: LoadSession, table: Table, next: string, scope: string | undefined): Comparison => ({
  current: qualify(session.customer.schema_name, table.name),
  next,
  key: table.key,
  columns: Object.keys(table.columns),
  scope,
  linkColumns: [],
  changed: stagedName(session, table.name, 'published'),
});

/** Projects all rows into a replacement table; undefined if the table cannot be replaced. */
const projectBeside = async (session: LoadSession, table: Table, replacements: Replacements): Promise<Comparison | undefined> => {
  const replacement = await replacements.begin(table.name);
  if (replacement === undefined) return undefined;
  await projectAll(session.client, replacements.place, table, replacement);
  await replacements.addKeys(table.name);
  await session.client.query(`analyze ${replacement}`);
  return comparisonOf(session, table, replacement, undefined);
};

/** Records the keys of affected rows and returns their number. */
const findReached = async (session: LoadSession, table: Table, { changed, replacements }: Publishing, reached: string): Promise<number> => {
  const { client, customer } = session;
  const noted = new Map([...changed].map(([raw, { noted }]) => [raw, noted]));
  // The key has the type of the category table, so that text compares by its collation.
  await client.query(
    `create unlogged table ${reached} as select ${quote(table.key)} from ${qualify(customer.schema_name, table.name)} with no data`,
  );
  const { rowCount } = await client.query(
    `insert into ${reached} select * from (${reachedKeys(replacements.place, table, noted)}) as keys (key) where key is not null`,
  );
  await client.query(`analyze ${reached}`);
  return rowCount ?? 0;
};

/** Projects the affected rows. */
const projectReached = async (session: LoadSession, table: Table, place: ColumnPosition, reached: string): Promise<Comparison> => {
  const { client, customer } = session;
  const next = stagedName(session, table.name, 'next');
  const key = quote(table.key);
  await client.query(`create unlogged table ${next} (like ${qualify(customer.schema_name, table.name)})`);
  await client.query(
    `insert into ${next} (${Object.keys(table.columns).map(quote).join(', ')}) ${projection(place, table)}
     where ${table.source.as}.${quote(drivingKey(table))} in (select ${key} from ${reached})`,
  );
  await client.query(`analyze ${next} (${key})`);
  return comparisonOf(session, table, next, `select ${key} from ${reached}`);
};
