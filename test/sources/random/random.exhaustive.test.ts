/** The same as random.test.ts, with many rounds. `ROUNDS` changes their number, and `SEED` the first seed. */
import { afterAll, beforeAll, test } from 'vitest';
import type { Database } from '../../../src/database/connections/connection.ts';
import { onServer, openTestDatabase } from '../../support/database.ts';
import { expectPublished } from '../../sync/support.ts';
import { loadRandomExports, readDemo } from './loads.ts';

const roundsOfGroup = 10;
const rounds = Number(process.env.ROUNDS ?? (onServer ? 20 : 10));
const first = Number(process.env.SEED ?? 100);
const seeds = Array.from({ length: Math.ceil(rounds / roundsOfGroup) }, (_, group) => first + group);

let database: Database;
let data: Awaited<ReturnType<typeof readDemo>>;
beforeAll(async () => {
  database = await openTestDatabase();
  data = await readDemo(database);
});
afterAll(() => database.close());

// Each seed has its own customer, and the time limit of a test bounds its rounds.
test.each(seeds)('random exports give equal tables (seed %i)', async (seed) => {
  const { schema_name } = await loadRandomExports(database, data, { seed, rounds: roundsOfGroup });
  await expectPublished(database, schema_name);
  await database.pool.query(`drop schema "${schema_name}" cascade`);
});
