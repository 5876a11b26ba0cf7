/**
 * Clients that read a kilobyte per second, disconnect, or pipeline many requests. Other clients are not affected, and no resources leak.
 */
import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onServer, openTestDatabase } from '../support/database.ts';
import { startServiceOn, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { type Expected, expectNoLeftovers, expectRecovery, growTable, large, readExpected, readRaw } from './support.ts';

const small = '/operations/orders?limit=7&offset=3';

describe.runIf(onServer)('clients', { timeout: 60_000 }, () => {
  let service: TestService;
  let expected: Expected;

  beforeAll(async () => {
    const database = await openTestDatabase();
    await growTable(database.pool, { name: 'budgets', key: 'budget_id', rows: 20_000 });
    service = await startServiceOn(database, { environment: { RESPONSE_CACHE_MB: '0', LARGE_PAGES: '8' } });
    expected = await readExpected(service);
  }, 120_000);
  afterAll(() => service.stop());

  const request = (path: string, connection = 'close') =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.nordEnterprise}\r\nConnection: ${connection}\r\n\r\n`;
  /** Sends a request and waits until a response is readable, without reading it. */
  const open = async (bytes: string) => {
    const socket = net.connect(service.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(bytes);
    await once(socket, 'readable');
    return socket;
  };

  test('that read a kilobyte per second delay nobody, and get complete responses', async () => {
    const readers = await Promise.all(Array.from({ length: 4 }, () => open(request(large))));
    const taken = new Map<net.Socket, number>();
    const take = (socket: net.Socket) => taken.set(socket, (taken.get(socket) ?? 0) + (socket.read(1_024)?.length ?? 0));
    const timers = readers.map((socket) => setInterval(take, 1_000, socket));
    // One customer may have half of the slots for large pages. Another customer has the others.
    const other = await readRaw(service.port, '/accounting/budgets?limit=5000', '1.1', keys.suedEnterprise);
    expect([other.status, other.isWhole]).toEqual([200, true]);
    for (let turn = 0; turn < 20; turn++) expect((await readRaw(service.port, small)).body).toBe(expected.get(small));
    for (const timer of timers) clearInterval(timer);
    const [first, ...rest] = readers as [net.Socket, ...net.Socket[]];
    let length = taken.get(first) ?? 0;
    let tail = '';
    first.on('data', (piece: Buffer) => {
      length += piece.length;
      tail = (tail + piece.toString('latin1')).slice(-100);
    });
    await once(first, 'close');
    expect(length).toBeGreaterThan((expected.get(large) as string).length);
    expect(tail).toMatch(/\}\]\r\n0\r\n\r\n$/);
    for (const socket of rest) socket.destroy();
    await expectRecovery(service, expected);
    await expectNoLeftovers(service);
  });

  test('that disconnect at any moment leave no resources behind', async () => {
    for (let round = 0; round < 8; round++) {
      const readers = Array.from({ length: 12 }, (_, index) => {
        const socket = net.connect(service.port, '127.0.0.1');
        socket.on('error', () => {});
        socket.write(request([large, small, '/operations/orders?limit=1000'][index % 3] as string));
        return socket;
      });
      // From before the request has arrived to the middle of the page.
      let bytes = 0;
      for (const socket of readers) socket.on('data', (piece) => (bytes += piece.length));
      await expect.poll(() => bytes, { interval: 1 }).toBeGreaterThanOrEqual(round * 200_000);
      for (const socket of readers) socket.destroy();
    }
    await expectRecovery(service, expected);
    await expectNoLeftovers(service);
  });

  test('that pipeline many requests get responses in order; one that disconnects leaves no resources behind', async () => {
    const paths = [small, large, '/operations/orders?limit=100', small, large, small];
    const pipelined = paths.map((path, index) => request(path, index === paths.length - 1 ? 'close' : 'keep-alive')).join('');
    const socket = net.connect(service.port, '127.0.0.1');
    const pieces: Buffer[] = [];
    socket.on('data', (piece) => pieces.push(piece));
    socket.write(pipelined);
    await once(socket, 'close');
    const text = Buffer.concat(pieces).toString('latin1');
    const bodies = text.split(/HTTP\/1\.1 200 OK\r\n/).slice(1);
    expect(bodies).toHaveLength(paths.length);
    for (const [index, path] of paths.entries()) {
      const body = (bodies[index] as string).split('\r\n\r\n').slice(1).join('\r\n\r\n');
      // The row at the start of the page.
      expect(body).toContain((expected.get(path) as string).slice(0, 300));
    }
    const leaver = await open(pipelined.repeat(5));
    leaver.destroy();
    await expectRecovery(service, expected);
    await expectNoLeftovers(service);
  });
});
