/** A process sends requests to itself before it listens. They are neither counted nor logged, and grant no access. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OwnCaller } from '../../src/access/own-caller.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { findWarmUpTarget } from '../../src/warm-up/requests.ts';
import { warmUp } from '../../src/warm-up/warm-up.ts';
import { onServer } from '../support/database.ts';
import { recordedLog } from '../support/log.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { recordStatements } from '../support/statements.ts';

const log = recordedLog('info');
const statements = recordStatements();
let service: TestService;

/** Records the keys that it issues. */
class RememberedOwnCaller extends OwnCaller {
  readonly keys: string[] = [];
  override begin(...given: Parameters<OwnCaller['begin']>): string {
    const key = super.begin(...given);
    this.keys.push(key);
    return key;
  }
}
const own = new RememberedOwnCaller();

beforeAll(async () => {
  service = await startService({ own, logger: log.logger, environment: { RATE_LIMIT: '2' } });
});
afterAll(() => service.stop());

const warmUntil = (signal: AbortSignal) => warmUp(service.app.server, { database: service.database, catalogue, own, signal });
const target = async () => (await findWarmUpTarget(service.database, catalogue))!;

/** Warms up until pages and documents have been read, and then until `work` is done. */
const warm = async (work = async () => {}) => {
  const { table } = await target();
  statements.length = 0;
  const ending = new AbortController();
  const done = warmUntil(ending.signal);
  const read = (limit: number) => statements.filter((text) => text.includes(`."${table.name}"`) && text.includes(`limit ${limit}`));
  await expect.poll(() => Math.min(read(101).length, read(50).length), { interval: 5 }).toBeGreaterThan(0);
  await work();
  ending.abort();
  await done;
};

test('its requests are neither counted nor logged', async () => {
  await warm();
  const { headers, status } = await service.get('/catalog');
  expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, '1']);
  const lines = () => log.lines().filter(({ msg }) => msg === 'request');
  await expect.poll(() => lines().map(({ reqId }) => reqId)).toEqual([headers.get('x-request-id')]);
  for (const key of own.keys) expect(log.texts.join('')).not.toContain(key);
  await service.app.close();
  const { rows } = await sql`select key_id from estate.usage`.execute(service.database.control);
  expect(rows).toEqual([{ key_id: 'nordenterprise' }]);
  await service.stop();
  service = await startService({ own, logger: log.logger });
});

test('other keys are checked as usual meanwhile, and its own key is invalid afterwards', async () => {
  await warm(async () => {
    expect((await service.get('/catalog', { key: keys.nordBasic })).status).toBe(200);
    for (const key of ['', 'est_own_key', null]) expect((await service.get('/catalog', { key })).status).toBe(401);
  });
  expect(own.keys.length).toBeGreaterThan(0);
  for (const key of own.keys) expect((await service.get('/catalog', { key })).status).toBe(401);
});

test('without rows it sends no requests for data', async () => {
  const before = own.keys.length;
  const suspend = (since: Date | null) => service.database.control.updateTable('customers').set({ suspended_at: since }).execute();
  await suspend(new Date());
  await warmUntil(new AbortController().signal);
  await suspend(null);
  expect(own.keys).toHaveLength(before);
});

test.runIf(onServer)('a database that does not answer does not delay the start', async () => {
  const { caller, table } = await target();
  await service.database.control.transaction().execute(async (transaction) => {
    await sql`lock table ${sql.id(caller.customer.schema, table.name)} in access exclusive mode`.execute(transaction);
    await warmUntil(AbortSignal.timeout(300));
  });
});
