/**
 * A plan: a question about one table as plain data. REST parameters, GraphQL arguments, raw pages and deltas all become plans.
 * `sql/query.ts` derives rows, pages, counts and the rows of many parents from it.
 */
import type { Kind } from '../catalogue/column.ts';
import { type DataScope, isNarrowed, tablesOfScope } from '../catalogue/data-scope.ts';
import { scopePart } from '../catalogue/readership.ts';
import type { DatasetKind, Table } from '../catalogue/table.ts';
import type { Condition } from './condition.ts';
import type { Groups, RowsExpression } from './groups/groups.ts';
import type { Path, RelationStep } from './paths.ts';
import { type Referring, referencesOf } from './references.ts';
import type { RowFunction } from './vocabulary/values.ts';

/** A table of one customer. */
export interface PlanSource {
  readonly schema: string;
  readonly customerId: number;
  /** What the request may read of the customer's tables; absent: everything. Every table of a plan's statement is limited to it. */
  readonly scope?: DataScope | undefined;
  readonly kind: DatasetKind;
  readonly name: string;
  /** Ascending and unique as a whole; empty means physical order. */
  readonly sort: readonly string[];
  /** The column in cursors, with its kind. */
  readonly cursor: { readonly column: string; readonly kind: Kind } | undefined;
}

/** The values of a row as text. */
export type TextRow = readonly (string | null)[];

/** A column of a related row, under a name of its own in the plan's order and columns. */
export interface RelatedColumn extends Path {
  readonly name: string;
}

/** A function of columns of a row or of related rows, under a name of its own in the plan's order and columns. */
export interface FunctionColumn {
  readonly name: string;
  readonly call: RowFunction;
  readonly of: readonly (Path & { readonly kind: Kind })[];
}

/**
 * An aggregate of related rows, under a name of its own in the plan's order and columns. The path leads to the column that the rows of the
 * relation refer to.
 */
export interface AggregateColumn extends RelatedColumn, RelationStep {
  readonly aggregate: RowsExpression;
}

/** A column that is not one of the table itself. */
export type OtherColumn = RelatedColumn | FunctionColumn | AggregateColumn;

export const isAggregateColumn = (column: object): column is AggregateColumn => 'aggregate' in column;

/** The name of a related column, a function or an aggregate in a plan. No column name contains a space. */
export const relatedName = (at: number): string => `far ${at}`;

/** Nulls are last in both directions (contract: GraphQL order). */
export interface OrderTerm {
  readonly column: string;
  readonly kind: Kind;
  readonly isDescending: boolean;
  readonly isNullable: boolean;
}

export interface Plan {
  readonly source: PlanSource;
  /** In the order of the row. */
  readonly columns: readonly string[];
  readonly where: Condition | undefined;
  /** Unique as a whole. Empty means physical order, where more than one row can match. */
  readonly order: readonly OrderTerm[];
  /** Columns of related rows, functions of columns and aggregates of related rows, in addition to the row's own columns. */
  readonly relatedColumns?: readonly OtherColumn[] | undefined;
  /** No index may serve the condition or the order, so the rows use the slots and the time limit of documents. */
  readonly isUnindexed?: boolean | undefined;
  /** The keyset after which the page starts. */
  readonly after: TextRow | undefined;
  /** The last rows before `after` instead of the first ones after it, in the same order. */
  readonly isBackward?: boolean | undefined;
  readonly offset: number;
  readonly limit: number;
  /** Rows of other tables that the same statement reads. Their values follow the plan's own values. */
  readonly joinedRows: readonly JoinedRow[];
  /** The rows of the plan are then groups, and columns and order refer to their names. */
  readonly groups?: Groups | undefined;
}

/** The one related row of each row: the linking value, null if there is none, then the values of its plan. */
export interface JoinedRow {
  /** The column that refers to the related row. */
  readonly on: string;
  readonly link: Link;
  readonly plan: Plan;
}

/** The column whose values link rows to their parents. */
export interface Link {
  readonly column: string;
  readonly kind: Kind;
  /** At most one row for each value. */
  readonly isUnique: boolean;
}

/** The parents of the requested rows, by linking value. */
export interface Parents {
  readonly link: Link;
  /** Null links to nothing. */
  readonly values: readonly (string | null)[];
}

/** The number of values of a row. */
export const valueCount = ({ columns, joinedRows }: Plan): number =>
  joinedRows.reduce((sum, { plan }) => sum + 1 + valueCount(plan), columns.length);

/** The number of joined tables. */
export const joinCount = ({ joinedRows }: Plan): number => joinedRows.reduce((sum, { plan }) => sum + 1 + joinCount(plan), 0);

/** The other tables in the plan's condition, order, columns and groups, sorted. */
export const referencedTables = (plan: Referring): readonly string[] =>
  [...new Set(referencesOf(plan).map(({ table }) => table))].filter((name) => name !== plan.source.name).sort();

/** All tables that the plan reads. */
export const planTables = (plan: Plan): ReadonlySet<string> =>
  new Set([plan.source.name, ...referencedTables(plan), ...plan.joinedRows.flatMap(({ plan: joined }) => [...planTables(joined)])]);

/** The tables besides the plan's own whose versions decide which rows or groups a page shows. */
export const otherTablesOf = (plan: Referring & Pick<Plan, 'source'>): readonly string[] => {
  const { scope, kind, name } = plan.source;
  const referenced = referencedTables(plan);
  return scope ? [...new Set([...referenced, ...tablesOfScope(scope, kind, [name, ...referenced])])].sort() : referenced;
};

/** All tables that the plan's statement reads, qualified. */
export const tableRefsOf = (plan: Plan): readonly Pick<PlanSource, 'schema' | 'name'>[] => {
  const { schema, scope, kind } = plan.source;
  const names = planTables(plan);
  return [...names, ...tablesOfScope(scope, kind, names)].map((name) => ({ schema, name }));
};

/** An order term by a column of the table itself. */
export const orderTerm = (table: Table, column: string, isDescending: boolean): OrderTerm => {
  const { kind, required } = table.columns[column]!;
  return { column, kind, isDescending, isNullable: !required };
};

/** The order of a source's pages: its sort key ascending, or physical order if it has none. */
export const sortOrder = ({ sort, cursor }: PlanSource, columns: Table['columns'] = {}): readonly OrderTerm[] =>
  sort.map((column) => ({
    column,
    kind: columns[column]?.kind ?? cursor?.kind ?? 'string',
    isDescending: false,
    isNullable: false,
  }));

/** The default order of a connection: the sort key, or the key if there is none. */
const defaultOrder = (table: Table): readonly OrderTerm[] =>
  (table.sort.length > 0 ? table.sort : [table.key]).map((column) => orderTerm(table, column, false));

/**
 * A requested order, made unique by the sort key. The sort key follows the direction of the last term, so that an index on both can be read
 * backwards.
 */
export const orderBy = (table: Table, requested: readonly OrderTerm[]): readonly OrderTerm[] => {
  if (requested.length === 0) return defaultOrder(table);
  const named = requested.filter(({ column }, index) => requested.findIndex((other) => other.column === column) === index);
  const isDescending = requested.at(-1)?.isDescending ?? false;
  const rest = defaultOrder(table).filter(({ column }) => !named.some((other) => other.column === column));
  return [...named, ...rest.map(({ column }) => orderTerm(table, column, isDescending))];
};

/** Whether the plan shows a part of the rows, or groups. Loads store the row count of a whole table. */
export const isFiltered = ({ where, groups, source: { scope, kind, name } }: Pick<Plan, 'where' | 'groups' | 'source'>): boolean =>
  where !== undefined || groups !== undefined || isNarrowed(scope, kind, name);

/** The equality conditions of a filter; undefined if it has other conditions. */
const equalities = (where: Condition | undefined) => {
  const parts = where?.is === 'and' ? where.of : where ? [where] : [];
  const equal = parts.flatMap((part) => (part.is === 'compared' && part.by === 'eq' ? [part] : []));
  return equal.length === parts.length ? equal : undefined;
};

/**
 * A filter as text, for cursors and cached totals (contract: cursor lifetime). Equal sets of equalities give the same text, in any order
 * and from both APIs.
 */
export const filterKey = (where: Condition | undefined): string => {
  const equal = equalities(where);
  if (!equal) return isImpossible(where) ? 'nothing' : JSON.stringify(where);
  return equal
    .map(({ column, value }) => JSON.stringify([column, value]))
    .sort()
    .join();
};

/** A REST filter whose text is not a value of its column. */
export const isImpossible = (where: Condition | undefined): boolean =>
  where?.is === 'unknown' || (where?.is === 'and' && where.of.some(({ is }) => is === 'unknown'));

/** Whether a filter only has equality conditions on columns that filters are made for. */
export const isPlainFilter = (where: Condition | undefined, { filters }: Pick<Table, 'filters'>): boolean =>
  equalities(where)?.every(({ column }) => filters.includes(column)) ?? isImpossible(where);

/** Whether the plan's cursors are those of REST: ordered by the cursor column, with equality conditions only. */
export const hasRestCursor = ({ source, order, where, groups }: Pick<Plan, 'source' | 'order' | 'where' | 'groups'>): boolean =>
  !groups && order.length === 1 && order[0]?.column === source.cursor?.column && !order[0]?.isDescending && equalities(where) !== undefined;

/** The plan without its page: the scope of cached totals and of REST cursors (contract: cursor lifetime). */
export const filterScope = ({ source, where, groups }: Pick<Plan, 'source' | 'where' | 'groups'>): string =>
  JSON.stringify([source.customerId, source.kind, source.name, filterKey(where), ...(groups ? [groups] : []), ...scopePart(source)]);
