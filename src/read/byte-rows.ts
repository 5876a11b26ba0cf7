/**
 * Rows as the server sent them, kept until they are written: nothing is decoded before it is known where it goes.
 *
 * A row's bytes lie in one chunk, as it came from the socket; its fields are found by walking over their lengths. A million values
 * take little more memory than they took on the wire.
 */
import type { RowSink } from './wire.ts';
import { viewOf } from './words.ts';

const nothing = Buffer.alloc(0);
const viewOfNothing = viewOf(nothing);

export class ByteRows implements RowSink {
  count = 0;
  /** The chunk of the row that was found last, and where in it each field's value begins; -1 for null. */
  bytes: Buffer = nothing;
  view = viewOfNothing;
  readonly begins: Int32Array;
  readonly ends: Int32Array;
  /** How many bytes that row takes in all. */
  length = 0;
  readonly #chunks: Buffer[] = [];
  readonly #views: DataView[] = [];
  /** Of each row, the number of its chunk and where in it the row begins. */
  readonly #numbers: number[] = [];
  readonly #starts: number[] = [];
  #found = -1;

  /** `width` is how many fields a row has. */
  constructor(width: number) {
    this.begins = new Int32Array(width);
    this.ends = new Int32Array(width);
  }

  row(bytes: Buffer, start: number): void {
    if (bytes !== this.#chunks.at(-1)) {
      this.#chunks.push(bytes);
      this.#views.push(viewOf(bytes));
    }
    this.#numbers.push(this.#chunks.length - 1);
    this.#starts.push(start);
    this.count++;
  }

  /** Finds the fields of a row: `bytes`, `begins` and `ends` speak of it until another is found. */
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

  /** Whether a row begins with the same value as the one before it. */
  beginsAlike(row: number): boolean {
    const [viewBefore, view] = [this.#views[this.#numbers[row - 1]!]!, this.#views[this.#numbers[row]!]!];
    const [atBefore, at] = [this.#starts[row - 1]! + 2, this.#starts[row]! + 2];
    const end = 4 + Math.max(0, view.getInt32(at));
    for (let byte = 0; byte < end; byte++) if (viewBefore.getUint8(atBefore + byte) !== view.getUint8(at + byte)) return false;
    return true;
  }

  /** A field of the row as text. */
  text(row: number, field: number): string | null {
    this.find(row);
    const begin = this.begins[field]!;
    return begin < 0 ? null : this.bytes.toString('utf8', begin, this.ends[field]);
  }
}
