/** The form in which all readers give the rows of an export. */
import { type PlainCell, PlainText } from '../sync/files/cells.ts';
import { CsvRow } from '../sync/files/csv-rows.ts';

export { PlainText } from '../sync/files/cells.ts';

/** A typed value that a person sees in another form, such as a day in its number format. */
export class ShownText extends PlainText {
  /** The forms that it can be shown in. */
  readonly shown: readonly string[];

  constructor(text: string, shown: readonly string[]) {
    super(text);
    this.shown = shown;
  }
}

/** A cell that has no value that can be read. It is rejected where it is read, and it is never null. */
export class UnreadableCell {
  /** The place and the text. */
  readonly text: string;
  readonly reason: string;

  constructor(text: string, reason: string) {
    this.text = text;
    this.reason = reason;
  }

  toString(): string {
    return this.text;
  }
}

/** A value of an export: text, or a typed value of a format that has types. */
export type Cell = PlainCell | UnreadableCell;

/** A row with its place, counted from 1: the line of a text file, otherwise the number of the row. */
export interface SourceRow {
  readonly line: number;
  readonly cells: readonly Cell[];
}

/** One cell of a row; null if the row is shorter. */
export const cellOfRow = (row: SourceRow, index: number): Cell =>
  row instanceof CsvRow ? (index < row.width ? row.cell(index) : null) : (row.cells[index] ?? null);

export const widthOf = (row: SourceRow): number => (row instanceof CsvRow ? row.width : row.cells.length);

export const isBlank = (cell: Cell | undefined): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');

/** Whether no cell has a value. */
export const isBlankRow = (row: SourceRow): boolean => !(row instanceof CsvRow && row.isFilled) && row.cells.every(isBlank);

const batchSize = 500;

/** Single rows in batches. Each batch is a step of the load, so that a row is none. */
export async function* inBatches(rows: AsyncIterable<SourceRow>): AsyncGenerator<readonly SourceRow[]> {
  let batch: SourceRow[] = [];
  try {
    for await (const row of rows) {
      batch.push(row);
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    // The rows before the error have errors of their own.
    yield batch;
    throw error;
  }
  yield batch;
}

/** A list of an export. Its rows are read once. */
export interface SourceList {
  /** The name in messages. */
  readonly name: string;
  readonly columns: readonly string[];
  /** In batches. */
  readonly rows: AsyncIterable<readonly SourceRow[]>;
  /** Facts that stand outside the rows. They can be read like columns. */
  readonly facts?: Readonly<Record<string, string>>;
  /** What a person should know of the list, as sentences. */
  readonly notes?: readonly string[];
  /** Ends what stays open if the rows are not read to their end. */
  readonly close?: () => Promise<void> | void;
}
