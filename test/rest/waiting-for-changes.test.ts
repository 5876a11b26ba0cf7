/** A request for changes waits until there are some, and holds nothing meanwhile (contract: waiting for changes). */
import net from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Copy, keepUp } from '../../examples/keep-a-copy.mjs';
import { KeyStore } from '../../src/access/keys.ts';
import { maxWaitingPerKey } from '../../src/access/requests-in-flight.ts';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { held } from '../../src/metrics.ts';
import { onServer } from '../support/database.ts';
import { runEstate } from '../support/program.ts';
import { type Answer, startService, startServiceOn, type TestService } from '../support/service.ts';
import { keys, poolOptions, testSecret } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { asCsv, Deliveries, load, readTableData } from '../sync/support.ts';

let service: TestService;
const deliveries = new Deliveries();
beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '1000' } });
});
afterEach(() => expect.poll(() => ({ ...held, bytes: 0 })).toEqual({ requests: 0, waiting: 0, bytes: 0, spoolFiles: 0 }));
afterAll(async () => {
  await service.stop();
  deliveries.remove();
});

/** A file of a customer's table with one value in all fields of a column. */
const deliver = async (table: string, column: string, value: string, customer = 'nord'): Promise<string> => {
  const sheet = await readTableData(service.database, table, `customer_${customer}`);
  for (const row of sheet.rows) row[sheet.columns.indexOf(column)] = value;
  return deliveries.folderNamed(customer).write(`${table}.csv`, asCsv(sheet));
};
const deliverName = (name: string, customer = 'nord'): Promise<string> => deliver('person', 'company_name', name, customer);
const rename = async (name: string, customer = 'nord') => load(service.database, [await deliverName(name, customer)], { customer });

/** The present of the service, since which nothing has changed. */
const now = async (on: TestService = service): Promise<string> => (await on.get('/changes?since=9999-12-31')).json.generated_at;
const waitingPath = (since: string, wait: number | string = 60) => `/changes?since=${since}&wait=${wait}`;
const isWaiting = (requests = 1) => expect.poll(() => held.waiting, { interval: 5 }).toBe(requests);
const tablesOf = ({ json }: Answer): string[] => json.changes.map(({ table }: { table: string }) => table);

describe('a waiting request', () => {
  test('is answered by a load, and what it holds meanwhile is only its connection', async () => {
    const answer = service.get(waitingPath(await now()));
    await isWaiting();
    expect(held.requests).toBe(0);
    for (const pool of Object.values(service.database.shares)) expect(pool.totalCount - pool.idleCount).toBe(0);
    await rename('woken');
    const woken = await answer;
    expect(woken.status).toBe(200);
    expect(tablesOf(woken)).toContain('tenants');
    // Nothing is missed, and nothing is reported twice.
    const since = woken.json.generated_at;
    expect(tablesOf(await service.get(`/changes?since=${since}`))).toEqual([]);
    expect(since > woken.json.changes[0].changed_at).toBe(true);
  });

  test('is answered at once if something has changed already', async () => {
    const since = await now();
    await rename('already');
    expect(tablesOf(await service.get(waitingPath(since)))).toContain('tenants');
  });

  test('is not answered by a load of another customer, or of tables that its key does not read', async () => {
    const since = await now();
    const basic = service.get(waitingPath(since), { key: keys.nordBasic });
    const other = service.get(waitingPath(since), { key: keys.suedEnterprise });
    await isWaiting(2);
    const enterprise = service.get(waitingPath(since));
    await isWaiting(3);
    await load(service.database, [await deliver('account', 'account_name', 'An account')]);
    expect(tablesOf(await enterprise)).toContain('accounts');
    await rename('of sued', 'sued');
    expect(tablesOf(await other)).toContain('tenants');
    expect(held.waiting).toBe(1);
    await load(service.database, [await deliver('property_hdr', 'city', 'Elsewhere')]);
    expect(tablesOf(await basic)).toContain('properties');
  });

  test('gets the unchanged answer after its time, and counts as one request', async () => {
    const since = await now();
    const before = Number((await service.get('/catalog')).headers.get('x-ratelimit-remaining'));
    const { status, json, headers } = await service.get(waitingPath(since, 1));
    expect([status, json.since, json.changes]).toEqual([200, since, []]);
    expect(headers.get('preference-applied')).toBeNull();
    expect(Number((await service.get('/catalog')).headers.get('x-ratelimit-remaining'))).toBe(before - 2);
  });

  test.each([
    ['wait=1', 'wait=1'],
    ['respond-async, wait="1"; x', 'wait=1'],
    ['wait=0', 'wait=0'],
    ['wait=soon', null],
    ['handling=strict', null],
  ])('Prefer: %s', async (prefer, applied) => {
    const answer = await service.get(`/changes?since=${await now()}`, { headers: { Prefer: prefer } });
    expect([answer.status, answer.json.changes, answer.headers.get('preference-applied')]).toEqual([200, [], applied]);
  });

  test('a preference is bounded, and the parameter takes precedence', async () => {
    const since = await now();
    const headers = { Prefer: 'wait=600' };
    expect((await service.get(waitingPath(since, 0), { headers })).headers.get('preference-applied')).toBeNull();
    const answer = service.get(`/changes?since=${since}`, { headers });
    await isWaiting();
    await rename('preferred');
    expect((await answer).headers.get('preference-applied')).toBe('wait=60');
  });

  test.each([
    ['61', 'Input should be less than or equal to 60'],
    ['-1', 'Input should be greater than or equal to 0'],
    ['soon', 'Input should be a valid integer, unable to parse string as an integer'],
    ['1.5', 'Input should be a valid integer, unable to parse string as an integer'],
  ])('wait=%s is a 422', async (wait, violation) => {
    const { status, json } = await service.get(waitingPath('2024-01-01', wait));
    expect([status, json.detail]).toEqual([422, `query -> wait: ${violation}`]);
    expect((await service.get(waitingPath('never', wait))).json.detail).toMatch(/^query -> since: .*; query -> wait: /);
  });

  test('a key has at most four', async () => {
    const since = await now();
    const waiting = Array.from({ length: maxWaitingPerKey }, () => service.get(waitingPath(since)));
    await isWaiting(maxWaitingPerKey);
    const { status, headers, json } = await service.get(waitingPath(since));
    expect([status, headers.get('retry-after'), json.detail]).toEqual([
      503,
      '5',
      'Too many requests of this customer are in flight; try again later',
    ]);
    expect((await service.get(`/changes?since=${since}`)).status).toBe(200);
    const other = service.get(waitingPath(since), { key: keys.nordProfessional });
    await isWaiting(maxWaitingPerKey + 1);
    await rename('four');
    for (const answer of await Promise.all([...waiting, other])) expect(tablesOf(answer)).toContain('tenants');
  });

  test('leaves nothing when its client leaves, also behind another request on the connection', async () => {
    const since = await now();
    const socket = net.connect(service.port, '127.0.0.1');
    const request = `GET ${waitingPath(since)} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.nordBasic}\r\n\r\n`;
    socket.write(request + request);
    await isWaiting(2);
    socket.destroy();
    await isWaiting(0);
  });
});

describe('the key is checked after the wait', () => {
  const issue = async (expiresAt?: Date) =>
    new KeyStore(service.database, testSecret).create({
      customer: await findCustomer(service.database, 'nord'),
      tier: 'enterprise',
      ...(expiresAt && { expiresAt }),
    });

  test('a key that was revoked gets no changes', async () => {
    const { id, key } = await issue();
    const answer = service.get(waitingPath(await now(), 4), { key });
    await isWaiting();
    await new KeyStore(service.database, testSecret).revoke(id);
    expect((await answer).status).toBe(401);
  });

  test('the wait ends when the key expires', async () => {
    const since = await now();
    const { key } = await issue(new Date(Date.now() + 1_500));
    expect((await service.get(waitingPath(since), { key })).status).toBe(401);
  });

  test('the customer was suspended', async () => {
    const answer = service.get(waitingPath(await now(), 4), { key: keys.suedEnterprise });
    await isWaiting();
    const sql = sqlOn(service);
    await sql("update estate.customers set suspended_at = now() where slug = 'sued'");
    expect((await answer).status).toBe(403);
    await sql("update estate.customers set suspended_at = null where slug = 'sued'");
  });
});

test('the program of the guide keeps its copies up to date', async () => {
  const stop = new AbortController();
  const copies: Record<string, Copy> = {};
  let refreshes = 0;
  const kept = keepUp(copies, service.url, keys.nordEnterprise, { signal: stop.signal, refreshed: () => void refreshes++ });
  try {
    await expect.poll(() => refreshes).toBe(1);
    await isWaiting();
    await rename('kept up');
    await expect.poll(() => refreshes).toBe(2);
    expect(JSON.stringify([...(copies['/stakeholder/tenants']?.rows?.values() ?? [])])).toContain('kept up');
    await isWaiting();
  } finally {
    stop.abort();
    await expect(kept).rejects.toThrow('abort');
  }
});

test('a stop answers what waits', async () => {
  const stopping = await startService({ environment: { STOP_TIMEOUT_MS: '60000' } });
  const since = await now(stopping);
  const answer = stopping.get(waitingPath(since));
  await isWaiting();
  await stopping.stop();
  const { status, json } = await answer;
  expect([status, json.since, json.changes]).toEqual([200, since, []]);
});

describe.runIf(onServer)('on a server', () => {
  const open = (port?: number) => {
    const address = new URL(service.database.address as string);
    if (port) address.host = `127.0.0.1:${port}`;
    return openPostgres(address.href, poolOptions);
  };

  test.each(['listen', 'poll'])('a load by another process wakes two instances (%s)', async (feed) => {
    const instances = [
      await startServiceOn(open(), { environment: { VERSION_FEED: feed } }),
      await startServiceOn(open(), { environment: { VERSION_FEED: feed } }),
    ];
    try {
      const since = await now();
      const answers = instances.map((instance) => instance.get(waitingPath(since)));
      await isWaiting(2);
      const path = await deliverName(`by a process, ${feed}`);
      const { code, err } = await runEstate(['sync', 'nord', path], { DATABASE_URL: service.database.address, KEY_SECRET: testSecret });
      expect([code, err]).toEqual([0, expect.any(String)]);
      for (const answer of await Promise.all(answers)) expect(tablesOf(answer)).toContain('tenants');
    } finally {
      for (const instance of instances) await instance.stop();
    }
  });

  test('a database that is lost is answered as without a wait', async () => {
    const proxy = await new TcpProxy(Number(new URL(service.database.address as string).port || 5432)).listen();
    const behind = await startServiceOn(open(proxy.port));
    try {
      const answer = behind.get(waitingPath(await now()));
      await isWaiting();
      proxy.close();
      const { status, headers, json } = await answer;
      expect([status, headers.get('retry-after'), json.detail]).toEqual([503, '5', 'The database is not available; try again later']);
    } finally {
      await behind.stop();
    }
  });

  test('a database that does not answer gets one renewal at a time', async () => {
    const blocker = new pg.Client(service.database.address);
    await blocker.connect();
    const counts = new Set<number>([0]);
    // The first read of the new watch may wait beside the renewal. It asks for the loads of one customer.
    const renewals = `select count(distinct pid)::int as count from pg_locks join pg_stat_activity using (pid)
      where relation = 'estate.publications'::regclass and not granted and datname = current_database() and query !~ 'known_loads|as present'`;
    // A first read that waits fails before a renewal begins, and ends the wait.
    while (Math.max(...counts) === 0) {
      const answer = service.get(waitingPath(await now()));
      await isWaiting();
      await blocker.query('begin; lock table estate.publications in access exclusive mode');
      // The wait ends when the renewal fails.
      while (held.waiting > 0) {
        const { rows } = await blocker.query(renewals);
        counts.add(rows[0].count);
      }
      await blocker.query('commit');
      await answer;
    }
    await blocker.end();
    expect(Math.max(...counts)).toBe(1);
  });

  test('a lost notification is made up for', async () => {
    const answer = service.get(waitingPath(await now()));
    await isWaiting();
    await sqlOn(service)(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'estate versions' and datname = current_database()",
    );
    await rename('without a notification');
    expect(tablesOf(await answer)).toContain('tenants');
  });
});
