/** The form in which all readers give the rows of an export. */

/** A value that its format writes in the plain form of a load: a number with its exact digits, or a time in ISO 8601. */
export class PlainText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }
}

/** A value of an export: text, or a typed value of a format that has types. */
export type Cell = string | number | bigint | boolean | Date | PlainText | null;

/** A row with its place, counted from 1: the line of a text file, otherwise the number of the row. */
export interface SourceRow {
  readonly line: number;
  readonly cells: readonly Cell[];
}

/** A list of an export. Its rows are read once. */
export interface SourceList {
  /** The name in messages. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<SourceRow>;
  /** Facts that stand outside the rows. They can be read like columns. */
  readonly facts?: Readonly<Record<string, string>>;
  /** Ends what stays open if the rows are not read to their end. */
  readonly close?: () => Promise<void> | void;
}
