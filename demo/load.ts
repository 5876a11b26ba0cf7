/** Creates a demo customer: generated raw rows, then the category tables published from them. */
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { KeyStore } from '../src/access/keys.ts';
import type { Catalogue } from '../src/catalogue/index.ts';
import type { Database } from '../src/database/connections/connection.ts';
import { allowWaiting, inTransaction } from '../src/database/connections/transaction.ts';
import { addCustomer, type Customer } from '../src/database/control/customers.ts';
import { vacuum } from '../src/sync/changes/vacuum.ts';
import { loadInitial } from '../src/sync/first-load.ts';
import type { Progress } from '../src/sync/request.ts';
import { type DemoOptions, generateDemo } from './generate.ts';
import { fixedKeys } from './keys.ts';

const names: Readonly<Record<string, string>> = { nord: 'Nordlicht Wohnen GmbH', sued: 'Südhof Immobilien AG' };

const addDemo = (client: pg.ClientBase, catalogue: Catalogue, slug: string): Promise<Customer> =>
  addCustomer(client, catalogue, { slug, name: names[slug] ?? `Demo ${slug}`, tier: 'enterprise' });

export interface DemoCustomer {
  readonly customer: Customer;
  /** The fixed keys that were created for it. */
  readonly keys: readonly string[];
}

/** Loads a customer of the given size in one transaction. Throws an `OperatorError` if the customer exists. */
export const loadDemo = async (
  { database, catalogue, secret }: { database: Database; catalogue: Catalogue; secret: string },
  slug: string,
  options: DemoOptions,
  progress?: Progress,
): Promise<DemoCustomer> => {
  const customer = await inTransaction(database.pool, async (client) => {
    const added = await addDemo(client, catalogue, slug);
    await allowWaiting(client);
    await loadInitial(database, client, catalogue, added, generateDemo(options), progress);
    return added;
  });
  return finish(database, secret, customer);
};

/** Frees space and creates the fixed keys. */
const finish = async (database: Database, secret: string, customer: Customer): Promise<DemoCustomer> => {
  await vacuum(database, customer);
  const store = new KeyStore(database, secret);
  const keys = fixedKeys(customer.slug);
  for (const { key, ...rights } of keys) await store.createFixed(customer, rights, key);
  return { customer, keys: keys.map(({ key }) => key) };
};

const checkMs = 10;
const longestMs = 1_000;

/** Waits until no request uses the embedded database, at most a second: a step of the load computes in the same thread. */
const untilQuiet = async (pool: pg.Pool): Promise<void> => {
  const limit = performance.now() + longestMs;
  // A request releases the connection between its statements, so one look is not enough.
  for (let quiet = 0; quiet < 2 && performance.now() < limit; ) {
    await pause(checkMs);
    quiet = pool.waitingCount === 0 && pool.idleCount === pool.totalCount ? quiet + 1 : 0;
  }
};

/**
 * The same on the embedded database, without a transaction around it: requests use its only connection between two statements. Nobody reads the
 * customer before its keys are there. If it is interrupted, the history has no load of the customer.
 */
export const loadDemoBesideRequests = async (
  { database, catalogue, secret }: { database: Database; catalogue: Catalogue; secret: string },
  slug: string,
  options: DemoOptions,
  progress: Progress,
): Promise<DemoCustomer> => {
  const customer = await inTransaction(database.pool, (client) => addDemo(client, catalogue, slug));
  // The pool takes each statement as a client does.
  const client = database.pool as unknown as pg.PoolClient;
  await loadInitial(database, client, catalogue, customer, generateDemo(options), progress, () => untilQuiet(database.pool));
  return finish(database, secret, customer);
};
