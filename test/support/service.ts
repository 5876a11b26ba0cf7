/** The service on a socket, over a separate database. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { OwnCaller } from '../../src/access/own-caller.ts';
import type { Catalogue } from '../../src/catalogue/index.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { createService, openTracer } from '../../src/service.ts';
import type { DemoKey } from '../../src/web/pages/demo-keys.ts';
import { openTestDatabase } from './database.ts';
import { keys, testSecret } from './settings.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers have any shape
  readonly json: any;
}

export interface GetOptions {
  /** The API key; null sends none. */
  readonly key?: string | null;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestService {
  readonly url: string;
  /** The address in answers: PUBLIC_URL or its default. */
  readonly address: string;
  readonly port: number;
  readonly app: FastifyInstance;
  readonly database: Database & { readonly address?: string };
  get(path: string, options?: GetOptions): Promise<Answer>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Settings in the form of environment variables. The rate limit is off unless it is set here. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly catalogue?: Catalogue;
  readonly logger?: FastifyBaseLogger;
  /** The caller of the warm-up requests. */
  readonly own?: OwnCaller;
  readonly demoKeys?: readonly DemoKey[];
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Starts the service on a free port, over a fresh copy of the template. */
export const startService = async (options: ServiceOptions = {}): Promise<TestService> => startServiceOn(await openTestDatabase(), options);

const appOver = async (
  database: Database,
  { environment = {}, catalogue, logger, own, demoKeys = [] }: ServiceOptions,
): Promise<FastifyInstance> => {
  const config = readConfig({ RATE_LIMIT: '0', KEY_SECRET: testSecret, PORT: '0', LOG_LEVEL: 'silent', ...environment });
  const parts = { database, secret: testSecret, logger: logger ?? false, demoKeys } as const;
  const tracer = await openTracer(config, parts.logger);
  const app = createService(config, { ...parts, tracer, ...(catalogue && { catalogue }), ...(own && { own }) });
  app.addHook('onClose', async () => tracer?.close());
  return app;
};

/** One more instance over a database. It does not listen and does not close the database. */
export const startInstance = async (database: Database, environment: ServiceOptions['environment'] = {}): Promise<FastifyInstance> => {
  const app = await appOver(database, { environment });
  await app.ready();
  return app;
};

/** Starts the service over a database, which it closes. */
export const startServiceOn = async (database: TestService['database'], options: ServiceOptions = {}): Promise<TestService> => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-files-'));
  const app = await appOver(database, { ...options, environment: { FILES_DIR: folder, ...options.environment } });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    address: app.publicUrl.address,
    port,
    app,
    database,
    get: async (path, { key = keys.nordEnterprise, method = 'GET', headers = {} } = {}) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...(key === null ? {} : { 'X-API-Key': key }), ...headers },
        redirect: 'manual',
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: parse(text) };
    },
    stop: async () => {
      await app.close();
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
};
