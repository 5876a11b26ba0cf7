/** The steps of a request, in their order: connection, observers, key and quota, route, error handler. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Authenticator } from './access/authenticate.ts';
import type { OwnCaller } from './access/own-caller.ts';
import type { RateLimit } from './access/rate-limit/rate-limit.ts';
import type { SharedCounts } from './access/rate-limit/redis-windows.ts';
import type { UsageCounter } from './access/usage.ts';
import { agentRoutes } from './agents/routes.ts';
import { categories } from './catalogue/tiers.ts';
import type { Database } from './database/connections/connection.ts';
import { ApiError } from './errors.ts';
import { type GraphqlOptions, graphqlRoutes } from './graphql/routes.ts';
import { type TrustedProxies, trustProxy } from './http/client-address.ts';
import { limitConnections } from './http/connections/connection-limit.ts';
import { createNoRequest } from './http/connections/no-request.ts';
import { recordOpenResponses } from './http/connections/open-responses.ts';
import { resetSmallPieces } from './http/connections/small-pieces.ts';
import { createStopping, type Stopping, type StoppingOptions } from './http/connections/stopping.ts';
import { createGate, type Gate } from './http/gate.ts';
import { type HealthOptions, healthRoutes } from './http/health.ts';
import { type PublicUrl, refuseOwnPaths } from './http/public-url.ts';
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
import { printRoutes } from './prints/routes.ts';
import { waitLimit } from './query/parameters.ts';
import { catalogRoutes } from './rest/catalog.ts';
import { categoryRoutes } from './rest/category.ts';
import { changesRoutes } from './rest/changes.ts';
import type { RestContext } from './rest/context.ts';
import { deliveryRoutes } from './rest/deliveries.ts';
import { deltaRoutes } from './rest/deltas.ts';
import { fileRoutes } from './rest/files.ts';
import { groupRoutes } from './rest/groups.ts';
import { meRoutes } from './rest/me.ts';
import { metaRoutes } from './rest/meta.ts';
import { exposedHeaders } from './rest/openapi/headers.ts';
import { openapiRoutes } from './rest/openapi.ts';
import { rawRoutes } from './rest/raw.ts';
import type { Uploads } from './sources/outside/uploads.ts';
import { Timing, type Tracer } from './timing.ts';
import type { ServiceLimits } from './web/docs/guide.ts';
import { machineReadableRoutes } from './web/docs/machine-readable.ts';
import { SiteFiles, siteRoutes } from './web/docs/site.ts';
import { exploreFiles } from './web/explore/page.ts';
import { explorePageRoutes, exploreRoutes } from './web/explore/routes.ts';
import { examples } from './web/graphiql/examples.ts';
import { createGraphiqlPage, graphiqlFiles } from './web/graphiql/page.ts';
import { type DemoKey, demoKeyRoutes } from './web/pages/demo-keys.ts';
import { missingPageRoutes, sendFailure } from './web/pages/error-page.ts';
import { frameFiles } from './web/pages/frame.ts';
import { frontRoutes } from './web/pages/front.ts';
import { staticFileRoutes } from './web/pages/static-files.ts';
import { portalOffRoutes } from './web/portal/off.ts';
import type { Portal } from './web/portal/portal.ts';
import type { WebhookSender } from './webhooks/sender.ts';

export interface ServerOptions
  extends RestContext,
    Pick<GraphqlOptions, 'persisted' | 'questions' | 'keyQuestions'>,
    Pick<HealthOptions, 'databaseProblems' | 'nodeShare'> {
  readonly authenticator: Authenticator;
  readonly rateLimit: RateLimit;
  /** The caller of the warm-up, whose requests are not counted. */
  readonly own?: OwnCaller | undefined;
  /** Counts that instances share. Undefined if each instance counts by itself. */
  readonly shared: SharedCounts | undefined;
  readonly usage: UsageCounter;
  readonly sender: WebhookSender;
  /** Deliveries over HTTP that are loaded, and the pools of what operators and deliveries do. */
  readonly uploads: Uploads;
  readonly operatorDatabase: Database;
  /** Undefined when the portal is off. */
  readonly portal: Portal | undefined;
  readonly logger: FastifyBaseLogger | false;
  readonly corsOrigins: readonly string[];
  readonly publicUrl: PublicUrl;
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
  readonly subscribers: ResponseSubscriber[];
}

const createSteps = (options: ServerOptions): Steps => {
  const { authenticator, rateLimit, own, requestsPerKey, corsOrigins, portal } = options;
  const allowsPreflight = corsOrigins.length > 0;
  const gate = createGate({ authenticator, rateLimit, own, requestsPerKey, allowsPreflight, isSignedIn: portal?.isSignedIn });
  return { gate, subscribers: subscribersOf(options) };
};

/** The subscribers to the end of a response, in their order. Requests of the warm-up are not recorded. */
const subscribersOf = ({ usage, hasMetrics, logger, tracer }: ServerOptions): ResponseSubscriber[] => {
  const recorders: readonly ResponseSubscriber[] = [
    countUsage(usage),
    ...(hasMetrics ? [recordMetrics] : []),
    ...(logger ? [logRequest] : []),
    ...(tracer ? [endTrace] : []),
  ];
  const record: ResponseSubscriber = (response) => {
    if (!response.request.caller?.isWarmUp) for (const recorder of recorders) recorder(response);
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

/** A connection without any traffic for longer than a response may take to begin is cut. So is a client that reads nothing. */
const idleMs = ({ queueWaitMs, statementTimeoutMs, documentTimeoutMs }: ServiceLimits): number =>
  queueWaitMs + Math.max(statementTimeoutMs, documentTimeoutMs, waitLimit.max * 1_000) + 30_000;

/** How long browsers may cache the response to a preflight request. */
const preflightSeconds = 86_400;

/** `GET http://host/path` means `GET /path`. */
const originForm = (target: string): string => target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';

/** Fastify without hooks and routes. */
const createApp = (options: ServerOptions, { gate, subscribers }: Steps): FastifyInstance => {
  let clientError: ReturnType<typeof createNoRequest>['clientError'];
  const app: FastifyInstance = Fastify<Server>({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    genReqId: () => crypto.randomUUID(),
    // `logRequest` writes one line for each request, so a request needs no logger of its own.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy(options.trustedProxies),
    requestTimeout: options.limits.requestTimeoutMs,
    connectionTimeout: idleMs(options.limits),
    http: { requireHostHeader: false, ...timeouts(options.limits.requestTimeoutMs) },
    // The gate refuses requests while the service stops.
    return503OnClosing: false,
    rewriteUrl: (request) => options.publicUrl.withoutPrefix(originForm(request.url ?? '/')),
    routerOptions: { maxParamLength: longestParameter, querystringParser: (text) => new URLSearchParams(text) as never },
    exposeHeadRoutes: false,
    clientErrorHandler: ((error: Error, socket: Socket) => clientError(error, socket)) as never,
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
  for (const name of [
    'address',
    'caller',
    'countSent',
    'disconnect',
    'failure',
    'inFlight',
    'isLate',
    'quota',
    'note',
    'recordTables',
    'rowsSent',
    'timing',
  ])
    app.decorateRequest(name, undefined);
  app.decorate('publicUrl', options.publicUrl);
  app.server.once('listening', () => {
    const address = app.server.address();
    if (address && typeof address === 'object') options.publicUrl.listensAt(address.port);
  });
  clientError = guardConnections(app.server, options, gate);
  return app;
};

/** Limits connections, and answers input that never becomes a request. Returns the handler of malformed input. */
const guardConnections = (server: Server, { logger, publicUrl, connectionsPerAddress: max, trustedProxies }: ServerOptions, gate: Gate) => {
  const openResponses = recordOpenResponses(server);
  const { listen, closeWith, clientError } = createNoRequest({ gate, logger, publicUrl, openResponses });
  listen(server);
  limitConnections(server, { max, trustedProxies, closeWith });
  // An end without a reset would make an incomplete response look complete.
  server.on('timeout', (socket: Socket) => (openResponses(socket).size > 0 ? socket.resetAndDestroy() : socket.destroy()));
  return clientError;
};

/** Begins the timing of each request, and observes the end of its response. */
const observe = (app: FastifyInstance, stopping: Stopping, { subscribers }: Steps): void => {
  // An idle kept-alive connection would delay the stop.
  const closeIdle = () => void (stopping.isClosing && setImmediate(() => app.server.closeIdleConnections()));
  subscribers.push(closeIdle);
  resetSmallPieces(app);
  compressResponses(app);
  timeResponses(app);
  app.addHook('onRequest', async (request, reply) => {
    request.isLate = stopping.isRefusing;
    request.timing = new Timing();
    observeResponse(request, reply, subscribers);
  });
};

/** Identifies the caller, counts the request for its quota, and admits or refuses it. */
const checkKeyAndQuota = (app: FastifyInstance, { tracer, corsOrigins }: ServerOptions, { gate }: Steps): void => {
  app.addHook('onRequest', async (request, reply) => {
    const identified = gate.identify(request, reply);
    await (tracer ? identified.finally(() => beginTrace(tracer, request)) : identified);
  });
  allowOrigins(app, corsOrigins);
  app.after(() => app.addHook('onRequest', gate.admit));
};

/** Sets the CORS headers, also on refusals. The gate answers preflight requests. Any request header is allowed: libraries add their own. */
const allowOrigins = (app: FastifyInstance, corsOrigins: readonly string[]): void => {
  if (corsOrigins.length === 0) return;
  const origin = corsOrigins.includes('*') ? '*' : [...corsOrigins];
  // PUT and DELETE are methods of saved questions.
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
  const policy = { preflightContinue: true, strictPreflight: false };
  app.register(cors, { origin, methods, exposedHeaders, maxAge: preflightSeconds, ...policy });
};

const addRoutes = (app: FastifyInstance, options: ServerOptions, stopping: Stopping, { gate }: Steps): void => {
  refuseOwnPaths(app, options.publicUrl, Object.keys(categories));
  const rest = [catalogRoutes, meRoutes, metaRoutes, rawRoutes, fileRoutes, categoryRoutes, groupRoutes, deltaRoutes, openapiRoutes];
  for (const routes of rest) routes(app, options);
  changesRoutes(app, { ...options, gate });
  deliveryRoutes(app, { database: options.operatorDatabase, uploads: options.uploads });
  const hasDemoKeys = options.demoKeys.length > 0;
  const asker = graphqlRoutes(app, { ...options, sendPage: createGraphiqlPage(app.publicUrl, hasDemoKeys) });
  const shipped = Object.entries(examples).map(([name, document]) => ({ name, document }));
  agentRoutes(app, { ...options, asker, shipped });
  printRoutes(app, options);
  healthRoutes(app, { ...options, isStopping: () => stopping.isAnnounced });
  frontRoutes(app, { ...options, ...options.limits, hasPortal: options.portal !== undefined });
  const site = { catalogue: options.catalogue, limits: options.limits, hasDemoKeys };
  const docsFiles = new SiteFiles(site);
  siteRoutes(app, site, docsFiles);
  machineReadableRoutes(app, site);
  explorePageRoutes(app, hasDemoKeys);
  exploreRoutes(app, options);
  staticFileRoutes(app, [frameFiles, docsFiles, exploreFiles, ...graphiqlFiles]);
  demoKeyRoutes(app, options.demoKeys);
  missingPageRoutes(app);
  if (options.portal) options.portal.register(app, options);
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
const openAndClose = (app: FastifyInstance, { shared, versions, usage, files, sender }: ServerOptions, stopping: Stopping): void => {
  app.addHook('onReady', async () => shared?.ready());
  app.addHook('onClose', async () => shared?.close());
  app.addHook('onReady', () => versions.open());
  app.addHook('onClose', () => versions.close());
  app.addHook('onClose', () => files.builds.close());
  app.addHook('onClose', () => usage.stop());
  app.addHook('onReady', async () => sender.start());
  app.addHook('onClose', () => sender.stop());
  const endWaits = () => {
    versions.stopWatches();
    files.builds.stopWaiting();
  };
  app.addHook('preClose', () => stopping.begin(endWaits));
};

/** The whole service as a Fastify instance that does not listen yet. The steps of a request are in this order. */
export const createServer = (options: ServerOptions): FastifyInstance => {
  const steps = createSteps(options);
  const app = createApp(options, steps);
  const stopping = createStopping(app.server, options.stopping);
  openAndClose(app, options, stopping);
  observe(app, stopping, steps);
  checkKeyAndQuota(app, options, steps);
  addRoutes(app, options, stopping, steps);
  handleErrors(app);
  return app;
};
