/** The steps of a request, in their order: connection, admission, observers, key and quota, route, error handler. */
import type { Server } from 'node:http';
import cors from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Authenticator } from './access/authenticate.ts';
import type { OwnCaller } from './access/own-caller.ts';
import type { RateLimit } from './access/rate-limit/rate-limit.ts';
import type { SharedCounts } from './access/rate-limit/redis-windows.ts';
import type { UsageCounter } from './access/usage.ts';
import { agentRoutes } from './agents/routes.ts';
import { ApiError } from './errors.ts';
import { type GraphqlOptions, graphqlRoutes } from './graphql/routes.ts';
import { networkOf, type TrustedProxies, trustProxy } from './http/client-address.ts';
import { type Admission, admitRequests } from './http/connections/admission.ts';
import { limitConnections } from './http/connections/connection-limit.ts';
import { ConnectionPace } from './http/connections/connection-pace.ts';
import { createRefusals, type Refusals } from './http/connections/refusals.ts';
import { cutStalledClients } from './http/connections/stalled.ts';
import { createStopping, type Stopping, type StoppingOptions } from './http/connections/stopping.ts';
import { createGate, type Gate } from './http/gate.ts';
import { type HealthOptions, healthRoutes } from './http/health.ts';
import {
  abortReads,
  beginTrace,
  countUsage,
  endTrace,
  logRequest,
  observeResponse,
  type ResponseSubscriber,
  recordMetrics,
} from './http/response-end.ts';
import { compressResponses } from './http/responses/compress.ts';
import { timeResponses } from './http/responses/headers.ts';
import { catalogRoutes } from './rest/catalog.ts';
import { categoryRoutes } from './rest/category.ts';
import { changesRoutes } from './rest/changes.ts';
import type { RestContext } from './rest/context.ts';
import { deltaRoutes } from './rest/deltas.ts';
import { fileRoutes } from './rest/files.ts';
import { groupRoutes } from './rest/groups.ts';
import { meRoutes } from './rest/me.ts';
import { metaRoutes } from './rest/meta.ts';
import { exposedHeaders } from './rest/openapi/headers.ts';
import { openapiRoutes } from './rest/openapi.ts';
import { rawRoutes } from './rest/raw.ts';
import { recordConnection } from './scheduling/time-slices.ts';
import { Timing, type Tracer } from './timing.ts';
import type { ServiceLimits } from './web/docs/guide.ts';
import { referenceFiles } from './web/docs/reference.ts';
import { siteFiles, siteRoutes } from './web/docs/site.ts';
import { graphiqlFiles, sendPage } from './web/graphiql/page.ts';
import { type DemoKey, demoKeyRoutes } from './web/pages/demo-keys.ts';
import { missingPageRoutes, sendFailure } from './web/pages/error-page.ts';
import { frameFiles } from './web/pages/frame.ts';
import { frontRoutes } from './web/pages/front.ts';
import { staticFileRoutes } from './web/pages/static-files.ts';
import { portalOffRoutes } from './web/portal/off.ts';
import type { Portal } from './web/portal/portal.ts';

export interface ServerOptions
  extends RestContext,
    Pick<GraphqlOptions, 'persisted' | 'questions'>,
    Pick<HealthOptions, 'databaseProblems' | 'nodeShare'> {
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
  /** Offered by the pages of a service with demo data. */
  readonly demoKeys: readonly DemoKey[];
  readonly trustedProxies: TrustedProxies;
  readonly connectionsPerAddress: number;
  readonly requestsPerKey: number;
  readonly stopping: StoppingOptions;
}

/** What the steps of a request share. */
interface Steps {
  readonly gate: Gate;
  readonly pace: ConnectionPace;
  readonly refusals: Refusals;
  readonly subscribers: ResponseSubscriber[];
}

const createSteps = (options: ServerOptions): Steps => {
  const { authenticator, rateLimit, own, requestsPerKey, corsOrigins, usage, portal, logger } = options;
  const allowsPreflight = corsOrigins.length > 0;
  const gate = createGate({ authenticator, rateLimit, own, requestsPerKey, allowsPreflight, isSignedIn: portal?.isSignedIn });
  const pace = new ConnectionPace();
  return { gate, pace, refusals: createRefusals({ gate, usage, pace, logger }), subscribers: subscribersOf(options, gate) };
};

/** The subscribers to the end of a response, in their order. Requests of the warm-up are not recorded. */
const subscribersOf = ({ own, usage, hasMetrics, logger, tracer }: ServerOptions, gate: Gate): ResponseSubscriber[] => {
  const recorders: readonly ResponseSubscriber[] = [
    ({ request }) => gate.leave(request),
    countUsage(usage),
    ...(hasMetrics ? [recordMetrics] : []),
    ...(logger ? [logRequest] : []),
    ...(tracer ? [endTrace] : []),
  ];
  const record: ResponseSubscriber = (response) => {
    if (!own?.is(response.request.caller)) for (const recorder of recorders) recorder(response);
  };
  return [abortReads, record];
};

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

/** Fastify without hooks and routes. */
const createApp = (options: ServerOptions, { gate, refusals, subscribers }: Steps): FastifyInstance => {
  const app: FastifyInstance = Fastify<Server>({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    genReqId: () => crypto.randomUUID(),
    // `logRequest` writes one line for each request, so a request needs no logger of its own.
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
      observeResponse(request, reply, subscribers);
      // The response is the same if the key cannot be checked.
      await gate.identify(request, reply).catch(() => {});
      await sendFailure(new ApiError('malformedRequest'), request, reply);
    },
  });
  // Declared here, so that all requests have the same hidden class.
  for (const name of ['address', 'caller', 'disconnect', 'failure', 'isInFlight', 'isLate', 'quota', 'remark', 'rowsSent', 'timing'])
    app.decorateRequest(name, undefined);
  return app;
};

/** Limits connections, and refuses input that never becomes a request. */
const guardConnections = (server: Server, options: ServerOptions, { refusals }: Steps): void => {
  refusals.refuseEvents(server);
  cutStalledClients(server);
  server.on('connection', recordConnection);
  limitConnections(server, { max: options.connectionsPerAddress, trustedProxies: options.trustedProxies, close: refusals.refuse });
};

/** Starts requests in turns of their owners, and refuses them under overload. */
const admit = (server: Server, { own }: ServerOptions, { gate, pace, refusals }: Steps): Admission =>
  admitRequests(server, {
    pace,
    ownerOf: (request) => gate.recall(request)?.customer.id ?? networkOf(request.socket.remoteAddress),
    refuse: refusals.refuseRequest,
    close: refusals.refuse,
    isRefused: refusals.isRefused,
    isExempt: (request) => request.url?.startsWith('/health/') || own?.is(gate.recall(request)) || false,
  });

/** Begins the timing of each request, and observes the end of its response. */
const observe = (app: FastifyInstance, admission: Admission, stopping: Stopping, { subscribers }: Steps): void => {
  // An idle kept-alive connection would delay the stop.
  const closeIdle = () => void (stopping.isClosing && setImmediate(() => app.server.closeIdleConnections()));
  subscribers.push(closeIdle);
  compressResponses(app);
  timeResponses(app);
  app.addHook('onRequest', async (request, reply) => {
    request.isLate = stopping.isLate(admission.cameAt(request.raw));
    request.timing = new Timing();
    observeResponse(request, reply, subscribers);
  });
};

/** Identifies the caller, counts the request for its quota, and admits or refuses it. */
const checkKeyAndQuota = (app: FastifyInstance, { own, tracer, corsOrigins }: ServerOptions, { gate }: Steps): void => {
  app.addHook('onRequest', async (request, reply) => {
    const identified = gate.identify(request, reply);
    await (tracer ? identified.finally(() => own?.is(request.caller) || beginTrace(tracer, request)) : identified);
  });
  allowOrigins(app, corsOrigins);
  app.after(() => app.addHook('onRequest', gate.admit));
};

/** Sets the CORS headers, also on refusals. The gate answers preflight requests. */
const allowOrigins = (app: FastifyInstance, corsOrigins: readonly string[]): void => {
  if (corsOrigins.length === 0) return;
  const origin = corsOrigins.includes('*') ? '*' : [...corsOrigins];
  const allowedHeaders = ['X-API-Key', 'Content-Type', 'If-None-Match', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'];
  const methods = ['GET', 'HEAD', 'POST'];
  const policy = { preflightContinue: true, strictPreflight: false };
  app.register(cors, { origin, methods, allowedHeaders, exposedHeaders, maxAge: preflightSeconds, ...policy });
};

const addRoutes = (app: FastifyInstance, options: ServerOptions, stopping: Stopping): void => {
  const rest = [
    catalogRoutes,
    meRoutes,
    changesRoutes,
    metaRoutes,
    rawRoutes,
    fileRoutes,
    categoryRoutes,
    groupRoutes,
    deltaRoutes,
    openapiRoutes,
  ];
  for (const routes of rest) routes(app, options);
  const hasDemoKeys = options.demoKeys.length > 0;
  graphqlRoutes(app, { ...options, sendPage: (reply) => sendPage(reply, hasDemoKeys) });
  agentRoutes(app, options);
  healthRoutes(app, { ...options, isStopping: () => stopping.isAnnounced });
  frontRoutes(app, { ...options, ...options.limits, hasPortal: options.portal !== undefined });
  const site = { catalogue: options.catalogue, limits: options.limits, hasDemoKeys };
  const docsFiles = siteFiles(site);
  siteRoutes(app, site, docsFiles);
  staticFileRoutes(app, [frameFiles, docsFiles, referenceFiles, ...graphiqlFiles]);
  demoKeyRoutes(app, options.demoKeys);
  missingPageRoutes(app);
  if (options.portal) options.portal.register(app);
  else portalOffRoutes(app);
};

/** Turns every failure into a problem document or an error page. */
const handleErrors = (app: FastifyInstance): void => {
  app.setNotFoundHandler(() => {
    throw new ApiError('notFound');
  });
  app.setErrorHandler(sendFailure);
};

/** Opens and closes what requests share, together with the server. */
const openAndClose = (app: FastifyInstance, { shared, versions, usage, files }: ServerOptions, stopping: Stopping): void => {
  app.addHook('onReady', async () => shared?.ready());
  app.addHook('onClose', async () => shared?.close());
  app.addHook('onReady', () => versions.open());
  app.addHook('onClose', () => versions.close());
  app.addHook('onReady', async () => files.rebuilds.start());
  app.addHook('onClose', () => Promise.all([files.rebuilds.close(), files.builds.close()]));
  app.addHook('onClose', () => usage.stop());
  app.addHook('preClose', () => stopping.begin());
};

/** The whole service as a Fastify instance that does not listen yet. The steps of a request are in this order. */
export const createServer = (options: ServerOptions): FastifyInstance => {
  const steps = createSteps(options);
  const app = createApp(options, steps);
  guardConnections(app.server, options, steps);
  const admission = admit(app.server, options, steps);
  const stopping = createStopping(app.server, options.stopping);
  openAndClose(app, options, stopping);
  observe(app, admission, stopping, steps);
  checkKeyAndQuota(app, options, steps);
  addRoutes(app, options, stopping);
  handleErrors(app);
  return app;
};
