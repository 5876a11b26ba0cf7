/**
 * PGlite as the connection of a stock `pg` client: what the client writes goes to the database in this process, what that answers
 * comes back as bytes, as they would come over a socket.
 */
import { Duplex } from 'node:stream';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';

/** AuthenticationOk, BackendKeyData of nobody, ReadyForQuery: PGlite has no sign-in, and nothing in it can be cancelled. */
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

  // What a client does to a socket and what means nothing here.
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

  /** What was written together is one message to the database. */
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
    // The database computes in this thread: between two messages everything else has its turn.
    await nextRound();
    await this.#lite.execProtocolRawStream(message, { onRawData: (bytes) => void this.push(Buffer.from(bytes)) });
  }
}
