/**
 * Sends a body of many chunks at the client's speed.
 *
 * After the 200 is sent, a failure must reset the TCP connection. A plain close looks like a complete body over HTTP/1.0 and behind some
 * proxies.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { type CompressedForms, lengthOf } from '../../body.ts';
import { held } from '../../metrics.ts';
import { isSliceUsedUp, nextSlice, useSlice } from '../../scheduling/time-slices.ts';
import { compressChunks, compressHeld } from './compress.ts';
import { setServerTiming } from './headers.ts';

/** Calls back when the response has ended; at once if it has ended already. A `close` that has happened does not happen again. */
export const afterResponse = (response: ServerResponse, callback: () => void): void => {
  if (response.destroyed) callback();
  else response.once('close', callback);
};

/** Counts the bytes of a body in memory until its response has ended. */
const countBody = (response: ServerResponse, bytes: number): void => {
  held.bytes += bytes;
  afterResponse(response, () => {
    held.bytes -= bytes;
  });
};

/** All chunks, after the first one has already been read. */
async function* resume(first: IteratorResult<Buffer>, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Writes the head of a response without Fastify. */
const writeHead = (reply: FastifyReply): void => {
  setServerTiming(reply);
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
};

/** Resolves to true when the system has accepted the chunk, and to false if the connection closes first. */
const written = (response: ServerResponse, chunk: Buffer, closed: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const abort = () => resolve(false);
    closed.addEventListener('abort', abort, { once: true });
    response.write(chunk, (error) => {
      closed.removeEventListener('abort', abort);
      resolve(!error);
    });
  });

/**
 * Sends headers and chunks. Throws if the first chunk fails; resets the connection if a later one fails. `cancel` is called when the
 * connection is finished with the response, even during a wait for a chunk.
 */
export const sendChunks = async (reply: FastifyReply, body: AsyncIterable<Buffer>, cancel: () => void = () => {}): Promise<void> => {
  afterResponse(reply.raw, cancel);
  const source = body[Symbol.asyncIterator]();
  const first = await source.next();
  const chunks = compressChunks(reply, resume(first, source))[Symbol.asyncIterator]();
  reply.hijack();
  const response = reply.raw;
  const closed = new AbortController();
  afterResponse(response, () => closed.abort());
  response.on('error', () => closed.abort());
  try {
    writeHead(reply);
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      if (closed.signal.aborted || response.destroyed) return;
      // A client that disconnects is not a failure of the service.
      if (!(await written(response, next.value, closed.signal))) return void response.socket?.resetAndDestroy();
    }
    response.end();
  } catch (error) {
    reply.request.failure = error;
    response.socket?.resetAndDestroy();
  } finally {
    await chunks.return?.();
  }
};

/**
 * A longer body is written in pieces, each after the client has read the previous one. A single write of a megabyte to a client that does
 * not read blocks the event loop for several milliseconds. A shorter body is written at once, because each write wakes the client.
 */
const longestWrite = 256 * 1024;
const pieceLength = 128 * 1024;

function* piecesOf(chunks: readonly Buffer[]): Generator<Buffer> {
  for (const chunk of chunks) for (let at = 0; at < chunk.length; at += pieceLength) yield chunk.subarray(at, at + pieceLength);
}

const ownerOf = ({ request }: FastifyReply): number => request.caller?.customer.id ?? 0;

/** Writes a body in memory at once. */
const writeWhole = (reply: FastifyReply, body: readonly Buffer[]): void => {
  const response = reply.raw;
  response.cork();
  for (const chunk of body) response.write(chunk);
  response.end();
};

/** Writes a body in memory at the client's speed. */
const writeInPieces = async (reply: FastifyReply, body: readonly Buffer[]): Promise<void> => {
  const response = reply.raw;
  const closed = new AbortController();
  afterResponse(response, () => closed.abort());
  for (const piece of piecesOf(body)) {
    if (closed.signal.aborted) return;
    if (isSliceUsedUp()) await nextSlice(ownerOf(reply));
    const begun = performance.now();
    const taken = written(response, piece, closed.signal);
    useSlice(performance.now() - begun);
    if (!(await taken)) return void response.destroy();
  }
  response.end();
};

/** A body that is completely in memory, in one or more chunks. */
export interface HeldBody {
  readonly chunks: readonly Buffer[];
  /** Returns the chunks to their pool. */
  readonly release?: (() => void) | undefined;
  /** The cache of its compressed forms. */
  readonly forms?: CompressedForms;
}

/** Sends a body with its length. Its chunks are released after the system has accepted all of them. */
export const sendBuffered = async (reply: FastifyReply, { chunks, release, forms }: HeldBody): Promise<FastifyReply> => {
  const compressed = await compressHeld(reply, chunks, forms);
  const body = compressed ? [compressed] : chunks;
  countBody(reply.raw, lengthOf(body));
  reply.header('content-length', lengthOf(body)).hijack();
  const response = reply.raw;
  writeHead(reply);
  if (compressed) release?.();
  // `finish` does not follow a broken connection, where the system may still use the chunks. The garbage collector takes them.
  else if (release) response.once('finish', release);
  if (lengthOf(body) > longestWrite) await writeInPieces(reply, body);
  else writeWhole(reply, body);
  return reply;
};

/** Rows, or the envelope around them: in memory, or a stream that `cancel` aborts. */
export interface Rows extends Pick<HeldBody, 'release'> {
  readonly body: readonly Buffer[] | AsyncIterable<Buffer>;
  readonly cancel?: (() => void) | undefined;
}

async function* encloseStream(before: Buffer, chunks: AsyncIterable<Buffer>, after: () => Buffer): AsyncGenerator<Buffer> {
  yield before;
  yield* chunks;
  yield after();
}

/** Puts bytes around a body. `after` is called when the body is complete. */
export const enclose = (before: Buffer, body: Rows['body'], after: () => Buffer): Rows['body'] =>
  Symbol.asyncIterator in body ? encloseStream(before, body, after) : [before, ...body, after()];

/** Sends rows in memory with their length, and others as a stream. */
export const sendRows = async (reply: FastifyReply, { body, cancel, release }: Rows): Promise<FastifyReply> => {
  if (!(Symbol.asyncIterator in body)) return sendBuffered(reply, { chunks: body, release });
  await sendChunks(reply, body, cancel);
  return reply;
};
