/** What loaded columns answer: category tables, measures, and the questions of analysts. */
import { catalogue } from '../catalogue/index.ts';
import { measures } from '../catalogue/measures.ts';
import type { Table } from '../catalogue/table.ts';

export interface Usable {
  readonly categoryTables: readonly string[];
  readonly measures: readonly string[];
  readonly questions: readonly string[];
}

/** The columns of a category table that have values. A column that is computed counts. */
const filledColumns = ({ source, columns }: Table, raw: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    Object.entries(columns).flatMap(([name, { from = name }]) => {
      const own = from.replace(`${source.as}.`, '');
      return /^\w+$/.test(own) && !raw.has(own) ? [] : [name];
    }),
  );

const camelCase = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A question can be asked if its table has rows and every column of the table that it names has values. */
const canAsk = (document: string, table: Table, filled: ReadonlySet<string>): boolean => {
  const words = new Set(document.replaceAll(/#.*$/gm, '').match(/\b[a-z][A-Za-z0-9]*\b/g) ?? []);
  return Object.keys(table.columns).every((name) => !words.has(camelCase(name)) || filled.has(name));
};

/** The root table of a document: the first field whose name is a table or its groups. */
const rootOf = (document: string): Table | undefined => {
  const [, field = ''] = /\{\s*(?:\w+:\s*)?(\w+)/.exec(document.replaceAll(/#.*$/gm, '')) ?? [];
  return [...catalogue.tables.values()].find(({ name }) => [name, `${name}_groups`].map(camelCase).includes(field));
};

/** What works with these filled columns, by raw table. `documents` are questions by name. */
export const usableWith = (filled: ReadonlyMap<string, ReadonlySet<string>>, documents: Readonly<Record<string, string>>): Usable => {
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
    questions: Object.entries(documents).flatMap(([name, document]) => {
      const table = rootOf(document);
      const known = table && columns.get(table.name);
      return table && known && canAsk(document, table, known) ? [name] : [];
    }),
  };
};
