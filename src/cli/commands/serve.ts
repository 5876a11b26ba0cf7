/** `estate serve`: the service as one process, or as a primary process with workers. */
import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { AggregatorRegistry, collectDefaultMetrics, register } from 'prom-client';
import { OwnCaller } from '../../access/own-caller.ts';
import { type LocalPassword, localPassword } from '../../access/password.ts';
import { createWorkerWindows } from '../../access/rate-limit/worker-windows.ts';
import { catalogue } from '../../catalogue/index.ts';
import { type Config, readConfig } from '../../config.ts';
import type { Database } from '../../database/connections/connection.ts';
import { keepsNamedStatements } from '../../database/connections/named-statements.ts';
import { checkPooledSettings } from '../../database/connections/pooled.ts';
import { createDatabaseMetrics } from '../../database/control/database-metrics.ts';
import { createLogger } from '../../http/logger.ts';
import { serveMetrics } from '../../http/metrics-server.ts';
import { createService, keySecret, openDatabase, openToServe, openTracer, type ServiceParts } from '../../service.ts';
import { upgradeDatabase } from '../../sync/upgrade/upgrade.ts';
import { warmUp } from '../../warm-up/warm-up.ts';
import { type RunningService, startWorkers } from '../workers.ts';

/** The portal's start-up messages: its address, or how to enable it. The password appears only when it was just generated. */
const portalLines = (address: string, config: Config, local: LocalPassword | undefined): string[] => {
  const portal = `  Portal                 ${address}/portal`;
  if (!local)
    return [
      config.PORTAL_PASSWORD || config.PORTAL_OPERATORS.size > 0
        ? portal
        : '  Portal                 off; set PORTAL_PASSWORD (at least 12 characters) to open it',
    ];
  const file = join(config.DATA_DIR, 'portal-password');
  if (!local.fresh) return [`${portal} (password as first printed; delete ${file} for another)`];
  return [portal, `  Portal password        ${local.fresh} (shown this once)`];
};

const greeting = (address: string, more: readonly string[]): string => {
  const lines = [
    `Estate answers at ${address}`,
    `  Interface description  ${address}/openapi.json`,
    `  Documentation          ${address}/docs`,
    `  GraphiQL               ${address}/graphql`,
    ...more,
  ];
  return `${lines.join('\n')}\n`;
};

/** Resolves when the process receives a stop signal. */
const stopSignal = () =>
  new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });

/** Connections that the system holds until they are accepted. Beyond them a client repeats its attempt after a second. */
const connectionBacklog = 4_096;

/** Serves requests in this process. */
const serveHere = async (config: Config, parts: ServiceParts): Promise<RunningService> => {
  const tracer = await openTracer(config, parts.logger);
  const own = new OwnCaller();
  const app = createService(config, { ...parts, tracer, own });
  const stop = async () => {
    await app.close();
    await tracer?.close();
  };
  try {
    await app.ready();
    const { database, logger } = parts;
    const warm = () => warmUp(app.server, { database, catalogue, own, signal: AbortSignal.timeout(config.WARM_UP_MS) });
    const warn = (error: unknown) => {
      if (logger) logger.warn({ err: error }, 'not warmed up: the first answers take longer');
    };
    if (config.WARM_UP_MS > 0) await warm().catch(warn);
    await app.listen({ host: config.HOST, port: config.PORT, backlog: connectionBacklog });
  } catch (error) {
    // Open connections, such as the one for notifications, would keep the process alive.
    await stop();
    throw error;
  }
  return { port: (app.server.address() as AddressInfo).port, stop };
};

/** A worker. The primary process has prepared the database, prints the start-up messages, and stops the worker. */
const runWorker = async (config: Config, database: Database, logger: Logger): Promise<void> => {
  if (config.METRICS_PORT !== undefined) {
    collectDefaultMetrics();
    // Replies to the primary process with metrics.
    new AggregatorRegistry();
  }
  const running = await serveHere(config, { database, secret: keySecret(config), logger, openWindows: createWorkerWindows() });
  await stopSignal();
  await running.stop();
};

/** Serves the metrics of all processes; undefined if metrics are off. */
const startMetrics = async (config: Config, database: Database): Promise<Server | undefined> => {
  if (config.METRICS_PORT === undefined) return undefined;
  const ofWorkers = config.WORKERS > 1 ? new AggregatorRegistry() : undefined;
  if (!ofWorkers) collectDefaultMetrics();
  const ofProcesses = () => (ofWorkers ? ofWorkers.clusterMetrics() : register.metrics());
  return serveMetrics({ host: config.HOST, port: config.METRICS_PORT, token: config.METRICS_TOKEN }, [
    ofProcesses,
    createDatabaseMetrics(database),
  ]);
};

const countsAlone =
  'REDIS_URL is not set: quota, requests without a key and the sign-in lock-out are counted for this instance alone, whatever others count';

const localAddress = ({ PORT }: Config): string =>
  `PUBLIC_URL is not set: samples, llms.txt and scripts name the service http://localhost:${PORT}, and the portal's cookie is not limited to https`;

/** Upgrades the database, over a direct connection if a pooler is configured. */
const prepare = async (config: Config, database: Database): Promise<void> => {
  if (!config.DATABASE_DIRECT_URL) return void (await upgradeDatabase(database, catalogue));
  const direct = await openDatabase(config);
  await upgradeDatabase(direct, catalogue).finally(() => direct.close());
  await checkPooledSettings(database, config.STATEMENT_TIMEOUT_MS);
};

const losesStatements =
  'The pooler of DATABASE_URL loses named statements, so none are used: upgrade PgBouncer to 1.21 or set PREPARED_STATEMENTS=off';

/** Whether only this machine reaches the service. */
const isLoopback = (host: string): boolean => ['localhost', '127.0.0.1', '::1'].includes(host);

const run = async (config: Config, database: Database, logger: Logger): Promise<void> => {
  await prepare(config, database);
  const secret = keySecret(config);
  // On PostgreSQL, demo data is loaded only by command, and its code is never imported.
  const demo = database.embedded ? await import('./demo.ts') : undefined;
  const stopping = new AbortController();
  const first = demo?.firstStart({ database, secret, folder: config.DATA_DIR, signal: stopping.signal });
  // The service answers as soon as it has one customer.
  await first?.next();
  const demoKeys = [...((await demo?.demoKeysIn(database, secret)) ?? [])];
  if (!database.embedded && !config.REDIS_URL) logger.info(countsAlone);
  if (process.env.NODE_ENV === 'production' && config.PUBLIC_URL === '') logger.warn(localAddress(config));

  const hasOperators = config.PORTAL_PASSWORD !== '' || config.PORTAL_OPERATORS.size > 0;
  const local = database.embedded && !hasOperators ? localPassword(config.DATA_DIR) : undefined;
  const running =
    config.WORKERS > 1
      ? await startWorkers(config.WORKERS, logger)
      : await serveHere(config, { database, secret, logger, portalPassword: local, demoKeys: isLoopback(config.HOST) ? demoKeys : [] });
  let metrics: Server | undefined;
  let following: Promise<void> | undefined;
  try {
    metrics = await startMetrics(config, database);
    const host = ['0.0.0.0', '::', '127.0.0.1'].includes(config.HOST) ? 'localhost' : config.HOST;
    const addressOf = (port: number) => `http://${host}:${port}`;
    const address = addressOf(running.port);
    const metricsLine = metrics ? [`  Metrics                ${addressOf((metrics.address() as AddressInfo).port)}/metrics`] : [];
    const lines = [...portalLines(address, config, local), ...metricsLine, ...(demo?.demoLines(address, demoKeys) ?? [])];
    process.stdout.write(greeting(address, lines));
    const follow = async () => {
      for await (const slug of first ?? []) {
        demoKeys.splice(0, demoKeys.length, ...(await demo!.demoKeysIn(database, secret)));
        process.stdout.write(`\nCustomer ${slug} is loaded.\n${demo!.demoLines(address, demoKeys).join('\n')}\n`);
      }
    };
    following = follow().catch((error: unknown) => {
      if (!stopping.signal.aborted) logger.error({ err: error }, 'a demo customer is not loaded: the next start resumes');
    });
    await stopSignal();
  } finally {
    stopping.abort();
    await following;
    await running.stop();
    metrics?.close();
  }
};

/** Opens the database for requests, without named statements behind a pooler that loses them. */
const openServed = async (config: Config, logger: Logger): Promise<Database> => {
  const { DATABASE_URL, PREPARED_STATEMENTS } = config;
  const isLosing = DATABASE_URL !== '' && PREPARED_STATEMENTS && !(await keepsNamedStatements(DATABASE_URL));
  if (isLosing) logger.warn(losesStatements);
  return openToServe({ ...config, PREPARED_STATEMENTS: PREPARED_STATEMENTS && !isLosing }, (error) =>
    logger.error({ err: error }, 'database connection lost'),
  );
};

export const serve = async (): Promise<void> => {
  const config = readConfig();
  const logger = createLogger(config.LOG_LEVEL);
  const database = await openServed(config, logger);
  try {
    await (cluster.isWorker ? runWorker : run)(config, database, logger);
  } finally {
    await database.close();
    // The channel to the primary process would keep a worker alive.
    cluster.worker?.disconnect();
  }
};
