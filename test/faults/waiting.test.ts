/** 200 keys that wait for changes take little memory and no connection, and one load answers them all: the built program. */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { memoryOf } from '../../scripts/support/process.ts';
import { KeyStore } from '../../src/access/keys.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { startEstate } from '../support/program.ts';
import { testSecret } from '../support/settings.ts';
import { asCsv, Deliveries, load, readTableData } from '../sync/support.ts';

const waiting = 200;
const maxMegabytes = 50;

test.runIf(onServer)(`${waiting} waiting keys take at most ${maxMegabytes} MB`, async () => {
  const database = await openTestDatabase();
  const deliveries = new Deliveries();
  const agent = new Agent({ keepAlive: true, maxSockets: waiting });
  const service = startEstate(
    ['serve'],
    { DATABASE_URL: database.address, KEY_SECRET: testSecret, PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'warn', RATE_LIMIT: '0' },
    ['ignore', 'pipe', 'inherit'],
  );
  const exit = once(service, 'exit');
  try {
    let [url, metrics] = ['', ''];
    for await (const line of createInterface({ input: service.stdout! })) {
      url ||= /answers at (\S+)/.exec(line)?.[1] ?? '';
      metrics ||= /Metrics +(\S+)/.exec(line)?.[1] ?? '';
      if (url && metrics) break;
    }
    const store = new KeyStore(database, testSecret);
    const customer = await findCustomer(database, 'nord');
    const keys: string[] = [];
    for (let n = 0; n < waiting; n++) keys.push((await store.create({ customer, tier: 'enterprise' })).key);
    const ask = async (key: string, query: string) => {
      const [response] = (await once(get(`${url}/changes?${query}`, { agent, headers: { 'X-API-Key': key } }), 'response')) as [
        IncomingMessage,
      ];
      return { status: response.statusCode, body: (await json(response)) as { generated_at: string; changes: { table: string }[] } };
    };
    const heldBy = async (kind: string): Promise<number> =>
      Number(new RegExp(`estate_held\\{kind="${kind}"\\} (\\d+)`).exec(await (await fetch(metrics)).text())?.[1]);

    const [first] = await Promise.all(keys.map((key) => ask(key, 'since=9999-12-31')));
    const since = first!.body.generated_at;
    const before = memoryOf(service.pid, 'VmRSS');
    const answers = keys.map((key) => ask(key, `since=${since}&wait=60`));
    await expect.poll(() => heldBy('waiting')).toBe(waiting);
    const used = memoryOf(service.pid, 'VmRSS') - before;
    console.log(`${waiting} waiting keys take ${used.toFixed(1)} MB`);
    expect(used).toBeLessThan(maxMegabytes);
    expect(await heldBy('requests')).toBe(0);
    const sheet = await readTableData(database, 'person');
    for (const row of sheet.rows) row[sheet.columns.indexOf('company_name')] = 'woken';
    await load(database, [deliveries.write('person.csv', asCsv(sheet))]);
    for (const { status, body } of await Promise.all(answers))
      expect([status, body.changes.some(({ table }) => table === 'tenants')]).toEqual([200, true]);
    await expect.poll(() => heldBy('waiting')).toBe(0);
  } finally {
    agent.destroy();
    service.kill();
    await exit;
    deliveries.remove();
    await database.close();
  }
});
