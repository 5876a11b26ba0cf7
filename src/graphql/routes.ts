/**
 * `/graphql`: GET and POST behind the same gate as REST, answered with the schema of the caller's tier; to a browser that
 * brings no query it is GraphiQL, which needs no key (semantics 29–32).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { entitle } from '../access/entitle.ts';
import type { Tier } from '../catalogue/tiers.ts';
import { ApiError } from '../errors.ts';
import { addVary } from '../http/caching.ts';
import { callerOf } from '../http/gate.ts';
import type { ReaderContext } from '../read/reader.ts';
import type { GraphqlServices, RequestContext } from './context.ts';
import { assetRoutes } from './graphiql/assets.ts';
import { isPageRequest, sendPage } from './graphiql/page.ts';
import type { PersistedOptions } from './persisted.ts';
import type { TierHandler } from './yoga.ts';

export interface GraphqlOptions extends Omit<GraphqlServices, 'cursors'> {
  readonly reading: ReaderContext;
  readonly persisted: PersistedOptions;
}

/** Longer than any document within the limit of tokens. */
const longestBody = 1_000_000;

const answer = async (handler: TierHandler, services: GraphqlServices, request: FastifyRequest, reply: FastifyReply) => {
  let rows = 0;
  request.rowsSent = () => rows;
  const context: RequestContext = {
    services,
    caller: callerOf(request),
    quota: request.quota,
    onRows: (count) => {
      rows += count;
    },
    report: (error) => request.log.error({ err: error }, 'GraphQL operation failed'),
  };
  const response = await handler.handleNodeRequest(request.raw, { ...context, body: request.body as string | undefined });
  for (const [name, value] of response.headers) reply.header(name, value);
  if (response.ok) reply.header('Cache-Control', 'private, no-cache');
  return addVary(reply, 'Accept')
    .code(response.status)
    .send(await response.text());
};

export const graphqlRoutes = (app: FastifyInstance, options: GraphqlOptions): void => {
  const { catalogue, database, directories, persisted } = options;
  const services: GraphqlServices = { catalogue, database, directories, cursors: options.reading.cursors };
  const handlers = new Map<Tier, Promise<TierHandler>>();
  // A service that is asked over REST alone never loads GraphQL.
  const make = async (tier: Tier): Promise<TierHandler> => {
    const { createTierHandler } = await import('./yoga.ts');
    return createTierHandler(tier, { catalogue, persisted, report: (error) => app.log.error({ err: error }, 'GraphQL failed') });
  };
  const handlerOf = (tier: Tier): Promise<TierHandler> => {
    const known = handlers.get(tier) ?? make(tier);
    handlers.set(tier, known);
    return known;
  };
  assetRoutes(app);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: longestBody }, (_request, body, done) =>
      done(null, body),
    );
    // Any other type could be sent by a form of another site.
    scope.addContentTypeParser('*', (_request, _body, done) => done(new ApiError('unsupportedMediaType')));
    scope.addHook('onRequest', async (request) => {
      if (!isPageRequest(request)) entitle(callerOf(request), 'basic', 'graphql');
    });
    scope.all('/graphql', { config: { isPublic: true, methods: ['GET', 'POST'] } }, async (request, reply) => {
      if (isPageRequest(request)) return sendPage(reply);
      if (request.method === 'POST' && request.body === undefined) throw new ApiError('unsupportedMediaType');
      return answer(await handlerOf(callerOf(request).tier), services, request, reply);
    });
  });
};
