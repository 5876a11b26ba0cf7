/** A question about a plan: what is asked of it, and what the answer may build on. */
import type { Kind } from '../catalogue/column.ts';
import type { Parents, Plan } from './plan.ts';

/** How many rows matched at some version of the data; spares counting them while the version stands. */
export interface KnownTotal {
  readonly version: number;
  readonly total: number;
}

/**
 * What is asked of a plan. `rows`: its rows; `page`: its rows, each led by the summary; `summary`: what the headers of a page
 * say, without its rows; `count`: how many rows match, whatever limit and offset; `log`: which keys changed.
 */
export type Question = 'rows' | 'page' | 'summary' | 'count' | 'log';

export interface Asked {
  readonly question: Question;
  readonly plan: Plan;
  /** How many rows it may give; a page asks for one more than it shows. */
  readonly limit: number;
  /** Rows, or counts, of each of these; each row is led by the value that links it to its parent. */
  readonly parents?: Parents;
  readonly known?: KnownTotal | undefined;
  /** The stretch of the log of changes that is asked for, or whose rows are. */
  readonly changes?: Changes;
}

/** A stretch of the log of changes: of a dataset, behind a version and an entry, up to a version. */
export interface Changes {
  readonly key: { readonly column: string; readonly kind: Kind };
  readonly dataset: number;
  readonly since: number;
  readonly after: LogEntry;
  readonly to: number;
  /** The last entry whose row is asked for. */
  readonly last?: LogEntry | undefined;
}

/** Entries follow each other by version and key. */
export interface LogEntry {
  readonly version: number;
  readonly key: string;
}

/** Behind which entry of the log a page of changes begins, and which version its walk leads to. */
export interface DeltaPosition extends LogEntry {
  readonly to: number;
}
