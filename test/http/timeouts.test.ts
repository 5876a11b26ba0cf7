/** Clients that send nothing, send half a request, or read nothing of their response. No test asserts an upper bound of the time. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setInterval } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cutStalledClients, stalledMs } from '../../src/http/connections/stalled.ts';
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
    expect(length).toBeGreaterThan(1_000_000);
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

describe('a client that reads nothing is disconnected', () => {
  const body = Buffer.alloc(64 * 1024 * 1024, 'x');

  const serve = async (afterMs: number) => {
    const server = createServer((_request, response) => response.end(body));
    cutStalledClients(server, afterMs);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [[serverSide]] = (await Promise.all([once(server, 'connection'), once(socket, 'connect')])) as [[net.Socket], unknown];
    socket.on('error', () => {});
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return { server, socket, serverSide };
  };

  test('after the documented time, not earlier', async () => {
    expect(stalledMs).toBe(30_000);
    const afterMs = 400;
    const { server, socket, serverSide } = await serve(afterMs);
    const started = performance.now();
    await once(serverSide, 'close');
    expect(performance.now() - started).toBeGreaterThanOrEqual(afterMs);
    socket.destroy();
    server.close();
  });

  test('a client that reads a little now and then is not disconnected', async () => {
    const afterMs = 2_000;
    const { server, socket, serverSide } = await serve(afterMs);
    let read = 0;
    const started = performance.now();
    // Enough at a time for the system to accept more from the server, at intervals longer than the limit for one write.
    for await (const _ of setInterval(afterMs / 5)) {
      for (const goal = read + 5_000_000; read < goal; ) {
        const chunk = socket.read();
        if (chunk) read += chunk.length;
        else await once(socket, 'readable');
      }
      if (performance.now() - started > 1.5 * afterMs) break;
    }
    expect(serverSide.destroyed).toBe(false);
    socket.destroy();
    server.close();
  });

  test('a client without a request is not disconnected', async () => {
    const { server, socket, serverSide } = await serve(400);
    socket.resume();
    let received = 0;
    for await (const chunk of socket) {
      received += chunk.length;
      if (received > body.length) break;
    }
    expect(serverSide.destroyed).toBe(false);
    server.closeAllConnections();
    server.close();
  });
});
