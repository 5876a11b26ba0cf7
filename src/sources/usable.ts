/** What loaded columns answer: category tables, measures, and the questions of analysts. */
import { catalogue } from '../catalogue/index.ts';
import { measures } from '../catalogue/measures/measures.ts';
import type { Table } from '../catalogue/table.ts';

export interface Usable {
  readonly categoryTables: readonly string[];
  readonly measures: readonly string[];
  readonly questions: readonly string[];
}

/** The columns in which each question needs values, of its table and of related ones. */
export type QuestionColumns = Readonly<Record<string, readonly { readonly table: string; readonly column: string }[]>>;

/** The columns of a category table that have values. A column that is computed counts. */
const filledColumns = ({ source, columns }: Table, raw: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    Object.entries(columns).flatMap(([name, { from = name }]) => {
      const own = from.replace(`${source.as}.`, '');
      return /^\w+$/.test(own) && !raw.has(own) ? [] : [name];
    }),
  );

/** What works with these filled columns, by raw table. */
export const usableWith = (filled: ReadonlyMap<string, ReadonlySet<string>>, questions: QuestionColumns): Usable => {
  const columns = new Map(
    [...catalogue.tables.values()].flatMap((table) => {
      const raw = filled.get(table.source.table);
      return raw && raw.size > 0 ? [[table.name, filledColumns(table, raw)] as const] : [];
    }),
  );
  const named = (sql: string): string[] => [...sql.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => name !== 'day');
  return {
    categoryTables: [...columns.keys()],
    measures: measures
      .filter(
        ({ table, numerator, denominator = '', over }) =>
          !over && columns.has(table) && named(numerator + denominator).every((name) => columns.get(table)?.has(name)),
      )
      .map(({ table, name }) => `${table}.${name}`),
    questions: Object.entries(questions).flatMap(([name, read]) =>
      read.every(({ table, column }) => columns.get(table)?.has(column)) ? [name] : [],
    ),
  };
};
