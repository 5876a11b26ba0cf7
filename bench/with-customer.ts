/** A customer without rows in a temporary database on the server of DATABASE_URL. */
import { temporaryDatabase } from '../scripts/support/temporary-database.ts';
import { catalogue } from '../src/catalogue/index.ts';
import { openPostgres } from '../src/database/connections/postgres.ts';
import { inTransaction } from '../src/database/connections/transaction.ts';
import { addCustomer } from '../src/database/control/customers.ts';
import { prepareDatabase } from '../src/database/prepare.ts';
import type { Loaded } from '../src/sources/prepare-load.ts';
import { poolOptions } from '../test/support/settings.ts';

/** Runs `work`, and drops the database after it. */
export const withCustomer = async <T>(work: (loaded: Loaded) => Promise<T>): Promise<T> => {
  const { url, drop } = await temporaryDatabase();
  const database = openPostgres(url, poolOptions);
  try {
    await prepareDatabase(database);
    const customer = await inTransaction(database.pool, (client) =>
      addCustomer(client, catalogue, { slug: 'bench', name: 'Bench', tier: 'enterprise' }),
    );
    return await work({ database, customer });
  } finally {
    await database.close();
    await drop();
  }
};
