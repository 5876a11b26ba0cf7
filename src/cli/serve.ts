/** `estate serve`: the service as a process. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { catalogue } from '../catalogue/index.ts';
import { type Config, readConfig } from '../config.ts';
import type { Database } from '../database/connection.ts';
import { listCustomers } from '../database/customers.ts';
import { inspectCustomer } from '../database/inspect.ts';
import { prepareDatabase } from '../database/prepare.ts';
import { createLogger } from '../http/logger.ts';
import { type LocalPassword, localPassword } from '../portal/password.ts';
import { createService, keySecret, openDatabase } from '../service.ts';

/** The portal's lines in the greeting: how to switch it on, or where it is; the password only when it was just made. */
const portalLines = (address: string, config: Config, local: LocalPassword | undefined): string[] => {
  const portal = `  Portal                 ${address}/portal`;
  if (!local)
    return [config.PORTAL_PASSWORD ? portal : '  Portal                 off; set PORTAL_PASSWORD (at least 12 characters) to open it'];
  const file = join(config.DATA_DIR, 'portal-password');
  if (!local.fresh) return [`${portal} (password as first printed; delete ${file} for another)`];
  return [portal, `  Portal password        ${local.fresh} (shown this once)`];
};

const greeting = (address: string, portal: readonly string[], demo: readonly string[]): string => {
  const lines = [
    `Estate answers at ${address}`,
    `  Interface description  ${address}/openapi.json`,
    `  Documentation          ${address}/docs`,
    `  GraphiQL               ${address}/graphql`,
    ...portal,
    ...demo,
  ];
  return `${lines.join('\n')}\n`;
};

/** Resolves when the process is told to stop. */
const stopSignal = () =>
  new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });

const run = async (config: Config, database: Database, logger: Logger): Promise<void> => {
  await prepareDatabase(database);
  const secret = keySecret(config);
  // A PostgreSQL server gets no demo data unasked, and loads none of its code.
  const demo = database.embedded ? await import('./demo.ts') : undefined;
  await demo?.finishFirstStart({ database, secret, folder: config.DATA_DIR });
  const customers = await listCustomers(database);
  for (const customer of customers) for (const difference of await inspectCustomer(database, catalogue, customer)) logger.warn(difference);

  const local = database.embedded && !config.PORTAL_PASSWORD ? localPassword(config.DATA_DIR) : undefined;
  const app = createService(config, { database, secret, logger, portalPassword: local });
  await app.listen({ host: config.HOST, port: config.PORT });
  const { port } = app.server.address() as AddressInfo;
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(config.HOST) ? 'localhost' : config.HOST;
  const address = `http://${host}:${port}`;
  process.stdout.write(greeting(address, portalLines(address, config, local), demo?.demoLines(address, customers) ?? []));
  await stopSignal();
  await app.close();
};

export const serve = async (): Promise<void> => {
  const config = readConfig();
  const logger = createLogger(config.LOG_LEVEL);
  const database = await openDatabase(config, (error) => logger.error({ err: error }, 'database connection lost'));
  try {
    await run(config, database, logger);
  } finally {
    await database.close();
  }
};
