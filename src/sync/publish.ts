/**
 * Publishes raw tables' changes to a category table: the rows that they can reach are projected anew, and those that differ
 * are applied; where they reach many, all rows are projected into a table beside (`replacements.ts`).
 */
import type pg from 'pg';
import type { Catalogue } from '../catalogue/index.ts';
import { rawTables } from '../catalogue/raw/index.ts';
import type { Table } from '../catalogue/table.ts';
import type { Dataset } from '../database/datasets.ts';
import { createCategoryIndexes, type Place, projection } from '../database/ddl.ts';
import { qualify, quote } from '../database/identifier.ts';
import { noteAll } from './change-log.ts';
import { drivingKey, reachedKeys } from './dependants.ts';
import { apply, type Comparison, type Counts, compare, nothing, total } from './differences.ts';
import type { LoadSession } from './load-session.ts';
import type { Replacements } from './replacements.ts';
import { stagedName } from './stage.ts';

export interface Published {
  readonly counts: Counts;
  /** Where the differences are noted; empty of meaning if there are none. */
  readonly changed: string;
}

export const unchanged: Published = { counts: nothing, changed: '' };

/** Writes all rows of a category table into an empty one. */
const projectAll = async (client: pg.ClientBase, place: Place, table: Table, into: string): Promise<number> => {
  const names = Object.keys(table.columns).map(quote).join(', ');
  const { rowCount } = await client.query(
    `insert into ${into} (${names})\n${projection(place, table)}\norder by ${table.source.as}.${quote(rawTables[table.source.table].key)}`,
  );
  return rowCount ?? 0;
};

/** Fills a table that has no rows from its whole projection; its first rows come before its indexes. */
export const publishAll = async (
  { client, customer }: Pick<LoadSession, 'client' | 'customer'>,
  catalogue: Catalogue,
  table: Table,
  { isFirst, place }: { isFirst: boolean; place: Place },
) => {
  const schema = customer.schema_name;
  const rowCount = await projectAll(client, place, table, qualify(schema, table.name));
  if (isFirst) for (const statement of createCategoryIndexes(catalogue, schema, table)) await client.query(statement);
  await client.query(`analyze ${qualify(schema, table.name)}`);
  return rowCount;
};

/** What publishing the changed raw tables needs: where the differences of each are noted, and how many there are. */
export interface Publishing {
  readonly dataset: Pick<Dataset, 'version' | 'row_count'>;
  readonly changed: ReadonlyMap<string, { readonly noted: string; readonly counts: Counts }>;
  readonly replacements: Replacements;
}

/** Brings the category table up to date with the changed raw tables. */
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
  const isMuch = (rows: number) => replacements.pays(rows, dataset.row_count);
  // Changed rows of the driving table are reached in any case.
  const isMuchDriven = isMuch(total(changed.get(table.source.table)?.counts ?? nothing));
  let next = isMuchDriven ? await projectBeside(session, table, replacements) : undefined;
  if (dataset.row_count === 0 && next) {
    // While the table is empty its indexes cost nothing, and the one beside inherits them.
    await client.query(createCategoryIndexes(catalogue, customer.schema_name, table).join('; '));
    const inserted = await noteAll(client, next.next, table.key, noted);
    await replacements.finish(table.name, next, { ...nothing, inserted });
    return { counts: { ...nothing, inserted }, changed: noted };
  }
  if (dataset.row_count === 0) {
    const inserted = await publishAll(session, catalogue, table, { isFirst: dataset.version === 0, place });
    if (dataset.version > 0) await noteAll(client, qualify(customer.schema_name, table.name), table.key, noted);
    return { counts: { ...nothing, inserted }, changed: noted };
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
  witnesses: [],
  changed: stagedName(session, table.name, 'published'),
});

/** Projects all rows into a new table beside; undefined if none can take the table's place. */
const projectBeside = async (session: LoadSession, table: Table, replacements: Replacements): Promise<Comparison | undefined> => {
  const beside = await replacements.begin(table.name);
  if (beside === undefined) return undefined;
  await projectAll(session.client, replacements.place, table, beside);
  await replacements.addKeys(table.name);
  await session.client.query(`analyze ${beside}`);
  return comparisonOf(session, table, beside, undefined);
};

/** Notes the keys of rows that the changes reach; gives how many there are. */
const findReached = async (session: LoadSession, table: Table, { changed, replacements }: Publishing, reached: string): Promise<number> => {
  const { client, customer } = session;
  const noted = new Map([...changed].map(([raw, { noted }]) => [raw, noted]));
  // As of the category table, so that text compares by its collation.
  await client.query(
    `create unlogged table ${reached} as select ${quote(table.key)} from ${qualify(customer.schema_name, table.name)} with no data`,
  );
  const { rowCount } = await client.query(
    `insert into ${reached} select * from (${reachedKeys(replacements.place, table, noted)}) as keys (key) where key is not null`,
  );
  await client.query(`analyze ${reached}`);
  return rowCount ?? 0;
};

/** Projects the rows that the changes reach, as they are to be. */
const projectReached = async (session: LoadSession, table: Table, place: Place, reached: string): Promise<Comparison> => {
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
