/**
 * PGlite as the socket of an unmodified `pg` client. It passes the client's messages to the database in this process and returns the
 * protocol's bytes.
 */
import { Duplex } from 'node:stream';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';

/** AuthenticationOk, BackendKeyData and ReadyForQuery. PGlite has no sign-in and supports no cancel requests. */
const welcome = Buffer.from('R\0\0\0\x08\0\0\0\0K\0\0\0\x0c\0\0\0\0\0\0\0\0Z\0\0\0\x05I', 'latin1');
const TERMINATE = 0x58;

export class PgliteStream extends Duplex {
  readonly #lite: PGlite;
  #isWelcomed = false;

  constructor(lite: PGlite) {
    super();
    this.#lite = lite;
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  // Socket methods that the client calls and that have no meaning here.
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(message: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#take(message).then(() => done(), done);
  }

  /** Chunks of one write are one protocol message. */
  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#take(Buffer.concat(chunks.map(({ chunk }) => chunk))).then(() => done(), done);
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  async #take(message: Buffer): Promise<void> {
    if (!this.#isWelcomed) {
      this.#isWelcomed = true;
      this.push(welcome);
      return;
    }
    // The database outlives its clients.
    if (message[0] === TERMINATE) return;
    // The database computes in this thread, so other work runs between two messages.
    await nextRound();
    await this.#lite.execProtocolRawStream(message, { onRawData: (bytes) => void this.push(Buffer.from(bytes)) });
  }
}
