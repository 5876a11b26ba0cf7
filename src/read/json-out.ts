/** JSON bytes on their way out: chunks of one size, handed over when they are full. */
import type { BufferPool } from './buffer-pool.ts';

/** Length of a chunk, unless a single piece needs more. */
export const chunkSize = 128 * 1024;
/** Length of the first chunk where none is used again: most answers need no more, and the collector has less to do. */
const firstSize = 16 * 1024;

export class JsonOut {
  /** The chunk that is being filled, and how far it is; whoever writes into it reserves room first. */
  buffer: Buffer;
  at = 0;
  readonly #emit: (chunk: Buffer) => void;
  readonly #buffers: BufferPool | undefined;

  /** `emit` takes each full chunk; chunks come from `buffers` where there are some. */
  constructor(emit: (chunk: Buffer) => void, buffers?: BufferPool) {
    this.#emit = emit;
    this.#buffers = buffers;
    this.buffer = this.#allocate(buffers ? chunkSize : firstSize);
  }

  /** Makes sure that `length` bytes have room. */
  reserve(length: number): void {
    if (this.buffer.length - this.at >= length) return;
    this.flush();
    this.buffer = this.#allocate(Math.max(chunkSize, length));
  }

  byte(value: number): void {
    this.reserve(1);
    this.buffer[this.at++] = value;
  }

  bytes(value: Uint8Array): void {
    this.reserve(value.length);
    for (let i = 0; i < value.length; i++) this.buffer[this.at++] = value[i]!;
  }

  /** Text that is JSON already. */
  json(text: string): void {
    const most = text.length * 3;
    this.reserve(most);
    this.at += this.buffer.write(text, this.at, most, 'utf8');
  }

  /** Hands out what is left. */
  flush(): void {
    if (this.at > 0) this.#emit(this.buffer.subarray(0, this.at));
    this.buffer = this.buffer.subarray(this.at);
    this.at = 0;
  }

  #allocate(length: number): Buffer {
    return this.#buffers?.take(length) ?? Buffer.allocUnsafe(length);
  }
}
