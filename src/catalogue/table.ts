/**
 * A category table: one entry contains all facts about it.
 *
 * SQL projection and DDL, row types, REST routes, OpenAPI, GraphQL types and relations follow from it. The compiler checks the column names
 * in an entry. The catalogue as a whole checks the targets of relations.
 */
import type { DeclaredCheck } from './check-rule.ts';
import type { Column } from './column.ts';
import type { PropertyOf } from './property-path.ts';
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

/** The source of a category table's rows: one row for each row of the driving raw table. */
export interface TableSource {
  readonly table: RawTableName;
  readonly as: string;
  readonly joins: readonly Join[];
}

/** One relation, declared on the side with the reference. `inverse` is the name of the other side. */
export interface Relation<C extends string = string, To extends string = string> {
  readonly kind: 'to-one' | 'to-many';
  readonly column: C;
  /** `table.column` that `column` equals. */
  readonly to: To;
  readonly inverse: string;
}

/** Category tables have business names and types. Raw tables have rows in the form of the source. */
export type DatasetKind = 'raw' | 'category';

export type Columns = Readonly<Record<string, Column>>;

export interface Table {
  readonly name: string;
  readonly category: Category;
  readonly purpose: string;
  /** The meaning of one row. */
  readonly grain: string;
  /** Whether the table is also served under `/v1` (contract: versioned paths). */
  readonly v1: boolean;
  /** How rows belong to properties; absent if they do not. */
  readonly property?: PropertyOf | undefined;
  /** The columns with the first and the last day on which a row is valid; null is no limit. Absent if rows have no validity. */
  readonly validity?: readonly [from: string, to: string] | undefined;
  readonly source: TableSource;
  readonly key: string;
  /** Columns besides the key whose values are unique. */
  readonly unique: readonly string[];
  /** Ascending and unique as a whole. If empty, pages have physical order and no cursors (contract: sort order). */
  readonly sort: readonly string[];
  readonly filters: readonly string[];
  readonly requiredFilters: readonly string[];
  /** Filters without an index, each with the reason. */
  readonly withoutIndex: Readonly<Record<string, string>>;
  readonly columns: Columns;
  readonly relations: Readonly<Record<string, Relation>>;
  /** Checks of its rows, besides those that follow from columns and relations (`checks.ts`). */
  readonly checks: Readonly<Record<string, DeclaredCheck>>;
}

/** Declares a category table. Every column that the entry names must be one of its columns. */
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
  property?: PropertyOf;
  validity?: readonly [keyof C & string, keyof C & string];
  source: TableSource;
  key: K;
  unique?: readonly (keyof C & string)[];
  sort: readonly (keyof C & string)[];
  filters: readonly F[];
  requiredFilters?: readonly NoInfer<F>[];
  withoutIndex?: { readonly [Name in NoInfer<F>]?: string };
  columns: C;
  relations?: R;
  checks?: Readonly<Record<string, DeclaredCheck<keyof C & string>>>;
}) => ({
  ...entry,
  unique: entry.unique ?? [],
  requiredFilters: entry.requiredFilters ?? [],
  withoutIndex: entry.withoutIndex ?? {},
  relations: entry.relations ?? ({} as R),
  checks: (entry.checks ?? {}) as Readonly<Record<string, DeclaredCheck>>,
});

/** The driving raw table of a category table, its alias, and the joins in order. */
export const from = (table: RawTableName, as: string, joins: readonly Join[] = []): TableSource => ({ table, as, joins });

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
/** Rows of both tables share a value that is not unique in either. */
export const toMany = relate('to-many');

/** Whether a category table is published from a raw table. */
export const isPublishedFrom = ({ source }: Pick<Table, 'source'>, raw: string): boolean =>
  source.table === raw || source.joins.some(({ table }) => table === raw);

/** The path of a table in REST, without a version. */
export const pathOfTable = ({ category, name }: { readonly category: string; readonly name: string }): string => `/${category}/${name}`;

/** The cursor column, if the table has one: a sort key of a single column (dictionary, conventions). */
export const cursorColumn = (table: Pick<Table, 'sort'>): string | undefined => (table.sort.length === 1 ? table.sort[0] : undefined);
