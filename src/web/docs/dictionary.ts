/** The dictionary of tables, columns and codes, derived from the catalogue. The pages and `docs/dictionary.md` use it. */
import type { Column } from '../../catalogue/column.ts';
import { readableFilters } from '../../catalogue/data-scope.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import { type LookupName, lookups } from '../../catalogue/lookups.ts';
import { measuresOf } from '../../catalogue/measure-formula.ts';
import type { PersonalClass } from '../../catalogue/personal.ts';
import { type RawTableName, rawTables } from '../../catalogue/raw/index.ts';
import { partsOf, type RawTable } from '../../catalogue/raw-table.ts';
import { cursorColumn, isPublishedFrom, pathOfTable, type Table } from '../../catalogue/table.ts';

export const rawNames = Object.keys(rawTables).sort() as RawTableName[];
export const codeNames = Object.keys(lookups).sort() as LookupName[];

/** A column of a category table, or of a raw table if there is no category table with that name. */
export interface LinkTarget {
  readonly table: string;
  readonly column: string;
  readonly isRaw: boolean;
}

export interface ColumnFacts {
  readonly name: string;
  /** The kind with its digits. */
  readonly kind: string;
  readonly isNullable: boolean;
  readonly meaning: string;
  /** A column of the driving raw table, or an SQL expression over the joined tables. */
  readonly from: string;
  readonly lookup: LookupName | undefined;
  /** The columns that the value refers to. */
  readonly targets: readonly LinkTarget[];
  readonly filter: 'required' | 'optional' | undefined;
  readonly personal: PersonalClass | undefined;
  readonly example: string | undefined;
}

const kindOf = ({ kind, digits }: Column): string => (digits ? `${kind} (${digits.join(', ')})` : kind);

export const columnFactsOf = ({ tables }: Catalogue, table: Table): readonly ColumnFacts[] =>
  Object.entries(table.columns).map(([name, column]) => {
    const { from = name, lookup, references, example, personal } = column;
    const related = Object.values(table.relations).filter((relation) => relation.column === name);
    const targets = [...new Set([...related.map(({ to }) => to), ...(references ? [references] : [])])].map((to): LinkTarget => {
      const [target = '', targetColumn = ''] = to.split('.');
      return { table: target, column: targetColumn, isRaw: !tables.has(target) };
    });
    return {
      name,
      kind: kindOf(column),
      isNullable: !column.required,
      meaning: column.meaning,
      from: /^\w+$/.test(from) ? `${table.source.as}.${from}` : from,
      lookup,
      targets,
      filter: table.requiredFilters.includes(name) ? 'required' : readableFilters(table).includes(name) ? 'optional' : undefined,
      personal,
      example: example === undefined ? undefined : String(example),
    };
  });

/** The measures of a table. */
export const measuresIn = ({ relations }: Catalogue, { name }: Table) => measuresOf(name, (table) => relations.get(table) ?? []);

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

export const rawColumnsOf = ({ columns, personal }: RawTable) =>
  Object.entries(columns).map(([name, column]) => ({ name, personal: personal[name], ...partsOf(column) }));

/** Columns with codes of a list. */
export const usersOf = ({ tables }: Catalogue, name: LookupName): readonly LinkTarget[] =>
  [...tables.values()].flatMap((table) =>
    Object.entries(table.columns)
      .filter(([, { lookup }]) => lookup === name)
      .map(([column]) => ({ table: table.name, column, isRaw: false })),
  );

export const sentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
