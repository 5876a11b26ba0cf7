/** Loads a file like `estate sync nord <file>`, but replaces tables of any size. `kill.test.ts` ends its process. */
import { catalogue } from '../../src/catalogue/index.ts';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { findSourceFiles } from '../../src/sync/files/source-files.ts';
import { sync } from '../../src/sync/sync.ts';
import { poolOptions } from '../support/settings.ts';

const [path = ''] = process.argv.slice(2);
const database = openPostgres(process.env.DATABASE_URL ?? '', poolOptions);
await sync({ database, catalogue }, await findCustomer(database, 'nord'), {
  files: findSourceFiles([path], 'rows'),
  mode: 'full',
  retentionHours: 24,
  replacing: { share: 0, fewest: 1 },
});
await database.close();
