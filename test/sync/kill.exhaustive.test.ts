/** A load that is killed at any point leaves no wrong row, no lock, and no staged data that the next load does not remove. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/database/connections/connection.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { listRuns } from '../../src/sync/history.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { startEstate } from '../support/program.ts';
import { rounds, seed } from '../support/rounds.ts';
import { startServiceOn, type TestService } from '../support/service.ts';
import { testSecret } from '../support/settings.ts';
import { asCsv, Deliveries, expectPublished, load, readTableData, seededRandom, type TableData } from './support.ts';

const kills = Math.max(4, rounds(10));

let database: Database & { readonly address?: string };
let service: TestService;
let persons: TableData;
const deliveries = new Deliveries();

/** Everyone's city, so that each table shows its load. */
const deliverCity = (city: string): string => {
  const at = persons.columns.indexOf('city');
  return deliveries.write('person.csv', asCsv({ ...persons, rows: persons.rows.map((row) => row.with(at, city)) }));
};

const environment = () => ({ DATABASE_URL: database.address, KEY_SECRET: testSecret });
const inPlace = (path: string) => startEstate(['sync', 'nord', path, '--json'], environment());
const anew = (path: string) =>
  spawn(process.execPath, ['--import', 'tsx', 'test/sync/always-replace.ts', path], {
    env: { ...process.env, ...environment() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const cities = async (): Promise<string[]> =>
  (await database.pool.query('select distinct city from customer_nord.person')).rows.map(({ city }) => city);

/** The cities in responses, which may be cached. */
const shownCities = async (): Promise<string[]> => {
  const { json } = await service.get('/raw/person?limit=5');
  return [...new Set<string>(json.data.map(({ city }: { city: string }) => city))];
};

const versionOf = async (): Promise<number> =>
  (await database.pool.query(`select version from customer_nord._datasets where kind = 'raw' and name = 'person'`)).rows[0].version;

/** Waits until no session writes. The server completes a commit that a killed client has sent. */
const writesEnded = async (): Promise<void> => {
  const writing = async (): Promise<number> =>
    (
      await database.pool.query(
        'select count(*)::int as sessions from pg_stat_activity where datname = current_database() and backend_xid is not null',
      )
    ).rows[0].sessions;
  await expect.poll(writing).toBe(0);
};

describe.runIf(onServer)(`kill -9 at ${kills} random moments`, () => {
  beforeAll(async () => {
    database = await openTestDatabase();
    persons = await readTableData(database, 'person');
    await load(database, [deliverCity('before')]);
    service = await startServiceOn(database);
  });
  afterAll(async () => {
    await service.stop();
    deliveries.remove();
  });

  test.each([
    ['changes rows in place', inPlace],
    ['writes its tables again', anew],
  ])('a load that %s: the data is old or new, and the next load succeeds', { timeout: 900_000 }, async (what, start) => {
    const pick = seededRandom(seed);
    const whole = start(deliverCity(`whole, ${what}`));
    const began = performance.now();
    await once(whole, 'exit');
    let usual = performance.now() - began;
    const abortedRuns = async () => {
      const runs = await listRuns(database, await findCustomer(database, 'nord'), 1000);
      expect(runs.every(({ ended_at }) => ended_at !== null)).toBe(true);
      return runs.filter(({ error }) => error === 'aborted').length;
    };
    const earlier = await abortedRuns();
    let killed = 0;
    for (let n = 0; n < kills; n++) {
      const [before] = await cities();
      const version = await versionOf();
      const after = `city ${n}, ${what}`;
      const child = start(deliverCity(after));
      const exit = once(child, 'exit');
      const started = performance.now();
      // The first third of a run starts Node.
      const timer = setTimeout(() => child.kill('SIGKILL'), usual * (0.35 + pick(65) / 100));
      const [, signal] = await exit;
      clearTimeout(timer);
      if (signal === 'SIGKILL') killed++;
      else usual = performance.now() - started;
      await writesEnded();
      const found = await cities();
      expect(found).toHaveLength(1);
      // A killed load leaves its announcement. The response must be current, read or cached.
      for (let time = 0; time < 2; time++) expect(await shownCities()).toEqual(found);
      expect([before, after]).toContain(found[0]);
      expect(await versionOf()).toBe(found[0] === before ? version : version + 1);
      if (n % 5 === 4 || n === kills - 1) await expectPublished(database);
    }
    expect(killed).toBeGreaterThan(kills / 3);

    const { tables } = await load(database, [deliverCity(`at last, ${what}`)]);
    expect(tables[0]).toMatchObject({ updated: persons.rows.length });
    const { rows } = await database.pool.query(
      `select (select count(*) from pg_locks l join pg_database d on d.oid = l.database
          where l.locktype = 'advisory' and d.datname = current_database()) as locks,
         (select count(*) from pg_class where relname like '% %' and relkind = 'r') as staged,
         (select count(*) from estate.publications where announced_at is not null) as announced`,
    );
    expect(rows[0]).toEqual({ locks: 0, staged: 0, announced: 0 });
    expect((await abortedRuns()) - earlier).toBeLessThanOrEqual(killed);
  });

  test('two concurrent loads: the second waits and says so', async () => {
    const client = await database.pool.connect();
    const { id } = await findCustomer(database, 'nord');
    try {
      await client.query('select pg_advisory_lock($1, $2)', [0x65737461, id]);
      const waiting: string[] = [];
      let second: Promise<unknown> = Promise.resolve();
      await new Promise<void>((held) => {
        second = load(database, [deliverCity('second')], {}, (phase) => {
          waiting.push(phase);
          held();
        });
      });
      expect(waiting).toEqual(['wait']);
      await client.query('select pg_advisory_unlock($1, $2)', [0x65737461, id]);
      await second;
      expect(await cities()).toEqual(['second']);
    } finally {
      client.release();
    }
  });
});
