/**
 * `ETag` and `If-None-Match` (contract: conditional requests).
 *
 * A tag is weak and made from what an answer follows from: the data's version, the customer, and what was asked, spelled in
 * one way. It is known before anything is read, so that a client that has the answer costs no statement on the table.
 */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { filterKey, type Plan } from '../read/plan.ts';

const digestLength = 22;

/** The tag of whatever follows from these values. */
export const etagOf = (...parts: readonly unknown[]): string =>
  `W/"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, digestLength)}"`;

/** The tag of a page at a version of its table; the columns are part of it, since a new release may have more. */
export const pageEtag = (plan: Plan, version: number): string => {
  const { source, columns, where, after, offset, limit } = plan;
  return etagOf(source.customerId, source.kind, source.name, columns, filterKey(where), after?.[0] ?? null, offset, limit, version);
};

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether the client says that it has the answer with this tag. */
export const hasTag = (request: FastifyRequest, etag: string): boolean => {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => opaque(tag) === opaque(etag));
};
