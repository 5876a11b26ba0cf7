/** A response body in memory: its chunks, its compressed forms, and the pools that its bytes come from. */

export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** Total length of the chunks in bytes. */
export const lengthOf = (chunks: readonly Buffer[]): number => chunks.reduce((sum, { length }) => sum + length, 0);

/** The compressed forms of a body that may be sent again. */
export interface CompressedForms {
  get(encoding: Encoding): Buffer | undefined;
  set(encoding: Encoding, bytes: Buffer): void;
}

/**
 * A pool of buffers of one size. A large page uses hundreds of megabytes of buffers. The garbage collector sees only their small handles,
 * so unused buffers would accumulate.
 */
export class BufferPool {
  readonly #size: number;
  readonly #max: number;
  readonly #free: ArrayBufferLike[] = [];

  /** The maximum number of buffers in the pool. */
  constructor(size: number, max = Number.POSITIVE_INFINITY) {
    this.#size = size;
    this.#max = max;
  }

  /** A buffer of this length with undefined content, from the pool if it fits. */
  take(length: number): Buffer {
    if (length > this.#size) return Buffer.allocUnsafe(length);
    return Buffer.from(this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#size).buffer, 0, length);
  }

  /** Returns a buffer, or a slice of one, that is no longer in use. Buffers of another size are left to the garbage collector. */
  give({ buffer }: Buffer): void {
    if (buffer.byteLength === this.#size && this.#free.length < this.#max) this.#free.push(buffer);
  }
}

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

/**
 * Long-lived bytes in pooled blocks of one size. A block returns to the pool after the last holder has released it. Separate buffers would
 * make the garbage collector scan the whole heap several times a second, because external memory triggers it.
 */
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
