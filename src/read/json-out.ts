/** JSON bytes on their way out: chunks of one size, handed over when they are full. */
import { BufferPool, lengthOf } from './buffer-pool.ts';
import { type Piece, putPiece, slack, viewOf } from './words.ts';

/** Length of a chunk, unless a single piece needs more. */
export const chunkSize = 128 * 1024;

export class JsonOut {
  /** The chunk that is being filled, as a view, and how far it is; whoever writes into it reserves room first. */
  view: DataView;
  at = 0;
  #buffer: Buffer;
  readonly #emit: (chunk: Buffer) => void;
  readonly #buffers: BufferPool;

  /** `emit` takes each full chunk and gives it back to `buffers`, from where it comes. */
  constructor(buffers: BufferPool, emit: (chunk: Buffer) => void) {
    this.#emit = emit;
    this.#buffers = buffers;
    this.#buffer = buffers.take(chunkSize);
    this.view = viewOf(this.#buffer);
  }

  /** Makes sure that `length` bytes have room. */
  reserve(length: number): void {
    if (this.#buffer.length - this.at >= length) return;
    this.flush();
    this.#fill(this.#buffers.take(Math.max(chunkSize, length)));
  }

  byte(value: number): void {
    this.reserve(1);
    this.view.setUint8(this.at++, value);
  }

  bytes(value: Uint8Array): void {
    this.reserve(value.length);
    this.#buffer.set(value, this.at);
    this.at += value.length;
  }

  put(piece: Piece): void {
    this.reserve(piece.length + slack);
    this.at = putPiece(this.view, this.at, piece);
  }

  /** Text that is JSON already. */
  json(text: string): void {
    const most = text.length * 3;
    this.reserve(most);
    this.at += this.#buffer.write(text, this.at, most, 'utf8');
  }

  /** Hands out what is left. */
  flush(): void {
    if (this.at > 0) this.#emit(this.#buffer.subarray(0, this.at));
    this.#fill(this.#buffer.subarray(this.at));
  }

  #fill(buffer: Buffer): void {
    this.#buffer = buffer;
    this.view = viewOf(buffer);
    this.at = 0;
  }
}

/** Chunks of answers that are held whole; so many are kept, for so many are written at once. */
const scratch = new BufferPool(chunkSize, 96);
/** Up to this length an answer is copied out of its chunk, which is much longer; a longer one is sent from its chunks. */
const mostCopied = 16 * 1024;
const copies = new BufferPool(mostCopied, 256);

/** An answer that is held whole, in one piece or in several. */
export interface Held {
  readonly body: readonly Buffer[];
  /** Of chunks that are used again once nobody looks at them any more; nobody need call it. */
  readonly release: () => void;
}

/** Chunks of a pool, which goes without them until they are given back. */
const lent = (body: readonly Buffer[], pool: BufferPool): Held => {
  let isLent = true;
  const release = () => {
    if (isLent) for (const chunk of body) pool.give(chunk);
    isLent = false;
  };
  return { body, release };
};

/** Writes an answer that is held whole: what it was written into is used again. */
export class HeldJson {
  readonly out: JsonOut;
  readonly #chunks: Buffer[] = [];

  constructor() {
    this.out = new JsonOut(scratch, (chunk) => this.#chunks.push(chunk));
  }

  /** All that was written; afterwards nothing more can be. */
  end(): Held {
    this.out.flush();
    const chunks = this.#chunks;
    const length = lengthOf(chunks);
    if (length > mostCopied) return lent(chunks, scratch);
    const whole = copies.take(length);
    let at = 0;
    for (const chunk of chunks) {
      at += chunk.copy(whole, at);
      scratch.give(chunk);
    }
    return lent([whole], copies);
  }
}
