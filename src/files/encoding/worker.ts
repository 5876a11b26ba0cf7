/**
 * The thread that encodes one file. Encoding takes seconds of CPU time, so it runs beside the event loop and at the lowest priority.
 *
 * It is bundled into one text (`scripts/worker-script.mjs`), because a thread has no access to the modules of the service's bundle.
 */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readlinkSync, writeSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { GzipEncoder } from './gzip-encoder.ts';
import { type EncoderOptions, ParquetEncoder } from './parquet-encoder.ts';

/** What the thread starts with. */
export interface EncodingTask {
  /** The file to create. */
  readonly path: string;
  /** For Parquet, its columns and metadata; absent: the bytes are only compressed by gzip. */
  readonly parquet?: Pick<EncoderOptions, 'columns' | 'metadata'> | undefined;
}

/** From the thread: a chunk was encoded, or the file is complete. */
export type EncodingReport = 'taken' | { readonly bytes: number; readonly sha256: string };

/** Linux has a priority for each thread. Elsewhere the thread keeps that of the process. */
const lowerPriority = (): void => {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_LOW);
  } catch {}
};

const port = parentPort!;
const { path, parquet } = workerData as EncodingTask;
lowerPriority();
const file = openSync(path, 'wx', 0o600);
const sha256 = createHash('sha256');
let bytes = 0;
const emit = (chunk: Uint8Array): void => {
  sha256.update(chunk);
  bytes += chunk.length;
  for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
};
const encoder = parquet ? new ParquetEncoder({ ...parquet, emit }) : new GzipEncoder(emit);

const send = (report: EncodingReport): void => port.postMessage(report);

port.on('message', (chunk: Uint8Array | null) => {
  if (chunk) {
    encoder.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    send('taken');
    return;
  }
  encoder.end();
  fsyncSync(file);
  closeSync(file);
  send({ bytes, sha256: sha256.digest('hex') });
  port.close();
});
