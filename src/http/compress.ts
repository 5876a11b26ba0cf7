/**
 * Compression on request (contract: compression): brotli or gzip, whichever the client likes better, at their fastest levels.
 *
 * Small answers are compressed whole. Large ones are compressed as they stream; when their source fails the compressor fails
 * with it, without an end mark, and whoever sends them breaks the connection, so that a part never looks whole.
 */
import { pipeline, Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** Below this, compressing costs more than it saves. */
const leastBytes = 1_024;
const compressible = /^(?:text\/|image\/svg|application\/(?:[\w.+-]*json|javascript|xml|yaml))/;
const { BROTLI_PARAM_QUALITY: quality } = zlib.constants;
/** Bytes that a compressor hands over at a time: each handing over is a way to another thread and back. */
const chunkSize = 64 * 1024;
const fastest = { br: { params: { [quality]: 1 }, chunkSize }, gzip: { level: 1, chunkSize } } as const;

const [compressBr, compressGzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)];

/** How much the client wants each coding or type that a header names, from 0 to 1. */
export const parseAccepted = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Math.min(1, Number(weight) || 0)] as const;
    }),
  );

/** The coding to answer with; undefined to send the body as it is. */
export const negotiate = (header: string | undefined): Encoding | undefined => {
  if (!header) return undefined;
  const accepted = parseAccepted(header);
  const weight = (name: string) => accepted.get(name) ?? accepted.get('*') ?? 0;
  const [best] = [...encodings].sort((one, other) => weight(other) - weight(one));
  // An explicit identity that is liked better is honoured.
  return best && weight(best) > 0 && weight(best) >= (accepted.get('identity') ?? 0) ? best : undefined;
};

/** The coding of an answer to this request, if its type gains by it. */
export const encodingOf = (request: FastifyRequest, reply: FastifyReply): Encoding | undefined => {
  if (reply.hasHeader('content-encoding') || !compressible.test(String(reply.getHeader('content-type') ?? ''))) return undefined;
  return negotiate(request.headers['accept-encoding'] as string | undefined);
};

/** Chunks that stay valid: a stream asks for the next one before it is done with the last. */
async function* kept(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

/** A body of many chunks, each valid until the next is asked for, compressed if the client asked for it; sets the header. */
export const compressChunks = (reply: FastifyReply, body: AsyncIterable<Buffer>): AsyncIterable<Buffer> => {
  const encoding = encodingOf(reply.request, reply);
  if (!encoding) return body;
  reply.header('content-encoding', encoding);
  const compressor: Transform = encoding === 'br' ? zlib.createBrotliCompress(fastest.br) : zlib.createGzip(fastest.gzip);
  // The reader hears of the source's failure through the compressor.
  return pipeline(Readable.from(kept(body), { objectMode: false }), compressor, () => {});
};

/** The compressed forms of a body that may be sent again, by coding. */
export interface Forms {
  get(encoding: Encoding): Buffer | undefined;
  set(encoding: Encoding, bytes: Buffer): void;
}

export const lengthOf = (chunks: readonly Buffer[]): number => chunks.reduce((sum, { length }) => sum + length, 0);

/** What a body that is held whole is compressed to, if the client asked for it; sets the header. */
export const compressHeld = async (reply: FastifyReply, chunks: readonly Buffer[], forms?: Forms): Promise<Buffer | undefined> => {
  const encoding = lengthOf(chunks) < leastBytes ? undefined : encodingOf(reply.request, reply);
  if (!encoding) return undefined;
  reply.header('content-encoding', encoding);
  const known = forms?.get(encoding);
  if (known) return known;
  const whole = Buffer.concat(chunks);
  const bytes = await (encoding === 'br' ? compressBr(whole, fastest.br) : compressGzip(whole, fastest.gzip));
  forms?.set(encoding, bytes);
  return bytes;
};

/** Compresses what Fastify sends. */
export const compressAnswers = (app: FastifyInstance): void => {
  app.addHook('onSend', async (_request, reply, payload: unknown) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    if (Buffer.byteLength(payload) < leastBytes) return payload;
    const compressed = await compressHeld(reply, [typeof payload === 'string' ? Buffer.from(payload) : payload]);
    if (!compressed) return payload;
    reply.removeHeader('content-length');
    return compressed;
  });
};
