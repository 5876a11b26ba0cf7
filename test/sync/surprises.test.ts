/**
 * Deliveries that differ much from the last one are held until a person accepts them (contract: surprises). Random ordinary changes raise no
 * alarm, and each of the listed faults does.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../src/database/connections/connection.ts';
import { withClient } from '../../src/database/connections/transaction.ts';
import { acceptHeld, heldDeliveries } from '../../src/sync/profiles/kept-profiles.ts';
import { measureProfile, type Profile, type ProfiledColumn, profileOf } from '../../src/sync/profiles/profile.ts';
import { surprisesOf } from '../../src/sync/profiles/surprises.ts';
import { openTestDatabase } from '../support/database.ts';
import { asCsv, Deliveries, type LoadOptions, load, seededRandom } from './support.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let database: Database;
const deliveries = new Deliveries();
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
  deliveries.remove();
});

interface Row {
  readonly id: number;
  readonly begins: string;
  readonly status_key: string;
  readonly amount_net: number;
  readonly amount_gross: number;
  readonly balance: number;
  readonly note: string | null;
}

const columns: readonly ProfiledColumn[] = [
  { name: 'begins', type: 'date', required: true },
  { name: 'status_key', type: 'text', required: true },
  { name: 'amount_net', type: 'numeric(14,2)', required: true },
  { name: 'amount_gross', type: 'numeric(14,2)', required: true },
  { name: 'balance', type: 'numeric(14,2)', required: true },
  { name: 'note', type: 'text', required: false },
];

type Random = ReturnType<typeof seededRandom>;

const pick = <T>(random: Random, values: readonly T[]): T => values[random(values.length)]!;

const day = (random: Random): string => {
  const month = String(1 + random(12)).padStart(2, '0');
  // Contracts begin on the first of a month, or in its middle.
  return `${2_015 + random(11)}-${month}-${pick(random, ['01', '01', '01', '15'])}`;
};

const rowOf = (random: Random, id: number): Row => {
  const net = Math.round(Math.exp(4 + random(400) / 100) * 100) / 100;
  return {
    id,
    begins: day(random),
    status_key: pick(random, ['active', 'active', 'active', 'ended', 'draft']),
    amount_net: net,
    amount_gross: pick(random, [net, Math.round(net * 119) / 100]),
    balance: pick(random, [0, net, net, -net]),
    note: pick(random, ['x', null]),
  };
};

const rowsOf = (random: Random, count: number): Row[] => Array.from({ length: count }, (_, index) => rowOf(random, index + 1));

/** A month of ordinary work: rows end, rows come, amounts and states change. */
const nextMonth = (random: Random, rows: readonly Row[]): Row[] => {
  const kept = rows.filter(() => random(100) >= random(6));
  const changed = kept.map((row) => {
    if (random(100) >= 20) return row;
    const factor = 0.9 + random(30) / 100;
    const net = Math.round(row.amount_net * factor * 100) / 100;
    const gross = Math.round(row.amount_gross * factor * 100) / 100;
    return { ...row, amount_net: net, amount_gross: Math.max(net, gross), balance: pick(random, [0, net, -net]), status_key: 'active' };
  });
  const last = Math.max(...rows.map(({ id }) => id));
  return [...changed, ...Array.from({ length: random(Math.ceil(rows.length / 8)) }, (_, index) => rowOf(random, last + index + 1))];
};

const profileRows = (rows: readonly Row[]): Promise<Profile> =>
  withClient(database.pool, async (client) => {
    await client.query('drop table if exists profiled');
    await client.query(
      `create temporary table profiled as select * from jsonb_to_recordset($1::jsonb) as r (id bigint, begins date, status_key text,
         amount_net numeric(14,2), amount_gross numeric(14,2), balance numeric(14,2), note text)`,
      [JSON.stringify(rows)],
    );
    return profileOf(client, { table: 'lease', from: 'pg_temp.profiled', columns });
  });

test('ordinary changes of many months raise no alarm', async () => {
  const alarms: string[] = [];
  for (let seed = 1; seed <= 8; seed++) {
    const random = seededRandom(seed);
    let rows = rowsOf(random, [25, 60, 150, 800][seed % 4]!);
    let before = await profileRows(rows);
    for (let month = 1; month <= 6; month++) {
      rows = nextMonth(random, rows);
      const now = await profileRows(rows);
      for (const isWhole of [true, false])
        alarms.push(...surprisesOf(before, now, isWhole).map(({ column, words }) => `${seed}, ${month}: ${column} ${words}`));
      before = now;
    }
  }
  expect(alarms).toEqual([]);
});

test('deliveries of a year to date raise no alarm, although the second has twice the rows of the first', async () => {
  const random = seededRandom(5);
  const until = (month: number) =>
    rowsOf(random, 100 * month).map((row) => ({ ...row, begins: `2026-0${1 + random(month)}-0${1 + random(9)}` }));
  let before = await profileRows(until(1));
  for (const month of [2, 3, 4]) {
    const now = await profileRows(until(month));
    expect(surprisesOf(before, now, true)).toEqual([]);
    before = now;
  }
});

test('a rise of all rents, and new rows of another kind, raise no alarm', async () => {
  const rows = rowsOf(seededRandom(6), 200);
  const before = await profileRows(rows);
  const risen = rows.map((row) => ({ ...row, amount_net: row.amount_net * 1.15, amount_gross: row.amount_gross * 1.15 }));
  const bought = Array.from({ length: 60 }, (_, index) => ({ ...rowOf(seededRandom(index), 1_000 + index), status_key: 'draft' }));
  expect(surprisesOf(before, await profileRows([...risen, ...bought]), true)).toEqual([]);
});

const swapDay = (text: string): string => {
  const [year, month, dayOfMonth] = text.split('-');
  return Number(dayOfMonth) <= 12 ? `${year}-${dayOfMonth}-${month}` : text;
};

describe('each fault is named', () => {
  const faults: readonly (readonly [string, (rows: readonly Row[]) => readonly Row[], RegExp])[] = [
    ['19 % of the rows are missing', (rows) => rows.slice(Math.ceil(rows.length * 0.19)), /^(?:19|20) % of the rows are missing/],
    ['the delivery is there twice', (rows) => [...rows, ...rows], /a part may be there twice/],
    [
      'all amounts negative',
      (rows) => rows.map((row) => ({ ...row, amount_net: -row.amount_net })),
      /^all amounts are negative, and 0 % were/,
    ],
    [
      'net and gross exchanged',
      (rows) => rows.map((row) => ({ ...row, amount_net: row.amount_gross, amount_gross: row.amount_net })),
      /the columns may be exchanged/,
    ],
    ['cents', (rows) => rows.map((row) => ({ ...row, amount_net: row.amount_net * 100 })), /100(?:\.\d)? times as large, as if cents/],
    ['thousandths', (rows) => rows.map((row) => ({ ...row, amount_net: row.amount_net / 1_000 })), /times smaller, as if thousandths/],
    ['another code', (rows) => rows.map((row) => ({ ...row, status_key: 'active' })), /"active" is in 100 % of the rows/],
    ['no values', (rows) => rows.map((row, index) => ({ ...row, note: index % 10 === 0 ? row.note : null })), /of the rows have no value/],
    [
      'days and months exchanged',
      (rows) => rows.map((row) => ({ ...row, begins: swapDay(row.begins) })),
      /days and months may be exchanged/,
    ],
    [
      'years of the last century',
      (rows) => rows.map((row) => ({ ...row, begins: row.begins.replace('20', '19') })),
      /the mean year is 1920/,
    ],
    [
      'a month is missing',
      (rows) => rows.filter(({ begins }) => !begins.startsWith('2020-06')),
      /half of the rows or more are missing in 2020-06$/,
    ],
  ];
  test.each(faults)('%s', async (_what, damage, words) => {
    const random = seededRandom(7);
    // A month needs some rows before its loss shows.
    const rows = [
      ...rowsOf(random, 1_500),
      ...Array.from({ length: 30 }, (_, index) => ({ ...rowOf(random, 2_000 + index), begins: '2020-06-01' })),
    ];
    const [before, now] = [await profileRows(rows), await profileRows(damage(nextMonth(seededRandom(8), rows)))];
    expect(surprisesOf(before, now, true).map((one) => one.words)).toContainEqual(expect.stringMatching(words));
  });
});

test('a delivery of changes is compared by the forms of its amounts only', async () => {
  const rows = rowsOf(seededRandom(3), 400);
  const before = await profileRows(rows);
  const few = rows.slice(0, 60).map((row) => ({ ...row, status_key: 'ended', begins: '2026-01-01' }));
  expect(surprisesOf(before, await profileRows(few), false)).toEqual([]);
  const cents = few.map((row) => ({ ...row, amount_net: row.amount_net * 100 }));
  expect(surprisesOf(before, await profileRows(cents), false)).toHaveLength(2);
});

test('a large delivery is measured by a sample, with the same answers', async () => {
  const measured = (amount: string, rows: number, where = 'true') =>
    withClient(database.pool, async (client) => {
      await client.query('drop table if exists customer_nord."large", customer_nord."large sample"');
      await client.query(
        `create unlogged table customer_nord."large" as select i as id, date '2015-01-01' + i % 3650 as begins,
           (array['active', 'ended'])[1 + i % 2] as status_key, ${amount} as amount_net, 1.19 * (${amount}) as amount_gross, i % 9 - 2.0 as balance,
           nullif(i % 4, 0)::text as note from generate_series(1, ${rows}) as i where ${where}`,
      );
      const known = columns.map((column) => (column.name === 'amount_gross' ? { ...column, type: 'numeric' } : column));
      const found = await measureProfile(client, {
        table: 'lease',
        from: 'customer_nord."large"',
        columns: known,
        sample: 'customer_nord."large sample"',
      });
      await client.query('drop table customer_nord."large", customer_nord."large sample"');
      return found;
    });
  const amount = '(1 + i % 1000)::numeric(14,2)';
  const before = await measured(amount, 150_000);
  expect(before.rows).toBe(150_000);
  expect(Math.abs(before.measured - 50_000)).toBeLessThan(2_000);
  expect(surprisesOf(before, await measured(amount, 156_000), true)).toEqual([]);
  const words = async (now: Promise<Profile>) => surprisesOf(before, await now, true).map((one) => one.words);
  expect(await words(measured(`100 * ${amount}`, 150_000))).toContainEqual(
    expect.stringMatching(/times as large, as if cents .*: the sum is about 7,[45]/),
  );
  expect(await words(measured(amount, 150_000, 'i % 3650 not between 1000 and 1030'))).toEqual([
    expect.stringMatching(/^half of the rows or more are missing in 2017-/),
  ]);
});

const newTables = { key: 'id', tier: 'basic' as const };
const watched = { accept: false, allowDeletes: [], allowEmptyColumns: [] };
const places = (from: number, to: number, kind: (id: number) => string) =>
  asCsv({
    columns: ['id', 'kind_key'],
    rows: Array.from({ length: to - from + 1 }, (_, index) => [String(from + index), kind(from + index)]),
  });
const deliver = (content: string, options: LoadOptions = {}) =>
  load(database, [deliveries.write('readings.csv', content)], { ...watched, ...options });

test('a surprise holds a load until a person accepts it', async () => {
  const kind = (id: number) => (id % 2 === 0 ? 'heat' : 'water');
  await deliver(places(1, 200, kind), { newTables });
  const fewer = places(1, 165, kind);
  const words = 'readings: 18 % of the rows are missing: 165, and the last delivery had 200';
  for (const dryRun of [true, false])
    await expect(deliver(fewer, { dryRun })).rejects.toThrow(
      `${words}\nThe delivery is held: ordinary changes do not explain the differences. If it is right: --accept`,
    );
  const schema = 'customer_nord';
  expect(await heldDeliveries(database.pool, schema)).toMatchObject([{ table: 'readings', source: '', surprises: [words] }]);
  // The rows of the last load are still there, and the option loads the others.
  expect((await deliver(fewer, { accept: true })).tables[0]).toMatchObject({ deleted: 35 });
  expect(await heldDeliveries(database.pool, schema)).toEqual([]);
  // What a person allows by another option is no surprise.
  expect((await deliver(places(1, 140, kind), { allowDeletes: ['readings'] })).tables[0]).toMatchObject({ deleted: 25 });
  const other = places(1, 140, () => 'heat');
  await expect(deliver(other)).rejects.toThrow('readings.kind_key: "heat" is in 100 % of the rows, and it was in 50 %');
  const [held] = await heldDeliveries(database.pool, schema);
  await withClient(database.pool, (client) => acceptHeld(client, schema, new Date(held!.at.getTime() - 1_000)));
  await expect(deliver(other)).rejects.toThrow('The delivery is held');
  // After a person accepted it, later deliveries like it pass.
  expect(await withClient(database.pool, (client) => acceptHeld(client, schema, new Date(Date.now() + 60_000)))).toEqual(['readings']);
  expect((await deliver(places(1, 139, () => 'heat'))).tables[0]).toMatchObject({ updated: 70, deleted: 1 });
});
