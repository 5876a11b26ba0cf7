/**
 * The table of contents of a request: the gate, the routes, the error handler.
 */
import type { Server } from 'node:http';
import cors from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Authenticator } from './access/authenticate.ts';
import type { RateLimit } from './access/rate-limit.ts';
import type { UsageCounter } from './access/usage.ts';
import { ApiError } from './errors.ts';
import { type GraphqlOptions, graphqlRoutes } from './graphql/routes.ts';
import { compressAnswers } from './http/compress.ts';
import { createGate } from './http/gate.ts';
import { answerServerEvents, createClientErrorHandler } from './http/malformed.ts';
import { meterUsage } from './http/metering.ts';
import { sendProblem } from './http/problem.ts';
import { cutWhenStalled } from './http/send.ts';
import { assetRoutes } from './portal/assets.ts';
import { type FrontOptions, frontRoutes } from './portal/front.ts';
import { portalOffRoutes } from './portal/off.ts';
import type { Portal } from './portal/portal.ts';
import { catalogRoutes } from './rest/catalog.ts';
import { categoryRoutes } from './rest/category.ts';
import { changesRoutes } from './rest/changes.ts';
import type { RestContext } from './rest/context.ts';
import { deltaRoutes } from './rest/deltas.ts';
import { docsRoutes } from './rest/docs.ts';
import { metaRoutes } from './rest/meta.ts';
import { exposedHeaders } from './rest/openapi/headers.ts';
import { openapiRoutes } from './rest/openapi.ts';
import { rawRoutes } from './rest/raw.ts';

export interface ServerOptions extends RestContext, Pick<GraphqlOptions, 'persisted'>, Pick<FrontOptions, 'requestsPerHour'> {
  readonly authenticator: Authenticator;
  readonly rateLimit: RateLimit;
  readonly usage: UsageCounter;
  /** Undefined when the portal is off. */
  readonly portal: Portal | undefined;
  readonly logger: FastifyBaseLogger | false;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: boolean;
  readonly requestTimeoutMs: number;
}

/** Longer than any request line that Node lets through, so that no path parameter is too long for the router. */
const longestParameter = 100_000;

/** How long browsers may remember the answer to a preflight. */
const preflightSeconds = 86_400;

/** `GET http://host/path` asks for the same as `GET /path`. */
const originForm = (target: string): string => target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';

/** The whole service as a Fastify instance, not listening yet. */
export const createServer = (options: ServerOptions): FastifyInstance => {
  const { authenticator, rateLimit, corsOrigins, usage, portal, versions } = options;
  const gate = createGate({ authenticator, rateLimit, allowsPreflight: corsOrigins.length > 0, bucketOf: portal?.bucketOf });
  const app: FastifyInstance = Fastify<Server>({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    genReqId: () => crypto.randomUUID(),
    trustProxy: options.trustProxy,
    requestTimeout: options.requestTimeoutMs,
    http: { requireHostHeader: false },
    rewriteUrl: (request) => originForm(request.url ?? '/'),
    routerOptions: { maxParamLength: longestParameter, querystringParser: (text) => new URLSearchParams(text) as never },
    exposeHeadRoutes: false,
    clientErrorHandler: createClientErrorHandler(gate),
    // A path that cannot be decoded reaches no hook and no route.
    frameworkErrors: async (_error, request, reply) => {
      // The path is wrong whether or not the database can say who asks.
      await gate.count(request, reply).catch(() => {});
      await sendProblem(new ApiError('malformedRequest'), request, reply);
    },
  });
  app.decorateRequest('caller', undefined);
  answerServerEvents(app.server, gate);

  compressAnswers(app);
  app.addHook('onSend', async (_request, reply) => cutWhenStalled(reply.raw));
  app.addHook('onReady', () => versions.open());
  app.addHook('onClose', () => versions.close());
  meterUsage(app, usage);
  app.addHook('onRequest', gate.admit);
  if (corsOrigins.length > 0) {
    const origin = corsOrigins.includes('*') ? '*' : [...corsOrigins];
    const allowedHeaders = ['X-API-Key', 'Content-Type', 'If-None-Match'];
    app.register(cors, { origin, methods: ['GET', 'HEAD', 'POST'], allowedHeaders, exposedHeaders, maxAge: preflightSeconds });
  }
  for (const routes of [catalogRoutes, changesRoutes, metaRoutes, rawRoutes, categoryRoutes, deltaRoutes, openapiRoutes, docsRoutes])
    routes(app, options);
  graphqlRoutes(app, options);
  frontRoutes(app, { ...options, hasPortal: portal !== undefined });
  assetRoutes(app);
  if (portal) portal.register(app);
  else portalOffRoutes(app);
  app.setNotFoundHandler(() => {
    throw new ApiError('notFound');
  });
  app.setErrorHandler(sendProblem);
  return app;
};
