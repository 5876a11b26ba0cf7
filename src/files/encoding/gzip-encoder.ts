/**
 * Compresses bytes as one gzip member (RFC 1952), in this thread.
 *
 * zlib's streams would use the threads of the process, which have its full priority. Each block is compressed by itself and ends at a byte, so
 * that blocks can be joined.
 */
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** The size of a block. A larger one would compress little better. */
const blockSize = 256 * 1024;

/** Magic, deflate, no flags, no time, default compression, unknown system: the same bytes give the same file. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** An empty last block. */
const lastBlock = Buffer.from([3, 0]);

const options = { level: 6, finishFlush: constants.Z_SYNC_FLUSH };

export class GzipEncoder {
  readonly #emit: (bytes: Uint8Array) => void;
  #waiting: Buffer[] = [];
  #waitingLength = 0;
  #crc = 0;
  #length = 0;

  /** `emit` receives the bytes of the file. */
  constructor(emit: (bytes: Uint8Array) => void) {
    this.#emit = emit;
    emit(header);
  }

  push(chunk: Buffer): void {
    this.#waiting.push(chunk);
    this.#waitingLength += chunk.length;
    if (this.#waitingLength >= blockSize) this.#compress();
  }

  /** Writes the rest, the checksum and the length. */
  end(): void {
    this.#compress();
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.#crc, 0);
    trailer.writeUInt32LE(this.#length % 2 ** 32, 4);
    this.#emit(Buffer.concat([lastBlock, trailer]));
  }

  #compress(): void {
    if (this.#waitingLength === 0) return;
    const block = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingLength = 0;
    this.#crc = crc32(block, this.#crc);
    this.#length += block.length;
    this.#emit(deflateRawSync(block, options));
  }
}
