/**
 * What is asked of one table, as plain data: REST's query string and GraphQL's arguments both end up here.
 */
import type { Kind } from '../catalogue/column.ts';
import type { DatasetKind } from '../database/control.ts';

/** A table of one customer, as pages are read from it. */
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

/** A column equals a value; the value is text of the column's kind. */
export interface Equality {
  readonly column: string;
  readonly kind: Kind;
  readonly value: string;
}

export interface ReadPlan {
  readonly source: Source;
  /** In the order in which rows carry them. */
  readonly columns: readonly string[];
  readonly filters: readonly Equality[];
  /** A filter's text is no value of its column, so no row can match (semantics 16). */
  readonly nothing: boolean;
  /** Rows behind this value of the cursor column. */
  readonly after: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** The filters of a plan as one string: what a cursor is bound to and counts are remembered by (semantics 15). */
export const filterKey = (plan: Pick<ReadPlan, 'filters' | 'nothing'>): string =>
  plan.nothing
    ? 'nothing'
    : plan.filters
        .map(({ column, value }) => JSON.stringify([column, value]))
        .sort()
        .join();
