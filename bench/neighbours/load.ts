/**
 * A process that sends requests at a fixed rate over many persistent connections, one request at a time on each. It prints the outcomes.
 *
 *   node --import tsx load.ts <url> <key> <connections> <requests per second, 0 for no limit> <seconds> <client addresses>
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../service.ts';

const [url = '', key = '', connections = '', rate = '', seconds = '', addresses = '1'] = process.argv.slice(2);
const { hostname, port } = new URL(url);

interface Connection {
  socket: Socket;
  sentAt: number;
  /** The bytes of the response that have not arrived; undefined before its head is complete. */
  left: number | undefined;
  head: string;
}

const idle: Connection[] = [];
const times: Record<string, number[]> = {};
let [sent, unsent, turn, withoutRetryAfter, closed] = [0, 0, 0, 0, 0];
let isOver = false;

const send = (connection: Connection): void => {
  connection.sentAt = performance.now();
  sent++;
  const path = `/operations/orders?limit=10&offset=${(turn++ * 37) % 400}`;
  connection.socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${key}\r\n\r\n`);
};

const answered = (connection: Connection): void => {
  const status = connection.head.slice(9, 12);
  const known = times[status] ?? [];
  times[status] = known;
  known.push(performance.now() - connection.sentAt);
  if (status === '503' && !/\r\nretry-after: /i.test(connection.head)) withoutRetryAfter++;
  connection.left = undefined;
  connection.head = '';
  if (isOver) return;
  if (Number(rate) === 0) send(connection);
  else idle.push(connection);
};

const take = (connection: Connection, bytes: Buffer): void => {
  let body = bytes.length;
  if (connection.left === undefined) {
    connection.head += bytes.toString('latin1');
    const end = connection.head.indexOf('\r\n\r\n');
    if (end < 0) return;
    body = connection.head.length - end - 4;
    connection.head = connection.head.slice(0, end + 2);
    connection.left = Number(/content-length: (\d+)/i.exec(connection.head)?.[1] ?? 0);
  }
  connection.left -= body;
  if (connection.left <= 0) answered(connection);
};

let opened = 0;

const open = async (): Promise<void> => {
  const socket = connect({ host: hostname, port: Number(port), localAddress: `127.0.1.${1 + (opened++ % Number(addresses))}` });
  socket.setNoDelay();
  await once(socket, 'connect');
  const connection: Connection = { socket, sentAt: 0, left: undefined, head: '' };
  socket.on('data', (bytes: Buffer) => take(connection, bytes));
  socket.on('error', () => {});
  socket.on('close', () => {
    closed++;
    const at = idle.indexOf(connection);
    if (at >= 0) idle.splice(at, 1);
    if (!isOver) setTimeout(() => void open().catch(() => {}), 100);
  });
  idle.push(connection);
};

const count = Number(connections);
for (let done = 0; done < count; done += 50) await Promise.all(Array.from({ length: Math.min(50, count - done) }, open));
const begun = performance.now();
const until = begun + Number(seconds) * 1_000;
if (Number(rate) === 0) {
  for (const connection of idle.splice(0)) send(connection);
  await pause(Number(seconds) * 1_000);
} else {
  for (let due = 0; performance.now() < until; ) {
    const target = ((performance.now() - begun) / 1_000) * Number(rate);
    for (; due < target; due++) {
      const connection = idle.shift();
      if (connection) send(connection);
      else unsent++;
    }
    await pause(1);
  }
}
const elapsed = (performance.now() - begun) / 1_000;
const counts = Object.fromEntries(Object.entries(times).map(([status, values]) => [status, values.length]));
isOver = true;
// Late responses count too.
await pause(Number(rate) === 0 ? 0 : 3_000);
const p99s = Object.fromEntries(Object.entries(times).map(([status, values]) => [status, quantile(values, 0.99)]));
console.log(JSON.stringify({ counts, p99s, sent, unsent, withoutRetryAfter, closed, elapsed }));
process.exit();
