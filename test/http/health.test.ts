/** Health checks of a load balancer, while the service is healthy and while it is not (contract: health). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { createDatabaseProblems } from '../../src/database/readiness.ts';
import { type Cluster, hasClusters, startCluster } from '../support/cluster.ts';
import { startService, type TestService } from '../support/service.ts';
import { poolOptions } from '../support/settings.ts';

const ready = { status: 200, json: { ready: true, reasons: [] } };

describe('a healthy service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ environment: { RATE_LIMIT: '2' } });
  });
  afterAll(() => service.stop());

  test('says so without a key, and the check is not counted', async () => {
    for (let time = 0; time < 5; time++) {
      expect(await service.get('/health/live', { key: null })).toMatchObject({ status: 200, json: { live: true } });
      const answer = await service.get('/health/ready', { key: null });
      expect(answer).toMatchObject(ready);
      expect(answer.headers.has('x-ratelimit-limit')).toBe(false);
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
    }
    expect((await service.get('/catalog', { key: null })).headers.get('x-ratelimit-remaining')).toBe('1');
  });

  test('accepts GET and HEAD', async () => {
    expect(await service.get('/health/ready', { key: null, method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    const { status, headers } = await service.get('/health/ready', { key: null, method: 'POST' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

test('while it stops it is alive and not ready, and answers until the load balancer has noticed', async () => {
  const service = await startService({ environment: { STOP_DELAY_MS: '1000' } });
  const stopped = service.stop();
  expect(await service.get('/health/ready', { key: null })).toMatchObject({
    status: 503,
    json: { ready: false, reasons: ['the service is being stopped'] },
  });
  expect((await service.get('/health/live', { key: null })).status).toBe(200);
  const answer = await service.get('/catalog');
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  await stopped;
});

describe.runIf(hasClusters)('an unavailable database', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  test('is reported until it is available again', async () => {
    const database = openPostgres(cluster.address(), poolOptions);
    const problems = createDatabaseProblems(database);
    try {
      expect(await problems()).toEqual(['the control schema is not there']);
      await cluster.query('create schema estate create table kysely_migration (name text)');
      await expect.poll(problems).toEqual(['the control schema is older than this program']);
      await cluster.query("insert into estate.kysely_migration values ('999_of_a_newer_program')");
      await expect.poll(problems).toEqual([]);
      cluster.signal('SIGSTOP');
      await expect.poll(problems).toEqual(['the database did not answer in time']);
      cluster.signal('SIGCONT');
      await expect.poll(problems).toEqual([]);
      cluster.stop();
      await expect.poll(problems).toEqual(['the database does not answer']);
      cluster.start();
      await expect.poll(problems).toEqual([]);
    } finally {
      await database.close();
    }
  });
});
