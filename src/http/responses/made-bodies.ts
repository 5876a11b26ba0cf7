/**
 * Bodies that are made once and sent many times, with their tag and their compressed forms: public pages, documents for programs, static
 * files, interface descriptions. None depends on a header of a request, except the key and `Accept-Encoding` (contract: public URL; compression).
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../access/caller.ts';
import { type Encoding, encodings } from '../../body.ts';
import { interfaceReaders } from '../../catalogue/readership.ts';
import { acceptedEncodingOf, minCompressedBytes } from './compress.ts';
import { hasTag, sendNotModified } from './headers.ts';
import { sendBuffered } from './send.ts';

/** A good ratio in a tenth of the time of the highest level. */
const brotliQuality = 5;
const encoders: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (body) => promisify(gzip)(body),
};

export class MadeBody {
  readonly bytes: Buffer;
  /** A weak tag of the bytes. */
  readonly etag: string;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(contents: string | Buffer) {
    this.bytes = typeof contents === 'string' ? Buffer.from(contents) : contents;
    this.etag = `W/"${createHash('sha256').update(this.bytes).digest('base64url').slice(0, 22)}"`;
  }

  /** The compressed form. It is made for the first request that accepts it. */
  encoded(encoding: Encoding): Promise<Buffer> {
    const known = this.#encoded.get(encoding) ?? encoders[encoding](this.bytes);
    this.#encoded.set(encoding, known);
    return known;
  }
}

/** A function that makes a body at its first call and keeps it. A failure is not kept. */
export const madeOnce = (make: () => string | Promise<string>): (() => Promise<MadeBody>) => {
  let made: Promise<MadeBody> | undefined;
  const begin = async (): Promise<MadeBody> => {
    try {
      return new MadeBody(await make());
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
  return () => {
    made ??= begin();
    return made;
  };
};

/** A compressed form of text is at most half as long. */
const sizeOf = (text: string): number => Buffer.byteLength(text) * (1 + encodings.length / 2);

/** Bodies by name. A name contains everything that the bytes depend on (`catalogue/readership.ts`). */
export class MadeBodies {
  readonly #made: LRUCache<string, Promise<MadeBody>>;
  readonly #maxBytes: number;

  /** Keeps bodies of up to `maxBytes` together. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#made = new LRUCache({ maxSize: maxBytes });
  }

  /** The body of this name. Requests for the same body share the work; a failure is not kept. */
  async of(name: string, make: () => Promise<string>): Promise<MadeBody> {
    const known = this.#made.get(name);
    if (known) return known;
    const making = make();
    const made = making.then((text) => new MadeBody(text));
    this.#made.set(name, made, { size: 1 });
    const size = await making.then((text) => Math.ceil(sizeOf(text))).catch(() => undefined);
    if (this.#made.peek(name) !== made) return made;
    // The cache recomputes the size of a new entry alone.
    this.#made.delete(name);
    if (size !== undefined && size <= this.#maxBytes) this.#made.set(name, made, { size });
    return made;
  }
}

/** Sends a body with its tag, or a 304 to a client that has it. The headers of the reply are set before. */
export const sendMade = async (reply: FastifyReply, body: MadeBody): Promise<FastifyReply> => {
  reply.header('etag', body.etag);
  if (hasTag(reply.request, body.etag)) return sendNotModified(reply, body.etag);
  const encoding = body.bytes.length < minCompressedBytes ? undefined : acceptedEncodingOf(reply.request, reply);
  const bytes = encoding ? await body.encoded(encoding) : body.bytes;
  if (encoding) reply.header('content-encoding', encoding);
  if (reply.request.method === 'HEAD') return encoding ? reply.send() : reply.header('content-length', bytes.length).send();
  return sendBuffered(reply, { chunks: [bytes] });
};

/** A document that needs no key. */
export interface PublicDocument {
  readonly headers: Readonly<Record<string, string>>;
  /** Its text, without a caller or for a caller whose key shapes it. */
  readonly make: (caller?: Caller) => string | Promise<string>;
  /** The documents that keys shape. Undefined if the document is the same for all callers. */
  readonly shaped?: MadeBodies;
}

/** Serves a document: without a key, it is made once for a process; with a key, once for all callers who read the same. */
export const publicRoute = (app: FastifyInstance, path: string, { headers, make, shaped }: PublicDocument): void => {
  const open = madeOnce(() => make());
  app.route({
    method: ['GET', 'HEAD'],
    url: path,
    config: { isPublic: true },
    handler: async ({ caller }, reply) => {
      const ofCaller = caller && shaped && (await shaped.of(JSON.stringify([interfaceReaders(caller), path]), async () => make(caller)));
      const body = ofCaller ?? (await open());
      // A refusal has none of these headers.
      reply.headers(headers).header('cache-control', `${ofCaller ? 'private' : 'public'}, no-cache`);
      return sendMade(reply, body);
    },
  });
};
