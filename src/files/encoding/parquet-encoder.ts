/** Encodes fields (`fields` in wire/row-format.ts) as Parquet, one row group after the other, in bounded memory. */
import type { KeyValue } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { FieldColumn, fieldEnd } from './field-column.ts';
import type { ParquetColumn } from './parquet-columns.ts';

/** A row group ends at the first of these. A reader requests each column of each group, so it sends fewer requests for larger groups. */
const maxRows = 250_000;
const maxBytes = 16 * 2 ** 20;

export interface EncoderOptions {
  readonly columns: readonly ParquetColumn[];
  /** Descriptions in the footer of the file. */
  readonly metadata: readonly KeyValue[];
  /** Receives bytes that are valid during the call. */
  readonly emit: (bytes: Uint8Array) => void;
}

/** A column whose values the writer reads when it comes to the column. */
const lazyColumn = (name: string, fields: FieldColumn, count: number) => ({
  name,
  get data() {
    return fields.values(count);
  },
});

export class ParquetEncoder {
  readonly #columns: readonly ParquetColumn[];
  readonly #writer: ParquetWriter;
  readonly #fields: readonly FieldColumn[];
  /** The column of the next field. */
  #column = 0;
  /** Rows and bytes of the current row group. */
  #inGroup = 0;
  #bytes = 0;

  constructor({ columns, metadata, emit }: EncoderOptions) {
    const out = new ByteWriter() as ByteWriter & { flush: () => void };
    out.flush = () => {
      emit(out.getBytes());
      out.index = 0;
    };
    out.finish = out.flush;
    this.#columns = columns;
    this.#fields = columns.map((column) => new FieldColumn(column));
    const schema = [{ name: 'root', num_children: columns.length }, ...columns.map(({ element }) => element)];
    this.#writer = new ParquetWriter({ writer: out, schema, kvMetadata: [...metadata], createdBy: 'estate' });
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (chunk[at] !== fieldEnd) continue;
      this.#fields[this.#column]!.push(chunk, from, at + 1);
      this.#bytes += at - from;
      from = at + 1;
      if (++this.#column === this.#columns.length) this.#endRow();
    }
    if (from < chunk.length) this.#fields[this.#column]!.push(chunk, from, chunk.length);
  }

  /** Writes the last row group and the footer. */
  end(): void {
    if (this.#column > 0 || this.#fields[0]?.isOpen) throw new Error('The rows end within a row');
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
    const columnData = this.#columns.map(({ element: { name } }, index) => lazyColumn(name, this.#fields[index]!, this.#inGroup));
    this.#writer.write({ columnData, rowGroupSize: this.#inGroup });
    for (const fields of this.#fields) fields.clear();
    this.#inGroup = 0;
    this.#bytes = 0;
  }
}
