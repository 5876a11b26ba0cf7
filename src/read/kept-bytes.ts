/**
 * Bytes that are kept, in blocks of one size that are used again: buffers of their own, hundreds of kilobytes a thousand times a second,
 * would have the collector go through the whole heap several times a second, since it is driven by memory outside of it.
 */
import { BufferPool, lengthOf } from './buffer-pool.ts';

/** Small enough that a small answer wastes little of one. */
const blockSize = 8 * 1024;
/** As many as were ever kept at once; what keeps them is bounded by bytes. */
const blocks = new BufferPool(blockSize);

/** Kept bytes that somebody looks at. */
export interface Lent {
  readonly chunks: readonly Buffer[];
  /** To be called once nobody looks at them any more. Whoever never calls it leaves them to the collector. */
  readonly release: () => void;
}

/** A block is used again only once its bytes are kept no longer and everybody to whom they were lent has given them back. */
export class KeptBytes {
  readonly #chunks: readonly Buffer[];
  #holders = 0;

  /** Copies the bytes. */
  constructor(chunks: readonly Buffer[]) {
    const length = lengthOf(chunks);
    this.#chunks = Array.from({ length: Math.ceil(length / blockSize) }, (_, at) =>
      blocks.take(Math.min(blockSize, length - at * blockSize)),
    );
    let at = 0;
    for (const chunk of chunks) {
      for (let from = 0; from < chunk.length; ) {
        const into = at % blockSize;
        const taken = chunk.copy(this.#chunks[(at - into) / blockSize]!, into, from);
        from += taken;
        at += taken;
      }
    }
  }

  /** Of memory. */
  get size(): number {
    return this.#chunks.length * blockSize;
  }

  /** Holds the bytes for somebody. Only whoever holds them may lend them: the last release frees them for other bytes. */
  lend(): Lent {
    this.#holders++;
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders--;
      if (this.#holders === 0) this.#free();
    };
    return { chunks: this.#chunks, release };
  }

  #free(): void {
    for (const chunk of this.#chunks) blocks.give(chunk);
  }
}
