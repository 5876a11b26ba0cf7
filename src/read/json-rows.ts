/**
 * Writes rows as one JSON array, from the bytes of Postgres' text format straight to bytes (see `json-values.ts`).
 *
 * One table of kinds drives one loop; generated straight-line code was slower for wide rows.
 */
import type { BufferPool } from './buffer-pool.ts';
import { JsonOut } from './json-out.ts';
import { literal, put, type Wire, widest, wireOf, writeValue } from './json-values.ts';
import type { Field, RowSink } from './row-query.ts';

export interface RowsOptions {
  /** Leading columns that are not written; those of the first row are kept in `hidden`. */
  readonly hidden: number;
  /** Rows beyond this many are counted, not written. */
  readonly limit: number;
  /** Takes each full chunk; the rows together are one JSON array. */
  readonly emit: (chunk: Buffer) => void;
  /** Where chunks come from. */
  readonly buffers?: BufferPool;
}

export class JsonRows implements RowSink {
  /** Rows received, written or not. */
  count = 0;
  /** Text of the hidden columns of the first row and of the last written one. */
  first: readonly (string | null)[] | undefined;
  last: readonly (string | null)[] | undefined;
  readonly #hidden: number;
  readonly #limit: number;
  readonly #out: JsonOut;
  #keys: Uint8Array[] = [];
  #wires: Wire[] = [];
  #keysLength = 0;

  constructor({ hidden, limit, emit, buffers }: RowsOptions) {
    this.#hidden = hidden;
    this.#limit = limit;
    this.#out = new JsonOut(emit, buffers);
    this.#out.byte(0x5b);
  }

  describe(fields: readonly Field[]): void {
    const shown = fields.slice(this.#hidden);
    this.#keys = shown.map(({ name }, index) => Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    this.#wires = shown.map(({ dataTypeID }) => wireOf(dataTypeID));
    this.#keysLength = this.#keys.reduce((sum, key) => sum + key.length + 2, 4);
  }

  row(bytes: Buffer, start: number, end: number): void {
    let at = start + 2;
    this.count++;
    if (this.count > this.#limit) return;
    if (this.#hidden > 0) {
      const texts: (string | null)[] = [];
      for (let column = 0; column < this.#hidden; column++) {
        const length = bytes.readInt32BE(at);
        at += 4;
        texts.push(length < 0 ? null : bytes.toString('utf8', at, at + length));
        if (length > 0) at += length;
      }
      this.first ??= texts;
      this.last = texts;
    }
    this.#out.reserve((end - at) * widest + this.#keysLength);
    if (this.count > 1) this.#out.buffer[this.#out.at++] = 0x2c;
    this.#values(bytes, at);
    this.#out.buffer[this.#out.at++] = 0x7d;
  }

  /** Closes the array and hands out what is left. */
  end(): void {
    this.#out.byte(0x5d);
    this.#out.flush();
  }

  #values(bytes: Buffer, start: number): void {
    const keys = this.#keys;
    const wires = this.#wires;
    const out = this.#out.buffer;
    let from = start;
    let to = this.#out.at;
    for (let column = 0; column < keys.length; column++) {
      to = put(out, to, keys[column]!);
      const length = (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!;
      from += 4;
      if (length < 0) {
        to = put(out, to, literal.null);
        continue;
      }
      to = writeValue(out, to, wires[column]!, bytes, from, from + length);
      from += length;
    }
    this.#out.at = to;
  }
}
