/** Rows arrive complete and in order, wherever the network splits them and however long a reader must wait for its time slice. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/database/connections/connection.ts';
import { bufferRows } from '../../src/wire/json-rows.ts';
import { openTestDatabase } from '../support/database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Rows of 1 byte to 200 KB: many in one read, and one in many reads. */
const statement = (seed: number) => ({
  text: `select i, repeat(md5((i * $1)::text), case when i % 100 = 0 then 6400 else i % 50 end) as text from generate_series(1, 3000) i`,
  name: '',
  values: [seed],
});

test.each(['pages', 'large'] as const)('several readers of %s at once receive their own rows', async (workClass) => {
  const read = async (seed: number) => {
    const client = await database.shares[workClass].connect();
    try {
      const expected = await client.query(statement(seed));
      const { held } = await bufferRows(client, statement(seed), { hidden: 0, limit: 3_000 });
      const rows = JSON.parse(Buffer.concat(held.body).toString());
      held.release();
      expect(rows).toEqual(expected.rows);
    } finally {
      client.release();
    }
  };
  await Promise.all([3, 5, 7, 11].map(read));
});

test('an error in the middle of the rows leaves the connection usable', async () => {
  const client = await database.shares.large.connect();
  try {
    const failing = {
      text: 'select 1 / (2000 - i) as one, repeat($1, 100) as text from generate_series(1, 3000) i',
      name: '',
      values: ['x'],
    };
    await expect(bufferRows(client, failing, { hidden: 0, limit: 3_000 })).rejects.toThrow('division by zero');
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  } finally {
    client.release();
  }
});
