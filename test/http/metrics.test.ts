/** The metrics for Prometheus are complete, well-formed, and have bounded labels. */
import { spawnSync } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { register } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabaseMetrics } from '../../src/database/control/database-metrics.ts';
import { serveMetrics } from '../../src/http/metrics-server.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

const promtool = spawnSync('promtool', ['--version']).status === 0;

let service: TestService;
let server: Server;

beforeAll(async () => {
  // Counts of earlier tests in this process.
  register.resetMetrics();
  service = await startService({ environment: { RATE_LIMIT: '1000', METRICS_PORT: '0' } });
  server = await serveMetrics({ host: '127.0.0.1', port: 0 }, [() => register.metrics(), createDatabaseMetrics(service.database)]);
});
afterAll(async () => {
  server.close();
  await service.stop();
});

const scrape = async (): Promise<string> => (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`)).text();
/** The value of one series; undefined if it does not exist. */
const figure = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

test('requests are counted by route, status and class, whatever their path is', async () => {
  await service.get('/operations/orders?limit=5');
  await service.get('/operations/orders?limit=5', { key: keys.nordBasic });
  await service.get('/catalog', { key: null });
  for (let i = 0; i < 20; i++) await service.get(`/made/up/${i}`, { key: null });
  const series = (route: string, status: number, tier: string) =>
    `estate_http_requests_total{route="${route}",status="${status}",class="${tier}"}`;
  await expect.poll(async () => figure(await scrape(), series('none', 401, 'none'))).toBe(20);
  const text = await scrape();
  expect(figure(text, series('/:category/:table', 200, 'enterprise'))).toBe(1);
  expect(figure(text, series('/:category/:table', 403, 'basic'))).toBe(1);
  expect(figure(text, series('/catalog', 401, 'none'))).toBe(1);
  expect(figure(text, 'estate_http_rows_total{route="/:category/:table"}')).toBe(5);
  expect(figure(text, 'estate_http_requests_in_flight')).toBe(0);
  expect(text).not.toMatch(/made|nordenterprise/);
});

test('metrics of queues, pools, memory of versions and age of data exist', async () => {
  const text = await scrape();
  expect(figure(text, 'estate_queue_wait_seconds_count{queue="pages"}')).toBe(1);
  expect(figure(text, 'estate_queue_work{queue="pages",state="running"}')).toBe(0);
  expect(figure(text, 'estate_database_up')).toBe(1);
  expect(figure(text, 'estate_data_synced_timestamp_seconds{customer="nord"}')).toBeGreaterThan(1.7e9);
  expect(figure(text, 'estate_cache_lookups_total{cache="keys",result="miss"}')).toBeGreaterThan(0);
});

test.runIf(promtool || process.env.CI)('promtool accepts the metrics', async () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await scrape(), encoding: 'utf8' });
  expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
});

describe('a scrape', () => {
  const ask = (path: string, options: RequestInit = {}, of = server) =>
    fetch(`http://127.0.0.1:${(of.address() as AddressInfo).port}${path}`, options);

  test('may have a query, and HEAD is answered like GET without a body', async () => {
    expect((await ask('/metrics?name=x')).status).toBe(200);
    const head = await ask('/metrics', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      expect.stringMatching(/^text\/plain; version=0\.0\.4/),
      '',
    ]);
  });

  test('with another method is a 405 that names the allowed methods', async () => {
    const { status, headers } = await ask('/metrics', { method: 'POST' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('needs the token if one is configured', async () => {
    const guarded = await serveMetrics({ host: '127.0.0.1', port: 0, token: 'a-token-for-tests' }, [async () => 'up 1\n']);
    const status = async (authorization?: string) =>
      (await ask('/metrics', { headers: authorization ? { authorization } : {} }, guarded)).status;
    expect(await status('Bearer a-token-for-tests')).toBe(200);
    expect(await status('bearer  a-token-for-tests')).toBe(200);
    for (const wrong of [undefined, 'Bearer', 'Bearer a-token-for-test', 'Bearer a-token-for-tests-', 'Basic a-token-for-tests'])
      expect(await status(wrong)).toBe(401);
    expect((await ask('/metrics', {}, guarded)).headers.get('www-authenticate')).toBe('Bearer');
    guarded.close();
  });
});

test('the port serves nothing else', async () => {
  const { port } = server.address() as AddressInfo;
  expect((await fetch(`http://127.0.0.1:${port}/catalog`)).status).toBe(404);
  expect((await service.get('/metrics')).status).toBe(404);
});
