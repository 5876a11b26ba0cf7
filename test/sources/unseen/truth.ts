/** What is true of an export: the meaning of each column, and the true value of each cell in canonical form. */
import type { Canonical } from './world.ts';

/** A cell of a workbook or of a database that is no text. */
export interface TypedCell {
  readonly kind: 'number' | 'day';
  /** A number with a point, or a day in ISO 8601. */
  readonly text: string;
}

export type Cell = string | TypedCell | null;

/** How a value is compared: `key` is an identifier as the export has it, without leading zeros of integers. `none`: a part of a text. */
export type Comparison = 'number' | 'text' | 'key' | 'none';

/** The truth of one column. */
export interface TrueColumn {
  /** As the reader of files names it: header lines are joined by a blank. */
  readonly name: string;
  /** Its targets `table.column`; a draft proposes one of them. Empty: the column has no target. `*` is any table. */
  readonly to: readonly string[];
  /** Other targets that are no fault. */
  readonly also: readonly string[];
  readonly compare: Comparison;
  /** The true value of each row. */
  readonly values: readonly Canonical[];
  /** The true value in another target, if it has another one there. Undefined: any value is true. */
  readonly valuesIn?: Readonly<Record<string, readonly (Canonical | undefined)[]>>;
}

/** The truth of one list. */
export interface TrueList {
  /** A file, `file#sheet`, or a table of a database. */
  readonly name: string;
  /** The raw table of its rows first, then others that one can make of it. */
  readonly tables: readonly [string, ...string[]];
  readonly columns: readonly TrueColumn[];
  /** For each row, the number of its line in the file or sheet. For a database, the text of its first column. */
  readonly places: readonly (number | string)[];
}

export interface Unseen {
  readonly program: string;
  /** The currency of all amounts. */
  readonly currency: string;
  readonly files: ReadonlyMap<string, Buffer>;
  /** The statements that make the database, if the export is one. */
  readonly database?: { readonly type: 'postgres' | 'mysql'; readonly statements: string };
  readonly lists: readonly TrueList[];
}
