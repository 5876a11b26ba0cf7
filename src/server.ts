/** The steps of a request: connection, admission, key and quota, route, error handler. */
import type { Server } from 'node:http';
import cors from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Authenticator } from './access/authenticate.ts';
import type { OwnCaller } from './access/own-caller.ts';
import type { RateLimit } from './access/rate-limit/rate-limit.ts';
import type { SharedCounts } from './access/rate-limit/redis-windows.ts';
import type { UsageCounter } from './access/usage.ts';
import { ApiError } from './errors.ts';
import { type GraphqlOptions, graphqlRoutes } from './graphql/routes.ts';
import { networkOf, type TrustedProxies, trustProxy } from './http/client-address.ts';
import { admitRequests } from './http/connections/admission.ts';
import { limitConnections } from './http/connections/connection-limit.ts';
import { ConnectionPace } from './http/connections/connection-pace.ts';
import { createRefusals } from './http/connections/malformed.ts';
import { cutStalledClients } from './http/connections/stalled.ts';
import { createStopping, type Stopping, type StoppingOptions } from './http/connections/stopping.ts';
import { createGate } from './http/gate.ts';
import { type HealthOptions, healthRoutes } from './http/health.ts';
import { type ResponseSubscriber, watchAnswer } from './http/observers/answered.ts';
import { meterAnswer, meterUsage } from './http/observers/metering.ts';
import { logAnswer } from './http/observers/request-log.ts';
import { timeAnswers } from './http/observers/server-timing.ts';
import { beginTrace, endTrace } from './http/observers/traced.ts';
import { compressAnswers } from './http/responses/compress.ts';
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
import { accepted } from './scheduling/time-slices.ts';
import { Timing, type Tracer } from './timing.ts';
import type { ServiceLimits } from './web/docs/guide.ts';
import { referenceFiles } from './web/docs/reference.ts';
import { siteFiles, siteRoutes } from './web/docs/site.ts';
import { graphiqlFiles, sendPage } from './web/graphiql/page.ts';
import { missingPageRoutes, sendFailure } from './web/pages/error-page.ts';
import { frameFiles } from './web/pages/frame.ts';
import { frontRoutes } from './web/pages/front.ts';
import { staticFileRoutes } from './web/pages/static-files.ts';
import { portalOffRoutes } from './web/portal/off.ts';
import type { Portal } from './web/portal/portal.ts';

export interface ServerOptions extends RestContext, Pick<GraphqlOptions, 'persisted'>, Pick<HealthOptions, 'databaseFaults'> {
  readonly authenticator: Authenticator;
  readonly rateLimit: RateLimit;
  /** The caller of the warm-up, whose requests are not counted. */
  readonly own?: OwnCaller | undefined;
  /** Counts that instances share. Undefined if each instance counts by itself. */
  readonly shared: SharedCounts | undefined;
  readonly usage: UsageCounter;
  /** Undefined when the portal is off. */
  readonly portal: Portal | undefined;
  readonly logger: FastifyBaseLogger | false;
  readonly corsOrigins: readonly string[];
  /** The limits that the documentation names. */
  readonly limits: ServiceLimits;
  /** Whether the metrics are served. */
  readonly hasMetrics: boolean;
  /** Undefined if traces are off. */
  readonly tracer: Tracer | undefined;
  readonly trustedProxies: TrustedProxies;
  readonly connectionsPerAddress: number;
  readonly requestsPerKey: number;
  readonly stopping: StoppingOptions;
}

/** Longer than any request line that Node accepts, so that no path parameter is too long for the router. */
const longestParameter = 100_000;

/** Node checks the timeouts of connections periodically. A short interval keeps the timeouts exact. */
const timeouts = (requestTimeoutMs: number) => ({
  headersTimeout: requestTimeoutMs,
  requestTimeout: requestTimeoutMs,
  connectionsCheckingInterval: Math.min(500, Math.max(20, Math.round(requestTimeoutMs / 20))),
});

/** How long browsers may cache the response to a preflight request. */
const preflightSeconds = 86_400;

/** `GET http://host/path` means `GET /path`. */
const originForm = (target: string): string => target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';

/** Opens and closes what requests share, together with the server. */
const openAndClose = (app: FastifyInstance, { shared, versions, usage }: ServerOptions): void => {
  app.addHook('onReady', async () => shared?.ready());
  app.addHook('onClose', async () => shared?.close());
  app.addHook('onReady', () => versions.open());
  app.addHook('onClose', () => versions.close());
  app.addHook('onClose', () => usage.stop());
};

/** Sets the CORS headers, also on refusals. The gate answers preflight requests. */
const allowOrigins = (app: FastifyInstance, corsOrigins: readonly string[]): void => {
  if (corsOrigins.length === 0) return;
  const origin = corsOrigins.includes('*') ? '*' : [...corsOrigins];
  const allowedHeaders = ['X-API-Key', 'Content-Type', 'If-None-Match'];
  const methods = ['GET', 'HEAD', 'POST'];
  const policy = { preflightContinue: true, strictPreflight: false };
  app.register(cors, { origin, methods, allowedHeaders, exposedHeaders, maxAge: preflightSeconds, ...policy });
};

const addRoutes = (app: FastifyInstance, options: ServerOptions, stopping: Stopping): void => {
  const rest = [catalogRoutes, meRoutes, changesRoutes, metaRoutes, rawRoutes, categoryRoutes, groupRoutes, deltaRoutes, openapiRoutes];
  for (const routes of rest) routes(app, options);
  graphqlRoutes(app, { ...options, sendPage });
  healthRoutes(app, { ...options, isStopping: () => stopping.isAnnounced });
  frontRoutes(app, { ...options, ...options.limits, hasPortal: options.portal !== undefined });
  const site = { catalogue: options.catalogue, limits: options.limits };
  const docsFiles = siteFiles(site);
  siteRoutes(app, site, docsFiles);
  staticFileRoutes(app, [frameFiles, docsFiles, referenceFiles, ...graphiqlFiles]);
  missingPageRoutes(app);
  if (options.portal) options.portal.register(app);
  else portalOffRoutes(app);
};

/** The whole service as a Fastify instance that does not listen yet. The steps of a request are in this order. */
export const createServer = (options: ServerOptions): FastifyInstance => {
  const { authenticator, rateLimit, own, corsOrigins, usage, portal, tracer } = options;
  const gate = createGate({
    authenticator,
    rateLimit,
    own,
    requestsPerKey: options.requestsPerKey,
    allowsPreflight: corsOrigins.length > 0,
    isSignedIn: portal?.isSignedIn,
  });
  const pace = new ConnectionPace();
  const refusals = createRefusals({ gate, usage, pace, logger: options.logger });
  // An idle kept-alive connection would delay the stop.
  const closeKept = () => void (stopping.isClosing && setImmediate(() => app.server.closeIdleConnections()));
  const listeners = [
    meterUsage(usage),
    closeKept,
    ...(options.hasMetrics ? [meterAnswer] : []),
    ...(options.logger ? [logAnswer] : []),
    ...(tracer ? [endTrace] : []),
  ];
  const tell: ResponseSubscriber = (answered) => {
    if (own?.is(answered.request.caller)) return;
    gate.leave(answered.request);
    for (const listener of listeners) listener(answered);
  };
  const app: FastifyInstance = Fastify<Server>({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    genReqId: () => crypto.randomUUID(),
    // `logAnswer` writes one line for each request, so a request needs no logger of its own.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy(options.trustedProxies),
    requestTimeout: options.limits.requestTimeoutMs,
    http: { requireHostHeader: false, ...timeouts(options.limits.requestTimeoutMs) },
    // The gate refuses requests while the service stops.
    return503OnClosing: false,
    rewriteUrl: (request) => originForm(request.url ?? '/'),
    routerOptions: { maxParamLength: longestParameter, querystringParser: (text) => new URLSearchParams(text) as never },
    exposeHeadRoutes: false,
    clientErrorHandler: refusals.clientError as never,
    // A path that cannot be decoded reaches neither hooks nor routes.
    frameworkErrors: async (_error, request, reply) => {
      request.timing = new Timing();
      watchAnswer(request, reply, tell);
      // The response is the same if the key cannot be checked.
      await gate.count(request, reply).catch(() => {});
      await sendFailure(new ApiError('malformedRequest'), request, reply);
    },
  });
  // Declared here, so that all requests have the same hidden class.
  for (const name of ['address', 'caller', 'isLate', 'isInFlight', 'quota', 'rowsSent', 'failure', 'remark', 'timing'])
    app.decorateRequest(name, undefined);
  refusals.answerEvents(app.server);
  cutStalledClients(app.server);
  app.server.on('connection', accepted);
  limitConnections(app.server, { max: options.connectionsPerAddress, trustedProxies: options.trustedProxies, close: refusals.refuse });
  const admission = admitRequests(app.server, {
    pace,
    ownerOf: (request) => gate.recall(request)?.customer.id ?? networkOf(request.socket.remoteAddress),
    refuse: refusals.refuseRequest,
    close: refusals.refuse,
    isRefused: refusals.isRefused,
    isExempt: (request) => request.url?.startsWith('/health/') || own?.is(gate.recall(request)) || false,
  });
  const stopping = createStopping(app.server, options.stopping);

  compressAnswers(app);
  timeAnswers(app);
  openAndClose(app, options);
  app.addHook('preClose', () => stopping.begin());
  app.addHook('onRequest', async (request, reply) => {
    request.isLate = stopping.isLate(admission.cameAt(request.raw));
    request.timing = new Timing();
    watchAnswer(request, reply, tell);
  });
  app.addHook('onRequest', async (request, reply) => {
    const counted = gate.count(request, reply);
    await (tracer ? counted.finally(() => own?.is(request.caller) || beginTrace(tracer, request)) : counted);
  });
  allowOrigins(app, corsOrigins);
  app.after(() => app.addHook('onRequest', gate.admit));
  addRoutes(app, options, stopping);
  app.setNotFoundHandler(() => {
    throw new ApiError('notFound');
  });
  app.setErrorHandler(sendFailure);
  return app;
};
