/** Instances share one quota and one lock-out, whatever happens to Redis (contract: shared quota). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRateLimit } from '../../src/access/rate-limit/rate-limit.ts';
import { type SharedCounts, shareCounts } from '../../src/access/rate-limit/redis-windows.ts';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { Operator, password } from '../portal/operator.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts';
import { startServiceOn, type TestService } from '../support/service.ts';
import { poolOptions } from '../support/settings.ts';

describe.runIf(hasRedis)('two processes with one Redis', () => {
  const limit = 500;
  let redis: RedisServer;
  let instances: { shared: SharedCounts; isReached: () => boolean; count: (bucket?: string) => Promise<number> }[];

  const start = async () => {
    let isReached = false;
    const shared = shareCounts(redis.url, (now) => {
      isReached = now;
    });
    await shared.ready();
    const rateLimit = createRateLimit(limit, shared.openWindows);
    const count = async (bucket = 'key a') => limit - ((await rateLimit.count(bucket))?.remaining ?? 0);
    return { shared, isReached: () => isReached, count };
  };
  const [a, b] = [0, 1].map((index) => ({
    count: (bucket?: string) => (instances[index] as (typeof instances)[number]).count(bucket),
  })) as [{ count: (bucket?: string) => Promise<number> }, { count: (bucket?: string) => Promise<number> }];
  const reached = (expected: boolean) => expect.poll(() => instances.map(({ isReached }) => isReached())).toEqual([expected, expected]);

  beforeEach(async () => {
    redis = await startRedis();
    instances = [await start(), await start()];
  });
  afterEach(async () => {
    for (const { shared } of instances) shared.close();
    await redis.kill();
  });

  test('count each request once, also concurrently', async () => {
    const counts = await Promise.all(Array.from({ length: 200 }, (_, index) => (index % 2 ? a : b).count()));
    expect(counts.sort((x, y) => x - y)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    expect(await a.count('address b')).toBe(1);
  });

  test('have the same window, which starts with the first request of either', async () => {
    const limits = instances.map(({ shared }) => createRateLimit(2, shared.openWindows));
    expect(await limits[0]?.count('key a')).toEqual({ limit: 2, remaining: 1, resetSeconds: 3600, isExceeded: false });
    expect(await limits[1]?.count('key a')).toMatchObject({ limit: 2, remaining: 0, isExceeded: false });
    expect(await limits[0]?.count('key a')).toMatchObject({ limit: 2, remaining: 0, isExceeded: true });
  });

  test('count the parts of a file together, also without Redis (contract: parts of files)', async () => {
    const [one, other] = instances.map(({ shared }) => createRateLimit(2, shared.openWindows));
    const part = (limit: typeof one, share: number, file = '/files/x') => limit?.countFile('key a', file, { share });
    const parts = await Promise.all(Array.from({ length: 20 }, (_, index) => part(index % 2 ? one : other, 0.1)));
    expect(parts.map((quota) => quota?.isExceeded)).toEqual(Array(20).fill(false));
    expect(await one?.read('key a')).toMatchObject({ remaining: 1, isExceeded: false });
    // The two instances have sent the file twice.
    expect(await part(one, 0.1)).toMatchObject({ remaining: 0, isExceeded: false });
    await redis.kill();
    expect(await part(one, 0.1)).toMatchObject({ remaining: 0, isExceeded: false });
    await reached(false);
    expect(await part(other, 0.1)).toMatchObject({ isExceeded: false });
    expect(await part(one, 0.1, '/files/y')).toMatchObject({ isExceeded: true });
  });

  test('continue with their counts when Redis stops, and report them when it is back', async () => {
    for (let i = 0; i < 10; i++) await a.count();
    expect(await b.count()).toBe(11);
    await redis.kill();
    expect(await a.count()).toBe(11);
    expect(await a.count()).toBe(12);
    expect(await b.count()).toBe(12);
    await reached(false);
    await redis.start();
    await reached(true);
    // It has lost all data, and no process starts a new window.
    expect(await a.count()).toBe(13);
    expect(await b.count()).toBeGreaterThanOrEqual(14);
  });

  test('add up what they counted alone, if Redis kept its data', async () => {
    for (let i = 0; i < 4; i++) await a.count();
    await b.count();
    redis.signal('SIGSTOP');
    // The first process to notice does not know whether Redis will still count the request.
    await Promise.all([a.count(), b.count()]);
    await reached(false);
    for (let i = 0; i < 3; i++) await a.count();
    for (let i = 0; i < 5; i++) await b.count();
    redis.signal('SIGCONT');
    await reached(true);
    await a.count();
    // 5 before, 2 while it hung, 8 without it, 2 after.
    expect(await b.count()).toBe(17);
  });

  test('answer at once while it hangs', async () => {
    await a.count();
    redis.signal('SIGSTOP');
    const counts = await Promise.all(Array.from({ length: 50 }, () => a.count()));
    expect(Math.max(...counts)).toBe(51);
    expect(await a.count()).toBe(52);
    redis.signal('SIGCONT');
  });

  test('start without it, and connect later', async () => {
    await redis.kill();
    const late = await start();
    expect(late.isReached()).toBe(false);
    expect(await late.count('key c')).toBe(1);
    await redis.start();
    await expect.poll(late.isReached).toBe(true);
    expect(await late.count('key c')).toBe(2);
    await reached(true);
    expect(await a.count('key c')).toBe(3);
    late.shared.close();
  });
});

describe.runIf(hasRedis && onServer)('two instances behind one address', () => {
  let redis: RedisServer;
  let instances: TestService[];

  beforeAll(async () => {
    redis = await startRedis();
    const environment = { REDIS_URL: redis.url, RATE_LIMIT: '20', PORTAL_PASSWORD: password };
    const database = await openTestDatabase();
    const other = openPostgres(database.address as string, poolOptions);
    instances = [await startServiceOn(database, { environment }), await startServiceOn(other, { environment })];
  });
  afterAll(async () => {
    for (const instance of instances.reverse()) await instance.stop();
    await redis.kill();
  });

  test('wrong passwords lock out at both', async () => {
    const statuses = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      const operator = new Operator(instances[attempt % 2] as TestService);
      statuses.push((await operator.submit('/portal/sign-in', { password: 'a wrong one' })).status);
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
  });

  test('a key has exactly its quota', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => instances[index % 2]?.get('/catalog')));
    expect(answers.map((answer) => answer?.status).sort()).toEqual([...Array(20).fill(200), ...Array(20).fill(429)]);
    await redis.kill();
    for (const instance of instances) expect((await instance.get('/catalog')).status).toBe(429);
    await redis.start();
    for (const instance of instances) expect((await instance.get('/catalog')).status).toBe(429);
  });
});
