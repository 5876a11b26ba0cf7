/**
 * Connections that end at any moment, with any bytes: whatever Node raises for a socket, the process lives (contract: problem documents).
 * Node gives up the socket of CONNECT, and an error of a socket without a listener ends a process.
 */
import { once } from 'node:events';
import net from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasHaproxy, startHaproxy } from '../support/haproxy.ts';
import { rounds, seed } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

let service: TestService;
const ports: Record<string, number> = {};
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  service = await startService();
  ports.directly = service.port;
  if (!hasHaproxy) return;
  const haproxy = await startHaproxy(service.port);
  ports.HAProxy = haproxy.port;
  stops.push(haproxy.stop);
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await service.stop();
});

const endings = ['reset', 'half-close', 'garbage'] as const;

/** Sends the bytes and ends the connection. Resolves when it is closed. */
const send = async (port: number, bytes: string, ending: (typeof endings)[number]): Promise<void> => {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect').catch(() => {});
  socket.resume();
  await new Promise((resolve) => socket.write(bytes, 'latin1', resolve));
  if (ending === 'reset') socket.resetAndDestroy();
  else socket.end(ending === 'garbage' ? '\x16\x03\x01 no HTTP\r\n\r\n' : '');
  await closed;
};

const isAlive = async () => expect((await service.get('/catalog')).status).toBe(200);
const head = `Host: x\r\nX-API-Key: ${keys.nordEnterprise}\r\n`;
const methods = ['CONNECT', 'GET', 'POST', 'OPTIONS', 'TRACE', 'PRI', 'FOO', ''];
const requests = methods.flatMap((method) => [
  `${method} x:443 HTTP/1.1\r\nHost: x\r\n\r\n`,
  `${method} /graphql HTTP/1.1\r\n${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  `${method} /graphql HTTP/1.1\r\n${head}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n12345`,
  `${method} /graphql HTTP/1.1\r\n${head}Expect: the-unexpected\r\nContent-Length: 5\r\n\r\n12345`,
  `${method} /graphql HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n0\r\n\r\n`,
]);
/** Nothing sent before, an answered request, one that is in flight, and one that is malformed. */
const before = [
  '',
  `GET /catalog HTTP/1.1\r\n${head}\r\n`,
  `GET /operations/orders?limit=1000 HTTP/1.1\r\n${head}\r\n`,
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
];

describe.each(['directly', ...(hasHaproxy ? ['HAProxy'] : [])])('%s', (way) => {
  test.each(endings)(
    'every method at every stage, then %s',
    async (ending) => {
      for (const first of before) await Promise.all(requests.map((request) => send(ports[way]!, first + request, ending)));
      await isAlive();
    },
    60_000,
  );

  test('random prefixes that end in a reset', async () => {
    const prefix = fc.tuple(fc.constantFrom(...before), fc.constantFrom(...requests), fc.nat(400));
    const prefixes = fc.sample(prefix, { numRuns: rounds(5_000), seed });
    const next = prefixes.values();
    const lane = async () => {
      for (const [first, request, length] of next) await send(ports[way]!, (first + request).slice(0, length), 'reset');
    };
    await Promise.all(Array.from({ length: 20 }, lane));
    await isAlive();
  }, 120_000);
});
