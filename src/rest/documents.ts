/** Sends small JSON documents, such as the metadata of a table: 304, the cached document, or a new one. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TableName } from '../cache/response-cache.ts';
import type { States } from '../cache/versions.ts';
import { callerOf } from '../http/gate.ts';
import { etagOf, hasTag, sendNotModified } from '../http/responses/etag.ts';
import { sendBuffered } from '../http/responses/send.ts';
import { jsonType } from './answer.ts';
import type { RestContext } from './context.ts';
import { setCaching } from './headers.ts';

export interface DocumentAnswer {
  /** Everything except the data that determines the document. */
  readonly cacheKey: string;
  readonly etag: string;
  /** The tables that the document uses. */
  readonly tables: readonly TableName[];
  readonly states: States;
  readonly read: () => Promise<unknown>;
}

/** Sends a small document that depends on tables: 304, the cached document, or a new one. */
export const answerDocument = async (
  { responseCache }: RestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { cacheKey, etag, tables, states, read }: DocumentAnswer,
): Promise<FastifyReply> => {
  if (hasTag(request, etag)) return sendNotModified(setCaching(reply), etag);
  const { id } = callerOf(request).customer;
  const found = await responseCache.find(id, cacheKey, states);
  const chunks = found?.chunks ?? [Buffer.from(JSON.stringify(await read()))];
  setCaching(reply).type(jsonType).header('etag', etag);
  if (!found) await responseCache.storeIfUnchanged(id, cacheKey, { chunks, about: undefined, rows: 0 }, { tables, before: states });
  return sendBuffered(reply, found ?? { chunks });
};

/** Sends a small document that depends only on its cache key. Its tag is made from the customer and the content. */
export const answerWritten = async (
  { responseCache }: RestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { cacheKey, write }: { readonly cacheKey: string; readonly write: () => unknown },
): Promise<FastifyReply> => {
  const { id } = callerOf(request).customer;
  const make = () => {
    const document = write();
    const answer = { chunks: [Buffer.from(JSON.stringify(document))], about: etagOf(id, document), rows: 0 };
    return { ...answer, forms: responseCache.store(id, cacheKey, answer, []) };
  };
  const found = await responseCache.find<string>(id, cacheKey);
  const answer = found ?? make();
  setCaching(reply);
  if (hasTag(request, answer.about)) {
    found?.release();
    return sendNotModified(reply, answer.about);
  }
  return sendBuffered(reply.type(jsonType).header('etag', answer.about), answer);
};
