/**
 * Beyond the limits on connections and requests in flight, clients get a response before the connection closes. Other clients are not
 * affected (contract: connection limits; overload).
 */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import net from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { maxPipelined } from '../../src/http/connections/open-responses.ts';
import { held } from '../../src/metrics.ts';
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
const connected = async (): Promise<net.Socket> => {
  const socket = net.connect(service.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
};

describe('pipelined requests', () => {
  test('are all answered up to the limit', async () => {
    await start({ REQUESTS_PER_KEY: '0' });
    const answers = await exchange(service.port, page().repeat(maxPipelined), maxPipelined);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('beyond it reset their connection, and nothing is held for them', async () => {
    await start({ REQUESTS_PER_KEY: '0' });
    const blocker = await service.database.pool.connect();
    try {
      await blocker.query('begin');
      await blocker.query('lock table customer_nord.orders in access exclusive mode');
      const socket = await connected();
      socket.write(page('', '/operations/orders?limit=1').repeat(maxPipelined + 1));
      await new Promise((resolve) => socket.once('close', resolve));
      await expect.poll(() => held).toEqual({ requests: 0, waiting: 0, bytes: 0, spoolFiles: 0 });
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
    expect((await service.get('/operations/orders?limit=1')).status).toBe(200);
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

test('a client that leaves while its key is looked up holds nothing', async () => {
  await start({ REQUESTS_PER_KEY: '1' });
  const blocker = await service.database.pool.connect();
  try {
    await blocker.query('begin');
    await blocker.query('lock table estate.api_keys in access exclusive mode');
    const arrived = once(service.app.server, 'request');
    const socket = await connected();
    socket.write(page());
    const [, response] = await arrived;
    const closed = once(response, 'close');
    socket.destroy();
    await closed;
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
  await expect.poll(async () => (await service.get('/catalog')).status).toBe(200);
  expect((await service.get('/catalog')).status).toBe(200);
  await expect.poll(() => held.requests).toBe(0);
});

test('many requests of one customer in flight never refuse a request of another one', async () => {
  await start({ REQUESTS_PER_KEY: '0' });
  const sockets: net.Socket[] = [];
  const many = 600;
  try {
    // The bodies never arrive, so the requests stay in flight.
    for (let i = 0; i < many; i++) {
      const socket = await connected();
      sockets.push(socket);
      socket.write(
        `POST /graphql HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.nordEnterprise}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`,
      );
    }
    await expect.poll(() => held.requests).toBe(many);
    expect((await service.get('/catalog', { key: keys.suedEnterprise })).status).toBe(200);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  await expect.poll(() => held.requests).toBe(0);
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

describe('a body in chunks of one byte', () => {
  const body = `${'1\r\nx\r\n'.repeat(60_000)}0\r\n\r\n`;
  const post = (key: string): string =>
    `POST /graphql HTTP/1.1\r\nHost: x\r\n${key}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  /** What the service sends until the connection is closed. */
  const answerTo = (socket: net.Socket): Promise<string> =>
    new Promise((resolve) => {
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });

  test('is not read without a key, and the connection is closed', async () => {
    await start();
    const socket = await connected();
    const answer = answerTo(socket);
    socket.write(post(''));
    const text = await answer;
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
    expect(text).toMatch(/^connection: close\r$/im);
  });

  test('resets the connection of a caller', async () => {
    await start();
    const socket = await connected();
    const answer = answerTo(socket);
    socket.write(post(`X-API-Key: ${keys.nordEnterprise}\r\n`) + body);
    expect(await answer).toBe('');
    await expect.poll(() => held.requests).toBe(0);
    expect((await service.get('/catalog')).status).toBe(200);
  });
});
