/**
 * Rows as the server sent them. Values are decoded only when they are written.
 *
 * The bytes of a row are in one chunk, as it came from the socket. Fields are found by their lengths. A million values take little more
 * memory than on the wire.
 */
import type { RowSink } from './read-rows.ts';
import { dataViewOf } from './words.ts';

const nothing = Buffer.alloc(0);
const viewOfNothing = dataViewOf(nothing);

export class ByteRows implements RowSink {
  readonly keepsBytes = true;
  count = 0;
  /** The chunk of the current row, and the start of each field in it; -1 for null. */
  bytes: Buffer = nothing;
  view = viewOfNothing;
  readonly begins: Int32Array;
  readonly ends: Int32Array;
  /** The length of the current row in bytes. */
  length = 0;
  readonly #chunks: Buffer[] = [];
  readonly #views: DataView[] = [];
  /** The chunk of each row, and its offset in the chunk. */
  readonly #numbers: number[] = [];
  readonly #starts: number[] = [];
  #found = -1;

  /** `width` is the number of fields of a row. */
  constructor(width: number) {
    this.begins = new Int32Array(width);
    this.ends = new Int32Array(width);
  }

  row(bytes: Buffer, start: number): void {
    if (bytes !== this.#chunks.at(-1)) {
      this.#chunks.push(bytes);
      this.#views.push(dataViewOf(bytes));
    }
    this.#numbers.push(this.#chunks.length - 1);
    this.#starts.push(start);
    this.count++;
  }

  /** Makes a row the current one: `bytes`, `begins` and `ends` describe it. */
  find(row: number): void {
    if (row === this.#found) return;
    this.#found = row;
    const number = this.#numbers[row]!;
    const view = this.#views[number]!;
    this.bytes = this.#chunks[number]!;
    this.view = view;
    const start = this.#starts[row]!;
    let at = start + 2;
    for (let field = 0; field < this.begins.length; field++) {
      const length = view.getInt32(at);
      at += 4;
      if (length < 0) {
        this.begins[field] = -1;
        continue;
      }
      this.begins[field] = at;
      at += length;
      this.ends[field] = at;
    }
    this.length = at - start;
  }

  /** Whether a row and the previous row have the same first value. */
  beginsAlike(row: number): boolean {
    const [viewBefore, view] = [this.#views[this.#numbers[row - 1]!]!, this.#views[this.#numbers[row]!]!];
    const [atBefore, at] = [this.#starts[row - 1]! + 2, this.#starts[row]! + 2];
    const end = 4 + Math.max(0, view.getInt32(at));
    for (let byte = 0; byte < end; byte++) if (viewBefore.getUint8(atBefore + byte) !== view.getUint8(at + byte)) return false;
    return true;
  }

  /** A field of a row as text. */
  text(row: number, field: number): string | null {
    this.find(row);
    const begin = this.begins[field]!;
    return begin < 0 ? null : this.bytes.toString('utf8', begin, this.ends[field]);
  }
}
