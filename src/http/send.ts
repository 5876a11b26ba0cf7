/**
 * Sends a body of many chunks at the client's speed.
 *
 * Once the 200 has gone out, the only honest way to fail is to break the connection with a TCP reset: a plain close looks
 * like a complete body over HTTP/1.0 and behind some proxies.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { compressChunks, encodingOf, type Forms, rememberForms } from './compress.ts';
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

/** Rows as JSON bytes: held whole, or still being read, until `cancel` gives them up. */
export interface Rows {
  readonly body: Iterable<Buffer> | AsyncIterable<Buffer>;
  readonly cancel?: () => void;
  /** Takes back a body that is held, for others. */
  readonly release?: () => void;
}

/** Sends rows, or the envelope around them: with their length when they are held whole, otherwise as they come. */
export const sendRows = async (reply: FastifyReply, { body, cancel, release }: Rows, envelope = body): Promise<FastifyReply> => {
  if (Symbol.asyncIterator in body) {
    await sendChunks(reply, envelope as AsyncIterable<Buffer>, cancel);
    return reply;
  }
  if (release && !encodingOf(reply.request, reply)) return sendHeld(reply, await all(envelope), release);
  return reply.send(await joined(envelope));
};

/** Sends chunks with their length, as one message to the system; they are taken back once it has all of them. */
const sendHeld = (reply: FastifyReply, chunks: readonly Buffer[], release: () => void): FastifyReply => {
  reply
    .header(
      'Content-Length',
      chunks.reduce((sum, { length }) => sum + length, 0),
    )
    .hijack();
  const response = reply.raw;
  writeHead(reply);
  response.cork();
  for (const chunk of chunks) response.write(chunk);
  // Never called for a connection that broke: what may still be on its way to the system is left to the collector.
  response.once('finish', release).end();
  return reply;
};

const all = async (chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<readonly Buffer[]> => {
  const found: Buffer[] = [];
  for await (const chunk of chunks) found.push(chunk);
  return found;
};

/** What comes in chunks as one buffer. */
export const joined = async (chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<Buffer> => {
  const found = await all(chunks);
  const [only] = found;
  return only && found.length === 1 ? only : Buffer.concat(found);
};

/** Sends a body that is kept, with its compressed forms. */
export const sendKept = (reply: FastifyReply, { body, forms }: { readonly body: Buffer; readonly forms: Forms }): FastifyReply => {
  rememberForms(body, forms);
  return reply.send(body);
};
