/** Clients that send nothing, send half a request, or read nothing of their response. No test asserts an upper bound of the time. */
import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

const requestTimeoutMs = 300;
let service: TestService;

beforeAll(async () => {
  service = await startService({ environment: { REQUEST_TIMEOUT_MS: String(requestTimeoutMs) } });
});
afterAll(() => service.stop());

/** The data until the server closes its side, and the time. The client keeps its own side open. */
const hear = async (bytes: string) => {
  const socket = net.connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  const started = performance.now();
  if (bytes) socket.write(bytes);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  await once(socket, 'end');
  return { socket, text, ms: performance.now() - started };
};

const post = `POST /graphql HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.nordBasic}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;

describe('REQUEST_TIMEOUT_MS applies', () => {
  test.each([
    ['nothing', ''],
    ['half a head', 'GET /catalog HTTP/1.1\r\nHost: x\r\n'],
    ['half a body', post],
  ])('%s', async (_, bytes) => {
    const { socket, text, ms } = await hear(bytes);
    expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(text).toMatch(/content-type: application\/problem\+json/i);
    expect(text).toMatch(/x-request-id: [0-9a-f-]{36}/i);
    // Not before its time. The interval of the server's checks, tested below, bounds the delay.
    expect(ms).toBeGreaterThan(requestTimeoutMs * 0.9);
    socket.destroy();
  });

  test('the response may take longer', async () => {
    const page = await service.get('/graphql', { key: null, headers: { Accept: 'text/html' } });
    const path = /src="([^"]+graphiql\.js)"/.exec(page.text)?.[1];
    const socket = net.connect(service.port, '127.0.0.1');
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    // Each of them times out, so the response waits at least three times as long.
    for (let i = 0; i < 3; i++) (await hear('GET /')).socket.destroy();
    let text = '';
    for await (const chunk of socket.setEncoding('latin1')) text += chunk;
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
    expect(length).toBeGreaterThan(500_000);
    expect(text.length - text.indexOf('\r\n\r\n') - 4).toBe(length);
  });

  test('the server checks often enough', () => {
    const { headersTimeout, requestTimeout } = service.app.server;
    expect([headersTimeout, requestTimeout]).toEqual([requestTimeoutMs, requestTimeoutMs]);
  });
});

test('a connection that was answered 400 or 408 is closed completely', async () => {
  const { server } = service.app;
  const closed: Promise<unknown>[] = [];
  const watch = (socket: net.Socket) => void closed.push(once(socket, 'close'));
  server.on('connection', watch);
  const sockets = await Promise.all(
    ['NO HTTP\r\n\r\n', 'GET /catalog HTTP/1.1\r\n', post].map(async (bytes) => (await hear(bytes)).socket),
  );
  server.off('connection', watch);
  expect(closed).toHaveLength(3);
  // These clients never close their side.
  await Promise.all(closed);
  for (const socket of sockets) socket.destroy();
});

describe('a client that reads nothing', () => {
  /** A client that is sent more than the system buffers, and the service's side of its connection. */
  const open = async () => {
    const { server } = service.app;
    const page = await service.get('/graphql', { key: null, headers: { Accept: 'text/html' } });
    const path = /src="([^"]+graphiql\.js)"/.exec(page.text)?.[1];
    server.setTimeout(500);
    const socket = net.connect(service.port, '127.0.0.1').pause();
    socket.on('error', () => {});
    const [serverSide] = (await once(server, 'connection')) as [net.Socket];
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(20));
    return { socket, serverSide };
  };

  test('is disconnected', async () => {
    const { socket, serverSide } = await open();
    await once(serverSide, 'close');
    socket.destroy();
  });

  test('the time is longer than an answer may take', () => {
    expect(service.app.initialConfig.connectionTimeout).toBe(15_000 + 60_000 + 30_000);
  });
});
