/** Brings a database up to this version: the control schema, then the tables of customers that an earlier version made. */
import type { Catalogue } from '../../catalogue/index.ts';
import type { Database } from '../../database/connections/connection.ts';
import { prepareDatabase } from '../../database/prepare.ts';
import { addMissingColumns, listOutdated } from './new-columns.ts';

/** Returns the applied migrations, and a line for each table that has new columns. Several processes may call it at once. */
export const upgradeDatabase = async (
  database: Database,
  catalogue: Catalogue,
): Promise<{ readonly applied: readonly string[]; readonly added: readonly string[] }> => {
  const applied = await prepareDatabase(database);
  return { applied, added: await addMissingColumns({ database, catalogue }, await listOutdated(database)) };
};
