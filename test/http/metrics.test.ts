/** What Prometheus reads: complete, well-formed, and bounded in its labels. */
import { spawnSync } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { register } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabaseMetrics } from '../../src/database/freshness.ts';
import { serveMetrics } from '../../src/http/metrics-server.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

const promtool = spawnSync('promtool', ['--version']).status === 0;

let service: TestService;
let server: Server;

beforeAll(async () => {
  // What tests before counted in this process.
  register.resetMetrics();
  service = await startService({ environment: { RATE_LIMIT: '1000', METRICS_PORT: '0' } });
  server = await serveMetrics({ host: '127.0.0.1', port: 0 }, [() => register.metrics(), createDatabaseMetrics(service.database)]);
});
afterAll(async () => {
  server.close();
  await service.stop();
});

const scrape = async (): Promise<string> => (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`)).text();
/** The value of one series; undefined if there is none. */
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
  expect(figure(text, 'estate_http_requests_under_way')).toBe(0);
  expect(text).not.toMatch(/made|nordenterprise/);
});

test('queues, pools, memory of versions and age of data are there', async () => {
  const text = await scrape();
  expect(figure(text, 'estate_queue_wait_seconds_count{queue="pages"}')).toBe(1);
  expect(figure(text, 'estate_queue_work{queue="pages",state="under way"}')).toBe(0);
  expect(figure(text, 'estate_database_up')).toBe(1);
  expect(figure(text, 'estate_data_synced_timestamp_seconds{customer="nord"}')).toBeGreaterThan(1.7e9);
  expect(figure(text, 'estate_remembered_total{what="keys",result="miss"}')).toBeGreaterThan(0);
});

test.runIf(promtool || process.env.CI)('promtool finds no fault with it', async () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await scrape(), encoding: 'utf8' });
  expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
});

test('nothing else is on that port', async () => {
  const { port } = server.address() as AddressInfo;
  expect((await fetch(`http://127.0.0.1:${port}/catalog`)).status).toBe(404);
  expect((await service.get('/metrics')).status).toBe(404);
});
