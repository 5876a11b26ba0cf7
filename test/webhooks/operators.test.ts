/** Operators add, test, rotate and remove webhooks in the portal and on the command line, and see those that are disabled. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabaseMetrics } from '../../src/database/control/database-metrics.ts';
import { EndpointStore } from '../../src/webhooks/endpoints.ts';
import { Operator, password } from '../portal/operator.ts';
import { onServer } from '../support/database.ts';
import { runEstate } from '../support/program.ts';
import { startService, type TestService } from '../support/service.ts';
import { testSecret } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';
import { accept, fail, type Receiver, startReceiver } from './receiver.ts';

let service: TestService;
let receiver: Receiver;
let store: EndpointStore;
beforeAll(async () => {
  service = await startService({ environment: { PORTAL_PASSWORD: password, WEBHOOK_ALLOW_PRIVATE: 'true' } });
  receiver = await startReceiver();
  store = new EndpointStore(service.database, { secret: testSecret, reach: { allowsPrivate: true } });
});
afterAll(async () => {
  await service.stop();
  receiver.close();
});

const page = '/portal/customers/nord/webhooks';
const secretIn = (text: string) => /whsec_[\w+/]+=*/.exec(text)?.[0];

describe('the portal', () => {
  test('adds a webhook, shows its secret once, and tests, rotates and removes it', async () => {
    const operator = await new Operator(service).signIn();
    expect((await operator.get(page)).text).toContain('There is no webhook yet.');
    const wrong = await operator.submit(page, { url: 'ftp://example.com' }, `${page}/add`);
    expect([wrong.status, wrong.text.includes('The address of a webhook is')]).toEqual([422, true]);
    const added = await operator.submit(page, { url: receiver.url, events: 'data.changed' }, `${page}/add`);
    const secret = secretIn(added.text) as string;
    expect(secret).toMatch(/^whsec_/);
    const shown = await operator.get(page);
    expect(shown.text).toContain(receiver.url);
    expect(shown.text).not.toContain('whsec_');
    expect((await operator.get('/portal/customers/nord')).text).toContain('1 webhooks');

    const tested = await operator.submit(page, {}, `${page}/test`);
    expect(tested.location).toBe(`${page}?notice=tested`);
    expect(receiver.messages.at(-1)?.json.type).toBe('webhook.test');
    receiver.answer = fail;
    expect((await operator.submit(page, {}, `${page}/test`)).location).toBe(`${page}?notice=testFailed`);
    receiver.answer = accept;
    const log = (await operator.get(page)).text;
    expect(log).toContain('status 500');
    expect(log).toContain('delivered');

    expect(secretIn((await operator.submit(page, {}, `${page}/rotate`)).text)).not.toBe(secret);
    const { token = '' } = await operator.hidden(page, `${page}/remove`);
    const { id } = await store.add('sued', receiver.url);
    expect((await operator.post(`${page}/remove`, { token, id })).status).not.toBe(303);
    expect(await store.list('sued')).toHaveLength(1);
    await store.remove(id);
    expect((await operator.submit(page, {}, `${page}/remove`)).location).toBe(`${page}?notice=webhookRemoved`);
    expect(await store.list()).toEqual([]);
    expect((await operator.get('/portal/log')).text).toContain('rotated webhook');
  });

  test('needs a sign-in and a token', async () => {
    expect((await new Operator(service).get(page)).status).toBe(303);
    const operator = await new Operator(service).signIn();
    expect((await operator.post(`${page}/add`, { url: receiver.url })).status).not.toBe(200);
    expect(await store.list()).toEqual([]);
  });
});

test('metrics count what waits and what is disabled', async () => {
  const { id } = await store.add('sued', receiver.url);
  const sql = sqlOn(service);
  await sql('update estate.webhook_endpoints set disabled_at = now()');
  const read = createDatabaseMetrics(service.database);
  expect(await read()).toContain('estate_webhook_disabled{customer="sued"} 1');
  expect(await read()).toContain('estate_webhook_waiting_events{customer="sued"} 0');
  await store.remove(id);
});

describe.runIf(onServer)('the command line', () => {
  const run = async (...line: string[]) =>
    runEstate(['webhook', ...line], { DATABASE_URL: service.database.address, KEY_SECRET: testSecret, WEBHOOK_ALLOW_PRIVATE: 'true' });

  test('adds, lists, tests, rotates and removes, and the doctor names a disabled one', async () => {
    const added = JSON.parse(
      (await run('add', receiver.url, '--customer', 'nord', '--events', 'data.changed', 'load.failed', '--json')).out,
    );
    expect(added).toEqual({ id: expect.stringMatching(/^we_[0-9a-f]{18}$/), url: receiver.url, secret: expect.stringMatching(/^whsec_/) });
    expect((await run('list')).out).toMatch(new RegExp(`${added.id} +nord +active +0 +data.changed,load.failed +http`));
    expect((await run('test', added.id)).out).toBe('Delivered: status 204.\n');
    receiver.answer = fail;
    expect(await run('test', added.id)).toMatchObject({ code: 1, err: 'estate: Not delivered: status 500.\n' });
    receiver.answer = accept;
    expect((await run('rotate', added.id)).out).toMatch(/^Webhook we_\S+ for http\S+\nSecret, shown this once: whsec_/);
    await sqlOn(service)('update estate.webhook_endpoints set disabled_at = now()');
    const doctor = await runEstate(['doctor'], { DATABASE_URL: service.database.address, KEY_SECRET: testSecret });
    expect(doctor.out).toContain('disabled after a day of failures: nord');
    expect((await run('list')).out).toContain('disabled 2');
    expect((await run('remove', added.id)).out).toBe(`Removed webhook ${added.id} of nord.\n`);
    expect(await run('remove', added.id)).toMatchObject({ code: 1, err: `estate: There is no webhook '${added.id}'.\n` });
    const strict = await runEstate(['webhook', 'add', receiver.url, '--customer', 'nord'], {
      DATABASE_URL: service.database.address,
      KEY_SECRET: testSecret,
    });
    expect([strict.code, strict.err]).toEqual([1, expect.stringContaining('https:// URL')]);
  });
});
