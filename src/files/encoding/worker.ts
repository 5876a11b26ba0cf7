/**
 * The thread that encodes files, one after another. Encoding takes seconds of CPU time, so it runs beside the event loop and at the lowest priority.
 *
 * It is bundled into one text (`scripts/worker-script.mjs`), because a thread has no access to the modules of the service's bundle.
 */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readlinkSync, writeSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { GzipEncoder } from './gzip-encoder.ts';
import { type EncoderOptions, ParquetEncoder } from './parquet-encoder.ts';

/** A file to encode. */
export interface EncodingTask {
  /** The file to create. */
  readonly path: string;
  /** The columns and metadata of Parquet; absent: the bytes are only compressed by gzip. */
  readonly parquet?: Pick<EncoderOptions, 'columns' | 'metadata'> | undefined;
}

/** The messages to the thread: a file, then its chunks, then its end. */
export type EncodingMessage = EncodingTask | Uint8Array | 'end';

/** From the thread: a chunk was encoded, or the file is complete. */
export type EncodingReport = 'taken' | { readonly bytes: number; readonly sha256: string };

/** Linux has a priority for each thread. Elsewhere the thread keeps that of the process. */
const lowerPriority = (): void => {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_LOW);
  } catch {}
};

/** One file that is being written. */
class OpenFile {
  readonly #file: number;
  readonly #sha256 = createHash('sha256');
  readonly #encoder: ParquetEncoder | GzipEncoder;
  #bytes = 0;

  constructor({ path, parquet }: EncodingTask) {
    this.#file = openSync(path, 'wx', 0o600);
    const emit = (chunk: Uint8Array): void => this.#write(chunk);
    this.#encoder = parquet ? new ParquetEncoder({ ...parquet, emit }) : new GzipEncoder(emit);
  }

  #write(chunk: Uint8Array): void {
    this.#sha256.update(chunk);
    this.#bytes += chunk.length;
    for (let at = 0; at < chunk.length; ) at += writeSync(this.#file, chunk, at);
  }

  push(chunk: Uint8Array): void {
    this.#encoder.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  }

  end(): { readonly bytes: number; readonly sha256: string } {
    this.#encoder.end();
    fsyncSync(this.#file);
    closeSync(this.#file);
    return { bytes: this.#bytes, sha256: this.#sha256.digest('hex') };
  }
}

const port = parentPort!;
const send = (report: EncodingReport): void => port.postMessage(report);
let file: OpenFile | undefined;

lowerPriority();
port.on('message', (message: EncodingMessage) => {
  if (message instanceof Uint8Array) {
    file?.push(message);
    send('taken');
  } else if (message === 'end') {
    if (file) send(file.end());
    file = undefined;
  } else file = new OpenFile(message);
});
