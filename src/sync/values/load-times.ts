/**
 * The times of rows whose export has none (contract: load times).
 *
 * A new row gets the time of the load. A row that is there keeps its times, and a row that changes gets the time of the load as the time of
 * its change. It does not matter whether the column or its value is missing. So the same file again changes nothing.
 */
import type pg from 'pg';
import { quote } from '../../database/identifier.ts';
import type { Mode } from '../files/source-files.ts';
import type { Target } from '../target.ts';

const times = ['created_at', 'changed_at'] as const;

export const isLoadTime = (column: string): boolean => (times as readonly string[]).includes(column);

/** The required times that the rows lack. */
export const timesOfLoad = ({ columns }: Pick<Target, 'columns'>, delivered: readonly string[]): readonly string[] =>
  times.filter((name) => columns.get(name)?.required === true && !delivered.includes(name));

/** Staged rows, as far as their times matter. */
interface StagedTimes {
  readonly target: Target;
  /** The name of the staged rows. */
  readonly rows: string | undefined;
  readonly columns: readonly string[];
  /** The delivered times that some rows lack. */
  readonly incompleteTimes: readonly string[];
}

/** The time of a row that is there, as SQL. `n` is the staged row and `t` the current one. */
const keptTime = ({ target, columns, incompleteTimes }: StagedTimes, name: string, mode: Mode): string => {
  // An upsert keeps the values that the file lacks.
  if (name === 'created_at' || mode === 'upsert') return `t.${name}`;
  const compared = [...target.columns.keys()].filter((column) => !timesOfLoad(target, columns).includes(column) && column !== name);
  const next = compared.map((column) => (incompleteTimes.includes(column) ? `coalesce(n.${column}, t.${column})` : `n.${quote(column)}`));
  const now = compared.map((column) => `t.${quote(column)}`);
  return `case when row(${next.join(', ')}) is not distinct from row(${now.join(', ')}) then t.${name} else pg_catalog.now() end`;
};

/** Gives staged rows without a time the one that they have in the table, or the time of the load. */
const completeTimes = async (client: pg.ClientBase, current: string, staged: StagedTimes, mode: Mode): Promise<void> => {
  const { target, rows, incompleteTimes } = staged;
  const key = quote(target.key);
  const values = incompleteTimes.map(
    (name) => `${name} = coalesce(n.${name}, case when t.${key} is not null then ${keptTime(staged, name, mode)} end, pg_catalog.now())`,
  );
  await client.query(
    `update ${rows} n set ${values.join(', ')} from ${rows} m left join ${current} t on t.${key} = m.${key}
     where m.${key} = n.${key} and (${incompleteTimes.map((name) => `n.${name} is null`).join(' or ')})`,
  );
};

/** Gives staged rows that the table has already their times. New rows have the time of the load by default. */
export const keepTimes = async (client: pg.ClientBase, current: string, staged: StagedTimes, mode: Mode): Promise<void> => {
  const { target, rows, columns, incompleteTimes } = staged;
  if (!rows) return;
  if (incompleteTimes.length > 0) await completeTimes(client, current, staged, mode);
  const missing = timesOfLoad(target, columns);
  if (missing.length === 0) return;
  const complete = { ...staged, incompleteTimes: [] };
  const values = missing.map((name) => `${name} = ${keptTime(complete, name, mode)}`);
  const key = quote(target.key);
  await client.query(`update ${rows} n set ${values.join(', ')} from ${current} t where t.${key} = n.${key}`);
};
