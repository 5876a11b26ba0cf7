/** Rows on their way into one raw table, with their place for messages. */
import type { Target } from '../target.ts';
import type { Mode } from './source-files.ts';

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
export type RowOrigin = Pick<Row, 'line' | 'file' | 'labels'>;

/** The names of some of the columns in the file of a row, for messages. `labels` are those of the row. */
export const namesInFile = (labels: Row['labels'], columns: readonly string[], wanted: readonly string[]): string =>
  wanted.map((name) => labels?.[columns.indexOf(name)] ?? name).join(', ');

export type Purpose = 'rows' | 'deletes';

/** What is known about the columns of rows after they were read for the database. */
export interface CopyResult {
  /** The columns without any value. */
  readonly emptyColumns: readonly string[];
  /** The required load times that some rows lack. */
  readonly incompleteTimes: readonly string[];
}

/** How the rows of a table are read for the database. */
export interface CopyOptions {
  readonly target: Target;
  /** The zone of times that state none. */
  readonly timeZone: string | undefined;
  /** Receives the number of rows that were read. */
  readonly read: (rows: number) => void;
  /** Receives the file's own bytes, if the rows are a file of this process. */
  readonly seen: (chunk: Uint8Array) => void;
}

/** All rows for one raw table, or the keys to delete from it: a plain file, or a table of a source. */
export interface TableRows {
  readonly table: string;
  /** The file or source in messages. */
  readonly name: string;
  /** Whether these are rows to load or keys to delete. */
  readonly purpose: Purpose;
  /** Whether these are all rows of the table. Default: in a full load. */
  readonly isWhole?: boolean;
  /** Per cent of the rows of the table that the load may delete without a person. Absent: the general limits hold (`../guards.ts`). */
  readonly maxDeleted?: number | undefined;
  /** The columns of the raw table that each row has. Throws an `OperatorError` that explains why they cannot be read. */
  readColumns(): Promise<readonly string[]>;
  /** Throws an `OperatorError` for unknown, repeated or missing columns. */
  checkHeader(columns: readonly string[], target: Target, mode: Mode): Promise<void>;
  /** The input of COPY (FORMAT csv), header first. Each value is checked. Throws an `OperatorError` that names the errors. */
  copyText(columns: readonly string[], options: CopyOptions): AsyncGenerator<Buffer, CopyResult>;
  /** The rows again, in batches, because a message needs their place. Those with errors may be missing. */
  read(): AsyncIterable<readonly Row[]>;
}
