/** PostgreSQL is restarted, killed, hung, slow, disconnected and full: no wrong row, no crash, no leak, and recovery at once. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { type Cluster, hasClusters, openDemo, startCluster } from '../support/cluster.ts';
import { startServiceOn, type TestService } from '../support/service.ts';
import { keys, poolOptions } from '../support/settings.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import {
  type Expected,
  errorOf,
  expectNoLeftovers,
  expectRecovery,
  growTable,
  large,
  readExpected,
  readRaw,
  startCallers,
} from './support.ts';

describe.runIf(hasClusters)('PostgreSQL', { timeout: 60_000 }, () => {
  let cluster: Cluster;
  let proxy: TcpProxy;
  let service: TestService;
  let expected: Expected;

  beforeAll(async () => {
    cluster = await startCluster();
    const made = await openDemo(cluster);
    await growTable(made.pool, { name: 'budgets', key: 'budget_id', rows: 20_000 });
    await made.close();
    proxy = await new TcpProxy(cluster.port).listen();
    const address = new URL(made.address);
    address.port = String(proxy.port);
    // Cached responses would not be read from the replica.
    service = await startServiceOn(openPostgres(address.href, poolOptions), { environment: { RESPONSE_CACHE_MB: '0' } });
    expected = await readExpected(service);
  }, 180_000);
  beforeEach(() => expectRecovery(service, expected));
  afterAll(async () => {
    await service.stop();
    proxy.close();
    cluster.remove();
  });

  /** Causes a fault during requests of all kinds, and repairs it. */
  const endure = async (breakIt: () => unknown, repair: () => unknown, meanwhile: () => Promise<unknown>) => {
    const callers = startCallers(service.port, expected);
    await callers.awaitResponses(10);
    await breakIt();
    await meanwhile();
    await repair();
    await expectRecovery(service, expected);
    await callers.stop();
    await expectNoLeftovers(service);
    return callers.statuses;
  };
  /** Waits until a request has failed. */
  const noticed = () => expect.poll(async () => (await readRaw(service.port, '/health/ready')).status).toBe(503);

  test('is restarted', async () => {
    const statuses = await endure(
      () => cluster.stop(),
      () => cluster.start(),
      noticed,
    );
    expect(statuses.get(200)).toBeGreaterThan(10);
  });

  test('is unavailable: requests that need it are 503 with Retry-After, over REST, GraphQL and for a key that is not cached', async () => {
    cluster.stop();
    await noticed();
    // Each request uses its own connection, so that none stays open.
    const ask = async (path: string, key: string, body?: string) => {
      const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', Accept: 'application/graphql-response+json, */*;q=0.1' };
      const call = request(`${service.url}${path}`, { agent: false, method: body === undefined ? 'GET' : 'POST', headers }).end(body);
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      return { status: response.statusCode, retryAfter: response.headers['retry-after'], body: await json(response) };
    };
    try {
      const unavailable = { status: 503, retryAfter: '5' };
      const detail = 'The database is not available; try again later';
      const query = JSON.stringify({ query: '{ orders(first: 1) { nodes { orderId } } }' });
      const rest = await ask('/operations/orders?limit=1', keys.nordEnterprise);
      expect(rest).toMatchObject({ ...unavailable, body: { status: 503, detail } });
      const graphql = await ask('/graphql', keys.nordEnterprise, query);
      expect([graphql.status, graphql.retryAfter]).toEqual([503, '5']);
      expect(await ask('/catalog', 'est_neverseen_demo')).toMatchObject({ ...unavailable, body: { detail } });
    } finally {
      cluster.start();
      await expectRecovery(service, expected);
    }
  });

  test('loses a backend to a kill, and restarts all others', async () => {
    await endure(
      async () => {
        const [backend] = await cluster.query("select pid from pg_stat_activity where application_name = 'estate' limit 1");
        process.kill(backend?.pid as number, 'SIGKILL');
      },
      () => {},
      async () => {},
    );
  });

  test('hangs: requests are 503, the first ones too', async () => {
    const statuses = await endure(
      () => cluster.signal('SIGSTOP'),
      () => cluster.signal('SIGCONT'),
      noticed,
    );
    expect([...statuses.keys()]).not.toContain(500);
  });

  test('hangs: with and without open connections every request ends, and none with 500', { timeout: 120_000 }, async () => {
    const options = { ...poolOptions, statementTimeoutMs: 5_000, documentTimeoutMs: 5_000 };
    const own = await startServiceOn(openPostgres(cluster.address('estate'), options), { environment: { RESPONSE_CACHE_MB: '0' } });
    const document = `/graphql?query=${encodeURIComponent('{ orders(first: 2) { nodes { orderId } } }')}`;
    const ask = () =>
      Promise.all(
        Array.from({ length: 24 }, (_, index) =>
          own.get(index % 4 === 3 ? document : `/operations/orders?limit=3&offset=${index}`, {
            key: index % 2 ? keys.nordEnterprise : keys.suedEnterprise,
          }),
        ),
      );
    for (const hasConnections of [false, true]) {
      if (hasConnections) expect([...new Set((await ask()).map(({ status }) => status))]).toEqual([200]);
      cluster.signal('SIGSTOP');
      const answers = await ask();
      cluster.signal('SIGCONT');
      // A session that the signal did not reach may still answer.
      for (const { status, headers } of answers) if (status !== 200) expect([status, headers.has('retry-after')]).toEqual([503, true]);
      expect(answers.map(({ status }) => status)).toContain(503);
      await expectRecovery(own, expected);
    }
    await own.stop();
  });

  test('is slow', async () => {
    await endure(
      () => proxy.slowTo(400_000),
      () => proxy.repair(),
      () => pause(1_000),
    );
  });

  test('has no free connection', async () => {
    const others: pg.Client[] = [];
    const statuses = await endure(
      async () => {
        const take = async (): Promise<boolean> => {
          const client = new pg.Client({ connectionString: cluster.address() });
          client.on('error', () => {});
          try {
            await client.connect();
            others.push(client);
            return true;
          } catch {
            return false;
          }
        };
        while (await take());
        // The service's connections end, and other clients take them first.
        await others[0]?.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'estate'");
        while (await take());
      },
      () => Promise.all(others.map((client) => client.end())),
      () => pause(500),
    );
    expect(statuses.get(200)).toBeGreaterThan(10);
  });

  test.each(['1.1', '1.0'] as const)('disconnects at any point of a message (HTTP/%s)', async (version) => {
    for (const bytes of [1, 3, 5, 6, 40, 700, 8_191, 8_193, 65_537, 300_001, 1_000_003]) {
      proxy.cutAfter(bytes);
      const read = await readRaw(service.port, large, version);
      proxy.repair();
      expect([bytes, errorOf(large, read, expected)]).toEqual([bytes, undefined]);
      if (read.status === 200 && read.isWhole) expect(read.body).toBe(expected.get(large));
      await expectRecovery(service, expected);
    }
    await expectNoLeftovers(service);
  });
});
