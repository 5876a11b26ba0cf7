/** Conditional requests: 304 for what the client has, before the table is touched (contract: conditional requests). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Plan } from '../read/plan.ts';
import type { Versions } from '../read/versions.ts';
import { etagOf, hasTag, pageEtag } from './etag.ts';
import { setVersion } from './headers.ts';

/** Answers that the client has it already. */
export const sendNotModified = (reply: FastifyReply, etag: string): FastifyReply => reply.code(304).header('ETag', etag).send();

/** Answers 304 if the client has the page; false if it must be read. */
export const answeredFromMemory = async (
  versions: Versions,
  request: FastifyRequest,
  reply: FastifyReply,
  plan: Plan,
): Promise<boolean> => {
  if (request.headers['if-none-match'] === undefined) return false;
  const { customerId, kind, name } = plan.source;
  const { version = 0, synced_at } = (await versions.of(customerId)).get(kind, name) ?? {};
  const etag = pageEtag(plan, version);
  if (!hasTag(request, etag)) return false;
  setVersion(reply, { version, syncedAt: synced_at?.toISOString() });
  sendNotModified(reply, etag);
  return true;
};

/** Sends a small document, or 304 if the client has it; its tag is made from what it says. */
export const sendTagged = (request: FastifyRequest, reply: FastifyReply, document: unknown): FastifyReply => {
  const etag = etagOf(document);
  return hasTag(request, etag) ? sendNotModified(reply, etag) : reply.header('ETag', etag).send(document);
};
