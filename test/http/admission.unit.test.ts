/** A turn of the event loop starts fewer requests when their start takes long (contract: waiting). */
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { admitRequests } from '../../src/http/connections/admission.ts';
import { ConnectionPace } from '../../src/http/connections/connection-pace.ts';

const unexpected = () => {
  throw new Error('this is not expected here');
};

/** A server whose requests are admitted, and open connections to it. */
interface Admitted {
  readonly sockets: readonly Socket[];
  /** The numbers of requests that turns have started. */
  readonly turns: number[];
  /** Sends a request on each of the sockets at once. Resolves with the beginnings of the responses. */
  send(sockets: readonly Socket[]): Promise<string[]>;
}

let close = () => {};
afterEach(() => close());

const admit = async (count: number, work: RequestListener, refuse: (response: ServerResponse) => void = unexpected): Promise<Admitted> => {
  const turns: number[] = [];
  let starts = 0;
  const server = createServer((request, response) => {
    starts++;
    work(request, response);
    response.end();
  });
  admitRequests(server, {
    pace: new ConnectionPace(),
    ownerOf: () => 1,
    refuse: (_request, response) => refuse(response),
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
    if (starts > 0) turns.push(starts);
    starts = 0;
    if (server.listening) setImmediate(endTurn);
  };
  endTurn();
  close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  const send = async (to: readonly Socket[]) => {
    const answers = to.map((socket) => once(socket, 'data'));
    for (const socket of to) socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    return (await Promise.all(answers)).map(([chunk]) => String(chunk));
  };
  return { sockets, turns, send };
};

const takeMs = (milliseconds: number): void => {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
};

/** Sends 20 requests at once, three times. Resolves with the numbers of requests that turns have started, without the first time. */
const startsOf = async (work: RequestListener): Promise<readonly number[]> => {
  const { sockets, turns, send } = await admit(20, work);
  await send(sockets);
  // The first requests have no average yet.
  turns.length = 0;
  await send(sockets);
  await send(sockets);
  return turns;
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

test('the cost of refusals does not count for the requests that start in the same turn', async () => {
  let isFirst = false;
  const blockOnce = () => {
    // The requests that have not started by then are refused, until 64 of them remain.
    if (isFirst) setImmediate(() => takeMs(400));
    isFirst = false;
  };
  const { sockets, turns, send } = await admit(200, blockOnce, (response) => {
    takeMs(20);
    response.writeHead(503).end();
  });
  await send(sockets);
  isFirst = true;
  const answers = await send(sockets);
  const accepted = sockets.filter((_, index) => answers[index]?.startsWith('HTTP/1.1 200'));
  expect(accepted.length).toBeGreaterThan(20);
  expect(accepted.length).toBeLessThan(sockets.length);
  turns.length = 0;
  await send(accepted.slice(0, 20));
  expect(turns.length).toBeLessThan(8);
});
