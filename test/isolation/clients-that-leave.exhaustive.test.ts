/**
 * Clients that leave at any moment, on every kind of response and coding. Nothing stays held for them, and every later request is answered
 * (contract: slow clients).
 */
import net from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { held } from '../../src/metrics.ts';
import { rounds, seed } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const document = encodeURIComponent('{ orders(first: 500) { nodes { orderId subject property { propertyId } } } }');
const paths = [
  '/operations/orders?limit=1000&offset=1',
  '/operations/orders?limit=7',
  '/operations/orders?limit=5000',
  '/operations/orders/groups?by=status',
  '/operations/orders?limit=1000&format=csv',
  '/raw/booking_pos?limit=1000',
  '/raw/booking_pos?limit=100000',
  `/graphql?query=${document}`,
  '/catalog',
  '/nothing',
  '/openapi.json',
  '/docs',
];
const leaver = fc.record({
  path: fc.constantFrom(...paths),
  coding: fc.constantFrom('identity', 'gzip', 'br'),
  /** Requests without waiting for answers. */
  times: fc.constantFrom(1, 1, 1, 3),
  /** Leaves after this time or this number of bytes. */
  ms: fc.nat(20),
  bytes: fc.constantFrom(0, 1, 1_000, 100_000, Number.POSITIVE_INFINITY),
  isReset: fc.boolean(),
});

const clients = rounds(5_000);

test(`${clients} clients`, async () => {
  const leavers = fc.sample(leaver, { numRuns: clients, seed }).values();
  const lane = async () => {
    for (const { path, coding, times, ms, bytes, isReset } of leavers)
      await new Promise((resolve) => {
        const socket = net.connect(service.port, '127.0.0.1');
        let read = 0;
        const leave = () => (isReset ? socket.resetAndDestroy() : socket.destroy());
        const timer = setTimeout(leave, ms);
        socket.on('data', (chunk) => {
          read += chunk.length;
          if (read >= bytes) leave();
        });
        socket.on('error', () => {});
        socket.on('close', () => {
          clearTimeout(timer);
          resolve(undefined);
        });
        const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.nordEnterprise}\r\nAccept-Encoding: ${coding}\r\n\r\n`;
        socket.write(request.repeat(times));
      });
  };
  await Promise.all(Array.from({ length: 20 }, lane));
  await expect.poll(() => held).toEqual({ requests: 0, waiting: 0, bytes: 0, spoolFiles: 0 });
  for (const path of paths) expect([path, (await service.get(path)).status]).toEqual([path, path === '/nothing' ? 404 : 200]);
}, 300_000);
