/** A writer of JSON bytes into chunks of one size. Full chunks are emitted. */
import { BufferPool, lengthOf } from '../body.ts';
import { type ByteLiteral, dataViewOf, putLiteral, wordPadding } from './words.ts';

/** The length of a chunk, unless a single value needs more. */
export const chunkSize = 128 * 1024;

export class JsonOut {
  /** The current chunk as a view, and the write position. Callers reserve space first. */
  view: DataView;
  at = 0;
  #buffer: Buffer;
  readonly #emit: (chunk: Buffer) => void;
  readonly #buffers: BufferPool;
  readonly #size: number;

  /** `emit` receives each full chunk of `size` bytes and returns it to `buffers` after use. */
  constructor(buffers: BufferPool, emit: (chunk: Buffer) => void, size = chunkSize) {
    this.#emit = emit;
    this.#buffers = buffers;
    this.#size = size;
    this.#buffer = buffers.take(size);
    this.view = dataViewOf(this.#buffer);
  }

  /** Makes room for `length` bytes. */
  reserve(length: number): void {
    if (this.#buffer.length - this.at >= length) return;
    this.flush();
    this.#fill(this.#buffers.take(Math.max(this.#size, length)));
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

  put(piece: ByteLiteral): void {
    this.reserve(piece.length + wordPadding);
    this.at = putLiteral(this.view, this.at, piece);
  }

  /** Writes text that is already JSON. */
  json(text: string): void {
    const max = text.length * 3;
    this.reserve(max);
    this.at += this.#buffer.write(text, this.at, max, 'utf8');
  }

  /** Emits the last chunk. */
  flush(): void {
    if (this.at > 0) this.#emit(this.#buffer.subarray(0, this.at));
    this.#fill(this.#buffer.subarray(this.at));
  }

  #fill(buffer: Buffer): void {
    this.#buffer = buffer;
    this.view = dataViewOf(buffer);
    this.at = 0;
  }
}

/** Chunks of buffered responses; as many as responses that are written at once. */
const scratch = new BufferPool(chunkSize, 96);
/** Up to this length, a response is copied out of its chunk, which is much longer. A longer one is sent from its chunks. */
const maxCopied = 16 * 1024;
const copies = new BufferPool(maxCopied, 256);

/** A complete response in memory, in one or several chunks. */
export interface BufferedBody {
  readonly body: readonly Buffer[];
  /** Returns the chunks to their pool. The call is optional. */
  readonly release: () => void;
}

/** Chunks of a pool. They are missing there until they are returned. */
const lent = (body: readonly Buffer[], pool: BufferPool): BufferedBody => {
  let isLent = true;
  const release = () => {
    if (isLent) for (const chunk of body) pool.give(chunk);
    isLent = false;
  };
  return { body, release };
};

/** Writes a complete response into pooled chunks. */
export class BufferedJson {
  readonly out: JsonOut;
  readonly #chunks: Buffer[] = [];

  constructor() {
    this.out = new JsonOut(scratch, (chunk) => this.#chunks.push(chunk));
  }

  /** The complete response. No further writes are allowed. */
  end(): BufferedBody {
    this.out.flush();
    const chunks = this.#chunks;
    const length = lengthOf(chunks);
    if (length > maxCopied) return lent(chunks, scratch);
    const whole = copies.take(length);
    let at = 0;
    for (const chunk of chunks) {
      at += chunk.copy(whole, at);
      scratch.give(chunk);
    }
    return lent([whole], copies);
  }
}
