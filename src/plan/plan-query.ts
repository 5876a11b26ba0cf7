/** A query on a plan: which result is wanted, and what is known already. */
import type { Kind } from '../catalogue/column.ts';
import type { Table } from '../catalogue/table.ts';
import type { Parents, Plan, PlanSource } from './plan.ts';

/** A cached total with its version. It saves the count while the version is current. */
export interface KnownTotal {
  readonly version: number;
  readonly total: number;
}

/**
 * `rows`: the rows. `page`: the rows, each with the summary. `summary`: the values of the headers, without rows. `count`: the total,
 * regardless of limit and offset. `log`: the changed keys.
 */
export type QueryKind = 'rows' | 'page' | 'summary' | 'count' | 'log';

export interface PlanQuery {
  readonly queryKind: QueryKind;
  readonly plan: Plan;
  /** The maximum number of rows. A page requests one more than it shows. */
  readonly limit: number;
  /** Rows or counts for each of these parents. The first value of a row links it to its parent. */
  readonly parents?: Parents;
  readonly known?: KnownTotal | undefined;
  /** The range of the change log to read, or whose rows to read. */
  readonly changes?: LogRange;
}

/** A range of a dataset's change log: after a version and an entry, up to a version. */
export interface LogRange {
  readonly key: { readonly column: string; readonly kind: Kind };
  readonly dataset: number;
  readonly since: number;
  readonly after: LogEntry;
  readonly to: number;
  /** The last entry whose row is requested. */
  readonly last?: LogEntry | undefined;
}

/** Entries are ordered by version and key. */
export interface LogEntry {
  readonly version: number;
  readonly key: string;
}

/** The log entry after which a delta page starts, and the target version of its walk. */
export interface DeltaPosition extends LogEntry {
  readonly to: number;
}

/** The plan of one page of a delta (contract: deltas). */
export interface DeltaPlan {
  /** The plan of the rows; its limit counts keys. */
  readonly rows: Plan;
  readonly key: LogRange['key'];
  readonly since: number;
  /** Undefined on the first page. */
  readonly after: DeltaPosition | undefined;
}

/** A table of a customer, with the facts for reading its pages and changes. */
export interface ReadableTable {
  readonly source: PlanSource;
  readonly columns: readonly string[];
  /** The key column that identifies rows in changes. */
  readonly key: DeltaPlan['key'];
  /** The available filters. Absent for raw tables. */
  readonly table?: Pick<Table, 'filters' | 'requiredFilters' | 'columns'>;
}
