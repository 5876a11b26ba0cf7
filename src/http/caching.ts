/**
 * What caches may do with an answer (contract: caching): nothing, unless its route says otherwise; and which request headers it
 * depends on. `Vary` is set when a request arrives and only added to from then on.
 */
import type { FastifyReply } from 'fastify';

/** Whatever the route, a key decides between an answer and a refusal, and compression is on request. */
export const vary = 'X-API-Key, Accept-Encoding';

/** Errors, and whatever is not data. */
export const unkept = 'private, no-store';

/** Says that the answer depends on another request header too. */
export const addVary = (reply: FastifyReply, header: string): FastifyReply => {
  const named = String(reply.getHeader('vary') ?? vary);
  return named.split(', ').includes(header) ? reply : reply.header('vary', `${named}, ${header}`);
};
