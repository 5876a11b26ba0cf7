/**
 * What is asked of one table, as plain data: REST's query string, GraphQL's arguments, raw pages and deltas all become this
 * value. What is counted, summed up or asked of many parents at once follows from the same plan (`query.ts`).
 */
import type { Kind } from '../catalogue/column.ts';
import type { Table } from '../catalogue/table.ts';
import type { DatasetKind } from '../database/control.ts';
import type { Condition } from './condition.ts';
import { type Groups, tablesBeside } from './groups.ts';
import { type Path, targetsOf } from './paths.ts';

/** A table of one customer. */
export interface Source {
  readonly schema: string;
  readonly customerId: number;
  readonly kind: DatasetKind;
  readonly name: string;
  /** Ascending and unique as a whole; empty: physical order. */
  readonly sort: readonly string[];
  /** The column that cursors name, with its kind. */
  readonly cursor: { readonly column: string; readonly kind: Kind } | undefined;
}

/** A row's values as text. */
export type TextRow = readonly (string | null)[];

/** A column that paths lead to; the plan's order knows it by a name of its own. */
export interface FarColumn extends Path {
  readonly name: string;
}

/** Nulls come last in either direction (contract: GraphQL order). */
export interface OrderTerm {
  readonly column: string;
  readonly kind: Kind;
  readonly isDescending: boolean;
  readonly isNullable: boolean;
}

export interface Plan {
  readonly source: Source;
  /** In the order in which rows carry them. */
  readonly columns: readonly string[];
  readonly where: Condition | undefined;
  /** Unique as a whole; empty: physical order, where more than one row can match. */
  readonly order: readonly OrderTerm[];
  /** Columns of other tables that the rows have beside their own. */
  readonly far?: readonly FarColumn[] | undefined;
  /** The order's values of the row behind which to begin. */
  readonly after: TextRow | undefined;
  /** The last rows instead of the first, and those ahead of `after`; they come in the same order. */
  readonly isBackward?: boolean | undefined;
  readonly offset: number;
  readonly limit: number;
  /** Rows of other tables that are read along; their values follow the plan's own, one after the other. */
  readonly along: readonly AlongRow[];
  /** Its rows are then groups of the table's rows, and columns and order name what those have. */
  readonly groups?: Groups | undefined;
}

/** The one row that each row of a plan leads to: the linking value, null if there is none, then the values of its own plan. */
export interface AlongRow {
  /** The column that leads there. */
  readonly on: string;
  readonly link: Link;
  readonly plan: Plan;
}

/** A column whose values lead from parents to their rows. */
export interface Link {
  readonly column: string;
  readonly kind: Kind;
  /** At most one row for each value. */
  readonly isUnique: boolean;
}

/** The parents whose rows are asked for, by the values that lead to them. */
export interface Parents {
  readonly link: Link;
  /** Null is linked to nothing. */
  readonly values: readonly (string | null)[];
}

/** How many values a row of a plan has. */
export const widthOf = ({ columns, along }: Plan): number => along.reduce((sum, { plan }) => sum + 1 + widthOf(plan), columns.length);

/** How many tables a plan reads along. */
export const joinsOf = ({ along }: Plan): number => along.reduce((sum, { plan }) => sum + 1 + joinsOf(plan), 0);

const tablesOfCondition = (condition: Condition): readonly string[] => {
  if (condition.is === 'and' || condition.is === 'or') return condition.of.flatMap(tablesOfCondition);
  if (condition.is === 'not') return tablesOfCondition(condition.of);
  return condition.is === 'related' ? [condition.target, ...tablesOfCondition(condition.of)] : [];
};

/** The tables that a plan's condition, order and groups reach. */
export const tablesReached = ({ where, far = [], groups }: Pick<Plan, 'where' | 'far' | 'groups'>): readonly string[] => [
  ...(where ? tablesOfCondition(where) : []),
  ...targetsOf(far),
  ...tablesBeside(groups),
];

/** The tables whose data a plan's rows follow from: its own, those that it reaches, and those read along. */
export const tablesOf = (plan: Plan): ReadonlySet<string> =>
  new Set([plan.source.name, ...tablesReached(plan), ...plan.along.flatMap(({ plan: there }) => [...tablesOf(there)])]);

/** The same as places in the customer's schema. */
export const placesOf = (plan: Plan): readonly Pick<Source, 'schema' | 'name'>[] =>
  [...tablesOf(plan)].map((name) => ({ schema: plan.source.schema, name }));

/** One term of an order by a column of the table itself. */
export const orderTerm = (table: Table, column: string, isDescending: boolean): OrderTerm => {
  const { kind, required } = table.columns[column]!;
  return { column, kind, isDescending, isNullable: !required };
};

/** The order of a source's pages: its sort key, ascending; empty for physical order. */
export const sortOrder = ({ sort, cursor }: Source, columns: Table['columns'] = {}): readonly OrderTerm[] =>
  sort.map((column) => ({
    column,
    kind: columns[column]?.kind ?? cursor?.kind ?? 'string',
    isDescending: false,
    isNullable: false,
  }));

/** The order that a connection has when none is asked for: the sort key, or the key where there is none. */
const defaultOrder = (table: Table): readonly OrderTerm[] =>
  (table.sort.length > 0 ? table.sort : [table.key]).map((column) => orderTerm(table, column, false));

/**
 * An order that was asked for, made unique by the sort key. That follows the direction of the last term, so that an index
 * on both can be read backwards.
 */
export const orderBy = (table: Table, asked: readonly OrderTerm[]): readonly OrderTerm[] => {
  if (asked.length === 0) return defaultOrder(table);
  const named = asked.filter(({ column }, index) => asked.findIndex((other) => other.column === column) === index);
  const isDescending = asked.at(-1)?.isDescending ?? false;
  const rest = defaultOrder(table).filter(({ column }) => !named.some((other) => other.column === column));
  return [...named, ...rest.map(({ column }) => orderTerm(table, column, isDescending))];
};

/** Whether a plan shows only some of the table's rows, or groups of them; all rows are counted when they are loaded. */
export const isFiltered = ({ where, groups }: Pick<Plan, 'where' | 'groups'>): boolean => where !== undefined || groups !== undefined;

/** The conditions of a filter that says nothing but that columns equal values; undefined if it says more. */
const equalities = (where: Condition | undefined) => {
  const parts = where?.is === 'and' ? where.of : where ? [where] : [];
  const equal = parts.flatMap((part) => (part.is === 'compared' && part.by === 'eq' ? [part] : []));
  return equal.length === parts.length ? equal : undefined;
};

/**
 * A filter as one string: what a cursor is bound to and counts are remembered by (contract: cursor lifetime). The same for the same
 * equalities in any order, whichever face they came by.
 */
export const filterKey = (where: Condition | undefined): string => {
  const equal = equalities(where);
  if (!equal) return isImpossible(where) ? 'nothing' : JSON.stringify(where);
  return equal
    .map(({ column, value }) => JSON.stringify([column, value]))
    .sort()
    .join();
};

/** REST's filter with a text that is no value of its column. */
const isImpossible = (where: Condition | undefined): boolean =>
  where?.is === 'unknown' || (where?.is === 'and' && where.of.some(({ is }) => is === 'unknown'));

/** Whether a plan's cursors are those that REST gives out: the cursor column's order, filtered by nothing but equality. */
export const hasPlainCursor = ({ source, order, where, groups }: Pick<Plan, 'source' | 'order' | 'where' | 'groups'>): boolean =>
  !groups && order.length === 1 && order[0]?.column === source.cursor?.column && !order[0]?.isDescending && equalities(where) !== undefined;

/**
 * What is asked of a table whatever the page: what totals are remembered by and plain cursors are bound to (contract: cursor
 * lifetime).
 */
export const filterScope = ({ source, where, groups }: Pick<Plan, 'source' | 'where' | 'groups'>): string =>
  JSON.stringify([source.customerId, source.kind, source.name, filterKey(where), ...(groups ? [groups] : [])]);
