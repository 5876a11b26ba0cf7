/**
 * A category table: one entry says everything that is true of it.
 *
 * SQL projection and DDL, row types, REST routes, OpenAPI, GraphQL types and relations are all read from here. Column names
 * are checked by the compiler wherever an entry mentions one; the catalogue as a whole checks where relations lead.
 */
import type { Column } from './column.ts';
import type { RawTableName, rawTables } from './raw/index.ts';
import type { Category } from './tiers.ts';

type RawColumnName<T extends RawTableName> = keyof (typeof rawTables)[T]['columns'] & string;

/** `LEFT JOIN raw table AS alias ON alias.column = equals`; `column` is unique, so a join never multiplies rows. */
export interface Join {
  readonly table: RawTableName;
  readonly as: string;
  readonly column: string;
  /** `alias.column` of the driving table or of an earlier join. */
  readonly equals: string;
}

/** Where a category table's rows come from: one row for each row of the driving raw table. */
export interface Source {
  readonly table: RawTableName;
  readonly as: string;
  readonly joins: readonly Join[];
}

/** One relation, declared at the side that holds the reference; the other side is called `inverse`. */
export interface Relation<C extends string = string, To extends string = string> {
  readonly kind: 'to-one' | 'to-many';
  readonly column: C;
  /** `table.column` that `column` equals. */
  readonly to: To;
  readonly inverse: string;
}

/** Category tables have business names and types; raw tables have rows as the source delivers them. */
export type DatasetKind = 'raw' | 'category';

export type Columns = Readonly<Record<string, Column>>;

export interface Table {
  readonly name: string;
  readonly category: Category;
  readonly purpose: string;
  /** What one row stands for. */
  readonly grain: string;
  /** Offered under `/v1` too (contract: versioned paths). */
  readonly v1: boolean;
  readonly source: Source;
  readonly key: string;
  /** Columns beside the key whose values are unique. */
  readonly unique: readonly string[];
  /** Ascending, unique as a whole; empty: pages go in physical order and there is no cursor (contract: sort order). */
  readonly sort: readonly string[];
  readonly filters: readonly string[];
  readonly requiredFilters: readonly string[];
  /** Filters that no index is made for, each with the reason. */
  readonly withoutIndex: Readonly<Record<string, string>>;
  readonly columns: Columns;
  readonly relations: Readonly<Record<string, Relation>>;
}

/** Declares a category table; every column that the entry names must be one of its columns. */
export const table = <
  const N extends string,
  const C extends Columns,
  const K extends keyof C & string,
  const F extends keyof C & string,
  const R extends Record<string, Relation<keyof C & string>> = Record<never, never>,
>(entry: {
  name: N;
  category: Category;
  purpose: string;
  grain: string;
  v1: boolean;
  source: Source;
  key: K;
  unique?: readonly (keyof C & string)[];
  sort: readonly (keyof C & string)[];
  filters: readonly F[];
  requiredFilters?: readonly NoInfer<F>[];
  withoutIndex?: { readonly [Name in NoInfer<F>]?: string };
  columns: C;
  relations?: R;
}) => ({
  ...entry,
  unique: entry.unique ?? [],
  requiredFilters: entry.requiredFilters ?? [],
  withoutIndex: entry.withoutIndex ?? {},
  relations: entry.relations ?? ({} as R),
});

/** The driving raw table of a category table, its alias and the joins in their order. */
export const from = (table: RawTableName, as: string, joins: readonly Join[] = []): Source => ({ table, as, joins });

/** Joins a raw table by a unique column. */
export const join = <T extends RawTableName>(table: T, as: string, column: RawColumnName<T>, equals: string): Join => ({
  table,
  as,
  column,
  equals,
});

const relate =
  <const Kind extends Relation['kind']>(kind: Kind) =>
  <const C extends string, const To extends string, const I extends string>(column: C, to: To, inverse: I) =>
    ({ kind, column, to, inverse }) as const;

/** This row refers to one row of the other table. */
export const toOne = relate('to-one');
/** Rows of both tables share a value that is unique in neither. */
export const toMany = relate('to-many');

/** Whether a category table is published from a raw table. */
export const reads = ({ source }: Pick<Table, 'source'>, raw: string): boolean =>
  source.table === raw || source.joins.some(({ table }) => table === raw);

/** Where REST serves a table, unversioned. */
export const pathOfTable = ({ category, name }: { readonly category: string; readonly name: string }): string => `/${category}/${name}`;

/** The column that cursors name, if the table has one: a sort key of a single column (dictionary, conventions). */
export const cursorColumn = (table: Pick<Table, 'sort'>): string | undefined => (table.sort.length === 1 ? table.sort[0] : undefined);
