/**
 * `/graphql` for GET and POST, with the same access checks as REST and the schema of the caller's tier. A browser request without a query
 * gets GraphiQL, which needs no key (contract: GraphQL).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { authorize, type Caller } from '../access/caller.ts';
import type { Questions } from '../access/questions.ts';
import { textKey } from '../cache/text-key.ts';
import type { Tier } from '../catalogue/tiers.ts';
import { ApiError } from '../errors.ts';
import { callerOf } from '../http/gate.ts';
import { opensGraphiql } from '../http/page-request.ts';
import { addVary } from '../http/responses/headers.ts';
import { enclose, type Rows, sendBuffered, sendRows } from '../http/responses/send.ts';
import { nextSlice } from '../scheduling/time-slices.ts';
import { createExecution, type GraphqlServices, type WrittenData } from './context.ts';
import type { AnswerHeaders } from './document/known-documents.ts';
import { limits } from './document/limits.ts';
import type { PersistedOptions } from './document/persisted.ts';
import { questionRoutes } from './questions/routes.ts';
import type { Executed, Readership, TierHandler } from './yoga.ts';

export interface GraphqlOptions extends GraphqlServices {
  readonly persisted: PersistedOptions;
  readonly questions: Questions;
  /** Sends GraphiQL to a browser (contract: GraphiQL). */
  readonly sendPage: (reply: FastifyReply) => FastifyReply;
}

/** Enough for the longest variables together with any document within the limit of tokens. */
const longestBody = 2 * limits.variables;
/** A longer body takes noticeable time to parse and to hash. Its request therefore waits for a time slice of its customer. */
const shortBody = 2_000;

/** The maximum number of schemas for data scopes. The least recently used schema is built again when it is needed. */
const maxScoped = 12;

/** Responds in order: the cached response, or a new one that is stored. */
const respond = async (handler: TierHandler, services: GraphqlServices, request: FastifyRequest, reply: FastifyReply) => {
  const caller = callerOf(request);
  const customerId = caller.customer.id;
  const { responseCache } = services;

  // Cached: the response cache has the response with the current versions.
  const cacheKey = cacheKeyOf(request, caller);
  const found = await responseCache.find<AnswerHeaders>(customerId, cacheKey);
  if (found) {
    request.rowsSent = () => found.rows;
    return sendBuffered(withHeaders(reply, found.about), found);
  }

  // Execute.
  const before = await responseCache.states(customerId);
  const { context, execution } = createExecution(request, reply, { services, failure: 'GraphQL operation failed' });
  const executed = await handler.respond(request.raw, request.body as string | undefined, context);
  const { status, headers } = executed;
  withHeaders(reply, headers).code(status);
  const { data, rows } = execution;
  if (!data) return reply.send(executed.before);

  // Store: a stream, or a response that no data version covers, is only sent.
  const body = bodyOf(executed, data);
  const { release, tables } = data;
  if (tables && !(Symbol.asyncIterator in body))
    await responseCache.storeIfUnchanged(customerId, cacheKey, { chunks: body, about: headers, rows }, { tables, before });
  return sendRows(reply, { body, release });
};

const withHeaders = (reply: FastifyReply, headers: AnswerHeaders): FastifyReply => addVary(reply.headers(headers), 'Accept');

/**
 * The cache key: the tier, the data scope and all parts of the request that the response depends on. Only the body can contain line
 * breaks, so it comes last.
 */
const cacheKeyOf = ({ method, headers, raw, body }: FastifyRequest, { tier, scope }: Caller): string => {
  const bodyKey = typeof body === 'string' ? textKey(body) : undefined;
  return [scope ? `${tier} ${scope.key}` : tier, method, raw.url, headers.accept, headers['content-type'], bodyKey].join('\n');
};

/** The body of a response: its `data` between the texts around it. */
const bodyOf = ({ before, after = '' }: Executed, { chunks }: WrittenData): Rows['body'] =>
  enclose(Buffer.from(before), chunks, () => Buffer.from(after));

export const graphqlRoutes = (app: FastifyInstance, options: GraphqlOptions): void => {
  const { catalogue, directories, reading, responseCache, persisted, questions, sendPage } = options;
  const services: GraphqlServices = { catalogue, directories, reading, responseCache };
  const handlers = new Map<Tier, Promise<TierHandler>>();
  const scoped = new LRUCache<string, Promise<TierHandler>>({ max: maxScoped });
  // GraphQL is not loaded until the first GraphQL request.
  const make = async (readers: Readership): Promise<TierHandler> => {
    const { createTierHandler } = await import('./yoga.ts');
    return createTierHandler(readers, { catalogue, persisted, report: (error) => app.log.error({ err: error }, 'GraphQL failed') });
  };
  const handlerOf = ({ tier, scope }: Readership): Promise<TierHandler> => {
    const shape = scope && `${tier} ${scope.shape}`;
    const known = (shape === undefined ? handlers.get(tier) : scoped.get(shape)) ?? make({ tier, scope });
    if (shape === undefined) handlers.set(tier, known);
    else scoped.set(shape, known);
    return known;
  };
  questionRoutes(app, { services, questions, handlerOf });
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: longestBody }, (_request, body, done) =>
      done(null, body),
    );
    // A form on another website can send some other types, but not JSON.
    scope.addContentTypeParser('*', (_request, _body, done) => done(new ApiError('unsupportedMediaType')));
    scope.addHook('onRequest', async (request) => {
      if (!opensGraphiql(request)) authorize(callerOf(request), 'basic', 'graphql');
    });
    scope.all('/graphql', { config: { isPublic: true, methods: ['GET', 'POST'] } }, async (request, reply) => {
      if (opensGraphiql(request)) return sendPage(reply);
      if (request.method === 'POST' && request.body === undefined) throw new ApiError('unsupportedMediaType');
      if (typeof request.body === 'string' && request.body.length > shortBody) await nextSlice(callerOf(request).customer.id);
      return respond(await handlerOf(callerOf(request)), services, request, reply);
    });
  });
};
