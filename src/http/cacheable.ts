/** The last steps of every response with data: cached, read, store, send. REST asks for a 304 before them (`rest/respond.ts`). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lengthOf } from '../body.ts';
import type { ResponseCache, TableVersion } from '../cache/response-cache.ts';
import type { States } from '../cache/states.ts';
import { callerOf } from './gate.ts';
import { type Rows, sendBuffered, sendRows } from './responses/send.ts';

/** What was read. `About` is what its headers are made from. */
export interface Read<About> extends Omit<Rows, 'body'> {
  /** Undefined if only the headers are sent. */
  readonly body: Rows['body'] | undefined;
  readonly about: About;
  /** The number of rows; of a stream, those until now. */
  readonly rows: () => number;
  /** The versions of the tables that the response was made of; undefined if no version covers it. */
  readonly madeOf: readonly TableVersion[] | undefined;
}

export interface Cacheable<About> {
  /** Everything except the data that determines the response; undefined for a response that is never cached. */
  readonly key: string | undefined;
  /** The states of the customer's tables, if they are known. */
  readonly states?: States | undefined;
  /** Whether only the headers are sent. Then `read` needs to return no body. */
  readonly isHead: boolean;
  /** Sets the headers. Those of a cached response may depend on the current states. */
  headers(about: About, current?: States): void;
  read(): Promise<Read<About>>;
}

/** Sends the cached response, or a new one that is stored. */
export const sendCacheable = async <About>(
  cache: ResponseCache,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, states, isHead, headers, read }: Cacheable<About>,
): Promise<FastifyReply> => {
  const customerId = callerOf(request).customer.id;

  // Cached: the response cache has the response with the current versions.
  const cached = key === undefined ? undefined : await cache.find<About>(customerId, key, states);
  if (cached) {
    headers(cached.about, cached.states);
    if (isHead) {
      cached.release();
      return reply.send();
    }
    request.rowsSent = () => cached.rows;
    return sendBuffered(reply, cached);
  }

  // Read.
  const { about, body, rows, madeOf, release, cancel } = await read();
  headers(about);
  if (!body) return reply.send();
  request.rowsSent = rows;

  // Store: a stream, or a body that the cache refuses, is only sent.
  if (key === undefined || !madeOf || Symbol.asyncIterator in body || !cache.shouldStore(customerId, key, lengthOf(body)))
    return sendRows(reply, { body, cancel, release });
  const forms = cache.store(customerId, key, { chunks: body, about, rows: rows() }, madeOf);
  return sendBuffered(reply, { chunks: body, release, forms });
};
