/** A turn of the event loop starts fewer requests when their start takes long (contract: waiting). */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { admitRequests } from '../../src/http/connections/admission.ts';
import { ConnectionPace } from '../../src/http/connections/connection-pace.ts';

const unexpected = () => {
  throw new Error('no request is refused here');
};

/** Sends `count` requests at once over open connections, again and again. Resolves with the largest number that one turn has started. */
const maxStartsOf = async (work: RequestListener, { count, repeats }: { count: number; repeats: number }): Promise<number> => {
  let [starts, max, isMeasured] = [0, 0, false];
  const server = createServer((request, response) => {
    starts++;
    work(request, response);
    response.end();
  });
  admitRequests(server, {
    pace: new ConnectionPace(),
    ownerOf: () => 1,
    refuse: unexpected,
    close: unexpected,
    isRefused: () => false,
    isExempt: () => false,
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    }),
  );
  const endTurn = () => {
    if (isMeasured) max = Math.max(max, starts);
    starts = 0;
    if (server.listening) setImmediate(endTurn);
  };
  endTurn();
  for (let repeat = 0; repeat < repeats; repeat++) {
    // The first requests have no average yet.
    isMeasured = repeat > 0;
    const answers = sockets.map((socket) => once(socket, 'data'));
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    await Promise.all(answers);
  }
  for (const socket of sockets) socket.destroy();
  server.close();
  return max;
};

const takeMs = (milliseconds: number): void => {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
};

test('cheap requests start together', async () => {
  expect(await maxStartsOf(() => {}, { count: 40, repeats: 5 })).toBeGreaterThan(4);
});

test('a turn starts few expensive requests, also if the work follows in microtasks', async () => {
  expect(await maxStartsOf(() => takeMs(10), { count: 20, repeats: 2 })).toBeLessThan(8);
  expect(await maxStartsOf(() => void Promise.resolve().then(() => takeMs(10)), { count: 20, repeats: 2 })).toBeLessThan(8);
});
