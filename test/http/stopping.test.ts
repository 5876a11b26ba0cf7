/** While the service stops, new requests are refused with a problem document. */
import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

test('a request on a persistent connection gets 503 with Retry-After, the one in flight is finished', async () => {
  const service = await startService({ environment: { RATE_LIMIT: '1000' } });
  const { server } = service.app;
  const socket = net.connect(service.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  const body = JSON.stringify({ query: '{ __typename }' });
  const head = `Host: x\r\nX-API-Key: ${keys.nordProfessional}\r\n`;
  socket.write(`POST /graphql HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`);
  await once(server, 'request');
  const stopped = service.stop();
  await expect.poll(() => server.listening, { interval: 5 }).toBe(false);
  socket.write(`${body}GET /catalog?x=1 HTTP/1.1\r\n${head}\r\n`);
  await once(socket, 'close');
  await stopped;

  const second = text.indexOf('HTTP/1.1 503 Service Unavailable');
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(text.slice(0, second)).toContain('{"data":{"__typename":"Query"}');
  const [answer = '', problem = ''] = text.slice(second).split('\r\n\r\n');
  expect(answer).toMatch(/content-type: application\/problem\+json/i);
  expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/i);
  expect(answer).toMatch(/retry-after: [1-9]/i);
  expect(answer).toMatch(/x-ratelimit-remaining: 998/i);
  expect(answer).toMatch(/cache-control: private, no-store/i);
  expect(answer).toMatch(/connection: close/i);
  expect(JSON.parse(problem)).toEqual({
    type: 'about:blank',
    title: 'Service Unavailable',
    status: 503,
    detail: 'The service is being stopped; try again later',
    instance: '/catalog',
  });
});

test('a request that is not finished by the deadline is reset, not ended', async () => {
  const service = await startService({ environment: { STOP_TIMEOUT_MS: '200' } });
  const socket = net.connect(service.port, '127.0.0.1');
  const ended = once(socket, 'close');
  // The body never arrives, so the request stays in flight.
  const head = `POST /graphql HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.nordProfessional}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n`;
  socket.write(head);
  await once(service.app.server, 'request');
  const reset = expect(ended).rejects.toMatchObject({ code: 'ECONNRESET' });
  await service.stop();
  await reset;
});

test('an idle connection without a request does not delay the stop', async () => {
  const service = await startService({ environment: { STOP_TIMEOUT_MS: '60000' } });
  const socket = net.connect(service.port, '127.0.0.1');
  await once(service.app.server, 'connection');
  // It ends long before the deadline; otherwise the test times out.
  await Promise.all([once(socket, 'close'), service.stop()]);
});

/** Sends one request after the other on a persistent connection, until an answer closes it. Returns the statuses; 0 for no whole answer. */
const askUntilClosed = async (port: number, underway: () => void): Promise<number[]> => {
  const socket = net.connect(port, '127.0.0.1');
  const statuses: number[] = [];
  let text = '';
  let isWaiting = false;
  const ask = (): void => {
    isWaiting = true;
    socket.write(`GET /catalog HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.nordBasic}\r\n\r\n`);
  };
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    const [head = '', body] = text.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (body === undefined || body.length < length) return;
    statuses.push(Number(head.slice(9, 12)));
    text = '';
    isWaiting = false;
    underway();
    if (!/^connection: close/im.test(head)) ask();
  });
  socket.on('error', () => {});
  socket.on('connect', ask);
  await once(socket, 'close').catch(() => {});
  return isWaiting ? [...statuses, 0] : statuses;
};

test('every request of busy persistent connections has a whole answer while the service stops without a delay', async () => {
  const service = await startService({ environment: { STOP_DELAY_MS: '0' } });
  let answers = 0;
  const clients = Array.from({ length: 163 }, () => askUntilClosed(service.port, () => void answers++));
  await expect.poll(() => answers, { timeout: 30_000, interval: 5 }).toBeGreaterThan(1_000);
  await service.stop();
  const statuses = (await Promise.all(clients)).flat();
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(100);
});
