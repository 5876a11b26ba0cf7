/**
 * `ETag` and `If-None-Match` (contract: conditional requests). A tag is weak. It is computed from the inputs of a response, so it is known
 * before the response.
 */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const digestLength = 22;

const tagOf = (text: string): string => `W/"${hash('sha256', text, 'base64url').slice(0, digestLength)}"`;

/** The tag of a response that depends on these values. */
export const etagOf = (...parts: readonly unknown[]): string => tagOf(JSON.stringify(parts));

/** Like `etagOf`, for values that are already a JSON array, followed by data versions. */
export const etagAtVersions = (parts: string, versions: readonly number[]): string => tagOf(`${parts.slice(0, -1)},${versions.join()}]`);

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether the client already has the response with this tag. */
export const hasTag = (request: FastifyRequest, etag: string): boolean => {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => opaque(tag) === opaque(etag));
};

export const sendNotModified = (reply: FastifyReply, etag: string): FastifyReply => reply.code(304).header('etag', etag).send();
