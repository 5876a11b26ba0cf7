/** Reads from a streaming replica are never older than earlier reads, whatever happens to it (contract: data versions). */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { leaseMs } from '../../src/database/control/publications.ts';
import { reads } from '../../src/metrics.ts';
import { type Cluster, hasClusters, openDemo, startCluster } from '../support/cluster.ts';
import { startServiceOn, type TestService } from '../support/service.ts';
import { poolOptions } from '../support/settings.ts';
import { asCsv, Deliveries, load, readTableData } from '../sync/support.ts';

describe.runIf(hasClusters)('a streaming replica', () => {
  let primary: Cluster;
  let replica: Cluster;
  let service: TestService;
  /** The same service without a replica. */
  let plain: TestService;
  const deliveries = new Deliveries();
  const page = '/stakeholder/tenants?limit=1';
  const document = `/graphql?query=${encodeURIComponent('{ orders(first: 3) { totalCount nodes { __typename } } }')}`;

  beforeAll(async () => {
    primary = await startCluster();
    const made = await openDemo(primary);
    await made.close();
    replica = await primary.replica();
    await primary.isReplayedBy(replica);
    const database = openPostgres(made.address, { ...poolOptions, replicas: [replica.address('estate')] });
    // Cached responses would not be read from the replica.
    service = await startServiceOn(database, { environment: { RESPONSE_CACHE_MB: '0' } });
    plain = await startServiceOn(openPostgres(made.address, poolOptions));
  }, 180_000);
  afterAll(async () => {
    await plain.stop();
    await service.stop();
    replica.remove();
    primary.remove();
    deliveries.remove();
  });

  /** Sends a request. Returns the server that answered. */
  const ask = async (path = page, headers: Record<string, string> = {}) => {
    const before = reads.replica;
    const answer = await service.get(path, { headers });
    return { answer, byReplica: reads.replica > before };
  };
  const answersBy = (isReplica: boolean) => expect.poll(async () => (await ask()).byReplica).toBe(isReplica);
  /** Resolves when the load is visible. */
  const rename = async (name: string) => {
    const sheet = await readTableData(service.database, 'person');
    for (const row of sheet.rows) row[sheet.columns.indexOf('company_name')] = name;
    await load(service.database, [deliveries.write('person.csv', asCsv(sheet))], { announceMs: leaseMs });
  };
  const nameIn = async (path = page) => (await service.get(path)).json[0];

  test('answers pages, large pages, documents and deltas like the primary', async () => {
    await answersBy(true);
    for (const path of ['/operations/orders?limit=20', '/operations/orders?limit=5000', '/raw/person?limit=3', document]) {
      const { text } = await plain.get(path);
      const readByReplica = async () => {
        const { answer, byReplica } = await ask(path);
        expect([answer.status, answer.text]).toEqual([200, text]);
        return byReplica;
      };
      // On a busy machine, a check of the replica can be late. Then the primary answers.
      await expect.poll(readByReplica).toBe(true);
    }
  });

  test('is not used while it is behind, and is used again when it has caught up', async () => {
    await answersBy(true);
    const { answer: old } = await ask();
    const version = old.headers.get('x-data-version') as string;
    const etag = old.headers.get('etag') as string;
    expect((await ask(page, { 'If-None-Match': etag })).answer.status).toBe(304);
    await replica.query('select pg_wal_replay_pause()');
    await rename('While it was paused');
    const { answer, byReplica } = await ask(page, { 'If-None-Match': etag });
    expect([answer.status, byReplica]).toEqual([200, false]);
    expect(JSON.stringify(answer.json)).toContain('While it was paused');
    expect(answer.headers.get('etag')).not.toBe(etag);
    const deltas = await service.get(`/stakeholder/tenants/deltas?since_version=${version}`);
    expect(deltas.text).toContain('While it was paused');
    for (let i = 0; i < 10; i++) {
      await pause(leaseMs / 5);
      expect((await ask()).byReplica).toBe(false);
    }
    await replica.query('select pg_wal_replay_resume()');
    await answersBy(true);
    const { answer: now } = await ask();
    expect(now.headers.get('etag')).toBe(answer.headers.get('etag'));
    expect(now.text).toBe(answer.text);
  });

  test('shows no load late and no older version after a newer one, during loads', { timeout: 120_000 }, async () => {
    let isLoading = true;
    const seen = new Set<number>();
    const before = reads.replica;
    const reader = async () => {
      let last = 0;
      while (isLoading) {
        const version = Number((await service.get(page)).headers.get('x-data-version'));
        expect(version).toBeGreaterThanOrEqual(last);
        last = version;
        seen.add(version);
      }
    };
    const readers = reader();
    try {
      for (let i = 0; i < 3; i++) {
        await rename(`Name ${i}`);
        expect(JSON.stringify(await nameIn())).toContain(`Name ${i}`);
        await pause(leaseMs);
      }
    } finally {
      isLoading = false;
    }
    await readers;
    expect(seen.size).toBeGreaterThan(2);
    expect(reads.replica - before).toBeGreaterThan(0);
  });

  test('that hangs, stops and starts causes no errors', async () => {
    await answersBy(true);
    replica.signal('SIGSTOP');
    const answers = await Promise.all(Array.from({ length: 10 }, () => service.get(page)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await answersBy(false);
    replica.signal('SIGCONT');
    await answersBy(true);
    replica.stop();
    for (let i = 0; i < 20; i++) expect((await service.get(page)).status).toBe(200);
    expect((await service.get(document)).text).not.toContain('errors');
    replica.start();
    await answersBy(true);
  });

  test('that cancels a large page before its first row leaves it to the primary', async () => {
    await answersBy(true);
    const orders = 'customer_nord.orders';
    const path = '/operations/orders?limit=5000';
    const { text } = await plain.get(path);
    const locker = new pg.Client({ connectionString: primary.address('estate') });
    await locker.connect();
    const waiting = `select a.pid from pg_stat_activity a join pg_locks l on l.pid = a.pid and not l.granted where a.application_name = 'estate'`;
    const waitingAtThePrimary = async () => (await primary.query(waiting, 'estate')).length;
    let answer = service.get(path);
    // The backend that was seen is terminated, because the replica itself may cancel it soon.
    let pids: readonly number[] = [];
    // On a busy machine, a check of the replica can be late, so that the primary answers. Then the next request is watched.
    for (;;) {
      await answer;
      await answersBy(true);
      // Like a load that swaps a table. The replica replays the lock.
      await locker.query(`begin; lock table ${orders} in access exclusive mode`);
      // The next commit sends the lock to the replica.
      await primary.query("select pg_logical_emit_message(true, 'after', 'the lock')");
      await primary.isReplayedBy(replica);
      answer = service.get(path);
      const seen = async () => {
        pids = (await replica.query(waiting, 'estate')).map(({ pid }) => pid as number);
        return pids.length + (await waitingAtThePrimary());
      };
      await expect.poll(seen).toBe(1);
      if (pids.length === 1) break;
      await locker.query('commit');
    }
    await replica.query(`select pg_terminate_backend(${pids[0]})`);
    await expect.poll(waitingAtThePrimary).toBe(1);
    await locker.query('commit');
    await locker.end();
    expect(await answer).toMatchObject({ status: 200, text });
  });

  test('that was promoted is not used, whatever is loaded there', async () => {
    await answersBy(true);
    const { answer: old } = await ask();
    replica.promote();
    await answersBy(false);
    const astray = openPostgres(replica.address('estate'), poolOptions);
    const sheet = await readTableData(astray, 'person');
    for (const row of sheet.rows) row[sheet.columns.indexOf('company_name')] = 'Astray';
    await load(astray, [deliveries.write('person.csv', asCsv(sheet))], { announceMs: leaseMs });
    await astray.close();
    await pause(2 * leaseMs);
    const { answer, byReplica } = await ask();
    expect([answer.text, byReplica]).toEqual([old.text, false]);
  });
});
