/** Events of loads reach their receivers, in order and at least once, and no receiver delays another (contract: webhooks). */
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CustomerStore } from '../../src/access/customers.ts';
import { KeyStore } from '../../src/access/keys.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { EndpointStore } from '../../src/webhooks/endpoints.ts';
import { recordReminders } from '../../src/webhooks/reminders.ts';
import { retryAfterMs } from '../../src/webhooks/sender.ts';
import { onServer } from '../support/database.ts';
import { startInstance, startService, type TestService } from '../support/service.ts';
import { testSecret } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';
import { asCsv, Deliveries, load, readTableData } from '../sync/support.ts';
import { type Answer, accept, fail, hang, type Receiver, startReceiver } from './receiver.ts';

const environment = { WEBHOOK_ALLOW_PRIVATE: 'true' };
const reach = { allowsPrivate: true };

let service: TestService;
let store: EndpointStore;
let sql: ReturnType<typeof sqlOn>;
const receivers: Receiver[] = [];
const deliveries = new Deliveries();

beforeEach(async () => {
  service = await startService({ environment });
  store = new EndpointStore(service.database, { secret: testSecret, reach });
  sql = sqlOn(service);
});
afterEach(async () => {
  await service.stop();
  for (const receiver of receivers.splice(0)) receiver.close();
});

const open = async (answer: Answer = accept): Promise<Receiver> => {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  return receiver;
};

const rename = async (name: string, customer = 'nord') => {
  const sheet = await readTableData(service.database, 'person', `customer_${customer}`);
  for (const row of sheet.rows) row[sheet.columns.indexOf('company_name')] = name;
  return load(service.database, [deliveries.folderNamed(customer).write('person.csv', asCsv(sheet))], { customer });
};

const failToLoad = () => expect(load(service.database, [deliveries.write('order_hdr.csv', 'nonsense\r\n1\r\n')])).rejects.toThrow();

/** The version of a table in each event that a receiver got. */
const versionsAt = ({ messages }: Receiver): number[] =>
  messages.map(({ json }) => json.data.tables.find(({ table }: { table: string }) => table === 'tenants').version);

const count = (receiver: Receiver, messages: number) =>
  expect.poll(() => receiver.messages.length, { interval: 20 }).toBeGreaterThanOrEqual(messages);

describe('a load', () => {
  test('sends its tables and versions, signed', async () => {
    const receiver = await open();
    const { id, secret } = await store.add('nord', receiver.url);
    const { tables, synced_at } = await rename('first');
    await count(receiver, 1);
    const { headers, body, json } = receiver.messages[0]!;
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(json);
    expect(json).toMatchObject({ type: 'data.changed', data: { customer: 'nord', loaded_at: synced_at?.toISOString() } });
    const versions = Object.fromEntries(tables.filter(({ updated }) => updated > 0).map(({ table, version }) => [table, version]));
    expect(Object.fromEntries(json.data.tables.map(({ table, version }: Record<string, unknown>) => [table, version]))).toEqual(versions);
    expect(json.data.tables).toContainEqual({
      category: 'stakeholder',
      table: 'tenants',
      endpoint_url: '/stakeholder/tenants',
      version: versions.tenants,
    });
    expect(json.data.tables).toContainEqual({ category: 'raw', table: 'person', endpoint_url: '/raw/person', version: versions.person });
    await expect
      .poll(async () => (await store.deliveries(id))[0])
      .toMatchObject({ type: 'data.changed', state: 'delivered', attempts: 1, status: 204 });
  });

  test('without changes sends nothing, and neither does one that fails after its changes', async () => {
    const receiver = await open();
    await store.add('nord', receiver.url, ['data.changed']);
    const sheet = await readTableData(service.database, 'person');
    await load(service.database, [deliveries.write('person.csv', asCsv(sheet))]);
    await failToLoad();
    await rename('after these');
    await count(receiver, 1);
    expect(receiver.messages).toHaveLength(1);
    expect(await sql('select type from estate.webhook_events')).toEqual([{ type: 'data.changed' }]);
  });

  test('that fails is reported, also if it fails before it begins or is killed', async () => {
    const receiver = await open();
    await store.add('nord', receiver.url, ['load.failed']);
    await failToLoad();
    await sql(
      "insert into estate.sync_runs (customer_id, mode, tables) select id, 'upsert', '{person}' from estate.customers where slug = 'nord'",
    );
    await rename('ends the run of a process that died');
    await count(receiver, 2);
    expect(receiver.messages.map(({ json: { type, data } }) => [type, data.mode, data.tables])).toEqual([
      ['load.failed', 'full', ['order_hdr']],
      ['load.failed', 'upsert', ['person']],
    ]);
    expect(receiver.messages[0]?.body).not.toContain('nonsense');
  });

  test('of a customer is no business of another, and of nobody without endpoints', async () => {
    const receiver = await open();
    await rename('before');
    await store.add('sued', receiver.url);
    await rename('of nord');
    await rename('of sued', 'sued');
    await count(receiver, 1);
    expect(receiver.messages.map(({ json }) => json.data.customer)).toEqual(['sued']);
  });
});

describe('a receiver', () => {
  test('that fails gets the same message again, before later ones and in their order', async () => {
    let isFailing = true;
    const receiver = await open((response, message) => (isFailing ? fail : accept)(response, message));
    const { id } = await store.add('nord', receiver.url);
    const failures = async () => (await store.find(id)).failures;
    await rename('first');
    await count(receiver, 1);
    await rename('second');
    await rename('third');
    // Further attempts follow by themselves while a busy machine loads.
    await expect.poll(failures).toBeGreaterThan(0);
    const before = await failures();
    await sql('update estate.webhook_endpoints set next_at = now()');
    await expect.poll(failures).toBeGreaterThan(before);
    isFailing = false;
    const failed = receiver.messages.length;
    expect(failed).toBeGreaterThan(1);
    await sql('update estate.webhook_endpoints set next_at = now()');
    await count(receiver, failed + 3);
    const first = receiver.messages.slice(0, failed + 1);
    expect(new Set(first.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(first.map(({ body }) => body)).size).toBe(1);
    const versions = versionsAt(receiver);
    expect(versions).toEqual(versions.toSorted((one, other) => one - other));
    expect(new Set(versions).size).toBe(3);
    await expect.poll(() => store.find(id)).toMatchObject({ waiting: 0, failures: 0, failing_since: null });
  });

  test('that answers nothing delays neither another customer nor the API', async () => {
    const slow = await open(hang);
    for (let n = 0; n < 5; n++) await store.add('sued', `${slow.url}/${n}`);
    await expect(store.add('sued', slow.url)).rejects.toThrow('at most 5 webhooks');
    await rename('slow', 'sued');
    await count(slow, 5);
    const quick = await open();
    await store.add('nord', quick.url);
    await rename('quick');
    const began = performance.now();
    await count(quick, 1);
    expect((await service.get('/catalog')).status).toBe(200);
    // All attempts at the slow receiver are still open.
    expect(performance.now() - began).toBeLessThan(9_000);
    expect((await store.list('sued')).map(({ failures }) => failures)).toEqual([0, 0, 0, 0, 0]);
  });

  test('that fails for a day is disabled, and a test event that it takes enables it', async () => {
    const receiver = await open(fail);
    const { id } = await store.add('nord', receiver.url);
    await rename('a day ago');
    await expect.poll(async () => (await store.find(id)).failures).toBe(1);
    await sql("update estate.webhook_endpoints set next_at = now(), failing_since = now() - interval '23 hours 59 minutes'");
    await expect.poll(async () => (await store.find(id)).failures).toBe(2);
    expect((await store.find(id)).disabled_at).toBeNull();
    await rename('waits behind it');
    await sql("update estate.webhook_endpoints set next_at = now(), failing_since = now() - interval '24 hours 1 second'");
    await expect.poll(async () => (await store.find(id)).disabled_at).not.toBeNull();
    expect((await store.deliveries(id)).map(({ state, note }) => [state, note])).toEqual([
      ['dropped', null],
      ['dropped', 'status 500'],
    ]);
    await rename('not stored');
    expect((await store.find(id)).waiting).toBe(0);
    expect((await store.test(id)).note).toBe('status 500');
    expect((await store.find(id)).disabled_at).not.toBeNull();
    receiver.answer = accept;
    const before = receiver.messages.length;
    expect(await store.test(id)).toEqual({ isDelivered: true, status: 204 });
    expect(receiver.messages.at(-1)?.json).toMatchObject({ type: 'webhook.test', data: { customer: 'nord' } });
    await rename('sent again');
    await count(receiver, before + 2);
    const actions = (await sql("select action from estate.audit_log where action like '%webhook' order by id")).map(({ action }) => action);
    expect(actions).toEqual(['added webhook', 'disabled webhook', 'tested webhook', 'tested webhook', 'enabled webhook']);
  });

  test('that is gone (410) is disabled at once', async () => {
    const receiver = await open((response) => void response.writeHead(410).end());
    const { id } = await store.add('nord', receiver.url);
    await rename('gone');
    await expect.poll(async () => (await store.find(id)).disabled_at).not.toBeNull();
  });
});

test('after a rotation both secrets sign for a day, and then the new one alone', async () => {
  const receiver = await open();
  const first = await store.add('nord', receiver.url);
  const second = await store.rotate(first.id);
  const verifies = (secret: string) => {
    const { body, headers } = receiver.messages.at(-1)!;
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  await store.test(first.id);
  expect([verifies(first.secret), verifies(second.secret)]).toEqual([true, true]);
  await sql("update estate.webhook_endpoints set old_secret_until = now() - interval '1 second'");
  await store.test(first.id);
  expect([verifies(first.secret), verifies(second.secret)]).toEqual([false, true]);
  const stored = JSON.stringify(await sql('select * from estate.webhook_endpoints, estate.webhook_events, estate.audit_log'));
  for (const { secret } of [first, second]) expect(stored).not.toContain(secret.slice(6));
});

test('old data and a key that expires are reported once', async () => {
  const receiver = await open();
  await store.add('nord', receiver.url, ['data.stale', 'key.expiring']);
  await sql("update estate.publications set last_synced_at = now() - interval '37 hours'");
  const customer = await findCustomer(service.database, 'nord');
  const keyStore = new KeyStore(service.database, testSecret);
  const expiresAt = new Date(Date.now() + 6 * 86_400_000);
  const { id } = await keyStore.create({ customer, tier: 'basic', name: 'nightly', expiresAt });
  await keyStore.create({ customer, tier: 'basic', expiresAt: new Date(Date.now() + 8 * 86_400_000) });
  for (let n = 0; n < 2; n++) await recordReminders(service.database.pool, 36);
  await count(receiver, 2);
  expect(receiver.messages.map(({ json: { type, data } }) => [type, data.key, data.name, data.expires_at])).toEqual([
    ['data.stale', undefined, undefined, undefined],
    ['key.expiring', id, 'nightly', expiresAt.toISOString()],
  ]);
  expect(await sql('select type from estate.webhook_events order by id')).toEqual([{ type: 'data.stale' }, { type: 'key.expiring' }]);
});

test('a suspended customer gets its events when it is resumed, and a removed one leaves nothing', async () => {
  const receiver = await open();
  await store.add('nord', receiver.url);
  const customers = new CustomerStore(service.database);
  await customers.suspend('nord');
  await rename('suspended');
  const other = await open();
  await store.add('sued', other.url);
  await rename('meanwhile', 'sued');
  await count(other, 1);
  expect(receiver.messages).toEqual([]);
  await customers.resume('nord');
  await count(receiver, 1);
  await customers.remove('nord');
  expect(await sql('select * from estate.webhook_endpoints where customer_id not in (select id from estate.customers)')).toEqual([]);
  expect(await sql('select count(*)::int as events from estate.webhook_events')).toEqual([{ events: 1 }]);
});

test.each([
  ['http://example.com/hook', 'https://'],
  ['https://127.0.0.1/hook', 'not public'],
  ['https://[fd00::1]/', 'not public'],
])('without the setting, %s is refused', async (url, words) => {
  const strict = new EndpointStore(service.database, { secret: testSecret, reach: { allowsPrivate: false } });
  await expect(strict.add('nord', url)).rejects.toThrow(words);
  await expect(strict.add('nord', 'https://example.com', ['data.lost'])).rejects.toThrow("'data.lost' is no event");
});

test('pauses grow from seconds to an hour', () => {
  expect([1, 2, 3, 9, 10, 11, 100].map((failures) => retryAfterMs(failures, 1))).toEqual([
    5_000, 10_000, 20_000, 1_280_000, 2_560_000, 3_600_000, 3_600_000,
  ]);
  expect(retryAfterMs(1, 0)).toBe(2_500);
});

test.runIf(onServer)('two instances send each event once, in order', async () => {
  const other = await startInstance(service.database, environment);
  try {
    const receiver = await open();
    const { id } = await store.add('nord', receiver.url);
    for (let n = 0; n < 30; n++) await rename(`load ${n}`);
    await expect.poll(async () => (await store.find(id)).waiting).toBe(0);
    const versions = versionsAt(receiver);
    expect(versions).toEqual(versions.toSorted((one, two) => one - two));
    expect([versions.length, new Set(versions).size]).toEqual([30, 30]);
  } finally {
    await other.close();
  }
});

test.runIf(onServer)('an instance that stops leaves its attempt to the next one', async () => {
  const receiver = await open(hang);
  const { id } = await store.add('nord', receiver.url);
  await rename('in flight');
  await count(receiver, 1);
  const other = await startInstance(service.database, environment);
  try {
    await service.app.close();
    receiver.answer = accept;
    await count(receiver, 2);
    await expect.poll(async () => (await store.find(id)).waiting).toBe(0);
    expect((await store.find(id)).failures).toBe(0);
  } finally {
    await other.close();
  }
});
