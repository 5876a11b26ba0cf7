/** Response headers of data answers (contract: page headers; conditional requests; snapshot time; data versions). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../http/problem.ts';
import { limits } from '../read/parameters.ts';
import type { Plan } from '../read/plan.ts';
import type { Summary } from '../read/summary.ts';

export type Headers = Readonly<Record<string, string>>;

/** Answers belong to one key: caches may keep them, but ask again each time. */
export const setCaching = (reply: FastifyReply): FastifyReply => reply.header('cache-control', 'private, no-cache');

/** Of which version the data is, and as of when. */
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

/** What the headers of a category page say of its place among the rows. */
export const pageHeaders = (request: FastifyRequest, { after, offset, limit, groups }: Plan, summary: Summary): Headers => {
  const { total, hasMore, nextCursor } = summary;
  const nextOffset = offset + limit;
  const byOffset = hasMore && !groups && after === undefined && nextOffset <= limits.offset.most;
  const next = hasMore && nextCursor ? { cursor: nextCursor } : byOffset && { offset: String(nextOffset) };
  const headers: Record<string, string> = { 'x-total-count': String(total), 'x-has-more': String(hasMore) };
  if (byOffset) headers['x-next-offset'] = String(nextOffset);
  if (nextCursor) headers['x-next-cursor'] = nextCursor;
  if (next) headers.link = nextLink(request, next);
  return headers;
};

/** The same of a raw page, whose envelope says the rest. */
export const rawHeaders = (request: FastifyRequest, _plan: Plan, { hasMore, nextCursor }: Summary): Headers =>
  hasMore && nextCursor ? { link: nextLink(request, { cursor: nextCursor }) } : {};
