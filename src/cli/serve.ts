/** `estate serve`: the service as a process. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pino from 'pino';
import { catalogue } from '../catalogue/index.ts';
import { orders } from '../catalogue/operations.ts';
import { pathOfTable } from '../catalogue/table.ts';
import { type Config, readConfig } from '../config.ts';
import type { Database } from '../database/connection.ts';
import { migrate } from '../database/control.ts';
import { listCustomers } from '../database/customers.ts';
import { inspectCustomer } from '../database/inspect.ts';
import { demoKeys } from '../demo/keys.ts';
import { type LocalPassword, localPassword } from '../portal/password.ts';
import { createService, keySecret, openDatabase } from '../service.ts';
import { showProgress } from './progress.ts';

/** The journals of all years would take longer than a newcomer waits. */
const demoBookingYears = 1;

/** The embedded database starts with two customers; a PostgreSQL server gets nothing unasked. */
const loadDemoCustomers = async (database: Database, secret: string): Promise<void> => {
  const { loadDemo } = await import('../demo/load.ts');
  for (const [slug, scale] of [
    ['nord', 'small'],
    ['sued', 'tiny'],
  ] as const) {
    const { progress, done } = showProgress(slug);
    await loadDemo(
      { database, catalogue, secret },
      slug,
      { scale, seed: slug === 'nord' ? 1 : 2, bookingYears: demoBookingYears },
      progress,
    );
    done();
  }
};

/** The portal's lines in the greeting: how to switch it on, or where it is; the password only when it was just made. */
const portalLines = (address: string, config: Config, local: LocalPassword | undefined): string[] => {
  const portal = `  Portal                 ${address}/portal`;
  if (!local)
    return [config.PORTAL_PASSWORD ? portal : '  Portal                 off; set PORTAL_PASSWORD (at least 12 characters) to open it'];
  const file = join(config.DATA_DIR, 'portal-password');
  if (!local.fresh) return [`${portal} (password as first printed; delete ${file} for another)`];
  return [portal, `  Portal password        ${local.fresh} (shown this once)`];
};

const greeting = (address: string, isDemo: boolean, portal: readonly string[]): string => {
  const lines = [
    `Estate answers at ${address}`,
    `  Interface description  ${address}/openapi.json`,
    `  Documentation          ${address}/docs`,
    `  GraphiQL               ${address}/graphql`,
    ...portal,
  ];
  if (isDemo)
    lines.push(
      `  Demo keys              ${Object.values(demoKeys)
        .flatMap(Object.values<string>)
        .join(', ')}`,
      '',
      'Try:',
      `  curl -H 'X-API-Key: ${demoKeys.nord.professional}' '${address}${pathOfTable(orders)}?limit=2'`,
    );
  return `${lines.join('\n')}\n`;
};

/** Resolves when the process is told to stop. */
const stopSignal = () =>
  new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });

const run = async (config: Config, database: Database, logger: pino.Logger): Promise<void> => {
  await migrate(database.control);
  const secret = keySecret(config);
  if (database.embedded && (await listCustomers(database)).length === 0) await loadDemoCustomers(database, secret);
  const customers = await listCustomers(database);
  for (const customer of customers) for (const difference of await inspectCustomer(database, catalogue, customer)) logger.warn(difference);

  const local = database.embedded && !config.PORTAL_PASSWORD ? localPassword(config.DATA_DIR) : undefined;
  const app = createService(config, { database, secret, logger, portalPassword: local });
  await app.listen({ host: config.HOST, port: config.PORT });
  const { port } = app.server.address() as AddressInfo;
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(config.HOST) ? 'localhost' : config.HOST;
  const isDemo = database.embedded && customers.some(({ slug }) => slug === 'nord');
  const address = `http://${host}:${port}`;
  process.stdout.write(greeting(address, isDemo, portalLines(address, config, local)));
  await stopSignal();
  await app.close();
};

export const serve = async (): Promise<void> => {
  const config = readConfig();
  const logger = pino({ level: config.LOG_LEVEL }, pino.destination(2));
  const database = await openDatabase(config, (error) => logger.error({ err: error }, 'database connection lost'));
  try {
    await run(config, database, logger);
  } finally {
    await database.close();
  }
};
