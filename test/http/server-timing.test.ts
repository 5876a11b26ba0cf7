/** Durations of the parts of a request, only for callers with a valid key (contract: server timing). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiError } from '../../src/errors.ts';
import { Queue } from '../../src/scheduling/queue.ts';
import { Timing } from '../../src/timing.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

const form = /^queue;dur=\d+\.\d, database;dur=\d+\.\d, total;dur=\d+\.\d$/;
const durations = (header: string | null) => [...(header ?? '').matchAll(/(\w+);dur=([\d.]+)/g)].map(([, name, ms]) => [name, Number(ms)]);

let service: TestService;
beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '100', CORS_ORIGINS: 'https://app.example' } });
});
afterAll(() => service.stop());

const path = '/operations/orders?limit=20';
const document = `/graphql?query=${encodeURIComponent('{ orders(first: 2) { nodes { orderId } } }')}`;

test.each([path, '/operations/orders?limit=5000', '/raw/person?limit=3', '/catalog', document])('%s has the header', async (target) => {
  const { status, headers } = await service.get(target);
  expect([status, headers.get('server-timing')]).toEqual([200, expect.stringMatching(form)]);
});

test('a read has database time, a cached response has none, and the bodies are equal', async () => {
  const about = '/operations/orders?limit=21';
  const read = await service.get(about);
  const [, [, database = 0] = [], [, total = 0] = []] = durations(read.headers.get('server-timing'));
  expect(Number(database)).toBeGreaterThan(0);
  expect(Number(total)).toBeGreaterThanOrEqual(Number(database));
  const cached = await service.get(about);
  expect(durations(cached.headers.get('server-timing'))[1]).toEqual(['database', 0]);
  expect([cached.text, cached.headers.get('etag')]).toEqual([read.text, read.headers.get('etag')]);
  const unchanged = await service.get(about, { headers: { 'If-None-Match': read.headers.get('etag') as string } });
  expect([unchanged.status, unchanged.headers.get('server-timing')]).toEqual([304, expect.stringMatching(form)]);
});

test('errors of a valid key have the header too', async () => {
  for (const [target, status, key] of [
    ['/operations/orders?limit=0', 422, keys.nordEnterprise],
    ['/operations/nothing', 404, keys.nordEnterprise],
    ['/operations/orders', 403, keys.nordBasic],
  ] as const) {
    const answer = await service.get(target, { key });
    expect([answer.status, answer.headers.get('server-timing')]).toEqual([status, expect.stringMatching(form)]);
  }
});

test('callers without a valid key do not get it', async () => {
  for (const [target, key, status] of [
    [path, null, 401],
    [path, 'est_nordenterprise_wrong', 401],
    [path, 'est_madeup_wrong', 401],
    ['/health/ready', null, 200],
    ['/openapi.json', null, 200],
    ['/', null, 200],
  ] as const) {
    const answer = await service.get(target, { key });
    expect([answer.status, answer.headers.get('server-timing')]).toEqual([status, null]);
  }
});

test('scripts of other origins may read it', async () => {
  const { headers } = await service.get(path, { headers: { Origin: 'https://app.example' } });
  expect(headers.get('access-control-expose-headers')).toContain('Server-Timing');
});

test('the wait for a slot is listed separately, also if the request gets none', async () => {
  const queue = new Queue({ name: 'pages', slots: 1, waiting: 2, waitMs: 40 });
  const leave = await queue.enter(1);
  const timing = new Timing();
  await expect(queue.enter(1, undefined, timing)).rejects.toThrow(new ApiError('busy').message);
  const [[, waited = 0] = [], [, database] = []] = durations(timing.header);
  expect(Number(waited)).toBeGreaterThan(30);
  expect(database).toBe(0);
  leave();
});

test('concurrent connections are counted once', () => {
  const timing = new Timing();
  const [first, second] = [timing.connected(), timing.connected()];
  first();
  second();
  const [, [, database = 0] = [], [, total = 0] = []] = durations(timing.header);
  expect(Number(database)).toBeLessThanOrEqual(Number(total));
});
