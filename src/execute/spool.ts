/**
 * Holds a large response between the database and the client.
 *
 * The database is read at its own speed, so a slow client holds neither a connection nor a snapshot. A few megabytes stay in memory, the
 * rest goes to an unlinked temporary file. A chunk is valid until the next one is requested.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BufferPool } from '../body.ts';
import { held } from '../metrics.ts';

interface Spilled {
  readonly position: number;
  readonly length: number;
  readonly written: Promise<unknown>;
}

/** A source that can pause for several reasons while the disk is slow, such as a socket. */
export interface Pausable {
  pause(reason: unknown): void;
  resume(reason: unknown): void;
}

const openUnlinked = async (folder: string): Promise<FileHandle> => {
  const path = join(folder, `estate-${randomUUID()}.spool`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  held.spoolFiles++;
  return file;
};

export class ResponseSpool implements AsyncIterable<Buffer> {
  readonly #buffers: BufferPool;
  readonly #memoryLimit: number;
  readonly #source: Pausable | undefined;
  readonly #folder: string;
  readonly #queue: (Buffer | Spilled)[] = [];
  #inMemory = 0;
  #unwritten = 0;
  #position = 0;
  #file: Promise<FileHandle> | undefined;
  #ended = false;
  #failure: Error | undefined;
  #isRead = false;
  #wake: () => void = () => {};

  /** Chunks return to `buffers` after they were read or written to disk, to a file in `folder`. */
  constructor(buffers: BufferPool, memoryLimit: number, source?: Pausable, folder = tmpdir()) {
    this.#buffers = buffers;
    this.#memoryLimit = memoryLimit;
    this.#source = source;
    this.#folder = folder;
  }

  /** Whether the source has ended. */
  get isComplete(): boolean {
    return this.#ended;
  }

  get failure(): Error | undefined {
    return this.#failure;
  }

  push(chunk: Buffer): void {
    if (this.#failure) this.#buffers.give(chunk);
    else if (this.#inMemory + chunk.length <= this.#memoryLimit) {
      this.#inMemory += chunk.length;
      this.#queue.push(chunk);
    } else this.#spill(chunk);
    this.#wake();
  }

  /** Ends the response. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Fails the response. The reader fails at once, even if chunks are left. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
    if (!this.#isRead) void this.#close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    this.#isRead = true;
    try {
      for (;;) {
        if (this.#failure) throw this.#failure;
        const next = this.#queue.shift();
        if (next) {
          const chunk = await this.#take(next);
          yield chunk;
          this.#buffers.give(chunk);
        } else if (this.#ended) return;
        else
          await new Promise<void>((wake) => {
            this.#wake = wake;
          });
      }
    } finally {
      await this.#close();
    }
  }

  #spill(chunk: Buffer): void {
    this.#file ??= openUnlinked(this.#folder);
    const position = this.#position;
    const { length } = chunk;
    this.#position += length;
    this.#unwritten += length;
    if (this.#unwritten > this.#memoryLimit) this.#source?.pause(this);
    const written = this.#file.then(async (file) => {
      const { bytesWritten } = await file.write(chunk, 0, length, position);
      // A full disk writes less than requested. Reading on would return bytes that do not belong to this response.
      if (bytesWritten < length) throw new Error('The disk for temporary files is full');
    });
    written.then(
      () => {
        this.#buffers.give(chunk);
        this.#unwritten -= length;
        if (this.#unwritten <= this.#memoryLimit / 2) this.#source?.resume(this);
      },
      (error: Error) => this.fail(error),
    );
    this.#queue.push({ position, length, written });
  }

  async #take(next: Buffer | Spilled): Promise<Buffer> {
    if (Buffer.isBuffer(next)) {
      this.#inMemory -= next.length;
      return next;
    }
    await next.written;
    const file = await this.#file;
    const chunk = this.#buffers.take(next.length);
    await file?.read(chunk, 0, next.length, next.position);
    return chunk;
  }

  async #close(): Promise<void> {
    this.#source?.resume(this);
    const file = await this.#file?.catch(() => undefined);
    await Promise.allSettled(this.#queue.map((entry) => (Buffer.isBuffer(entry) ? undefined : entry.written)));
    if (file) held.spoolFiles--;
    await file?.close();
  }
}
