/**
 * What one level of a document asks of one table, as plain data: GraphQL's counterpart to REST's `ReadPlan`.
 *
 * It adds what REST has no words for: chosen columns, any condition, any order, and rows of many parents at once.
 */
import type { Kind } from '../catalogue/column.ts';
import type { Table } from '../catalogue/table.ts';
import type { Condition } from './condition.ts';
import type { Source } from './plan.ts';

/** Nulls come last in either direction (semantics 29). */
export interface OrderTerm {
  readonly column: string;
  readonly kind: Kind;
  readonly isDescending: boolean;
  readonly isNullable: boolean;
}

/** A row's values as text, in the order of a plan's columns. */
export type TextRow = readonly (string | null)[];

export interface RowsPlan {
  readonly source: Source;
  readonly columns: readonly string[];
  readonly where: Condition | undefined;
  /** Unique as a whole; empty where at most one row can match. */
  readonly order: readonly OrderTerm[];
  /** The order's values of the row behind which to begin. */
  readonly after: TextRow | undefined;
  readonly offset: number;
  readonly limit: number;
  /** Rows of other tables that are read along; their values follow the plan's own, one after the other. */
  readonly joined: readonly JoinedRow[];
}

/** The one row that each row of a plan leads to: the linking value, null if there is none, then the values of its own plan. */
export interface JoinedRow {
  /** The column that leads there. */
  readonly on: string;
  readonly link: Link;
  readonly plan: RowsPlan;
}

/** How many values a row of a plan has. */
export const widthOf = ({ columns, joined }: RowsPlan): number => joined.reduce((sum, { plan }) => sum + 1 + widthOf(plan), columns.length);

/** How many tables a plan reads along. */
export const joinsOf = ({ joined }: RowsPlan): number => joined.reduce((sum, { plan }) => sum + 1 + joinsOf(plan), 0);

/** A column whose values lead from parents to their rows. */
export interface Link {
  readonly column: string;
  readonly kind: Kind;
  /** At most one row for each value. */
  readonly isUnique: boolean;
}

const term = (table: Table, column: string, isDescending: boolean): OrderTerm => {
  const { kind, required } = table.columns[column]!;
  return { column, kind, isDescending, isNullable: !required };
};

/** The order that a table has when none is asked for: its sort key, or its key where it has none. */
export const defaultOrder = (table: Table): readonly OrderTerm[] =>
  (table.sort.length > 0 ? table.sort : [table.key]).map((column) => term(table, column, false));

/**
 * An order that was asked for, made unique by the sort key. That follows the direction of the last term, so that an index
 * on both can be read backwards.
 */
export const orderBy = (
  table: Table,
  asked: readonly { readonly column: string; readonly isDescending: boolean }[],
): readonly OrderTerm[] => {
  if (asked.length === 0) return defaultOrder(table);
  const named = asked.filter(({ column }, index) => asked.findIndex((other) => other.column === column) === index);
  const isDescending = asked.at(-1)?.isDescending ?? false;
  const rest = defaultOrder(table).filter(({ column }) => !named.some((other) => other.column === column));
  return [
    ...named.map((other) => term(table, other.column, other.isDescending)),
    ...rest.map(({ column }) => term(table, column, isDescending)),
  ];
};
