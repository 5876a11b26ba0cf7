/**
 * Compression on request (contract: compression): brotli or gzip, as the client prefers, at their fastest levels.
 *
 * Small responses are compressed as a whole. Large ones are compressed as a stream. If the source fails, the compressor fails without an
 * end mark and the sender resets the connection, so a partial response never looks complete.
 */
import { pipeline, Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { type CompressedForms, type Encoding, encodings, lengthOf } from '../../body.ts';

/** The smallest body that is compressed, in bytes. Compressing a smaller one costs more than it saves. */
export const minCompressedBytes = 1_024;
const compressible = /^(?:text\/|image\/svg|application\/(?:[\w.+-]*json|javascript|xml|yaml))/;
const { BROTLI_PARAM_QUALITY: quality } = zlib.constants;
/** The size of a compressor's output chunks. Each chunk needs a round trip to another thread. */
const chunkSize = 64 * 1024;
const fastest = { br: { params: { [quality]: 1 }, chunkSize }, gzip: { level: 1, chunkSize } } as const;

const [compressBr, compressGzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)];

/** The published types lack `preferred`, the order of codings that the client prefers equally. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
}

const identity = 'identity';
const available = [...encodings, identity];
const ties = { preferred: encodings };

/** The coding of a response with this `Accept-Encoding`; undefined for an uncompressed body. */
export const negotiateEncoding = (header: string | undefined): Encoding | undefined => {
  if (!header) return undefined;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } }) as unknown as EncodingNegotiator;
  const encoding = negotiator.encoding(available, ties);
  return encoding === identity ? undefined : (encoding as Encoding | undefined);
};

/** The coding of the response to this request; undefined if its type is not compressible. */
export const acceptedEncodingOf = (request: FastifyRequest, reply: FastifyReply): Encoding | undefined => {
  if (reply.hasHeader('content-encoding') || !compressible.test(String(reply.getHeader('content-type') ?? ''))) return undefined;
  return negotiateEncoding(request.headers['accept-encoding'] as string | undefined);
};

/** Copies the chunks, because a stream requests the next chunk before it has used the last one. */
async function* copied(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

/**
 * Compresses a streamed body if the client accepts it, and sets the header. Each input chunk is valid only until the next one is requested.
 */
export const compressChunks = (reply: FastifyReply, body: AsyncIterable<Buffer>): AsyncIterable<Buffer> => {
  const encoding = acceptedEncodingOf(reply.request, reply);
  if (!encoding) return body;
  reply.header('content-encoding', encoding);
  const compressor: Transform = encoding === 'br' ? zlib.createBrotliCompress(fastest.br) : zlib.createGzip(fastest.gzip);
  // The compressor passes an error of the source to the reader.
  return pipeline(Readable.from(copied(body), { objectMode: false }), compressor, () => {});
};

/** Compresses a body in memory if the client accepts it, and sets the header. */
export const compressHeld = async (
  reply: FastifyReply,
  chunks: readonly Buffer[],
  forms?: CompressedForms,
): Promise<Buffer | undefined> => {
  const encoding = lengthOf(chunks) < minCompressedBytes ? undefined : acceptedEncodingOf(reply.request, reply);
  if (!encoding) return undefined;
  reply.header('content-encoding', encoding);
  const known = forms?.get(encoding);
  if (known) return known;
  const whole = Buffer.concat(chunks);
  const bytes = await (encoding === 'br' ? compressBr(whole, fastest.br) : compressGzip(whole, fastest.gzip));
  forms?.set(encoding, bytes);
  return bytes;
};

/** Compresses responses that Fastify sends. */
export const compressResponses = (app: FastifyInstance): void => {
  app.addHook('onSend', async (_request, reply, payload: unknown) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    if (Buffer.byteLength(payload) < minCompressedBytes) return payload;
    const compressed = await compressHeld(reply, [typeof payload === 'string' ? Buffer.from(payload) : payload]);
    if (!compressed) return payload;
    reply.removeHeader('content-length');
    return compressed;
  });
};
