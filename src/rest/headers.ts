/** Response headers of data (contract: page headers; conditional requests; snapshot time; data versions). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Summary } from '../execute/summary.ts';
import { pathOf } from '../http/responses/problem.ts';
import { type Format, limits } from '../plan/parameters.ts';
import type { Plan } from '../plan/plan.ts';

export type Headers = Readonly<Record<string, string>>;

/** A response belongs to one key. Caches may store it, but must revalidate it each time. */
export const setCaching = (reply: FastifyReply): FastifyReply => reply.header('cache-control', 'private, no-cache');

/** The version and the time of the data. */
export const versionHeaders = ({ version, syncedAt }: Pick<Summary, 'version' | 'syncedAt'>): Headers => {
  const headers: Record<string, string> = { 'x-data-version': String(version) };
  if (syncedAt !== undefined) headers['x-snapshot-at'] = syncedAt;
  return headers;
};

/** The request's own address with another cursor or offset, as a `Link` target. */
const nextLink = (request: FastifyRequest, change: Readonly<Record<string, string>>): string => {
  const target = request.raw.url ?? '/';
  const path = pathOf(target);
  const parameters = new URLSearchParams(target.slice(path.length));
  parameters.delete('cursor');
  parameters.delete('offset');
  for (const [name, value] of Object.entries(change)) parameters.set(name, value);
  return `<${path}?${parameters}>; rel="next"`;
};

/** The position of a category page among the rows. */
export const pageHeaders = (request: FastifyRequest, { after, offset, limit, groups }: Plan, summary: Summary): Headers => {
  const { total, hasMore, nextCursor } = summary;
  const nextOffset = offset + limit;
  const byOffset = hasMore && !groups && after === undefined && nextOffset <= limits.offset.max;
  const next = hasMore && nextCursor ? { cursor: nextCursor } : byOffset && { offset: String(nextOffset) };
  const headers: Record<string, string> = { 'x-total-count': String(total), 'x-has-more': String(hasMore) };
  if (byOffset) headers['x-next-offset'] = String(nextOffset);
  if (nextCursor) headers['x-next-cursor'] = nextCursor;
  if (next) headers.link = nextLink(request, next);
  return headers;
};

/** The position of a raw page. The envelope of JSON contains more; CSV has no envelope (contract: raw pages as CSV). */
export const rawHeaders = (request: FastifyRequest, _plan: Plan, { total, hasMore, nextCursor }: Summary, format: Format): Headers => {
  const headers: Record<string, string> = {};
  if (hasMore && nextCursor) headers.link = nextLink(request, { cursor: nextCursor });
  if (format === 'json') return headers;
  if (hasMore && nextCursor) headers['x-next-cursor'] = nextCursor;
  return { ...headers, 'x-total-count': String(total), 'x-has-more': String(hasMore) };
};
