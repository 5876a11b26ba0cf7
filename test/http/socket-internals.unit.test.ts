import { once } from 'node:events';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { isParsingStopped, isResponding, stopParsing, unsentBytesOf } from '../../src/http/connections/socket-internals.ts';

test('bytes that the system has not sent yet are visible while the client does not read', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  const [socket] = (await once(server, 'connection')) as [Socket];
  try {
    expect(unsentBytesOf(socket)).toBe(0);
    const size = 64 * 2 ** 20;
    socket.write(Buffer.alloc(size));
    // One write is in flight: Node's buffer counts it as sent to the system, the system's queue does not.
    const { writeQueueSize } = (socket as unknown as { _handle: { writeQueueSize: number } })._handle;
    expect(writeQueueSize).toBeGreaterThan(0);
    expect(unsentBytesOf(socket)).toBeGreaterThan(size / 2);
    client.resume();
    await once(socket, 'drain');
    expect(unsentBytesOf(socket)).toBe(0);
  } finally {
    client.destroy();
    socket.destroy();
    server.close();
  }
});

test('a socket shows whether a part of its response has been sent', async () => {
  const server = createHttpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  try {
    const requested = once(server, 'request');
    client.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    const [{ socket }, response] = (await requested) as [{ socket: Socket }, ServerResponse];
    expect(isResponding(socket)).toBe(false);
    response.write('begun');
    expect(isResponding(socket)).toBe(true);
    response.end();
    await once(response, 'close');
    expect(isResponding(socket)).toBe(false);
  } finally {
    client.destroy();
    server.close();
  }
});

test('a parser that was stopped reports no more requests, and responses can still be sent', async () => {
  const pending: ServerResponse[] = [];
  const server = createHttpServer({ requestTimeout: 50, headersTimeout: 50, connectionsCheckingInterval: 10 }, ({ socket }, response) => {
    pending.push(response);
    if (pending.length === 3) stopParsing(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  try {
    const late = once(server, 'clientError');
    client.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(10_000));
    const [error, socket] = (await late) as [NodeJS.ErrnoException, Socket];
    expect([error.code, isParsingStopped(socket), pending.length]).toEqual(['ERR_HTTP_REQUEST_TIMEOUT', true, 3]);
    for (const response of pending) response.end('answered');
    let text = '';
    for await (const chunk of client.setEncoding('latin1')) {
      text += chunk;
      if (text.split('answered').length === 4) break;
    }
    expect(text.split('answered')).toHaveLength(4);
    expect(pending.length).toBe(3);
  } finally {
    client.destroy();
    server.close();
  }
});
