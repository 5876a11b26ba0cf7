/**
 * Bodies that are made once for all callers who get the same bytes, with their compressed forms: pages and interface descriptions. The name
 * of a body contains everything that its bytes depend on (`catalogue/readership.ts`; contract: compression).
 */
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type CompressedForms, type Encoding, encodings } from '../../body.ts';
import { encodingOf } from './compress.ts';
import { sendBuffered } from './send.ts';

export interface MadeBody {
  readonly chunks: readonly Buffer[];
  readonly forms: CompressedForms;
  /** A weak tag of the bytes. */
  readonly etag: string;
}

const bodyOf = (text: string): MadeBody => {
  const forms = new Map<Encoding, Buffer>();
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return {
    etag,
    chunks: [Buffer.from(text)],
    forms: { get: (encoding) => forms.get(encoding), set: (encoding, bytes) => forms.set(encoding, bytes) },
  };
};

/** A compressed form of text is at most half as long. */
const sizeOf = (text: string): number => Buffer.byteLength(text) * (1 + encodings.length / 2);

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
    const made = making.then(bodyOf);
    this.#made.set(name, made, { size: 1 });
    const size = await making.then((text) => Math.ceil(sizeOf(text))).catch(() => undefined);
    if (this.#made.peek(name) !== made) return made;
    // The cache recomputes the size of a new entry alone.
    this.#made.delete(name);
    if (size !== undefined && size <= this.#maxBytes) this.#made.set(name, made, { size });
    return made;
  }
}

/** Sends a body with its headers. It is compressed once for each coding. */
export const sendMade = (reply: FastifyReply, { chunks, forms }: MadeBody): FastifyReply | Promise<FastifyReply> => {
  if (reply.request.method !== 'HEAD') return sendBuffered(reply, { chunks, forms });
  const encoding = encodingOf(reply.request, reply);
  return encoding ? reply.header('content-encoding', encoding).send() : reply.send(chunks[0]);
};
