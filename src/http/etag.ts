/**
 * `ETag` and `If-None-Match` (contract: conditional requests). A tag is weak and made from what an answer follows from, so that it
 * is known before the answer is.
 */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const digestLength = 22;

const tagOf = (text: string): string => `W/"${hash('sha256', text, 'base64url').slice(0, digestLength)}"`;

/** The tag of whatever follows from these values. */
export const etagOf = (...parts: readonly unknown[]): string => tagOf(JSON.stringify(parts));

/** The same of values that are a JSON array already, and versions behind them. */
export const etagAtVersions = (parts: string, versions: readonly number[]): string => tagOf(`${parts.slice(0, -1)},${versions.join()}]`);

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether the client says that it has the answer with this tag. */
export const hasTag = (request: FastifyRequest, etag: string): boolean => {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => opaque(tag) === opaque(etag));
};

/** Answers that the client has it already. */
export const sendNotModified = (reply: FastifyReply, etag: string): FastifyReply => reply.code(304).header('etag', etag).send();
