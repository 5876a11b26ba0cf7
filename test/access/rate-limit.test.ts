import net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { createRateLimit, type SentFile } from '../../src/access/rate-limit/rate-limit.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { type Answer, type GetOptions, startService, type TestService } from '../support/service.ts';
import { testSecret } from '../support/settings.ts';

describe('a fixed window of one hour that starts with the first request (contract: quota)', () => {
  afterEach(() => void vi.useRealTimers());

  test('the window ends an hour after its first request, whatever came between', async () => {
    vi.useFakeTimers();
    const limit = createRateLimit(2);
    const count = () => limit.count('a');
    expect(await count()).toEqual({ limit: 2, remaining: 1, resetSeconds: 3600, isExceeded: false });
    await vi.advanceTimersByTimeAsync(1_500);
    // The remaining time is 3598.5 s. Retry-After is rounded up.
    expect(await count()).toEqual({ limit: 2, remaining: 0, resetSeconds: 3599, isExceeded: false });
    await vi.advanceTimersByTimeAsync(3_598_000);
    expect(await count()).toEqual({ limit: 2, remaining: 0, resetSeconds: 1, isExceeded: true });
    await vi.advanceTimersByTimeAsync(600);
    expect(await count()).toEqual({ limit: 2, remaining: 1, resetSeconds: 3600, isExceeded: false });
  });

  test('changes of the system clock have no effect', async () => {
    vi.useFakeTimers();
    const limit = createRateLimit(1);
    await limit.count('a');
    vi.setSystemTime(Date.now() - 2 * 3_600_000);
    expect(await limit.count('a')).toMatchObject({ resetSeconds: 3600, isExceeded: true });
    vi.setSystemTime(Date.now() + 4 * 3_600_000);
    expect(await limit.count('a')).toMatchObject({ resetSeconds: 3600, isExceeded: true });
  });

  test('no number of addresses evicts the count of a key', async () => {
    const limit = createRateLimit(1);
    await limit.count('key a');
    for (let i = 0; i < 150_000; i++) await limit.count(`address ${i}`);
    expect((await limit.count('key a'))?.isExceeded).toBe(true);
  });

  test('buckets are independent', async () => {
    const limit = createRateLimit(1);
    await limit.count('a');
    expect((await limit.count('b'))?.isExceeded).toBe(false);
    expect((await limit.count('a'))?.isExceeded).toBe(true);
  });

  describe('of files (contract: parts of files)', () => {
    const limited = (requests = 100) => {
      const limit = createRateLimit(requests);
      const used = async (sent: SentFile, file = 'x', bucket = 'key a') =>
        requests - (await limit.countFile(bucket, file, sent))!.remaining;
      return { limit, used };
    };

    test('a whole file counts each time, and its parts once in an hour', async () => {
      vi.useFakeTimers();
      const { limit, used } = limited();
      expect([await used('whole'), await used('whole')]).toEqual([1, 2]);
      expect([await used({ share: 0.3 }), await used({ share: 0 }), await used({ share: 0.5 })]).toEqual([3, 3, 3]);
      expect([await used({ share: 0.3 }, 'y'), await used({ share: 0.3 }, 'x', 'key b')]).toEqual([4, 1]);
      expect(await limit.read('key a')).toMatchObject({ remaining: 96, isExceeded: false });
      await vi.advanceTimersByTimeAsync(3_600_000);
      expect([await used({ share: 0.3 }), await used({ share: 0.3 })]).toEqual([1, 1]);
    });

    test('parts count again for each file beyond twice the file, in any sizes', async () => {
      for (const [share, times, requests] of [
        [0.999, 12, 11],
        [0.5, 4, 1],
        [0.5, 5, 2],
        [0, 2_000, 1],
        [1e-9, 2_001, 2],
        [0, 12_000, 11],
      ] as const) {
        const { used } = limited();
        let last = 0;
        for (let time = 0; time < times; time++) last = await used({ share });
        expect([share, times, last]).toEqual([share, times, requests]);
      }
    });

    test('a redirect and the file are one request, and redirects alone have a bound', async () => {
      const { used } = limited();
      for (let time = 1; time <= 20; time++) expect([await used('redirect'), await used('whole')]).toEqual([time - 1, time]);
      for (let time = 0; time < 10; time++) expect(await used('redirect')).toBe(20);
      expect([await used('redirect'), await used('redirect'), await used('whole'), await used('redirect')]).toEqual([21, 22, 23, 23]);
    });

    test('parts of a file that is paid for are sent at the end of the quota, and not beyond it', async () => {
      const { limit } = limited(1);
      const part = () => limit.countFile('key a', 'x', { share: 0.1 });
      expect([await part(), await part()]).toMatchObject(Array(2).fill({ remaining: 0, isExceeded: false }));
      expect(await limit.countFile('key a', 'y', { share: 0.1 })).toMatchObject({ isExceeded: true });
      expect(await part()).toMatchObject({ isExceeded: true });
    });
  });

  test('0 disables the limit (contract: quota)', async () => {
    const limit = createRateLimit(0);
    expect([await limit.count('a'), await limit.read('a'), await limit.countFile('a', 'x', 'whole')]).toEqual(Array(3).fill(undefined));
  });
});

describe('over HTTP', () => {
  const max = 6;
  let service: TestService;
  let store: KeyStore;

  beforeAll(async () => {
    service = await startService({ environment: { RATE_LIMIT: String(max), TRUST_PROXY: 'true' } });
    store = new KeyStore(service.database, testSecret);
  });
  afterAll(() => service.stop());

  const issue = async () => store.create({ customer: await findCustomer(service.database, 'nord'), tier: 'basic' });
  const left = ({ status, headers }: Answer) => [status, Number(headers.get('x-ratelimit-remaining'))];
  const from = (address: string, options: GetOptions = {}) =>
    service.get('/catalog', { key: null, ...options, headers: { ...options.headers, 'X-Forwarded-For': address } });

  test('every response counts, whatever its status (contract: quota)', async () => {
    const { key } = await issue();
    const answers = [
      await service.get('/catalog', { key }),
      await service.get('/nothing', { key }),
      await service.get('/catalog', { key, method: 'POST' }),
      await service.get('/operations/orders', { key }),
      await service.get('/property/%zz', { key }),
      await service.get('/property/properties?limit=0', { key, method: 'HEAD' }),
      await service.get('/catalog', { key }),
      await service.get('/catalog', { key, method: 'POST' }),
      await service.get('/nothing', { key }),
    ];
    expect(answers.map(left)).toEqual([
      [200, 5],
      [404, 4],
      [405, 3],
      [403, 2],
      [400, 1],
      [422, 0],
      [429, 0],
      [405, 0],
      [429, 0],
    ]);
  });

  test('a request over the limit learns when the window ends (contract: exhausted quota)', async () => {
    const { key } = await issue();
    for (let i = 0; i < max; i++) expect((await service.get('/catalog', { key })).status).toBe(200);
    const { status, headers, json } = await service.get('/catalog?x=y', { key });
    expect(status).toBe(429);
    expect(json).toEqual({
      type: 'about:blank',
      title: 'Too Many Requests',
      status: 429,
      detail: `Rate limit exceeded: ${max} per 1 hour`,
      instance: '/catalog',
    });
    const after = Number(headers.get('retry-after'));
    expect(after).toBeGreaterThan(3500);
    expect(after).toBeLessThanOrEqual(3600);
    expect(headers.get('ratelimit-reset')).toBe(String(after));
    expect(headers.get('ratelimit-policy')).toBe(`${max};w=3600`);
    expect(headers.get('ratelimit-limit')).toBe(String(max));
    expect(headers.get('ratelimit-remaining')).toBe('0');
  });

  test('requests of pages have a window of their own, and no more (contract: requests of pages)', async () => {
    const { key } = await issue();
    const send = (mark?: string) => service.get('/catalog', { key, ...(mark !== undefined && { headers: { 'X-Page-Request': mark } }) });
    const marks = ['1', '', 'true', 'x'.repeat(200), '2', '0'];
    const marked = [];
    for (const mark of marks) marked.push(left(await send(mark)));
    expect(marked).toEqual([5, 4, 3, 2, 1, 0].map((remaining) => [200, remaining]));
    // No other mark is another window.
    for (const mark of ['1', 'another', '']) expect(left(await send(mark))).toEqual([429, 0]);
    for (let remaining = max - 1; remaining >= 0; remaining--) expect(left(await send())).toEqual([200, remaining]);
    expect(left(await send())).toEqual([429, 0]);
    expect(left(await send('1'))).toEqual([429, 0]);
  });

  test('a mark is no key: without one, requests count for their address', async () => {
    const headers = { 'X-Page-Request': '1' };
    expect(left(await from('203.0.113.77', { headers }))).toEqual([401, 5]);
    expect(left(await from('203.0.113.77'))).toEqual([401, 4]);
  });

  test('requests without a valid key share a bucket per address, which blocks no key (contract: requests without a key)', async () => {
    const { key } = await issue();
    const anonymous = [];
    for (let i = 0; i < max; i++) anonymous.push(left(await from('203.0.113.1', i % 2 ? { key: 'est_nobody_knows' } : {})));
    expect(anonymous).toEqual([5, 4, 3, 2, 1, 0].map((remaining) => [401, remaining]));
    expect(left(await from('203.0.113.1'))).toEqual([429, 0]);
    expect(left(await from('203.0.113.1', { key: 'wrong' }))).toEqual([429, 0]);
    expect(left(await from('203.0.113.1', { key }))).toEqual([200, 5]);
    expect(left(await from('203.0.113.2'))).toEqual([401, 5]);
  });

  test('data that never becomes a request counts for its address', async () => {
    const send = async (bytes: string) => {
      const socket = net.connect(service.port, '127.0.0.1');
      socket.write(bytes);
      let text = '';
      for await (const chunk of socket.setEncoding('latin1')) text += chunk;
      return [Number(text.split(' ')[1]), Number(/x-ratelimit-remaining: (\d+)/i.exec(text)?.[1])];
    };
    expect(await send('NO HTTP AT ALL\r\n\r\n')).toEqual([400, 5]);
    expect(await send(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`)).toEqual([431, 4]);
    expect(await send('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')).toEqual([405, 3]);
    expect(await send('GET /catalog HTTP/1.1\r\nConnection: close\r\n\r\n')).toEqual([400, 2]);
  });

  test('rotation does not reset the quota (contract: quota owner)', async () => {
    const old = await issue();
    expect(left(await service.get('/catalog', { key: old.key }))).toEqual([200, 5]);
    const second = await store.rotate(old.id, 60_000);
    expect(left(await service.get('/catalog', { key: second.key }))).toEqual([200, 4]);
    const third = await store.rotate(second.id, 60_000);
    expect(left(await service.get('/catalog', { key: third.key }))).toEqual([200, 3]);
    expect(left(await service.get('/catalog', { key: old.key }))).toEqual([200, 2]);
  });

  test('concurrent requests are counted one by one', async () => {
    const { key } = await issue();
    const answers = await Promise.all(Array.from({ length: 2 * max }, () => service.get('/catalog', { key })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(max).fill(200), ...Array(max).fill(429)]);
  });
});
