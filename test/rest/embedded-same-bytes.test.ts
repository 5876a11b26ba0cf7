import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/database/connections/connection.ts';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { withClient } from '../../src/database/connections/transaction.ts';
import { overPglite } from '../../src/database/embedded/embedded.ts';
import { BufferedJson } from '../../src/wire/json-out.ts';
import { JsonRows } from '../../src/wire/json-rows.ts';
import { readRows } from '../../src/wire/read-rows.ts';
import { onServer } from '../support/database.ts';
import { poolOptions } from '../support/settings.ts';

const text = [
  ...Array.from({ length: 127 }, (_, i) => String.fromCharCode(i + 1)),
  'Zoë',
  '😀',
  '\u2028',
  '\ufeff',
  '\u00a0',
  "'",
  '\\',
].join('');

const create = `create temporary table nasty (
  id integer, big bigint, small smallint, amount numeric(14,2), free numeric, single real, double double precision,
  flag boolean, day date, at timestamptz, local timestamp, note text, code varchar(5), fixed char(5), document json, binary_document jsonb,
  list text[], bytes bytea, span interval, unique_id uuid)`;

const insert = `insert into nasty values
  (0, 0, 0, 0, 0, 0, 0, true, '2024-02-29', '2024-11-30 03:00:00.5+01', '2024-11-30 03:00:00.000001', $1, 'ab', 'ab', '{"a" : 1.10}', '{"a": 1.10}', array['a"b', null], '\\x00ff', '1 day 02:00', '7f0c9ee1-6f0d-4f35-9c3c-0d7a0a6f6f0e'),
  (-2147483648, -9223372036854775808, -32768, -999999999999.99, -0.00000000000000000001, -1.5e-30, 1e300, false, '0001-01-01', '0001-01-01 00:00:00+00', '9999-12-31 23:59:59.999999', '', '', '', 'null', '[]', '{}', '', '-1 year', null),
  (2147483647, 9223372036854775807, 32767, 999999999999.99, 123456789012345678901234567890.123456789, 'NaN', 'NaN', null, '9999-12-31', 'infinity', '-infinity', $1 || $1, null, null, null, null, null, null, null, null),
  (1, 9007199254740993, 1, 'NaN', 'Infinity', 'Infinity', '-Infinity', null, 'infinity', '-infinity', 'infinity', null, null, null, null, null, null, null, null, null),
  (2, null, null, 1.10, 1e-10, 0.1, 0.1, null, '-infinity', '2024-07-01 12:00:00.123456+02', null, null, null, null, null, null, null, null, null, null)`;

/** The bytes that the row writer produces for the table on one client. */
const bytesOn = ({ pool }: Database, batch: number | undefined): Promise<string> =>
  withClient(pool, async (client: pg.PoolClient) => {
    await client.query('drop table if exists nasty');
    await client.query(create);
    await client.query(insert, [text]);
    await client.query('insert into nasty (id, note) select n, repeat($1, n % 50) from generate_series(10, 500) n', ['ä"\n']);
    const held = new BufferedJson();
    const rows = new JsonRows(held.out, { hidden: 0, limit: Number.POSITIVE_INFINITY });
    await readRows(client, { text: 'select * from nasty where id <> $1 order by id', name: 'nasty', values: [-7] }, rows, batch);
    rows.end();
    return Buffer.concat(held.end().body).toString();
  });

describe.runIf(onServer)('the embedded database gives the same bytes as a server (contract: row values)', () => {
  test('with values of every type', async () => {
    const server = openPostgres(process.env.DATABASE_URL as string, poolOptions);
    const embedded = await overPglite(await PGlite.create());
    try {
      const expected = await bytesOn(server, undefined);
      expect(JSON.parse(expected)).toHaveLength(496);
      expect(await bytesOn(embedded, undefined)).toBe(expected);
    } finally {
      await server.close();
      await embedded.close();
    }
  });
});

/** A stream to the server that splits its bytes into pieces of any length. */
const inPieces = async (address: string, seed: number) => {
  const { hostname, port } = new URL(address);
  let state = seed;
  const next = (max: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return 1 + (state % max);
  };
  const proxy = createServer((client) => {
    const server = connect(Number(port || 5432), hostname);
    client.pipe(server).on('error', () => client.destroy());
    client.on('error', () => server.destroy());
    server.on('data', async (bytes) => {
      server.pause();
      for (let at = 0; at < bytes.length; ) {
        const end = at + next(at % 3 === 0 ? 9 : 700);
        await new Promise((taken) => client.write(bytes.subarray(at, end), taken));
        at = end;
      }
      server.resume();
    });
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const through = new URL(address);
  through.hostname = '127.0.0.1';
  through.port = String((proxy.address() as AddressInfo).port);
  return { address: through.href, close: () => proxy.close() };
};

test.runIf(onServer)('rows are equal wherever the network splits them', async () => {
  const address = process.env.DATABASE_URL as string;
  const server = openPostgres(address, poolOptions);
  const expected = await bytesOn(server, undefined);
  await server.close();
  for (const seed of [1, 2, 3, 4]) {
    const pieces = await inPieces(address, seed);
    const cut = openPostgres(pieces.address, poolOptions);
    expect([seed, await bytesOn(cut, undefined)]).toEqual([seed, expected]);
    await cut.close();
    pieces.close();
  }
});

test('a read in batches gives the same bytes as a read at once', async () => {
  const embedded = await overPglite(await PGlite.create());
  try {
    const expected = await bytesOn(embedded, undefined);
    for (const batch of [1, 7, 495, 496, 497, 2000]) expect([batch, await bytesOn(embedded, batch)]).toEqual([batch, expected]);
  } finally {
    await embedded.close();
  }
});
