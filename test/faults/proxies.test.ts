/** No client takes an incomplete page for a complete one, with any proxy in between. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { hasHaproxy, startHaproxy } from '../support/haproxy.ts';
import { hasNginx, startNginx } from '../support/nginx.ts';
import { startServiceOn, type TestService } from '../support/service.ts';
import { poolOptions } from '../support/settings.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { expectNoLeftovers, growTable, large, readRaw } from './support.ts';

describe.runIf(onServer && hasNginx && hasHaproxy)('a page that is aborted in the middle', { timeout: 60_000 }, () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let broken: TcpProxy;
  let service: TestService;
  let ports: Readonly<Record<string, number>>;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    await growTable(database.pool, { name: 'budgets', key: 'budget_id', rows: 20_000 });
    const address = new URL(database.address as string);
    broken = await new TcpProxy(Number(address.port || 5432)).listen();
    address.host = `127.0.0.1:${broken.port}`;
    service = await startServiceOn(openPostgres(address.href, poolOptions), { environment: { RESPONSE_CACHE_MB: '0' } });
    const nginx = await startNginx(service.port);
    const haproxy = await startHaproxy(service.port);
    stops.push(nginx.stop, haproxy.stop);
    ports = { nobody: service.port, nginx: Number(new URL(nginx.url).port), HAProxy: haproxy.port };
  }, 120_000);
  afterAll(async () => {
    for (const stop of stops) await stop();
    await service.stop();
    broken.close();
    await database.close();
  });

  test.each(['nobody', 'nginx', 'HAProxy'].flatMap((between) => (['1.1', '1.0'] as const).map((version) => [between, version] as const)))(
    'through %s, HTTP/%s',
    async (between, version) => {
      const port = ports[between] as number;
      const whole = await readRaw(port, large, version);
      expect([whole.status, whole.isWhole, JSON.parse(whole.body).length]).toEqual([200, true, 20_000]);
      broken.cutAfter(1_000_000);
      const part = await readRaw(port, large, version);
      broken.repair();
      expect(part.status).toBe(200);
      expect(part.body.length).toBeLessThan(whole.body.length);
      expect(whole.body.startsWith(part.body)).toBe(true);
      // HTTP/1.0 has no end marker, and proxies close normally. Only the JSON shows that it is incomplete.
      if (between === 'nobody' || version === '1.1') expect(part.isWhole).toBe(false);
      expect(() => JSON.parse(part.body)).toThrow();
      await expect.poll(async () => (await readRaw(port, large, version)).body === whole.body).toBe(true);
    },
  );

  test('leaves no resources behind', async () => {
    for (const stop of stops.splice(0)) await stop();
    await expectNoLeftovers(service);
  });
});
