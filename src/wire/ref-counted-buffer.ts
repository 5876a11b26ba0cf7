/**
 * Long-lived bytes in pooled blocks of one size, with a reference count. Separate buffers would make the garbage collector scan the whole
 * heap several times a second, because external memory triggers it.
 */
import { lengthOf } from '../body.ts';
import { BufferPool } from './buffer-pool.ts';

/** Small enough to waste little memory for a small response. */
const blockSize = 8 * 1024;
/** The pool grows to the largest number in use, which the response cache bounds by bytes. */
const blocks = new BufferPool(blockSize);

/** Retained bytes. */
export interface RetainedBytes {
  readonly chunks: readonly Buffer[];
  /** Releases the bytes. Without the call, the garbage collector frees them. */
  readonly release: () => void;
}

/** A block returns to the pool after the last holder has released it. */
export class RefCountedBuffer {
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

  /** Bytes of memory in use. */
  get size(): number {
    return this.#chunks.length * blockSize;
  }

  /** Retains the bytes. Only a holder may call it, because the last release frees them. */
  retain(): RetainedBytes {
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
