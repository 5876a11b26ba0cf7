/** Attacks by unusual clients: many connections, pipelining, slow senders and readers, connections without a request. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Attack, localAddress, type Target } from './attack.ts';

const page = '/operations/orders?limit=10';
const holdMs = 2_000;

const opened = async ({ host, port }: Target): Promise<Socket> => {
  const socket = connect({ port, host, localAddress });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
};

const head = ({ host, key }: Target, path = page, more = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\n${more}\r\n`;

/** Reads until the connection ends, or until `count` responses have begun. Returns the status of the last one. */
const statusOf = (socket: Socket, count = 1): Promise<string> =>
  new Promise((resolve) => {
    let [seen, status, rest] = [0, 'no answer', ''];
    const timer = setTimeout(() => done('no answer'), 60_000);
    const done = (outcome: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    socket.on('data', (bytes: Buffer) => {
      const text = rest + bytes.toString('latin1');
      for (const [, found = ''] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
        seen++;
        status = found;
      }
      rest = text.slice(text.lastIndexOf('\n') + 1).slice(0, 20);
      if (seen >= count) done(status);
    });
    socket.on('end', () => done(status));
    socket.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? 'failed'));
    socket.on('close', () => done(status));
  });

/** A round that sends `text` and waits for as many responses. */
const sends =
  (text: (target: Target) => string | Buffer, count = 1) =>
  async (target: Target): Promise<string> => {
    const socket = await opened(target);
    socket.write(text(target));
    return statusOf(socket, count);
  };

/** A round that sends `first` and then holds the connection without a complete request. */
const holds =
  (first: (target: Target) => string) =>
  async (target: Target): Promise<string> => {
    const socket = await opened(target);
    const text = first(target);
    if (text) socket.write(text);
    await Promise.race([once(socket, 'close').catch(() => {}), pause(holdMs)]);
    socket.destroy();
    return 'held';
  };

/** A round that sends its request one byte at a time. */
const bytewise = async (target: Target): Promise<string> => {
  const socket = await opened(target);
  socket.setNoDelay();
  for (const byte of Buffer.from(head(target))) {
    if (socket.destroyed) break;
    socket.write(Buffer.of(byte));
    await pause(1);
  }
  return statusOf(socket);
};

const reset = async (target: Target): Promise<string> => {
  const socket = await opened(target);
  socket.write(head(target));
  socket.resetAndDestroy();
  await once(socket, 'close');
  return 'reset';
};

const largeHeaders = Array.from({ length: 14 }, (_, i) => `X-Header-${i}: ${'x'.repeat(1_000)}\r\n`).join('');

export const connectionAttacks: readonly Attack[] = [
  {
    name: '50 connections with 200 pipelined requests each',
    path: page,
    atOnce: 50,
    round: sends((target) => head(target).repeat(200), 200),
  },
  {
    name: '20 connections with 2,000 pipelined requests each',
    path: page,
    atOnce: 20,
    round: sends((target) => head(target).repeat(2_000), 2_000),
  },
  { name: '300 clients that connect, ask once and disconnect', path: page, atOnce: 300, round: sends(head) },
  { name: '300 clients that read at 1 KB/s', path: '/operations/orders?limit=1000', atOnce: 300, bytesPerSecond: 1_000 },
  {
    name: '300 clients that read different pages at 1 KB/s',
    path: '/operations/orders?limit=1000&offset={turn}',
    atOnce: 300,
    bytesPerSecond: 1_000,
  },
  {
    name: '300 clients that read GraphQL answers at 1 KB/s',
    path: '/graphql',
    body: (turn) =>
      JSON.stringify({ query: `{ orders(first: 1000, offset: ${turn % 500}) { nodes { orderId subject status totalNet } } }` }),
    atOnce: 300,
    bytesPerSecond: 1_000,
  },
  {
    name: '300 connections with half a head',
    path: page,
    atOnce: 300,
    round: holds(({ host }) => `GET ${page} HTTP/1.1\r\nHost: ${host}\r\n`),
  },
  { name: '1,000 connections without a request', path: page, atOnce: 1_000, round: holds(() => '') },
  { name: '200 clients that send bytes that are not HTTP', path: page, atOnce: 200, round: sends(() => Buffer.alloc(2_000, 0x16)) },
  {
    name: '1,000 clients that hold back the last byte of a body',
    path: '/graphql',
    atOnce: 1_000,
    round: holds(
      ({ host, key }) =>
        `POST /graphql HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 65536\r\n\r\n${' '.repeat(65_535)}`,
    ),
  },
  { name: '200 clients that ask and reset', path: page, atOnce: 200, round: reset },
  {
    name: '100 clients with Expect: 100-continue',
    path: page,
    atOnce: 100,
    round: sends((target) => head(target, page, 'Expect: 100-continue\r\n'), 2),
  },
  { name: '100 clients with 14 KB of headers', path: page, atOnce: 100, round: sends((target) => head(target, page, largeHeaders)) },
  { name: '100 clients that send one byte at a time', path: page, atOnce: 100, round: bytewise },
];
