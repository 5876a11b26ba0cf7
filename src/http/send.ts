/**
 * Sends a body of many chunks at the client's speed.
 *
 * Once the 200 has gone out, the only honest way to fail is to break the connection with a TCP reset: a plain close looks
 * like a complete body over HTTP/1.0 and behind some proxies.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { compressChunks, compressHeld, type Forms, lengthOf } from './compress.ts';
import { setServerTiming } from './server-timing.ts';

/** The chunks of which the first has been taken already. */
async function* resume(first: IteratorResult<Buffer>, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** The head of an answer that is written without Fastify. */
const writeHead = (reply: FastifyReply): void => {
  setServerTiming(reply);
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
};

/** Resolves when the system has taken the chunk; rejects when the connection is closed before. */
const written = (response: ServerResponse, chunk: Buffer, closed: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(closed.reason);
    closed.addEventListener('abort', abort, { once: true });
    response.write(chunk, (error) => {
      closed.removeEventListener('abort', abort);
      if (error) reject(error);
      else resolve();
    });
  });

/**
 * Sends headers and chunks. Throws if there is no first chunk; resets the connection if a later one fails. `cancel` is called
 * when the connection is done with the answer, also while a chunk is being waited for.
 */
export const sendChunks = async (reply: FastifyReply, body: AsyncIterable<Buffer>, cancel: () => void = () => {}): Promise<void> => {
  reply.raw.once('close', cancel);
  if (reply.raw.destroyed) cancel();
  const source = body[Symbol.asyncIterator]();
  const first = await source.next();
  const chunks = compressChunks(reply, resume(first, source))[Symbol.asyncIterator]();
  reply.hijack();
  const response = reply.raw;
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  response.on('error', () => closed.abort());
  try {
    writeHead(reply);
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      if (closed.signal.aborted || response.destroyed) return;
      await written(response, next.value, closed.signal);
    }
    response.end();
  } catch (error) {
    reply.request.failure = error;
    response.socket?.resetAndDestroy();
  } finally {
    await chunks.return?.();
  }
};

/** A body that is held whole, in one piece or in several. */
export interface HeldBody {
  readonly chunks: readonly Buffer[];
  /** Takes the chunks back, for others. */
  readonly release?: (() => void) | undefined;
  /** Where its compressed forms are found and left. */
  readonly forms?: Forms;
}

/** Sends a body with its length, as one message to the system; its chunks are taken back once that has all of them. */
export const sendHeld = async (reply: FastifyReply, { chunks, release, forms }: HeldBody): Promise<FastifyReply> => {
  const compressed = await compressHeld(reply, chunks, forms);
  const body = compressed ? [compressed] : chunks;
  reply.header('content-length', lengthOf(body)).hijack();
  const response = reply.raw;
  writeHead(reply);
  response.cork();
  for (const chunk of body) response.write(chunk);
  if (compressed) release?.();
  // Never called for a connection that broke: what may still be on its way to the system is left to the collector.
  else if (release) response.once('finish', release);
  response.end();
  return reply;
};

/** Rows, or the envelope around them: held whole, or still being read, until `cancel` gives them up. */
export interface Rows extends Pick<HeldBody, 'release'> {
  readonly body: readonly Buffer[] | AsyncIterable<Buffer>;
  readonly cancel?: (() => void) | undefined;
}

/** Sends rows: with their length when they are held whole, otherwise as they come. */
export const sendRows = async (reply: FastifyReply, { body, cancel, release }: Rows): Promise<FastifyReply> => {
  if (!(Symbol.asyncIterator in body)) return sendHeld(reply, { chunks: body, release });
  await sendChunks(reply, body, cancel);
  return reply;
};
