/** What every process does with a database before it uses it. */
import type { Database } from './connection.ts';
import { migrate } from './control.ts';
import { settleEpochOf } from './epoch.ts';

/** Brings the control schema up to date and notices if the data was restored from a backup. Gives the migrations applied. */
export const prepareDatabase = async (database: Database): Promise<readonly string[]> => {
  const applied = await migrate(database.control);
  await settleEpochOf(database);
  return applied;
};
