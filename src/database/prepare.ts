/** Prepares a database at process start. */
import type { Database } from './connections/connection.ts';
import { migrate } from './control/control.ts';
import { ensureEpochOf } from './control/epoch.ts';
import { moveStates } from './control/move-state.ts';

/** Migrates the control schema and detects a restore from a backup. Returns the applied migrations. */
export const prepareDatabase = async (database: Database): Promise<readonly string[]> => {
  const applied = await migrate(database.control);
  await moveStates(database);
  await ensureEpochOf(database);
  return applied;
};
