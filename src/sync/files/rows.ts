/**
 * Rows on their way into one raw table, with their place for messages.
 *
 * The readers of CSV and NDJSON produce them, and any other supplier of rows can. The load checks each value, so a supplier need not.
 */
import type { Defects } from './defects.ts';

export interface Row {
  /**
   * The values in the order of the columns, as text: integers and decimals with a point, `2024-12-31`, `2024-12-31T23:59:59Z`, `true`,
   * `false` (contract: values in loads). Null is no value; an empty text is a value.
   */
  readonly values: readonly (string | null)[];
  /** The line or row number in the file, from 1 and with the header. Undefined if there is none, such as in a database. */
  readonly line: number | undefined;
  /** The file of this row, if it is not `name` of the rows. */
  readonly file?: string;
  /** The names of the columns in the file, in the same order, if they are not those of the table. */
  readonly labels?: readonly string[];
}

/** Where a row comes from, for messages. */
export type Origin = Pick<Row, 'line' | 'file' | 'labels'>;

/** The names of some of the columns in the file of a row, for messages. `labels` are those of the row. */
export const namesInFile = (labels: Row['labels'], columns: readonly string[], wanted: readonly string[]): string =>
  wanted.map((name) => labels?.[columns.indexOf(name)] ?? name).join(', ');

export type Purpose = 'rows' | 'deletes';

/** All rows for one raw table, or the keys to delete from it. */
export interface TableRows {
  readonly table: string;
  /** The file or source in messages. */
  readonly name: string;
  /** Whether these are rows to load or keys to delete. */
  readonly purpose: Purpose;
  /** The columns of the raw table that each row has. Throws an `OperatorError` that explains why they cannot be read. */
  readColumns(): Promise<readonly string[]>;
  /**
   * The rows in batches, from the beginning. It is read again if a message needs the line of a key. Errors go to `defects`, and reading
   * goes on. Any error refuses the load.
   */
  read(defects: Defects): AsyncIterable<readonly Row[]>;
}
