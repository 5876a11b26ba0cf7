/** The same as random.test.ts, with many rounds. */
import { afterAll, beforeAll, test } from 'vitest';
import type { Database } from '../../../src/database/connections/connection.ts';
import { onServer, openTestDatabase } from '../../support/database.ts';
import { rounds, seed } from '../../support/rounds.ts';
import { expectPublished } from '../../sync/support.ts';
import { loadRandomExports, readDemo } from './loads.ts';

const all = rounds(onServer ? 20 : 10);
const seeds = Array.from({ length: Math.ceil(all / 10) }, (_, group) => seed + group);
const roundsOfSeed = Math.ceil(all / seeds.length);

let database: Database;
let data: Awaited<ReturnType<typeof readDemo>>;
beforeAll(async () => {
  database = await openTestDatabase();
  data = await readDemo(database);
});
afterAll(() => database.close());

// Each seed has its own customer, and the time limit of a test bounds its rounds.
test.each(seeds)('random exports give equal tables (seed %i)', async (each) => {
  const { schema_name } = await loadRandomExports(database, data, { seed: each, rounds: roundsOfSeed });
  await expectPublished(database, schema_name);
  await database.pool.query(`drop schema "${schema_name}" cascade`);
});
