/**
 * Buffers of one size, used again. A large page goes through hundreds of megabytes of them, which the collector, who sees only
 * small handles, would let pile up.
 */
export class BufferPool {
  readonly #size: number;
  readonly #most: number;
  readonly #free: ArrayBufferLike[] = [];

  /** Keeps at most so many. */
  constructor(size: number, most = Number.POSITIVE_INFINITY) {
    this.#size = size;
    this.#most = most;
  }

  /** A buffer of this length, with any content; one of the pool's if it fits. */
  take(length: number): Buffer {
    if (length > this.#size) return Buffer.allocUnsafe(length);
    return Buffer.from(this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#size).buffer, 0, length);
  }

  /** Takes back a buffer, or a part of one, that nobody looks at any more; leaves others to the collector. */
  give({ buffer }: Buffer): void {
    if (buffer.byteLength === this.#size && this.#free.length < this.#most) this.#free.push(buffer);
  }
}

/** Bytes of chunks together. */
export const lengthOf = (chunks: readonly Buffer[]): number => chunks.reduce((sum, { length }) => sum + length, 0);
