/**
 * Tells caches how to treat a response, and which request headers it depends on (contract: caching). The default is not to store it. `Vary`
 * is set when a request arrives, and later code only adds to it.
 */
import type { FastifyReply } from 'fastify';

/** Every response depends on the key, and on the accepted encodings. */
export const vary = 'X-API-Key, Accept-Encoding';

/** For errors and everything except data. */
export const noStore = 'private, no-store';

/** Adds a request header that the response depends on. */
export const addVary = (reply: FastifyReply, header: string): FastifyReply => {
  const named = String(reply.getHeader('vary') ?? vary);
  return named.split(', ').includes(header) ? reply : reply.header('vary', `${named}, ${header}`);
};
