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
