/**
 * The table of contents of a request: the gate, the routes, the error handler.
 */
import type { Server } from 'node:http';
import cors from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Authenticator } from './access/authenticate.ts';
import type { OwnCaller } from './access/own-caller.ts';
import type { RateLimit } from './access/rate-limit.ts';
import type { SharedCounts } from './access/redis-windows.ts';
import type { UsageCounter } from './access/usage.ts';
import type { ServiceLimits } from './docs/guide.ts';
import { referenceFiles } from './docs/reference.ts';
import { siteFiles, siteRoutes } from './docs/site.ts';
import { ApiError } from './errors.ts';
import { graphiqlFiles } from './graphql/graphiql/page.ts';
import { type GraphqlOptions, graphqlRoutes } from './graphql/routes.ts';
import { type Listener, watchAnswer } from './http/answered.ts';
import { type TrustedProxies, trustProxy } from './http/client-address.ts';
import { compressAnswers } from './http/compress.ts';
import { createGate } from './http/gate.ts';
import { type HealthOptions, healthRoutes } from './http/health.ts';
import { createRefusals } from './http/malformed.ts';
import { meterAnswer, meterUsage } from './http/metering.ts';
import { endWithConnections } from './http/pipelined.ts';
import { sendProblem } from './http/problem.ts';
import { logAnswer } from './http/request-log.ts';
import { timeAnswers } from './http/server-timing.ts';
import { cutStalledClients } from './http/stalled.ts';
import { createStopping, type StoppingOptions } from './http/stopping.ts';
import { beginTrace, endTrace } from './http/traced.ts';
import { frameFiles } from './pages/frame.ts';
import { frontRoutes } from './pages/front.ts';
import { staticFileRoutes } from './pages/static-files.ts';
import { portalOffRoutes } from './portal/off.ts';
import type { Portal } from './portal/portal.ts';
import { catalogRoutes } from './rest/catalog.ts';
import { categoryRoutes } from './rest/category.ts';
import { changesRoutes } from './rest/changes.ts';
import type { RestContext } from './rest/context.ts';
import { deltaRoutes } from './rest/deltas.ts';
import { groupRoutes } from './rest/groups.ts';
import { meRoutes } from './rest/me.ts';
import { metaRoutes } from './rest/meta.ts';
import { exposedHeaders } from './rest/openapi/headers.ts';
import { openapiRoutes } from './rest/openapi.ts';
import { rawRoutes } from './rest/raw.ts';
import { Timing, type Tracer } from './timing.ts';

export interface ServerOptions extends RestContext, Pick<GraphqlOptions, 'persisted'>, Pick<HealthOptions, 'databaseFaults'> {
  readonly authenticator: Authenticator;
  readonly rateLimit: RateLimit;
  /** The service itself, where it warms up. */
  readonly own?: OwnCaller | undefined;
  /** What instances count together; undefined where each counts by itself. */
  readonly shared: SharedCounts | undefined;
  readonly usage: UsageCounter;
  /** Undefined when the portal is off. */
  readonly portal: Portal | undefined;
  readonly logger: FastifyBaseLogger | false;
  readonly corsOrigins: readonly string[];
  /** What the documentation says that callers may ask for. */
  readonly limits: ServiceLimits;
  /** Whether somebody reads what is counted of each answer. */
  readonly hasMetrics: boolean;
  /** Undefined where nobody collects traces. */
  readonly tracer: Tracer | undefined;
  readonly trustedProxies: TrustedProxies;
  readonly stopping: StoppingOptions;
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
  const { authenticator, rateLimit, own, corsOrigins, usage, portal, tracer, versions } = options;
  const gate = createGate({
    authenticator,
    rateLimit,
    own,
    allowsPreflight: corsOrigins.length > 0,
    isSignedIn: portal?.isSignedIn,
  });
  const refusals = createRefusals({ gate, logger: options.logger });
  // A connection that was kept for a next request would hold up the end.
  const closeKept = () => void (stopping.isClosing && setImmediate(() => app.server.closeIdleConnections()));
  const listeners = [
    meterUsage(usage),
    closeKept,
    ...(options.hasMetrics ? [meterAnswer] : []),
    ...(options.logger ? [logAnswer] : []),
    ...(tracer ? [endTrace] : []),
  ];
  const tell: Listener = (answered) => {
    if (own?.is(answered.request.caller)) return;
    for (const listener of listeners) listener(answered);
  };
  const app: FastifyInstance = Fastify<Server>({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    genReqId: () => crypto.randomUUID(),
    // One line a request, by `logAnswer`, which names it: no logger of its own for each.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy(options.trustedProxies),
    requestTimeout: options.limits.requestTimeoutMs,
    http: { requireHostHeader: false, ...timeouts(options.limits.requestTimeoutMs) },
    // The gate refuses what comes while the service is being stopped, as it refuses everything else.
    return503OnClosing: false,
    rewriteUrl: (request) => originForm(request.url ?? '/'),
    routerOptions: { maxParamLength: longestParameter, querystringParser: (text) => new URLSearchParams(text) as never },
    exposeHeadRoutes: false,
    clientErrorHandler: refusals.clientError as never,
    // A path that cannot be decoded reaches no hook and no route.
    frameworkErrors: async (_error, request, reply) => {
      request.timing = new Timing();
      watchAnswer(request, reply, tell);
      // The path is wrong whether or not the database can say who asks.
      await gate.count(request, reply).catch(() => {});
      await sendProblem(new ApiError('malformedRequest'), request, reply);
    },
  });
  // Declared beforehand, so that all requests are objects of one shape.
  for (const name of ['address', 'caller', 'isLate', 'quota', 'rowsSent', 'failure', 'remark', 'timing'])
    app.decorateRequest(name, undefined);
  refusals.answerEvents(app.server);
  cutStalledClients(app.server);
  endWithConnections(app.server);
  const stopping = createStopping(app.server, options.stopping);

  compressAnswers(app);
  timeAnswers(app);
  app.addHook('onReady', async () => options.shared?.ready());
  app.addHook('onClose', async () => options.shared?.close());
  app.addHook('onReady', () => versions.open());
  app.addHook('onClose', () => versions.close());
  app.addHook('onClose', () => usage.stop());
  app.addHook('preClose', () => stopping.begin());
  app.addHook('onRequest', async (request, reply) => {
    request.isLate = stopping.isClosing;
    request.timing = new Timing();
    watchAnswer(request, reply, tell);
  });
  app.addHook('onRequest', async (request, reply) => {
    const counted = gate.count(request, reply);
    await (tracer ? counted.finally(() => own?.is(request.caller) || beginTrace(tracer, request)) : counted);
  });
  if (corsOrigins.length > 0) {
    const origin = corsOrigins.includes('*') ? '*' : [...corsOrigins];
    const allowedHeaders = ['X-API-Key', 'Content-Type', 'If-None-Match'];
    const methods = ['GET', 'HEAD', 'POST'];
    // Only sets headers, on refusals too; the gate answers.
    const policy = { preflightContinue: true, strictPreflight: false };
    app.register(cors, { origin, methods, allowedHeaders, exposedHeaders, maxAge: preflightSeconds, ...policy });
  }
  app.after(() => app.addHook('onRequest', gate.admit));
  const rest = [catalogRoutes, meRoutes, changesRoutes, metaRoutes, rawRoutes, categoryRoutes, groupRoutes, deltaRoutes, openapiRoutes];
  for (const routes of rest) routes(app, options);
  graphqlRoutes(app, options);
  healthRoutes(app, { ...options, isStopping: () => stopping.isAnnounced });
  frontRoutes(app, { ...options, ...options.limits, hasPortal: portal !== undefined });
  const site = { catalogue: options.catalogue, limits: options.limits };
  const docsFiles = siteFiles(site);
  siteRoutes(app, site, docsFiles);
  staticFileRoutes(app, [frameFiles, docsFiles, referenceFiles, graphiqlFiles]);
  if (portal) portal.register(app);
  else portalOffRoutes(app);
  app.setNotFoundHandler(() => {
    throw new ApiError('notFound');
  });
  app.setErrorHandler(sendProblem);
  return app;
};
