/** Sockets that read into one buffer. They use an option that Node documents for `net.connect` only: a new version that changes it fails here. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ReusingSocket } from '../../src/database/connections/pg-session.ts';

const server = createServer();
let socket: ReusingSocket;
let peer: Socket;
beforeEach(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  socket = new ReusingSocket();
  const accepted = once(server, 'connection');
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1');
  [peer] = (await accepted) as [Socket];
  await once(socket, 'connect');
});
afterEach(() => {
  socket.destroy();
  peer.destroy();
  server.close();
});

const nextBorrowed = (): Promise<Buffer> =>
  new Promise((resolve) => {
    socket.borrower = resolve;
  });

test('listeners receive copies, which later reads do not change', async () => {
  const first = once(socket, 'data');
  peer.write('first');
  const [kept] = (await first) as [Buffer];
  const second = once(socket, 'data');
  peer.write('again');
  expect(String((await second)[0])).toBe('again');
  expect(String(kept)).toBe('first');
});

test('a borrower receives the bytes of each read in the same memory, and listeners receive nothing', async () => {
  socket.on('data', () => expect.unreachable());
  const first = nextBorrowed();
  peer.write('first');
  const bytes = await first;
  expect(String(bytes)).toBe('first');
  const second = nextBorrowed();
  peer.write('again');
  expect((await second).buffer).toBe(bytes.buffer);
  expect(String(bytes)).toBe('again');
});

test('the bytes of a paused socket do not change until it resumes', async () => {
  const first = new Promise<Buffer>((resolve) => {
    socket.borrower = (bytes) => {
      socket.pause();
      resolve(bytes);
    };
  });
  peer.write('first');
  const bytes = await first;
  peer.write('again');
  // The peer receives this only after the system has accepted its second write.
  peer.write('', () => socket.write('ready'));
  await once(peer, 'data');
  expect(String(bytes)).toBe('first');
  const second = nextBorrowed();
  socket.resume();
  expect(String(await second)).toBe('again');
});

test('listeners receive the bytes again after the loan, and the end of the connection', async () => {
  const borrowed = nextBorrowed();
  peer.write('rows');
  await borrowed;
  socket.borrower = undefined;
  const data = once(socket, 'data');
  peer.write('ready');
  expect(String((await data)[0])).toBe('ready');
  const ended = once(socket, 'end');
  peer.end();
  await ended;
});
