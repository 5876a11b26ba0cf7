/** Wires the service from its settings: database, keys, readers, server. The command line and the tests use it. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Authenticator } from './access/authenticate.ts';
import { KeyQuestions } from './access/key-questions.ts';
import type { OwnCaller } from './access/own-caller.ts';
import { hashPassword, type Operators, type PasswordHash } from './access/password.ts';
import { Questions } from './access/questions.ts';
import { type OpenWindows, ownWindows } from './access/rate-limit/fixed-windows.ts';
import { createRateLimit } from './access/rate-limit/rate-limit.ts';
import { type SharedCounts, shareCounts } from './access/rate-limit/redis-windows.ts';
import { UsageCounter } from './access/usage.ts';
import { Directories } from './cache/directory.ts';
import { ResponseCache } from './cache/response-cache.ts';
import { Versions } from './cache/versions.ts';
import { type Catalogue, catalogue as standardCatalogue } from './catalogue/index.ts';
import { bulkPoolSizeOf, type Config, filesPlaceOf, webhookReachOf } from './config.ts';
import type { Database } from './database/connections/connection.ts';
import { openPostgres } from './database/connections/postgres.ts';
import { createDatabaseProblems, createNodeShare } from './database/readiness.ts';
import { NodeReads } from './execute/nodes.ts';
import { createReaderContext } from './execute/reader.ts';
import { Replicas } from './execute/replicas.ts';
import { FileBuilds } from './files/builds.ts';
import { FileStore } from './files/store/file-store.ts';
import { readPersisted } from './graphql/server/persisted-operations.ts';
import { PublicUrl } from './http/public-url.ts';
import { createCursors } from './plan/cursor.ts';
import { PagePlanCache } from './rest/page-plans.ts';
import { createServer } from './server.ts';
import { Uploads } from './sources/outside/uploads.ts';
import { sweepScratch } from './sources/scratch.ts';
import type { Tracer } from './timing.ts';
import type { DemoKey } from './web/pages/demo-keys.ts';
import { projectFile } from './web/pages/static-files.ts';
import { createPortal } from './web/portal/portal.ts';
import { WebhookSender } from './webhooks/sender.ts';

type OnError = (error: Error) => void;

/** Opens the configured database for loads and commands. It is neither migrated nor filled. */
export const openDatabase = (config: Config, onError?: OnError): Promise<Database> =>
  openToServe(
    { ...config, DATABASE_URL: config.DATABASE_DIRECT_URL || config.DATABASE_URL, DATABASE_DIRECT_URL: '', DATABASE_READ_URL: [] },
    onError,
  );

/** Opens the database for requests, with its pooler and replicas. */
export const openToServe = async (config: Config, onError: OnError = () => {}): Promise<Database> => {
  if (config.DATABASE_URL)
    return openPostgres(config.DATABASE_URL, {
      replicas: config.DATABASE_READ_URL,
      directUrl: config.DATABASE_DIRECT_URL,
      namesStatements: config.PREPARED_STATEMENTS,
      readsNodes: config.NODE_READS,
      poolSize: config.POOL_SIZE,
      bulkPoolSize: bulkPoolSizeOf(config),
      statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
      documentTimeoutMs: config.DOCUMENT_TIMEOUT_MS,
      onError,
    });
  // The embedded database is megabytes of code, which a service with a server never needs.
  const { openEmbedded } = await import('./database/embedded/embedded.ts');
  return openEmbedded(config.DATA_DIR);
};

/** The configured secret, or the one stored with the embedded database. */
export const keySecret = (config: Config): string => {
  if (config.KEY_SECRET) return config.KEY_SECRET;
  const file = join(config.DATA_DIR, 'key-secret');
  if (!existsSync(file)) {
    mkdirSync(config.DATA_DIR, { recursive: true });
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  }
  return readFileSync(file, 'utf8');
};

export interface ServiceParts {
  readonly database: Database;
  readonly secret: string;
  readonly logger: FastifyBaseLogger | false;
  readonly catalogue?: Catalogue;
  /** The password of the embedded database's portal. A configured password replaces it. */
  readonly portalPassword?: PasswordHash | undefined;
  /** The counters of quota and lock-out without Redis; local to this process by default. */
  readonly openWindows?: OpenWindows;
  /** The keys of the demo customers, which the pages offer to browsers on this machine. */
  readonly demoKeys?: readonly DemoKey[];
  readonly tracer?: Tracer | undefined;
  /** The caller of the warm-up requests; absent: no warm-up. */
  readonly own?: OwnCaller;
}

/** Opens the counters that all instances share, if Redis is configured. */
const openSharedCounts = ({ REDIS_URL }: Config, logger: ServiceParts['logger']): SharedCounts | undefined => {
  if (!REDIS_URL) return undefined;
  return shareCounts(REDIS_URL, (isReached, error) => {
    if (!logger) return;
    if (isReached) logger.info('Redis is reached: quota and lock-out are counted over all instances');
    else logger.warn({ err: error }, 'Redis is not reached: this process counts quota and lock-out by itself');
  });
};

/** The operators who may sign in to the portal; empty if it is off. */
const operatorsOf = ({ PORTAL_PASSWORD, PORTAL_OPERATORS }: Config, { secret, portalPassword }: ServiceParts): Operators => {
  const shared = PORTAL_PASSWORD ? hashPassword(PORTAL_PASSWORD, secret) : portalPassword;
  return new Map([...(shared ? [['', shared] as const] : []), ...PORTAL_OPERATORS]);
};

/** Opens the exporter of traces if a collector is configured; otherwise its code is not loaded. */
export const openTracer = async ({ OTEL_EXPORTER_OTLP_ENDPOINT }: Config, logger: ServiceParts['logger']): Promise<Tracer | undefined> => {
  if (!OTEL_EXPORTER_OTLP_ENDPOINT) return undefined;
  const { createTracer } = await import('./traces.ts');
  const { version } = JSON.parse(projectFile('package.json')) as { version: string };
  return createTracer(OTEL_EXPORTER_OTLP_ENDPOINT, version, (isReached, error) => {
    if (!logger) return;
    if (isReached) logger.info('traces are collected');
    else logger.warn({ err: error }, 'traces are not collected: the collector does not take them');
  });
};

/** Creates the server over an open database. It does not listen yet. */
export const createService = (config: Config, parts: ServiceParts): FastifyInstance => {
  const { database, secret, logger, catalogue = standardCatalogue } = parts;
  sweepScratch();
  const usage = new UsageCounter(database);
  usage.start((error) => {
    if (logger) logger.error({ err: error }, 'usage not written');
  });
  const versions = new Versions(database, {
    listen: config.VERSION_FEED === 'listen',
    onError: (error) => {
      if (logger) logger.warn({ err: error }, 'notifications of new versions not heard, polling goes on');
    },
  });
  const cursors = createCursors(secret);
  const requestsPerHour = config.RATE_LIMIT;
  const shared = openSharedCounts(config, logger);
  const openWindows = shared?.openWindows ?? parts.openWindows ?? ownWindows;
  const operators = operatorsOf(config, parts);
  const reading = createReaderContext(database, cursors, {
    largePages: config.LARGE_PAGES,
    documentTimeoutMs: config.DOCUMENT_TIMEOUT_MS,
    queueWaitMs: config.QUEUE_WAIT_MS,
    replicas: database.replicas.length > 0 ? new Replicas(database, versions) : undefined,
    nodes: database.nodeServer ? new NodeReads(database, versions) : undefined,
  });
  const store = new FileStore(filesPlaceOf(config));
  const onError = (error: unknown) => {
    if (logger) logger.error({ err: error }, 'file not built');
  };
  const builds = new FileBuilds({ reading, store, onError });
  const publicUrl = new PublicUrl(config.PUBLIC_URL, config.PORT);
  const reach = webhookReachOf(config);
  const sender = new WebhookSender({
    pool: database.pool,
    secret,
    reach,
    staleHours: config.WEBHOOK_STALE_HOURS,
    publicPath: (path) => publicUrl.to(path),
    onError: (error) => {
      if (logger) logger.error({ err: error }, 'webhooks not sent');
    },
  });
  const directories = new Directories(database, catalogue, (difference) => {
    if (logger) logger.warn(difference);
  });
  const questions = new Questions(database);
  const operatorDatabase = { ...database, ...database.operators };
  const uploads = new Uploads({
    database: operatorDatabase,
    catalogue,
    retentionHours: config.DELTA_RETENTION_HOURS,
    onError: (error) => {
      if (logger) logger.error({ err: error }, 'an uploaded delivery failed');
    },
  });
  return createServer({
    uploads,
    operatorDatabase,
    publicUrl,
    usage,
    hasMetrics: config.METRICS_PORT !== undefined,
    limits: {
      requestsPerHour,
      requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
      documentTimeoutMs: config.DOCUMENT_TIMEOUT_MS,
      statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
      queueWaitMs: config.QUEUE_WAIT_MS,
      deltaRetentionHours: config.DELTA_RETENTION_HOURS,
    },
    portal:
      operators.size > 0
        ? createPortal({
            database: operatorDatabase,
            uploads,
            catalogue,
            usage,
            files: store,
            secret,
            operators,
            openWindows,
            requestsPerHour,
            reach,
          })
        : undefined,
    catalogue,
    database,
    directories,
    versions,
    responseCache: new ResponseCache(versions, config.RESPONSE_CACHE_MB * 2 ** 20),
    pages: new PagePlanCache(cursors),
    reading,
    files: { store, builds },
    sender,
    authenticator: new Authenticator(database, secret),
    own: parts.own,
    shared,
    rateLimit: createRateLimit(config.RATE_LIMIT, openWindows),
    questions,
    keyQuestions: new KeyQuestions(database, questions),
    persisted: { documents: readPersisted(config.PERSISTED_DIR), isRequired: config.PERSISTED_ONLY },
    logger,
    demoKeys: parts.demoKeys ?? [],
    tracer: parts.tracer,
    corsOrigins: config.CORS_ORIGINS,
    trustedProxies: config.TRUST_PROXY,
    connectionsPerAddress: config.CONNECTIONS_PER_ADDRESS,
    requestsPerKey: config.REQUESTS_PER_KEY,
    stopping: { delayMs: config.STOP_DELAY_MS, deadlineMs: config.STOP_TIMEOUT_MS },
    databaseProblems: createDatabaseProblems(database),
    nodeShare: createNodeShare(database),
  });
};
