/** Documents wait in their customer's queue, have their own time limit, and end with their clients (contract: waiting). */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ask } from '../graphql/client.ts';
import { onServer } from '../support/database.ts';
import { lockWaits } from '../support/locks.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

const waiting = { interval: 20 };

describe.runIf(onServer)('with a busy database', () => {
  let service: TestService;
  /** Blocks every read of offers as long as it has the lock. */
  let gate: pg.Client;
  beforeAll(async () => {
    service = await startService({ environment: { QUEUE_WAIT_MS: '300', DOCUMENT_TIMEOUT_MS: '3000' } });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    gate = new pg.Client({ connectionString: service.database.address });
    await gate.connect();
    await gate.query('begin; lock table customer_nord.offers');
  });
  afterEach(() => gate.end());

  const held = '{ offers(first: 1) { nodes { offerValue } } }';
  const atTheGate = async (): Promise<number> => (await lockWaits(gate)).length;

  test('the statement of a disconnected client is cancelled', async () => {
    const client = new AbortController();
    const answer = fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'X-API-Key': keys.nordEnterprise, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: held }),
      signal: client.signal,
    }).catch(({ name }) => name);
    await expect.poll(atTheGate, waiting).toBe(1);
    client.abort();
    expect(await answer).toBe('AbortError');
    await expect.poll(atTheGate, waiting).toBe(0);
  });

  test('a document that takes too long says so, and the connection can be used again', async () => {
    const { status, headers, data, errors } = await ask(service, held);
    expect([status, headers.get('retry-after'), data]).toEqual([200, '30', null]);
    expect(errors).toMatchObject([{ path: ['offers'], extensions: { code: 'TIMEOUT' } }]);
    expect(await atTheGate()).toBe(0);
    expect((await ask(service, '{ orders(first: 1) { nodes { orderId } } }')).errors).toEqual([]);
  });

  test('one customer waits for itself only: BUSY with Retry-After, and others are served', async () => {
    const own = [1, 2, 3, 4].map(() => ask(service, held));
    await expect.poll(atTheGate, waiting).toBeGreaterThan(0);
    const { status, headers, data, errors } = await ask(service, held);
    expect([status, headers.get('retry-after'), data, errors[0].extensions]).toEqual([503, '5', undefined, { code: 'BUSY' }]);
    expect((await ask(service, held, { key: keys.suedEnterprise })).errors).toEqual([]);
    expect((await service.get('/operations/orders?limit=1')).status).toBe(200);
    // For clients without GraphQL's media type, a refusal is a 200.
    const plain = () =>
      fetch(`${service.url}/graphql`, {
        method: 'POST',
        headers: { 'X-API-Key': keys.nordEnterprise, 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({ query: held }),
      });
    const refused = await plain();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([200, '5']);
    await gate.query('rollback');
    await Promise.all(own);
    for (const answer of [await plain(), await plain()]) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([200, null]);
      expect((await answer.json()).errors).toBeUndefined();
    }
  });

  test('a page that waits too long is a problem document', async () => {
    const pages = Array.from({ length: 4 }, () => service.get('/operations/offers?limit=1'));
    await expect.poll(atTheGate, waiting).toBeGreaterThan(0);
    const answer = await Promise.race(pages);
    expect([answer.status, answer.headers.get('retry-after'), answer.json]).toEqual([
      503,
      '5',
      {
        type: 'about:blank',
        title: 'Service Unavailable',
        status: 503,
        detail: 'Too many requests of this customer are in flight; try again later',
        instance: '/operations/offers',
      },
    ]);
    await gate.query('rollback');
    const statuses = (await Promise.all(pages)).map(({ status }) => status).sort();
    expect(statuses.slice(0, 2)).toEqual([200, 200]);
    expect([200, 503]).toContain(statuses[2]);
  });

  test('a large page of groups uses the slots of documents', async () => {
    // The customer has one of the two slots. The cache has no response to this document.
    const document = ask(service, '{ offers(first: 2) { nodes { offerValue } } }');
    await expect.poll(atTheGate, waiting).toBe(1);
    expect((await service.get('/operations/offers/groups?by=offer_hdr_id&limit=2000')).status).toBe(503);
    expect(await atTheGate()).toBe(1);
    await gate.query('rollback');
    expect((await document).errors).toEqual([]);
  });
});
