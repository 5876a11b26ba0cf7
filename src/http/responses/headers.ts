/**
 * The headers that responses of all routes share: request id, quota, caching, `Vary`, `ETag` and `Server-Timing` (contract: quota headers;
 * caching; conditional requests; server timing).
 */
import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Quota, windowSeconds } from '../../access/rate-limit/rate-limit.ts';
import type { Timing } from '../../timing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    timing: Timing;
  }
}

/** Every response depends on the key, and on the accepted encodings. */
const vary = 'X-API-Key, Accept-Encoding';

/** For errors and everything except data. */
export const noStore = 'private, no-store';

/** The quota as response headers, in the contract's form and in that of the IETF draft (contract: quota headers). */
const quotaHeaders = ({ limit, remaining, resetSeconds }: Quota): Record<string, string> => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(resetSeconds),
  'ratelimit-policy': `${limit};w=${windowSeconds}`,
});

/**
 * The headers of every response. Data routes replace the caching header. The names are in lower case, because Fastify's conversion took 5%
 * of the time of a small response.
 */
export const commonHeaders = (id: string, quota: Quota | undefined): Record<string, string> => ({
  'x-request-id': id,
  'x-content-type-options': 'nosniff',
  'cache-control': noStore,
  vary,
  ...(quota && quotaHeaders(quota)),
});

/** Adds a request header that the response depends on. */
export const addVary = (reply: FastifyReply, header: string): FastifyReply => {
  const named = String(reply.getHeader('vary') ?? vary);
  return named.split(', ').includes(header) ? reply : reply.header('vary', `${named}, ${header}`);
};

const digestLength = 22;

const tagOf = (text: string): string => `W/"${hash('sha256', text, 'base64url').slice(0, digestLength)}"`;

/** The tag of a response that depends on these values. A tag is weak, and known before the response. */
export const etagOf = (...parts: readonly unknown[]): string => tagOf(JSON.stringify(parts));

/** Like `etagOf`, for values that are already a JSON array, followed by data versions. */
export const etagAtVersions = (parts: string, versions: readonly number[]): string =>
  tagOf(versions.length === 0 ? parts : `${parts.slice(0, -1)},${versions.join()}]`);

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether the client already has the response with this tag. */
export const hasTag = (request: FastifyRequest, etag: string): boolean => {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => opaque(tag) === opaque(etag));
};

/** A header that makes browsers save the response as a file. Names of raw tables may have characters that the header does not allow. */
export const downloadAs = (fileName: string): Record<string, string> => ({
  'content-disposition': `attachment; filename=${fileName.replaceAll(/[^\w.-]/g, '_')}`,
});

export const sendNotModified = (reply: FastifyReply, etag: string): FastifyReply => reply.code(304).header('etag', etag).send();

/**
 * Sets `Server-Timing`: the time of each phase before the head of the response. Call it directly before the head is sent. Only callers with
 * a valid key get it. It would give an attacker who guesses keys a clock without network noise.
 */
export const setServerTiming = (reply: FastifyReply): void => {
  const { caller, timing } = reply.request;
  if (caller) reply.header('server-timing', timing.header);
};

/** Sets `Server-Timing` on all responses that Fastify sends. */
export const timeResponses = (app: FastifyInstance): void => {
  app.addHook('onSend', (_request, reply, payload, done) => {
    setServerTiming(reply);
    done(null, payload);
  });
};
