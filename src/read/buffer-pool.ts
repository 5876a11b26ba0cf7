/**
 * Buffers of one size, used again. A large page goes through hundreds of megabytes of them, which the collector, who sees only
 * small handles, would let pile up.
 */
export class BufferPool {
  readonly #size: number;
  readonly #free: Buffer[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** A buffer of this length, with any content; one of the pool's if it fits. */
  take(length: number): Buffer {
    if (length > this.#size) return Buffer.allocUnsafe(length);
    return (this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#size)).subarray(0, length);
  }

  /** Takes back a buffer, or a part of one, that nobody looks at any more; leaves others to the collector. */
  give({ buffer }: Buffer): void {
    if (buffer.byteLength === this.#size) this.#free.push(Buffer.from(buffer));
  }
}
