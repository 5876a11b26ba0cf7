/** Creates a demo customer in one transaction: generated raw rows, then the category tables published from them. */
import { KeyStore } from '../src/access/keys.ts';
import type { Catalogue } from '../src/catalogue/index.ts';
import type { Database } from '../src/database/connections/connection.ts';
import { inTransaction } from '../src/database/connections/transaction.ts';
import { addCustomer, type Customer } from '../src/database/control/customers.ts';
import { vacuum } from '../src/sync/changes/vacuum.ts';
import { loadInitial } from '../src/sync/first-load.ts';
import type { Progress } from '../src/sync/request.ts';
import { type DemoOptions, generateDemo } from './generate.ts';
import { fixedKeys } from './keys.ts';

const names: Readonly<Record<string, string>> = { nord: 'Nordlicht Wohnen GmbH', sued: 'Südhof Immobilien AG' };

export interface DemoCustomer {
  readonly customer: Customer;
  /** The fixed keys that were created for it. */
  readonly keys: readonly string[];
}

/** Loads a customer of the given size. Throws an `OperatorError` if the customer exists. */
export const loadDemo = async (
  { database, catalogue, secret }: { database: Database; catalogue: Catalogue; secret: string },
  slug: string,
  options: DemoOptions,
  progress?: Progress,
): Promise<DemoCustomer> => {
  const customer = await inTransaction(database.pool, async (client) => {
    const added = await addCustomer(client, catalogue, { slug, name: names[slug] ?? `Demo ${slug}`, tier: 'enterprise' });
    await loadInitial(database, client, catalogue, added, generateDemo(options), progress);
    return added;
  });
  await vacuum(database, customer);
  const store = new KeyStore(database, secret);
  const keys = fixedKeys(slug);
  for (const { key, ...rights } of keys) await store.createFixed(customer, rights, key);
  return { customer, keys: keys.map(({ key }) => key) };
};
