/**
 * The table of contents of a request: the gate, the routes, the error handler.
 */
import type { Server } from 'node:http';
import cors from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Authenticator } from './access/authenticate.ts';
import type { RateLimit } from './access/rate-limit.ts';
import type { UsageCounter } from './access/usage.ts';
import { ApiError } from './errors.ts';
import { type GraphqlOptions, graphqlRoutes } from './graphql/routes.ts';
import { watchAnswer } from './http/answered.ts';
import { type TrustedProxies, trustProxy } from './http/client-address.ts';
import { compressAnswers } from './http/compress.ts';
import { createGate } from './http/gate.ts';
import { createRefusals } from './http/malformed.ts';
import { meterUsage } from './http/metering.ts';
import { sendProblem } from './http/problem.ts';
import { logAnswer } from './http/request-log.ts';
import { cutStalledClients } from './http/stalled.ts';
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
  readonly trustedProxies: TrustedProxies;
  /** How long a client may take to send a request, its body included. */
  readonly requestTimeoutMs: number;
}

/** Longer than any request line that Node lets through, so that no path parameter is too long for the router. */
const longestParameter = 100_000;

/** Node looks at its connections now and then only; this often, so that what is set is what applies. */
const timeouts = (requestTimeoutMs: number) => ({
  headersTimeout: requestTimeoutMs,
  requestTimeout: requestTimeoutMs,
  connectionsCheckingInterval: Math.min(500, Math.max(20, Math.round(requestTimeoutMs / 20))),
});

/** How long browsers may remember the answer to a preflight. */
const preflightSeconds = 86_400;

/** `GET http://host/path` asks for the same as `GET /path`. */
const originForm = (target: string): string => target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';

/** The whole service as a Fastify instance, not listening yet. */
export const createServer = (options: ServerOptions): FastifyInstance => {
  const { authenticator, rateLimit, corsOrigins, usage, portal, versions } = options;
  let isClosing = false;
  const gate = createGate({
    authenticator,
    rateLimit,
    allowsPreflight: corsOrigins.length > 0,
    isSignedIn: portal?.isSignedIn,
  });
  const refusals = createRefusals({ gate, logger: options.logger });
  // A connection that was kept for a next request would hold up the end.
  const closeKept = () => void (isClosing && setImmediate(() => app.server.closeIdleConnections()));
  const listeners = [meterUsage(usage), closeKept, ...(options.logger ? [logAnswer] : [])];
  const app: FastifyInstance = Fastify<Server>({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    genReqId: () => crypto.randomUUID(),
    // One line a request, by `logAnswer`.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy(options.trustedProxies),
    requestTimeout: options.requestTimeoutMs,
    http: { requireHostHeader: false, ...timeouts(options.requestTimeoutMs) },
    // The gate refuses what comes while the service is being stopped, as it refuses everything else.
    return503OnClosing: false,
    rewriteUrl: (request) => originForm(request.url ?? '/'),
    routerOptions: { maxParamLength: longestParameter, querystringParser: (text) => new URLSearchParams(text) as never },
    exposeHeadRoutes: false,
    clientErrorHandler: refusals.clientError as never,
    // A path that cannot be decoded reaches no hook and no route.
    frameworkErrors: async (_error, request, reply) => {
      watchAnswer(request, reply, listeners);
      // The path is wrong whether or not the database can say who asks.
      await gate.count(request, reply).catch(() => {});
      await sendProblem(new ApiError('malformedRequest'), request, reply);
    },
  });
  // Declared beforehand, so that all requests are objects of one shape.
  for (const name of ['address', 'caller', 'isLate', 'quota', 'rowsSent', 'failure', 'remark']) app.decorateRequest(name, undefined);
  refusals.answerEvents(app.server);
  cutStalledClients(app.server);

  compressAnswers(app);
  app.addHook('onReady', () => versions.open());
  app.addHook('onClose', () => versions.close());
  app.addHook('onClose', () => usage.stop());
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', async (request, reply) => {
    request.isLate = isClosing;
    watchAnswer(request, reply, listeners);
  });
  app.addHook('onRequest', gate.count);
  if (corsOrigins.length > 0) {
    const origin = corsOrigins.includes('*') ? '*' : [...corsOrigins];
    const allowedHeaders = ['X-API-Key', 'Content-Type', 'If-None-Match'];
    const methods = ['GET', 'HEAD', 'POST'];
    // Only sets headers, on refusals too; the gate answers.
    const policy = { preflightContinue: true, strictPreflight: false };
    app.register(cors, { origin, methods, allowedHeaders, exposedHeaders, maxAge: preflightSeconds, ...policy });
  }
  app.after(() => app.addHook('onRequest', gate.admit));
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
