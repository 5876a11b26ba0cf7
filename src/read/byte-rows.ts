/**
 * Rows as the server sent them, kept until they are written: nothing is decoded before it is known where it goes.
 *
 * A row's bytes lie in one chunk; its fields are found by walking over their lengths. A million values take little more
 * memory than they took on the wire.
 */
import { BorrowedBuffers, BufferPool } from './buffer-pool.ts';
import type { RowSink } from './wire.ts';
import { viewOf } from './words.ts';

const chunkBits = 15;
const chunkSize = 1 << chunkBits;
/** Chunks whose rows have been written; so many are kept, for the collector does not see how large they are. */
const chunks = new BufferPool(chunkSize, 256);

/** Chunks for the rows of one document. */
export const borrowChunks = (): BorrowedBuffers => new BorrowedBuffers(chunks);

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
  /** Where each row begins: its chunk's number and the place in it. */
  readonly #rows: number[] = [];
  #at = 0;
  #found = -1;

  readonly #buffers: BorrowedBuffers;

  /** `width` is how many fields a row has. */
  constructor(width: number, buffers = borrowChunks()) {
    this.#buffers = buffers;
    this.begins = new Int32Array(width);
    this.ends = new Int32Array(width);
  }

  row(bytes: Buffer, start: number, end: number): void {
    const length = end - start;
    let chunk = this.#chunks.at(-1);
    if (!chunk || chunk.length - this.#at < length) {
      chunk = this.#buffers.take(Math.max(chunkSize, length));
      this.#chunks.push(chunk);
      this.#views.push(viewOf(chunk));
      this.#at = 0;
    }
    bytes.copy(chunk, this.#at, start, end);
    this.#rows.push(((this.#chunks.length - 1) << chunkBits) | this.#at);
    this.#at += length;
    this.count++;
  }

  /** Finds the fields of a row: `bytes`, `begins` and `ends` speak of it until another is found. */
  find(row: number): void {
    if (row === this.#found) return;
    this.#found = row;
    const position = this.#rows[row]!;
    const view = this.#views[position >> chunkBits]!;
    this.bytes = this.#chunks[position >> chunkBits]!;
    this.view = view;
    const start = position & (chunkSize - 1);
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
    const [before, here] = [this.#rows[row - 1]!, this.#rows[row]!];
    const [viewBefore, view] = [this.#views[before >> chunkBits]!, this.#views[here >> chunkBits]!];
    const [atBefore, at] = [(before & (chunkSize - 1)) + 2, (here & (chunkSize - 1)) + 2];
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
