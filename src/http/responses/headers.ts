/**
 * The headers that responses share: request id, quota, caching, `Vary`, `ETag` and `Server-Timing`, and their type by the client's preferences
 * (contract: quota headers; caching; conditional requests; server timing; CSV; pages in a browser).
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

/** `Cache-Control` of errors and of everything except data. */
export const noStore = 'private, no-store';

/** The quota as response headers, in the contract's form and in that of the IETF draft (contract: quota headers). */
export const quotaHeaders = ({ limit, remaining, resetSeconds }: Quota): Record<string, string> => ({
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

/** The `Content-Type` of data in each format. */
export const contentTypes = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
} as const;

/** The client's preference for each type in an `Accept` header, from 0 to 1. Parameters such as `header=present` are ignored. */
const parseAccept = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Math.min(1, Number(weight) || 0)] as const;
    }),
  );

/** Whether the client names a type, directly or by `text/*`, and prefers it to JSON. A client that accepts anything gets JSON. */
const prefers = (type: string, header: string | undefined): boolean => {
  if (!header) return false;
  const accepted = parseAccept(header);
  const weight = (name: string) => accepted.get(name) ?? accepted.get(name.replace(/\/.*/, '/*')) ?? accepted.get('*/*') ?? 0;
  return weight(type) > weight('application/json');
};

export const prefersCsv = (header: string | undefined): boolean => prefers('text/csv', header);

export const prefersHtml = (header: string | undefined): boolean => prefers('text/html', header);

/** The range of an `Accept` header that applies to a type: the most specific one. */
const rangeOf = (type: string, accepted: ReadonlyMap<string, number>): string | undefined =>
  [type, type.replace(/\/.*/, '/*'), '*/*'].find((range) => accepted.has(range));

/**
 * The type that the client prefers; among equal ones, the one that its header names first. Undefined if it accepts none of them. Without a
 * header it is the first.
 */
export const preferredType = (types: readonly string[], header = ''): string | undefined => {
  const accepted = parseAccept(header.trim() === '' ? '*/*' : header);
  const ranges = [...accepted].sort(([, one], [, other]) => other - one);
  for (const [range, weight] of ranges) {
    const type = weight > 0 ? types.find((each) => rangeOf(each, accepted) === range) : undefined;
    if (type !== undefined) return type;
  }
  return undefined;
};

const digestLength = 22;

const tagOf = (text: string): string => `W/"${hash('sha256', text, 'base64url').slice(0, digestLength)}"`;

/** The tag of a response that depends on these values. A tag is weak, and known before the response. */
export const etagOf = (...parts: readonly unknown[]): string => tagOf(JSON.stringify(parts));

/** Values as the items of a JSON array. Further items may follow after a comma. */
export const jsonItems = (...values: readonly unknown[]): string => values.map((value) => JSON.stringify(value ?? null)).join();

/** Like `etagOf`, for values that are already the items of an array, followed by data versions. */
export const etagAtVersions = (items: string, versions: readonly number[]): string => tagOf(`[${[items, ...versions].join()}]`);

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** The tag as the service sent it: Apache appends the coding to the tag of an answer that it compresses. */
const withoutCoding = (tag: string): string => tag.replace(/-(?:gzip|br)"$/, '"');

/** Whether the client already has the response with this tag (contract: conditional requests). */
export const hasTag = (request: FastifyRequest, etag: string): boolean => {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  const own = opaque(etag);
  const tags = header.split(',').map(opaque);
  return header.trim() === '*' || tags.some((tag) => tag === own || withoutCoding(tag) === own);
};

/** Whether `If-Match` accepts the response with this strong tag. The comparison is exact (RFC 9110, section 13.1.1). */
export const isWanted = ({ headers }: FastifyRequest, etag: string): boolean => {
  const header = headers['if-match'];
  return header === undefined || header.trim() === '*' || header.split(',').some((tag) => tag.trim() === etag);
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
