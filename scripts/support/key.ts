/** The database of `DATABASE_URL`, and keys for its customers. */
import { KeyStore } from '../../src/access/keys.ts';
import type { ScopeDefinition } from '../../src/catalogue/data-scope.ts';
import { readConfig } from '../../src/config.ts';
import { migrate } from '../../src/database/control/control.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { keySecret, openDatabase } from '../../src/service.ts';

export const config = readConfig();

export interface IssuedKey {
  readonly key: string;
  /** The schema of the key's customer. */
  readonly schema: string;
  revoke(): Promise<void>;
}

/** A temporary key of a customer, for all data or for a scope. */
export const issueKey = async (slug: string, scope: ScopeDefinition | null = null): Promise<IssuedKey> => {
  const database = await openDatabase(config);
  await migrate(database.control);
  const customer = await findCustomer(database, slug);
  const store = new KeyStore(database, keySecret(config));
  const { id, key } = await store.create({ customer, tier: 'enterprise', name: 'benchmark', scope });
  return {
    key,
    schema: customer.schema_name,
    revoke: async () => {
      await store.revoke(id);
      await database.close();
    },
  };
};
