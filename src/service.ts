/**
 * Puts the service together from its settings: database, keys, readers, server. Used by the command line and by the tests.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Authenticator } from './access/authenticate.ts';
import { createRateLimit } from './access/rate-limit.ts';
import { UsageCounter } from './access/usage.ts';
import { type Catalogue, catalogue as standardCatalogue } from './catalogue/index.ts';
import type { Config } from './config.ts';
import { type Database, openPostgres } from './database/connection.ts';
import { readPersisted } from './graphql/persisted.ts';
import { hashPassword, type PasswordHash } from './portal/password.ts';
import { createPortal } from './portal/portal.ts';
import { createCursors } from './read/cursor.ts';
import { Directories } from './read/directory.ts';
import { createReaderContext } from './read/reader.ts';
import { Versions } from './read/versions.ts';
import { createServer } from './server.ts';

/** Opens the database that the settings name; it is neither migrated nor filled. */
export const openDatabase = async (config: Config, onError: (error: Error) => void = () => {}): Promise<Database> => {
  if (config.DATABASE_URL)
    return openPostgres(config.DATABASE_URL, {
      poolSize: config.POOL_SIZE,
      bulkPoolSize: config.BULK_POOL_SIZE,
      statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
      documentTimeoutMs: config.DOCUMENT_TIMEOUT_MS,
      onError,
    });
  // The embedded database is megabytes of code that a service on a server never needs.
  const { openEmbedded } = await import('./database/embedded.ts');
  return openEmbedded(config.DATA_DIR);
};

/** The configured secret, or the one that the embedded database keeps beside its data. */
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
  /** The embedded database's own; a configured password takes its place. */
  readonly portalPassword?: PasswordHash | undefined;
}

/** The server over an open database, not listening yet. */
export const createService = (config: Config, parts: ServiceParts): FastifyInstance => {
  const { database, secret, logger, catalogue = standardCatalogue } = parts;
  const usage = new UsageCounter(database);
  usage.start((error) => {
    if (logger) logger.error({ err: error }, 'usage not written');
  });
  const requestsPerHour = config.RATE_LIMIT;
  const password = config.PORTAL_PASSWORD ? hashPassword(config.PORTAL_PASSWORD, secret) : parts.portalPassword;
  return createServer({
    usage,
    requestsPerHour,
    portal: password && createPortal({ database, catalogue, usage, secret, password, requestsPerHour }),
    catalogue,
    database,
    directories: new Directories(database),
    versions: new Versions(database, {
      listen: config.VERSION_FEED === 'listen',
      onError: (error) => {
        if (logger) logger.warn({ err: error }, 'notifications of new versions not heard, polling goes on');
      },
    }),
    reading: createReaderContext(database, createCursors(secret), {
      largePages: config.LARGE_PAGES,
      documentTimeoutMs: config.DOCUMENT_TIMEOUT_MS,
      queueWaitMs: config.QUEUE_WAIT_MS,
    }),
    authenticator: new Authenticator(database, secret),
    rateLimit: createRateLimit(config.RATE_LIMIT),
    persisted: { documents: readPersisted(config.PERSISTED_DIR), isRequired: config.PERSISTED_ONLY },
    logger,
    corsOrigins: config.CORS_ORIGINS,
    trustedProxies: config.TRUST_PROXY,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
  });
};
