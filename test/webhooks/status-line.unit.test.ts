/** What counts of an answer is its status line, whatever precedes or follows it (contract: deliveries). */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { attemptMs, post } from '../../src/webhooks/post.ts';
import { maxHead, StatusLine } from '../../src/webhooks/status-line.ts';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A receiver that answers each request with bytes of its own. */
const receiver = async (answer: (socket: Socket) => void) => {
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    socket.once('data', () => answer(socket));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const message = { headers: {}, body: '{}' };
const attempt = async (answer: (socket: Socket) => void) => post(await receiver(answer), message, { allowsPrivate: true });

/** Writes until the connection ends. */
const endlessly = (socket: Socket, text: string, start = ''): void => {
  socket.write(start);
  const more = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', more);
  more();
};

const ok = 'HTTP/1.1 200 OK\r\n';
const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
const delivered = { isDelivered: true, status: 200 };
const failed = (status: number) => ({ isDelivered: false, status, note: `status ${status}` });

describe('a status of 200 is a delivery', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['with a body that never ends', (socket) => socket.write(`${ok}Content-Length: 5\r\n\r\n`)],
    ['with an endless body', (socket) => endlessly(socket, 'x'.repeat(16_384), `${ok}\r\n`)],
    ['with chunks and trailers that never end', (socket) => socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n`)],
    ['with headers that never end', (socket) => socket.write(`${ok}A: b\r\n`)],
    ['with endless headers', (socket) => endlessly(socket, `A: ${'b'.repeat(8_192)}\r\n`, ok)],
    ['with wrong headers', (socket) => socket.write(`${ok}no header\r\nContent-Length: -1\r\n\r\n`)],
    ['with two lengths', (socket) => socket.write(`${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`)],
    ['before a close', (socket) => socket.end(ok)],
    ['with an upgrade', (socket) => socket.write(`${ok}Connection: upgrade\r\nUpgrade: x\r\n\r\n`)],
    ['after informational responses', (socket) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${early.repeat(20)}${ok}`)],
    ['without a reason', (socket) => socket.write('HTTP/1.1 200\r\n\r\n')],
  ])('%s', async (_name, answer) => {
    const before = performance.now();
    expect(await attempt(answer)).toEqual(delivered);
    expect(performance.now() - before).toBeLessThan(attemptMs);
  });

  test('also if a reset follows it', async () => {
    let answered: Socket | undefined;
    const attempted = attempt((socket) => {
      answered = socket;
      socket.write(`${ok}Content-Length: 9\r\n\r\nx`);
    });
    expect(await attempted).toEqual(delivered);
    answered?.resetAndDestroy();
  });

  test('whose connection is closed', async () => {
    let closed: Promise<unknown> | undefined;
    await attempt((socket) => {
      closed = once(socket, 'close');
      socket.write(`${ok}Content-Length: 5\r\n\r\n`);
    });
    await closed;
  });
});

describe('a failure', () => {
  test.each([101, 199 + 101, 404, 500])('%s is one, at once, with an open connection', async (status) => {
    expect(await attempt((socket) => socket.write(`HTTP/1.1 ${status} x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n`))).toEqual(
      failed(status),
    );
  });

  test('are endless informational responses', async () => {
    expect(await attempt((socket) => endlessly(socket, early.repeat(200)))).toEqual({ isDelivered: false, note: 'no status within 16 KB' });
    expect(await attempt((socket) => endlessly(socket, `HTTP/1.1 103 x\r\nA: ${'b'.repeat(maxHead)}\r\n`))).toMatchObject({
      isDelivered: false,
    });
  });

  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n'],
    ['another protocol', 'HTTP/2 200 OK\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
  ])('is %s', async (_name, text) => {
    expect(await attempt((socket) => socket.write(text))).toMatchObject({ isDelivered: false, note: expect.stringMatching(/^no answer/) });
  });

  test('is a connection that ends before the status, or stays silent', { timeout: 3 * attemptMs }, async () => {
    expect(await attempt((socket) => socket.end('HTTP/1.1 2'))).toMatchObject({ isDelivered: false });
    const late = { isDelivered: false, note: 'no answer within 10 s' };
    const attempts = [(socket: Socket) => socket.write('HTTP/1.1 20'), (socket: Socket) => socket.write(early)].map(attempt);
    expect(await Promise.all(attempts)).toEqual([late, late]);
  });
});

test('a status is found in pieces of any size, after any number of informational responses', () => {
  const bytes = Buffer.from(`${early.repeat(3)}HTTP/1.0 204 No Content\r\n`);
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const line = new StatusLine();
    let status: ReturnType<StatusLine['read']>;
    for (let at = 0; at < bytes.length && status === undefined; at += size) status = line.read(bytes.subarray(at, at + size));
    expect([size, status]).toEqual([size, 204]);
  }
});
