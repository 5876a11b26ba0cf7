/**
 * The fields of one column of a row group, as bytes. Values of JavaScript take several times the memory, so they exist for one column at a time,
 * while it is written.
 */
import type { ParquetColumn } from './parquet-columns.ts';
import { readValue } from './parquet-values.ts';

/** The bytes of `fieldMarks` in wire/row-format.ts. They are repeated here, because that module loads the database client. */
export const [fieldEnd, nullField] = [0xff, 0xfe];

const firstBytes = 4_096;
/** A call of `copy` costs more than a loop over fewer bytes. */
const shortField = 24;

export class FieldColumn {
  readonly #column: ParquetColumn;
  #bytes = Buffer.allocUnsafe(firstBytes);
  #length = 0;

  constructor(column: ParquetColumn) {
    this.#column = column;
  }

  /** Whether the last field has no end mark yet. */
  get isOpen(): boolean {
    return this.#length > 0 && this.#bytes[this.#length - 1] !== fieldEnd;
  }

  /** Adds bytes of a field, with its end mark if it ends there. A field may come in several parts. */
  push(source: Buffer, from: number, end: number): void {
    const length = end - from;
    if (this.#length + length > this.#bytes.length) this.#grow(length);
    if (length > shortField) source.copy(this.#bytes, this.#length, from, end);
    else for (let i = 0; i < length; i++) this.#bytes[this.#length + i] = source[from + i]!;
    this.#length += length;
  }

  /** The values of the first fields; null for a null. */
  values(count: number): unknown[] {
    const bytes = this.#bytes;
    const values: unknown[] = new Array(count);
    let from = 0;
    for (let at = 0; at < count; at++) {
      const end = bytes.indexOf(fieldEnd, from);
      const isNull = end === from + 1 && bytes[from] === nullField;
      values[at] = isNull ? null : readValue(this.#column, bytes, from, end);
      from = end + 1;
    }
    return values;
  }

  /** Begins a new row group in the same memory. */
  clear(): void {
    this.#length = 0;
  }

  #grow(length: number): void {
    const bytes = Buffer.allocUnsafe(Math.max(this.#bytes.length + (this.#bytes.length >> 1), this.#length + length));
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }
}
