/** Loads and senders that are killed at any moment lose no event (decision 100). */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { EndpointStore } from '../../src/webhooks/endpoints.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { startEstate } from '../support/program.ts';
import { rounds, seed } from '../support/rounds.ts';
import { startInstance } from '../support/service.ts';
import { testSecret } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';
import { asCsv, Deliveries, load, readTableData, seededRandom } from '../sync/support.ts';
import { startReceiver } from './receiver.ts';

const loads = rounds(20);

test.runIf(onServer)(
  `${loads} loads are killed, and each version that was committed is sent, in order`,
  { timeout: loads * 30_000 },
  async () => {
    const database = await openTestDatabase();
    const sql = sqlOn({ database } as never);
    const deliveries = new Deliveries();
    const receiver = await startReceiver();
    const environment = { WEBHOOK_ALLOW_PRIVATE: 'true' };
    let instance = await startInstance(database, environment);
    try {
      const persons = await readTableData(database, 'person');
      // A small delivery: its load is short, so that kills meet each of its steps.
      const one = { ...persons, rows: persons.rows.slice(0, 1) };
      const at = one.columns.indexOf('city');
      const deliver = (city: string) => deliveries.write('person.csv', asCsv({ ...one, rows: one.rows.map((row) => row.with(at, city)) }));
      const start = (city: string) =>
        startEstate(
          ['sync', 'nord', deliver(city), '--upsert', '--json'],
          { DATABASE_URL: database.address, KEY_SECRET: testSecret },
          'ignore',
        );
      await new EndpointStore(database, { secret: testSecret, reach: { allowsPrivate: true } }).add('nord', receiver.url, ['data.changed']);
      const versionOf = async (): Promise<number> =>
        (await sql("select version from customer_nord._datasets where kind = 'raw' and name = 'person'"))[0].version;

      const first = await versionOf();
      const began = performance.now();
      await once(start('whole'), 'exit');
      const usual = performance.now() - began;
      const pick = seededRandom(seed);
      let killed = 0;
      for (let round = 0; round < loads; round++) {
        const child = start(`round ${round}`);
        const timer = setTimeout(() => child.kill('SIGKILL'), pick(Math.round(usual * 1.1)));
        const [, signal] = await once(child, 'exit');
        clearTimeout(timer);
        if (signal) killed++;
        if ((round + 1) % Math.ceil(loads / 2) === 0) {
          await instance.close();
          instance = await startInstance(database, environment);
        }
      }
      // This load ends the runs of the killed ones, and waits for a commit on its way.
      await load(database, [deliver('the last')], { mode: 'upsert' });
      const last = await versionOf();
      await expect
        .poll(async () => (await sql("select count(*)::int as waiting from estate.webhook_deliveries where state = 'waiting'"))[0].waiting)
        .toBe(0);
      const sent = receiver.messages.map(
        ({ json }) => json.data.tables.find(({ category }: { category: string }) => category === 'raw').version as number,
      );
      expect(sent).toEqual(sent.toSorted((left, right) => left - right));
      expect([...new Set(sent)]).toEqual(Array.from({ length: last - first }, (_, index) => first + 1 + index));
      console.log(`${loads} loads, ${killed} killed, ${last - first} versions, ${sent.length} messages`);
    } finally {
      await instance.close();
      receiver.close();
      deliveries.remove();
      await database.close();
    }
  },
);
