/** The dictionary of tables, columns and codes, derived from the catalogue. The pages and `estate print dictionary` use it. */
import { readableFilters } from '../../catalogue/data-scope.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import { type LookupName, lookups } from '../../catalogue/lookups.ts';
import { type RawTableName, rawTables } from '../../catalogue/raw/index.ts';
import { rawMeaning } from '../../catalogue/raw-columns.ts';
import { partsOf, type RawTable } from '../../catalogue/raw-table.ts';
import { cursorColumn, isPublishedFrom, pathOfTable, type Table } from '../../catalogue/table.ts';
import { type ColumnTarget, describeTable, seenIn, type TableDescription } from '../../query/describe-table.ts';

export const rawNames = Object.keys(rawTables).sort() as RawTableName[];
export const codeNames = Object.keys(lookups).sort() as LookupName[];

/** A table of a catalogue with its columns, relations and measures. */
export const describedIn = (catalogue: Catalogue, table: Table): TableDescription => describeTable(table, seenIn(catalogue));

export const requestPathsOf = (table: Table): readonly string[] =>
  table.v1 ? [pathOfTable(table), `/v1${pathOfTable(table)}`] : [pathOfTable(table)];

/** Optional REST filters. */
export const optionalFiltersOf = (table: Table): readonly string[] =>
  readableFilters(table).filter((name) => !table.requiredFilters.includes(name));

/** How the table is paged, without its sort columns. */
export const cursorsOf = (table: Table): string => (cursorColumn(table) === undefined ? 'without cursors' : 'with cursors');

/** Category tables that are derived from a raw table. */
export const readersOf = ({ tables }: Catalogue, name: RawTableName): readonly Table[] =>
  [...tables.values()].filter((table) => isPublishedFrom(table, name));

export const rawColumnsOf = (table: RawTableName) => {
  const { columns, personal }: RawTable = rawTables[table];
  return Object.entries(columns).map(([name, column]) => ({
    name,
    personal: personal[name],
    ...partsOf(column),
    meaning: rawMeaning(table, name),
  }));
};

/** Columns with codes of a list. */
export const usersOf = ({ tables }: Catalogue, name: LookupName): readonly Pick<ColumnTarget, 'table' | 'column' | 'isRaw'>[] =>
  [...tables.values()].flatMap((table) =>
    Object.entries(table.columns)
      .filter(([, { lookup }]) => lookup === name)
      .map(([column]) => ({ table: table.name, column, isRaw: false })),
  );

export const sentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
