/** Encodes fields (`fields` in wire/row-format.ts) as Parquet, one row group after the other, in bounded memory. */
import type { KeyValue } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ParquetColumn } from './parquet-columns.ts';
import { readValue } from './parquet-values.ts';

/** A row group ends at the first of these. Larger groups compress better, and their values are in memory. */
const maxRows = 50_000;
const maxBytes = 4 * 2 ** 20;

/** The bytes of `fieldMarks` in wire/row-format.ts. They are repeated here, because that module loads the database client. */
const [fieldEnd, nullField] = [0xff, 0xfe];

export interface EncoderOptions {
  readonly columns: readonly ParquetColumn[];
  /** Descriptions in the footer of the file. */
  readonly metadata: readonly KeyValue[];
  /** Receives bytes that are valid during the call. */
  readonly emit: (bytes: Uint8Array) => void;
}

const nothing = Buffer.alloc(0);

export class ParquetEncoder {
  readonly #columns: readonly ParquetColumn[];
  readonly #writer: ParquetWriter;
  #values: unknown[][];
  /** The column of the next field. */
  #column = 0;
  /** Rows and bytes of the current row group. */
  #inGroup = 0;
  #bytes = 0;
  /** The first part of an incomplete field. */
  #begun = nothing;

  constructor({ columns, metadata, emit }: EncoderOptions) {
    const out = new ByteWriter() as ByteWriter & { flush: () => void };
    out.flush = () => {
      emit(out.getBytes());
      out.index = 0;
    };
    out.finish = out.flush;
    this.#columns = columns;
    this.#values = columns.map(() => []);
    const schema = [{ name: 'root', num_children: columns.length }, ...columns.map(({ element }) => element)];
    this.#writer = new ParquetWriter({ writer: out, schema, kvMetadata: [...metadata], createdBy: 'estate' });
  }

  push(chunk: Buffer): void {
    const bytes = this.#begun.length > 0 ? Buffer.concat([this.#begun, chunk]) : chunk;
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] !== fieldEnd) continue;
      const isNull = at === from + 1 && bytes[from] === nullField;
      const value = isNull ? null : readValue(this.#columns[this.#column]!, bytes, from, at);
      this.#values[this.#column]!.push(value);
      this.#bytes += at - from;
      from = at + 1;
      if (++this.#column === this.#columns.length) this.#endRow();
    }
    this.#begun = Buffer.from(bytes.subarray(from));
  }

  /** Writes the last row group and the footer. */
  end(): void {
    if (this.#column > 0 || this.#begun.length > 0) throw new Error('The rows end within a row');
    this.#endGroup();
    this.#writer.finish();
  }

  #endRow(): void {
    this.#column = 0;
    this.#inGroup++;
    if (this.#inGroup === maxRows || this.#bytes >= maxBytes) this.#endGroup();
  }

  #endGroup(): void {
    if (this.#inGroup === 0) return;
    const columnData = this.#columns.map(({ element: { name } }, index) => ({ name, data: this.#values[index]! }));
    this.#writer.write({ columnData, rowGroupSize: this.#inGroup });
    this.#values = this.#columns.map(() => []);
    this.#inGroup = 0;
    this.#bytes = 0;
  }
}
