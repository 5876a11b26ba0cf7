/**
 * The cost of the checks of the data in a load: 400,000 changed booking positions of a customer, loaded with and without checks.
 * Usage: DATABASE_URL=… CUSTOMER=<slug with booking_pos> npm run bench -- checks. The ratio is of the fastest of three loads each.
 */
import { createWriteStream, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import { catalogue } from '../src/catalogue/index.ts';
import { openPostgres } from '../src/database/connections/postgres.ts';
import { findCustomer } from '../src/database/control/customers.ts';
import { prepareDatabase } from '../src/database/prepare.ts';
import { findSourceFiles } from '../src/sync/files/source-files.ts';
import { sync } from '../src/sync/sync.ts';
import { poolOptions } from '../test/support/settings.ts';

const rows = Number(process.env.ROWS ?? 400_000);
const rounds = 3;
const path = '/tmp/booking_pos.csv';
const database = openPostgres(process.env.DATABASE_URL ?? '', poolOptions);
await prepareDatabase(database);
const customer = await findCustomer(database, process.env.CUSTOMER ?? 'nord');

/** Writes a delivery in which every row differs from the last one. */
const deliver = async (round: number): Promise<void> => {
  const columns = Object.keys((await import('../src/catalogue/raw/index.ts')).rawTables.booking_pos.columns);
  const selected = columns.map((name) => (name === 'booking_text' ? `'round ${round}' as booking_text` : name)).join();
  const more = columns
    .map(
      (name) =>
        ({ booking_pos_id: 'booking_pos_id + 1000000000', position_number: 'position_number + 1000', booking_text: `'round ${round}'` })[
          name
        ] ?? name,
    )
    .join();
  const client = await database.pool.connect();
  const table = `${customer.schema_name}.booking_pos`;
  const own = `(select * from ${table} where booking_pos_id < 1000000000) as own`;
  const text = `copy (select * from (select ${selected} from ${own} union all select ${more} from ${own}) as doubled limit ${rows}) to stdout csv header`;
  await pipeline(client.query(copyTo(text)), createWriteStream(path));
  client.release();
};

let round = 0;
const seconds = async (withoutChecks: boolean): Promise<number> => {
  await deliver(Date.now() + round++);
  const files = findSourceFiles([path], 'rows');
  const request = {
    files,
    mode: 'full' as const,
    retentionHours: 24,
    withoutChecks,
    allowDeletes: ['booking_pos'],
    allowEmptyColumns: ['booking_pos'],
  };
  return (await sync({ database, catalogue }, customer, request)).seconds;
};

const times = { without: [] as number[], with: [] as number[] };
for (let at = 0; at < rounds; at++) {
  times.without.push(await seconds(true));
  times.with.push(await seconds(false));
}
const [without, withChecks] = [Math.min(...times.without), Math.min(...times.with)];
process.stdout.write(
  `${rows} rows: ${without} s without checks, ${withChecks} s with checks, ratio ${(withChecks / without).toFixed(2)}\n`,
);
rmSync(path);
await database.close();
