/**
 * Compares the current rows of a table with its next rows, and applies the differences.
 *
 * Raw tables and category tables are updated in the same way. The next rows are in a staging table. A comparison records each key whose row
 * differs, and only these rows are written. If there are too many, the table is replaced instead (`replacements.ts`). A changed row is
 * deleted and inserted, as PostgreSQL does for an update anyway. So two rows can swap a unique value.
 */
import type pg from 'pg';
import { quote } from '../../database/identifier.ts';

export interface Comparison {
  /** The current table and the staging table, both qualified. */
  readonly current: string;
  readonly next: string;
  readonly key: string;
  readonly columns: readonly string[];
  /** A query of the keys to compare; other keys stay as they are. Absent: all keys. */
  readonly scope: string | undefined;
  /** Columns whose old and new values lead to dependent rows. */
  readonly linkColumns: readonly string[];
  /** The qualified table for the differences. */
  readonly changed: string;
}

/** The number of different rows, by kind. */
export interface Counts {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

export const noChanges: Counts = { inserted: 0, updated: 0, deleted: 0 };

export const total = ({ inserted, updated, deleted }: Counts): number => inserted + updated + deleted;

/** The columns of a witness in the table of differences. */
export const oldValue = (column: string): string => quote(`old ${column}`.slice(0, 63));
export const newValue = (column: string): string => quote(`new ${column}`.slice(0, 63));

/** Records each key whose row differs in `changed (key, op, old and new values of link columns)`. */
export const compare = async (client: pg.ClientBase, comparison: Comparison): Promise<Counts> => {
  const { current, next, columns, scope, linkColumns, changed } = comparison;
  const key = quote(comparison.key);
  const of = (alias: string) => columns.map((column) => `${alias}.${quote(column)}`).join(', ');
  const scoped = scope === undefined ? current : `(select * from ${current} where ${key} in (${scope}))`;
  const values = linkColumns.map((column) => `, t.${quote(column)} as ${oldValue(column)}, n.${quote(column)} as ${newValue(column)}`);
  // A merge join on both keys compares wide rows of whole tables. Hashing them takes twice as long.
  if (scope === undefined) await client.query('set enable_hashjoin = off');
  await client.query(
    `create unlogged table ${changed} as
     select coalesce(n.${key}, t.${key}) as key,
       case when t.${key} is null then 'insert' when n.${key} is null then 'delete' else 'update' end as op${values.join('')}
     from ${next} n full join ${scoped} t on n.${key} = t.${key}
     where n.${key} is null or t.${key} is null or row(${of('n')}) is distinct from row(${of('t')})`,
  );
  if (scope === undefined) await client.query('reset enable_hashjoin');
  await client.query(`analyze ${changed}`);
  const { rows } = await client.query<Counts>(
    `select count(*) filter (where op = 'insert') as inserted, count(*) filter (where op = 'update') as updated,
       count(*) filter (where op = 'delete') as deleted from ${changed}`,
  );
  return rows[0] ?? noChanges;
};

/** Applies the differences to the table. */
export const apply = async (
  client: pg.ClientBase,
  { current, next, columns, changed, ...comparison }: Comparison,
  counts: Counts,
): Promise<void> => {
  const key = quote(comparison.key);
  const list = columns.map(quote).join(', ');
  if (counts.updated + counts.deleted > 0)
    await client.query(`delete from ${current} t using ${changed} c where t.${key} = c.key and c.op <> 'insert'`);
  if (counts.inserted + counts.updated > 0)
    await client.query(
      `insert into ${current} (${list}) select ${columns.map((column) => `n.${quote(column)}`).join(', ')}
       from ${next} n join ${changed} c on c.key = n.${key} and c.op <> 'delete' order by n.${key}`,
    );
};

/** Writes all next rows into an empty table. */
export const writeAll = async (client: pg.ClientBase, comparison: Comparison, into: string): Promise<void> => {
  const { current, next, columns, scope, changed } = comparison;
  const key = quote(comparison.key);
  const list = columns.map(quote).join(', ');
  // Rows outside the comparison are not among the next rows.
  const kept = `select ${list} from ${current} t where not exists (select 1 from ${changed} c where c.key = t.${key})`;
  const changedNow = `select ${list} from ${next} where ${key} in (select key from ${changed} where op <> 'delete')`;
  const rows = scope === undefined ? `select ${list} from ${next}` : `${kept} union all ${changedNow}`;
  await client.query(`insert into ${into} (${list}) ${rows} order by ${key}`);
};
