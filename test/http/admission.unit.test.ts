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

/** Sends 20 requests at once over open connections, three times. Resolves with the numbers of requests that turns have started. */
const startsOf = async (work: RequestListener): Promise<number[]> => {
  const turns: number[] = [];
  let [starts, isMeasured] = [0, false];
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
    Array.from({ length: 20 }, async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    }),
  );
  const endTurn = () => {
    if (isMeasured && starts > 0) turns.push(starts);
    starts = 0;
    if (server.listening) setImmediate(endTurn);
  };
  endTurn();
  for (let repeat = 0; repeat < 3; repeat++) {
    // The first requests have no average yet.
    isMeasured = repeat > 0;
    const answers = sockets.map((socket) => once(socket, 'data'));
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    await Promise.all(answers);
  }
  for (const socket of sockets) socket.destroy();
  server.close();
  return turns;
};

const takeMs = (milliseconds: number): void => {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
};

test('several cheap requests start in one turn', async () => {
  expect(Math.max(...(await startsOf(() => {})))).toBeGreaterThan(1);
});

// A turn that the system interrupts may start more, so the number of turns counts.
test.each([
  ['at once', () => takeMs(10)],
  ['in microtasks', () => void Promise.resolve().then(() => takeMs(10))],
])('requests that take long %s start in many turns', async (_when, work) => {
  expect((await startsOf(work)).length).toBeGreaterThan(10);
});
