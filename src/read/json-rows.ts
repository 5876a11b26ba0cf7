/**
 * Writes rows as one JSON array, or as CSV, from the bytes of Postgres' text format straight to bytes (see `json-values.ts`).
 *
 * One table of kinds drives one loop; generated straight-line code was slower for wide rows.
 */
import type pg from 'pg';
import { type Held, HeldJson, type JsonOut } from './json-out.ts';
import { put, type Wire, widest, wireOf } from './json-values.ts';
import type { TextRow } from './plan.ts';
import { json, type RowForm, type RowFormat } from './row-format.ts';
import type { BoundStatement } from './statement.ts';
import { type Field, type RowSink, readRows } from './wire.ts';

export interface RowsOptions {
  /** Leading columns that are not written; those of two rows are kept, in `first` and `boundary`. */
  readonly hidden: number;
  /** Rows beyond this many are counted, not written. */
  readonly limit: number;
  /** JSON with the columns' own names unless it is given. */
  readonly form?: RowForm | undefined;
}

/** The length of the field that begins here; below 0 for null. */
const lengthAt = (bytes: Buffer, at: number): number =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;

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
  #keys: Uint8Array[] = [];
  #wires: Wire[] = [];
  #keysLength = 0;

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
    this.#keysLength = this.#keys.reduce((sum, key) => sum + key.length + 2, 4);
  }

  row(bytes: Buffer, start: number, end: number): void {
    this.count++;
    if (this.count > this.#limit) return;
    // Nothing else is asked of the rows in between.
    if (this.count === 1) this.first = this.#hiddenOf(bytes, start);
    if (this.count === this.#limit) this.boundary = this.#hiddenOf(bytes, start);
    let at = start + 2;
    for (let column = 0; column < this.#hidden; column++) at += 4 + Math.max(0, lengthAt(bytes, at));
    this.#out.reserve((end - at) * widest + this.#keysLength);
    const { between, endOfRow } = this.#format;
    if (between > 0 && this.count > 1) this.#out.buffer[this.#out.at++] = between;
    this.#values(bytes, at);
    if (endOfRow > 0) this.#out.buffer[this.#out.at++] = endOfRow;
  }

  /** Ends what was written and hands out what is left. */
  end(): void {
    this.#out.bytes(this.#format.end);
    this.#out.flush();
  }

  #hiddenOf(bytes: Buffer, start: number): TextRow {
    let at = start + 2;
    return Array.from({ length: this.#hidden }, () => {
      const length = lengthAt(bytes, at);
      at += 4;
      if (length < 0) return null;
      at += length;
      return bytes.toString('utf8', at - length, at);
    });
  }

  #values(bytes: Buffer, start: number): void {
    const keys = this.#keys;
    const wires = this.#wires;
    const out = this.#out.buffer;
    const { write, null: none } = this.#format;
    let from = start;
    let to = this.#out.at;
    for (let column = 0; column < keys.length; column++) {
      to = put(out, to, keys[column]!);
      const length = lengthAt(bytes, from);
      from += 4;
      if (length < 0) {
        to = put(out, to, none);
        continue;
      }
      to = write(out, to, wires[column]!, bytes, from, from + length);
      from += length;
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
