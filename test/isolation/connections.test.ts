/**
 * Beyond the limits on connections and requests in flight, clients get a response before the connection closes. Other clients are not
 * affected (contract: connection limits; overload).
 */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import net from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { maxPipelined } from '../../src/http/connections/admission.ts';
import { type ServiceOptions, startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { exchange } from '../support/wire.ts';

let service: TestService;
const start = async (environment: ServiceOptions['environment'] = {}): Promise<void> => {
  service = await startService({ environment: { RATE_LIMIT: '100000', ...environment } });
};
afterEach(() => service.stop());

const page = (more = '', path = '/catalog'): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.nordEnterprise}\r\n${more}\r\n`;

/** The data that the server sends until it closes. */
const textOf = async (socket: net.Socket): Promise<string> => {
  let text = '';
  for await (const chunk of socket.setEncoding('latin1')) text += chunk;
  return text;
};
const statusesOf = (text: string): number[] => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
const connected = async (): Promise<net.Socket> => {
  const socket = net.connect(service.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
};

describe('pipelined requests', () => {
  test('are all answered up to the limit', async () => {
    await start();
    // One is in flight, and the others wait.
    const answers = await exchange(service.port, page().repeat(maxPipelined + 1), maxPipelined + 1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test.each([maxPipelined + 2, 3 * maxPipelined])(
    'beyond it: of %i the earlier ones are answered, then one 429 with Retry-After, then the connection closes',
    async (count) => {
      await start();
      const socket = await connected();
      socket.write(page().repeat(count));
      const text = await textOf(socket);
      expect(statusesOf(text)).toEqual([...Array(maxPipelined + 1).fill(200), 429]);
      const refusal = text.slice(text.lastIndexOf('HTTP/1.1 429'));
      expect(refusal).toMatch(/^retry-after: 1\r$/im);
      expect(refusal).toMatch(/^x-ratelimit-remaining: \d+\r$/im);
      expect(refusal).toMatch(/^connection: close\r$/im);
      expect(JSON.parse(refusal.split('\r\n\r\n')[1] as string)).toMatchObject({
        status: 429,
        detail: `Too many requests wait on this connection; the most is ${maxPipelined}`,
        instance: '/catalog',
      });
    },
  );

  test('within the limit are answered, although the time to send a request ends before', async () => {
    await start({ REQUEST_TIMEOUT_MS: '100' });
    const blocker = await service.database.pool.connect();
    const socket = await connected();
    let text: Promise<string>;
    try {
      await blocker.query('begin');
      await blocker.query('lock table customer_nord.orders in access exclusive mode');
      socket.write(page('', '/operations/orders?limit=1').repeat(30 * maxPipelined));
      text = textOf(socket);
      // The time of a later connection has ended, so that of the first one has, too.
      const later = await connected();
      later.write('GET');
      expect(await textOf(later)).toMatch(/^HTTP\/1\.1 408 /);
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
    expect(statusesOf(await text)).toEqual([...Array(maxPipelined + 1).fill(200), 429]);
  });
});

describe('connections of one address', () => {
  test('beyond the limit are answered 429 and closed; a closed one allows a new one', async () => {
    await start({ CONNECTIONS_PER_ADDRESS: '2' });
    const [first, second] = [await connected(), await connected()];
    const refused = await textOf(await connected());
    expect(refused).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/);
    expect(refused).toMatch(/^retry-after: 5\r$/im);
    expect(refused).toContain('Too many connections from this address; the most is 2');
    first.destroy();
    second.destroy();
    await expect.poll(async () => (await exchange(service.port, page()))[0]?.status).toBe(200);
  });

  test.each(['1', '127.0.0.1', '10.0.0.0/8,127.0.0.0/8'])('are not counted when TRUST_PROXY is %s', async (TRUST_PROXY) => {
    await start({ CONNECTIONS_PER_ADDRESS: '2', TRUST_PROXY });
    const sockets = [await connected(), await connected(), await connected()];
    expect((await exchange(service.port, page()))[0]?.status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

test('requests of one key beyond the limit get 503 with Retry-After; another key is not affected, and each response allows a new request', async () => {
  await start({ REQUESTS_PER_KEY: '1' });
  // The body does not arrive, so the request stays in flight.
  const slow = await connected();
  slow.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.nordEnterprise}\r\nContent-Type: application/json\r\nContent-Length: 27\r\n\r\n`,
  );
  await expect.poll(async () => (await service.get('/catalog')).status).toBe(503);
  const { headers, json } = await service.get('/catalog');
  expect([headers.get('retry-after'), json.detail]).toEqual(['5', 'Too many requests of this customer are in flight; try again later']);
  expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
  expect((await service.get('/catalog', { key: keys.suedEnterprise })).status).toBe(200);
  slow.write('{"query":"{ __typename }"} ');
  await once(slow, 'data');
  slow.destroy();
  await expect.poll(async () => (await service.get('/catalog')).status).toBe(200);
});

test('beyond the limit of the process some requests are answered, the rest is refused with Retry-After and the rate-limit headers', async () => {
  await start();
  // Caches the key.
  await service.get('/catalog');
  const sockets: net.Socket[] = [];
  for (let i = 0; i < 22; i++) sockets.push(...(await Promise.all(Array.from({ length: 100 }, connected))));
  const texts = sockets.map((socket) => once(socket, 'data').then(([bytes]) => String(bytes)));
  for (const socket of sockets) socket.write(page());
  const heads = await Promise.all(texts);
  for (const socket of sockets) socket.destroy();
  const refused = heads.filter((head) => !head.startsWith('HTTP/1.1 200 OK'));
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(heads.length);
  for (const head of refused) {
    expect(head).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(head).toMatch(/^retry-after: 1\r$/im);
    expect(head).toMatch(/^x-ratelimit-limit: 100000\r$/im);
    expect(head).toMatch(/^x-ratelimit-remaining: \d+\r$/im);
    expect(head).toContain('The service has too many requests; try again later');
  }
  // All of them count.
  expect((await service.get('/catalog')).headers.get('x-ratelimit-remaining')).toBe(String(100_000 - heads.length - 2));
}, 60_000);

test('clients that reuse connections are never refused', async () => {
  await start();
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const ask = (): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      get(`${service.url}/catalog`, { agent, headers: { 'X-API-Key': keys.nordEnterprise } }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      }).on('error', reject);
    });
  expect(new Set(await Promise.all(Array.from({ length: 1_000 }, ask)))).toEqual(new Set([200]));
  agent.destroy();
});
