/**
 * Writes rows as one JSON array, or as CSV, from the bytes of Postgres' text format straight to bytes (see `json-values.ts`).
 *
 * One table of kinds drives one loop; generated straight-line code was slower for wide rows.
 */
import type pg from 'pg';
import type { Field } from '../database/prepared.ts';
import { type Held, HeldJson, type JsonOut } from './json-out.ts';
import { type Wire, widest, wireOf, writeValue } from './json-values.ts';
import type { TextRow } from './plan.ts';
import { json, type RowForm, type RowFormat } from './row-format.ts';
import type { BoundStatement } from './statement.ts';
import { type RowSink, readRows } from './wire.ts';
import { type Piece, putPiece, slack, viewOf } from './words.ts';

export interface RowsOptions {
  /** Leading columns that are not written; those of two rows are kept, in `first` and `boundary`. */
  readonly hidden: number;
  /** Rows beyond this many are counted, not written. */
  readonly limit: number;
  /** JSON with the columns' own names unless it is given. */
  readonly form?: RowForm | undefined;
}

export class JsonRows implements RowSink {
  /** Rows received, written or not. */
  count = 0;
  /** Text of the hidden columns of the first row, and of the one at the limit, if there are so many. */
  first: TextRow | undefined;
  boundary: TextRow | undefined;
  readonly #hidden: number;
  readonly #limit: number;
  readonly #out: JsonOut;
  readonly #format: RowFormat;
  readonly #names: readonly string[] | undefined;
  #keys: Piece[] = [];
  #wires: Wire[] = [];
  #keysLength = 0;
  /** What came last from the socket; most rows come with others. */
  #bytes: Buffer | undefined;
  #view = viewOf(Buffer.alloc(0));

  constructor(out: JsonOut, { hidden, limit, form: { format, names } = { format: json } }: RowsOptions) {
    this.#hidden = hidden;
    this.#limit = limit;
    this.#out = out;
    this.#format = format;
    this.#names = names;
    this.#out.bytes(format.begin(names ?? []));
  }

  describe(fields: readonly Field[]): void {
    const shown = fields.slice(this.#hidden);
    this.#keys = shown.map(({ name }, index) => this.#format.before(this.#names?.[index] ?? name, index));
    this.#wires = shown.map(({ dataTypeID }) => wireOf(dataTypeID));
    this.#keysLength = this.#keys.reduce((sum, key) => sum + key.length + 2, 4 + slack);
  }

  row(bytes: Buffer, start: number, end: number): void {
    this.count++;
    if (this.count > this.#limit) return;
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = viewOf(bytes);
    }
    // Nothing else is asked of the rows in between.
    if (this.count === 1) this.first = this.#hiddenOf(bytes, start);
    if (this.count === this.#limit) this.boundary = this.#hiddenOf(bytes, start);
    let at = start + 2;
    for (let column = 0; column < this.#hidden; column++) at += 4 + Math.max(0, this.#view.getInt32(at));
    this.#out.reserve((end - at) * widest + this.#keysLength);
    const { between, endOfRow } = this.#format;
    if (between > 0 && this.count > 1) this.#out.byte(between);
    this.#values(at);
    if (endOfRow > 0) this.#out.byte(endOfRow);
  }

  /** Ends what was written and hands out what is left. */
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
      to = putPiece(out, to, keys[column]!);
      const length = bytes.getInt32(from);
      from += 4;
      if (length < 0) {
        to = putPiece(out, to, none);
        continue;
      }
      const end = from + length;
      // Named, what almost all rows are written by becomes part of this loop.
      to = write === writeValue ? writeValue(out, to, wires[column]!, bytes, from, end) : write(out, to, wires[column]!, bytes, from, end);
      from = end;
    }
    this.#out.at = to;
  }
}

/** Reads a statement's rows to the end: what was noted of them, and their JSON. */
export const holdRows = async (
  client: pg.PoolClient,
  statement: BoundStatement,
  options: RowsOptions,
): Promise<{ readonly rows: JsonRows; readonly held: Held }> => {
  const json = new HeldJson();
  const rows = new JsonRows(json.out, options);
  await readRows(client, statement, rows);
  rows.end();
  return { rows, held: json.end() };
};
