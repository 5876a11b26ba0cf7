/** What measurements share: the built service on a free port over the `bench` database, keys for its customers, medians. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { KeyStore } from '../src/access/keys.ts';
import { readConfig } from '../src/config.ts';
import { migrate } from '../src/database/control.ts';
import { findCustomer } from '../src/database/customers.ts';
import { keySecret, openDatabase } from '../src/service.ts';

export const config = readConfig();

export interface IssuedKey {
  readonly key: string;
  /** Schema of the key's customer. */
  readonly schema: string;
  revoke(): Promise<void>;
}

/** A key of a customer for the time of a measurement. */
export const issueKey = async (slug: string): Promise<IssuedKey> => {
  const database = await openDatabase(config);
  await migrate(database.control);
  const customer = await findCustomer(database, slug);
  const store = new KeyStore(database, keySecret(config));
  const { id, key } = await store.create({ customer, tier: 'enterprise', name: 'benchmark' });
  return {
    key,
    schema: customer.schema_name,
    revoke: async () => {
      await store.revoke(id);
      await database.close();
    },
  };
};

export interface Server {
  readonly name: string;
  readonly process: ChildProcess;
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server that prints its address. */
export const startServer = async (name: string, script: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Server> => {
  const child = spawn('node', script, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url) return { name, process: child, url, stop };
  }
  throw new Error(`${name} did not start`);
};

/** The built service, without a rate limit. */
export const startService = (environment: NodeJS.ProcessEnv = {}): Promise<Server> =>
  startServer('this service', ['--enable-source-maps', 'dist/main.js', 'serve'], {
    PORT: '0',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'error',
    ...environment,
  });

/** The value below which this share of them lies. */
export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

export const median = (values: readonly number[]): number => quantile(values, 0.5);
