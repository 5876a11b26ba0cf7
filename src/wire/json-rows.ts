/**
 * Writes rows as one JSON array or as CSV, from the bytes of PostgreSQL's text format to bytes (see `json-values.ts`).
 *
 * One loop over a table of kinds. Generated straight-line code was slower for wide rows.
 */
import type pg from 'pg';
import type { ProtocolField } from '../database/connections/pg-session.ts';
import type { TextRow } from '../plan/plan.ts';
import type { BoundStatement } from '../sql/statement.ts';
import { type BufferedBody, BufferedJson, type JsonOut } from './json-out.ts';
import { mostBytesPerByte, type Wire, wireOf, writeValue } from './json-values.ts';
import { type RowSink, readRows } from './read-rows.ts';
import { json, type RowForm, type RowFormat } from './row-format.ts';
import { type ByteLiteral, dataViewOf, putLiteral, wordPadding } from './words.ts';

export interface RowsOptions {
  /** The number of leading columns that are not written. `first` and `boundary` hold their values for two rows. */
  readonly hidden: number;
  /** Further rows are counted, but not written. */
  readonly limit: number;
  /** Default: JSON with the names of the columns. */
  readonly form?: RowForm | undefined;
}

export class JsonRows implements RowSink {
  /** Rows received, written or not. */
  count = 0;
  /** The hidden columns of the first row, and of the row at the limit, as text. */
  first: TextRow | undefined;
  boundary: TextRow | undefined;
  readonly #hidden: number;
  readonly #limit: number;
  readonly #out: JsonOut;
  readonly #format: RowFormat;
  readonly #names: readonly string[] | undefined;
  #keys: ByteLiteral[] = [];
  #wires: Wire[] = [];
  #keysLength = 0;
  /** The last chunk from the socket. Most chunks hold several rows. */
  #bytes: Buffer | undefined;
  #view = dataViewOf(Buffer.alloc(0));

  constructor(out: JsonOut, { hidden, limit, form: { format, names } = { format: json } }: RowsOptions) {
    this.#hidden = hidden;
    this.#limit = limit;
    this.#out = out;
    this.#format = format;
    this.#names = names;
    this.#out.bytes(format.begin(names ?? []));
  }

  describe(fields: readonly ProtocolField[]): void {
    const shown = fields.slice(this.#hidden);
    this.#keys = shown.map(({ name }, index) => this.#format.before(this.#names?.[index] ?? name, index));
    this.#wires = shown.map(({ dataTypeID }) => wireOf(dataTypeID));
    this.#keysLength = this.#keys.reduce((sum, key) => sum + key.length + 2, 4 + wordPadding);
  }

  row(bytes: Buffer, start: number, end: number): void {
    this.count++;
    if (this.count > this.#limit) return;
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = dataViewOf(bytes);
    }
    // Cursors need the first row and the last one.
    if (this.count === 1) this.first = this.#hiddenOf(bytes, start);
    if (this.count === this.#limit) this.boundary = this.#hiddenOf(bytes, start);
    let at = start + 2;
    for (let column = 0; column < this.#hidden; column++) at += 4 + Math.max(0, this.#view.getInt32(at));
    this.#out.reserve((end - at) * mostBytesPerByte + this.#keysLength);
    const { between, endOfRow } = this.#format;
    if (between > 0 && this.count > 1) this.#out.byte(between);
    this.#values(at);
    if (endOfRow > 0) this.#out.byte(endOfRow);
  }

  /** Completes the output and emits the last chunk. */
  end(): void {
    this.#out.bytes(this.#format.end);
    this.#out.flush();
  }

  #hiddenOf(bytes: Buffer, start: number): TextRow {
    let at = start + 2;
    return Array.from({ length: this.#hidden }, () => {
      const length = this.#view.getInt32(at);
      at += 4;
      if (length < 0) return null;
      at += length;
      return bytes.toString('utf8', at - length, at);
    });
  }

  #values(start: number): void {
    const keys = this.#keys;
    const wires = this.#wires;
    const bytes = this.#view;
    const out = this.#out.view;
    const { write, null: none } = this.#format;
    let from = start;
    let to = this.#out.at;
    for (let column = 0; column < keys.length; column++) {
      to = putLiteral(out, to, keys[column]!);
      const length = bytes.getInt32(from);
      from += 4;
      if (length < 0) {
        to = putLiteral(out, to, none);
        continue;
      }
      const end = from + length;
      // The compiler inlines a direct call of the common writer into this loop.
      to = write === writeValue ? writeValue(out, to, wires[column]!, bytes, from, end) : write(out, to, wires[column]!, bytes, from, end);
      from = end;
    }
    this.#out.at = to;
  }
}

/** Reads all rows of a statement: their hidden values, and their JSON. */
export const bufferRows = async (
  client: pg.PoolClient,
  statement: BoundStatement,
  options: RowsOptions,
): Promise<{ readonly rows: JsonRows; readonly held: BufferedBody }> => {
  const json = new BufferedJson();
  const rows = new JsonRows(json.out, options);
  await readRows(client, statement, rows);
  rows.end();
  return { rows, held: json.end() };
};
