/**
 * `/graphql` for GET and POST, with the same access checks as REST and the schema of the caller's tier. A browser request without a query
 * gets GraphiQL, which needs no key (contract: GraphQL).
 */
import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authorize, type Caller } from '../access/caller.ts';
import type { KeyQuestions } from '../access/key-questions.ts';
import type { Questions } from '../access/questions.ts';
import { rowReaders } from '../catalogue/readership.ts';
import { ApiError } from '../errors.ts';
import { sendCacheable } from '../http/cacheable.ts';
import { callerOf, opensGraphiql } from '../http/gate.ts';
import { requireJson, takeText } from '../http/json-body.ts';
import { addVary, preferredType } from '../http/responses/headers.ts';
import { nextSlice } from '../scheduling/time-slices.ts';
import { createContext, type GraphqlServices } from './context.ts';
import { execute, writeRestRequests } from './execution/execute.ts';
import { QuestionAsker } from './questions/ask.ts';
import { questionRoutes } from './questions/routes.ts';
import { Schemas } from './schemas.ts';
import { type Exchange, type MediaType, mediaTypes } from './server/exchange.ts';
import type { PersistedOptions } from './server/persisted-operations.ts';
import { bytesOf } from './server/results.ts';
import { createGraphqlServer, type GraphqlServer } from './server/server.ts';

export interface GraphqlOptions extends GraphqlServices {
  readonly persisted: PersistedOptions;
  readonly questions: Questions;
  readonly keyQuestions: KeyQuestions;
  /** Sends GraphiQL to a browser (contract: GraphiQL). */
  readonly sendPage: (reply: FastifyReply) => Promise<FastifyReply>;
}

/** A longer body takes noticeable time to parse and to hash. */
const shortBody = 2_000;

/** The media type that a client prefers. The name of a cached answer has it, so it is chosen before Yoga. Throws `notAcceptable`. */
const mediaTypeOf = (accept: string | undefined): MediaType => {
  const type = preferredType(mediaTypes, accept);
  if (type === undefined) throw new ApiError('notAcceptable', mediaTypes.join(', '));
  return type as MediaType;
};

/** The cache key: the tier, the data scope and all parts of the request that the response depends on. */
const cacheKeyOf = ({ method, raw, body }: FastifyRequest, { tier, scope }: Caller, type: MediaType): string => {
  const request = method === 'GET' ? raw.url : hash('sha256', (body as string | undefined) ?? '', 'base64url');
  return [rowReaders({ tier, scope }), type, method, request].join('\n');
};

/** What is done with a document. */
interface Work {
  readonly run: Exchange['run'];
  readonly isCached: boolean;
  /** The message in the log if the client does not see the cause of an error. */
  readonly failure: string;
}

const execution: Work = { run: execute, isCached: true, failure: 'GraphQL operation failed' };
/** The answer is the REST requests of the document (contract: REST requests of a document). */
const translation: Work = { run: writeRestRequests, isCached: false, failure: 'GraphQL translation failed' };

/** Status and headers of an answer. */
interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Fastify computes the length itself. */
const headOf = ({ status, headers }: Response): Head => {
  const { 'content-length': _length, ...others } = Object.fromEntries(headers);
  return { status, headers: status === 200 ? { ...others, 'cache-control': 'private, no-cache' } : others };
};

class GraphqlRoute {
  readonly #services: GraphqlServices;
  readonly #schemas: Schemas;
  readonly #server: GraphqlServer;

  constructor(services: GraphqlServices, schemas: Schemas, server: GraphqlServer) {
    this.#services = services;
    this.#schemas = schemas;
    this.#server = server;
  }

  /** Sends the cached response, or the one of Yoga. A long body waits for a time slice of the customer. */
  async respond(request: FastifyRequest, reply: FastifyReply, { run, isCached, failure }: Work): Promise<FastifyReply> {
    const body = request.body as string | undefined;
    if (body !== undefined && body.length > shortBody) await nextSlice(callerOf(request).customer.id);
    addVary(reply, 'Accept');
    const mediaType = mediaTypeOf(request.headers.accept);
    const { responseCache } = this.#services;
    return sendCacheable<Head>(responseCache, request, reply, {
      key: isCached ? cacheKeyOf(request, callerOf(request), mediaType) : undefined,
      isHead: false,
      headers: ({ status, headers }) => void reply.code(status).headers(headers),
      read: async () => {
        const caller = callerOf(request);
        const customerId = caller.customer.id;
        const before = await responseCache.states(customerId);
        const context = createContext(request, reply, { services: this.#services, failure });
        const exchange: Exchange = { mediaType, served: this.#schemas.of(caller), context, run };
        const response = await this.#server({ method: request.method, target: request.raw.url ?? '', body }, exchange);
        const read = { about: headOf(response), rows: () => context.rows };
        const { chunks = [], tables, cancel, release } = exchange.result?.data ?? {};
        if (Symbol.asyncIterator in chunks)
          return { ...read, body: response.body as unknown as AsyncIterable<Buffer>, madeOf: undefined, cancel };
        const madeOf = tables && (await responseCache.unchangedSince(before, customerId, tables));
        return { ...read, body: await bytesOf(response), madeOf, cancel, release };
      },
    });
  }
}

/** Returns the asker of saved questions, which the tools of agents share. */
export const graphqlRoutes = (app: FastifyInstance, options: GraphqlOptions): QuestionAsker => {
  const { catalogue, directories, reading, responseCache, persisted, questions, keyQuestions, sendPage } = options;
  const services: GraphqlServices = { catalogue, directories, reading, responseCache };
  const schemas = new Schemas(catalogue);
  const server = createGraphqlServer(persisted, (error) => app.log.error({ err: error }, 'GraphQL request failed'));
  const route = new GraphqlRoute(services, schemas, server);
  const asker = new QuestionAsker({ services, questions, schemas });
  questionRoutes(app, { asker, responseCache, keyQuestions, persisted });
  app.register(async (scope) => {
    takeText(scope);
    scope.addHook('onRequest', async (request) => {
      if (opensGraphiql(request)) return;
      authorize(callerOf(request), 'basic', 'graphql');
      if (request.method === 'POST') requireJson(request);
    });
    scope.all('/graphql', { config: { isPublic: true, methods: ['GET', 'POST'] } }, async (request, reply) => {
      if (opensGraphiql(request)) return sendPage(reply);
      return route.respond(request, reply, execution);
    });
    scope.all('/graphql/rest', { config: { methods: ['POST'] } }, (request, reply) => route.respond(request, reply, translation));
  });
  return asker;
};
