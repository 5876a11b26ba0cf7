/** Random exports of the demo data, loaded by the inverse source, give the same rows (contract: source keys). */
import { afterAll, beforeAll, test } from 'vitest';
import type { Database } from '../../../src/database/connections/connection.ts';
import { openTestDatabase } from '../../support/database.ts';
import { loadRandomExports, readDemo } from './loads.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('random exports give equal tables', async () => {
  await loadRandomExports(database, await readDemo(database), { seed: 1, rounds: 4 });
});
