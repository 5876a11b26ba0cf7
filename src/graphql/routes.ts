/**
 * `/graphql` for GET and POST, with the same access checks as REST and the schema of the caller's tier. A browser request without a query
 * gets GraphiQL, which needs no key (contract: GraphQL).
 */
import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import { authorize, type Caller } from '../access/caller.ts';
import type { KeyQuestions } from '../access/key-questions.ts';
import type { Questions } from '../access/questions.ts';
import { rowReaders } from '../catalogue/readership.ts';
import { ApiError } from '../errors.ts';
import { sendCacheable } from '../http/cacheable.ts';
import { callerOf, opensGraphiql } from '../http/gate.ts';
import { addVary } from '../http/responses/headers.ts';
import { enclose } from '../http/responses/send.ts';
import { nextSlice } from '../scheduling/time-slices.ts';
import { type HttpAnswer, httpAnswerOf, type MediaType, mediaTypeOf } from './answer.ts';
import { createContext, type GraphqlContext, type GraphqlServices, type Result } from './context.ts';
import { isJson, type Parameters, parametersOfBody, parametersOfQuery } from './document/parameters.ts';
import { documentText, type PersistedOptions } from './document/persisted.ts';
import { execute, writeRestRequests } from './execution/execute.ts';
import { QuestionAsker } from './questions/ask.ts';
import { questionRoutes } from './questions/routes.ts';
import { Schemas } from './schemas.ts';

export interface GraphqlOptions extends GraphqlServices {
  readonly persisted: PersistedOptions;
  readonly questions: Questions;
  readonly keyQuestions: KeyQuestions;
  /** Sends GraphiQL to a browser (contract: GraphiQL). */
  readonly sendPage: (reply: FastifyReply) => FastifyReply;
}

const longestBody = 256 * 1_024;
/** A longer body takes noticeable time to parse and to hash. */
const shortBody = 2_000;

const parametersOf = ({ method, query, body }: FastifyRequest): Parameters =>
  method === 'GET' ? parametersOfQuery(query as URLSearchParams) : parametersOfBody(body as string | undefined);

/** The cache key: the tier, the data scope and all parts of the request that the response depends on. */
const cacheKeyOf = ({ method, raw, body }: FastifyRequest, { tier, scope }: Caller, { name }: MediaType): string => {
  const request = method === 'GET' ? raw.url : hash('sha256', (body as string | undefined) ?? '', 'base64url');
  return [rowReaders({ tier, scope }), name, method, request].join('\n');
};

/** What is done with a document. */
interface Work {
  readonly run: typeof execute;
  readonly isCached: boolean;
  /** The message in the log if the client does not see the cause of an error. */
  readonly failure: string;
}

const execution: Work = { run: execute, isCached: true, failure: 'GraphQL operation failed' };
/** The answer is the REST requests of the document (contract: REST requests of a document). */
const translation: Work = { run: writeRestRequests, isCached: false, failure: 'GraphQL translation failed' };

class GraphqlRoute {
  readonly #services: GraphqlServices;
  readonly #persisted: PersistedOptions;
  readonly #schemas: Schemas;

  constructor(services: GraphqlServices, persisted: PersistedOptions, schemas: Schemas) {
    this.#services = services;
    this.#persisted = persisted;
    this.#schemas = schemas;
  }

  /** Sends the cached response, or does the work. A long body waits for a time slice of the customer. */
  async respond(request: FastifyRequest, reply: FastifyReply, { run, isCached, failure }: Work): Promise<FastifyReply> {
    const { body } = request;
    if (typeof body === 'string' && body.length > shortBody) await nextSlice(callerOf(request).customer.id);
    addVary(reply, 'Accept');
    const type = mediaTypeOf(request.headers.accept);
    const { responseCache } = this.#services;
    return sendCacheable<Pick<HttpAnswer, 'status' | 'headers'>>(responseCache, request, reply, {
      key: isCached ? cacheKeyOf(request, callerOf(request), type) : undefined,
      isHead: false,
      headers: ({ status, headers }) => void reply.code(status).headers(headers),
      read: async () => {
        const customerId = callerOf(request).customer.id;
        const before = await responseCache.states(customerId);
        const context = createContext(request, reply, { services: this.#services, failure });
        const result = await this.#prepareAnd(run, request, context);
        const { before: start, after: end, ...about } = httpAnswerOf(result, type);
        const read = { about, rows: () => context.rows };
        if (!result.data) return { ...read, body: [Buffer.from(start)], madeOf: undefined };
        const { chunks, release, cancel, tables } = result.data;
        return {
          ...read,
          body: enclose(Buffer.from(start), chunks, () => Buffer.from(end)),
          madeOf: tables && (await responseCache.unchangedSince(before, customerId, tables)),
          release,
          cancel,
        };
      },
    });
  }

  /** Does something with the valid document of a request. Every refusal is a result with errors. */
  async #prepareAnd(run: typeof execute, request: FastifyRequest, context: GraphqlContext): Promise<Result> {
    const { schema, documents } = this.#schemas.of(context.caller);
    try {
      const parameters = parametersOf(request);
      const prepared = await documents.prepare(documentText(parameters, this.#persisted), context.requestContext);
      if ('errors' in prepared) return prepared;
      return await run({ schema, document: prepared.document, parameters }, context);
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error] };
      throw error;
    }
  }
}

/** Returns the asker of saved questions, which the tools of agents share. */
export const graphqlRoutes = (app: FastifyInstance, options: GraphqlOptions): QuestionAsker => {
  const { catalogue, directories, reading, responseCache, persisted, questions, keyQuestions, sendPage } = options;
  const services: GraphqlServices = { catalogue, directories, reading, responseCache };
  const schemas = new Schemas(catalogue);
  const route = new GraphqlRoute(services, persisted, schemas);
  const asker = new QuestionAsker({ services, questions, schemas });
  questionRoutes(app, { asker, responseCache, keyQuestions, persisted });
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: longestBody }, (_request, body, done) => done(null, body));
    scope.addHook('onRequest', async (request) => {
      if (opensGraphiql(request)) return;
      authorize(callerOf(request), 'basic', 'graphql');
      if (request.method === 'POST' && !isJson(request.headers['content-type'])) throw new ApiError('unsupportedMediaType');
    });
    scope.all('/graphql', { config: { isPublic: true, methods: ['GET', 'POST'] } }, async (request, reply) => {
      if (opensGraphiql(request)) return sendPage(reply);
      return route.respond(request, reply, execution);
    });
    scope.all('/graphql/rest', { config: { methods: ['POST'] } }, (request, reply) => route.respond(request, reply, translation));
  });
  return asker;
};
