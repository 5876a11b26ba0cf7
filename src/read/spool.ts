/**
 * Holds what the database has delivered and the client has not yet taken.
 *
 * The database is read at its own speed, so that a slow client holds neither a connection nor a snapshot: a few megabytes
 * wait in memory, the rest in an unlinked temporary file. A chunk that is read is valid until the next one is asked for.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BufferPool } from './buffer-pool.ts';

interface Spilled {
  readonly position: number;
  readonly length: number;
  readonly written: Promise<unknown>;
}

/** What can be told to wait while the disk is behind, and why; a socket's valve, for one. */
export interface Source {
  close(reason: unknown): void;
  open(reason: unknown): void;
}

const openUnlinked = async (): Promise<FileHandle> => {
  const path = join(tmpdir(), `estate-${randomUUID()}.spool`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
};

export class Spool implements AsyncIterable<Buffer> {
  readonly #buffers: BufferPool;
  readonly #memoryLimit: number;
  readonly #source: Source | undefined;
  readonly #queue: (Buffer | Spilled)[] = [];
  #inMemory = 0;
  #unwritten = 0;
  #position = 0;
  #file: Promise<FileHandle> | undefined;
  #ended = false;
  #failure: Error | undefined;
  #isRead = false;
  #wake: () => void = () => {};

  /** Chunks go back to `buffers` once they have been read, or are on the disk. */
  constructor(buffers: BufferPool, memoryLimit: number, source?: Source) {
    this.#buffers = buffers;
    this.#memoryLimit = memoryLimit;
    this.#source = source;
  }

  /** Whether all of it has been handed in. */
  get isComplete(): boolean {
    return this.#ended;
  }

  push(chunk: Buffer): void {
    if (this.#failure) this.#buffers.give(chunk);
    else if (this.#inMemory + chunk.length <= this.#memoryLimit) {
      this.#inMemory += chunk.length;
      this.#queue.push(chunk);
    } else this.#spill(chunk);
    this.#wake();
  }

  /** No more will come. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** What is missing will never come; the reader learns at once, whatever is still waiting. */
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
    this.#file ??= openUnlinked();
    const position = this.#position;
    const { length } = chunk;
    this.#position += length;
    this.#unwritten += length;
    if (this.#unwritten > this.#memoryLimit) this.#source?.close(this);
    const written = this.#file.then(async (file) => {
      const { bytesWritten } = await file.write(chunk, 0, length, position);
      // The last bytes of a disk that is full: what would be read back in place of the rest is not this answer's.
      if (bytesWritten < length) throw new Error('The disk for temporary files is full');
    });
    written.then(
      () => {
        this.#buffers.give(chunk);
        this.#unwritten -= length;
        if (this.#unwritten <= this.#memoryLimit / 2) this.#source?.open(this);
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
    this.#source?.open(this);
    const file = await this.#file?.catch(() => undefined);
    await Promise.allSettled(this.#queue.map((entry) => (Buffer.isBuffer(entry) ? undefined : entry.written)));
    await file?.close();
  }
}
