/** Response headers of data answers (contract: page headers; conditional requests; snapshot time; data versions). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../http/problem.ts';
import { limits } from '../read/parameters.ts';
import type { Plan } from '../read/plan.ts';
import type { Summary } from '../read/summary.ts';
import { pageEtag } from './etag.ts';

/** Answers belong to one key: caches may keep them, but ask again each time. */
export const setCaching = (reply: FastifyReply): FastifyReply => reply.header('Cache-Control', 'private, no-cache');

export const setVersion = (reply: FastifyReply, { version, syncedAt }: Pick<Summary, 'version' | 'syncedAt'>): void => {
  reply.header('X-Data-Version', String(version));
  if (syncedAt) reply.header('X-Snapshot-At', syncedAt);
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

/** The headers of a category page. */
export const setPageHeaders = (request: FastifyRequest, reply: FastifyReply, plan: Plan, summary: Summary): void => {
  const { total, hasMore, nextCursor } = summary;
  setVersion(reply, summary);
  reply.header('ETag', pageEtag(plan, summary.version));
  reply.header('X-Total-Count', String(total)).header('X-Has-More', String(hasMore));
  const nextOffset = plan.offset + plan.limit;
  const byOffset = hasMore && plan.after === undefined && nextOffset <= limits.offset.most;
  if (byOffset) reply.header('X-Next-Offset', String(nextOffset));
  if (nextCursor) reply.header('X-Next-Cursor', nextCursor);
  if (hasMore && nextCursor) reply.header('Link', nextLink(request, { cursor: nextCursor }));
  else if (byOffset) reply.header('Link', nextLink(request, { offset: String(nextOffset) }));
};

/** The headers of a raw page. */
export const setRawHeaders = (request: FastifyRequest, reply: FastifyReply, plan: Plan, summary: Summary): void => {
  setVersion(reply, summary);
  reply.header('ETag', pageEtag(plan, summary.version));
  if (summary.hasMore && summary.nextCursor) reply.header('Link', nextLink(request, { cursor: summary.nextCursor }));
};
