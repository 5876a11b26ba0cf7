/** Pipelined requests get the responses that each of them gets alone, in order (contract: connection limits). */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { exchange, type WireAnswer } from '../support/wire.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const request = (key: string, method: string, path: string, body = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n${body && `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`}\r\n${body}`;

/** Requests of different cost: without the database, small, large, grouped, refused, and GraphQL that is valid, known or invalid. */
const kinds: readonly ((key: string, number: number) => string)[] = [
  (key) => request(key, 'GET', '/catalog'),
  (key) => request(key, 'GET', '/nothing'),
  (key, number) => request(key, 'GET', `/operations/orders?limit=${number}`),
  (key, number) => request(key, 'HEAD', `/operations/orders?limit=${number}`),
  (key) => request(key, 'GET', '/operations/orders?limit=2000'),
  (key) => request(key, 'GET', '/operations/orders/groups?by=status&value=count'),
  (key) => request(key, 'GET', '/operations/orders?limit=0'),
  (key, number) => request(key, 'POST', '/graphql', JSON.stringify({ query: `{ orders(first: ${1 + number}) { nodes { orderId } } }` })),
  (key) => request(key, 'POST', '/graphql', JSON.stringify({ query: '{ orders(first: 1) { nodes { unknown } } }' })),
  (key) => request(key, 'POST', '/graphql', '{'),
];

const randomRequest = fc
  .tuple(fc.constantFrom(...kinds), fc.constantFrom(keys.nordEnterprise, keys.suedEnterprise, 'no-key'), fc.nat(9))
  .map(([kind, key, number]) => kind(key, number));

/** What does not depend on the time and the connection. */
const contentOf = ({ status, headers, body }: WireAnswer) => ({
  status,
  body,
  etag: headers.get('etag'),
  type: headers.get('content-type'),
});

test('random sequences of two customers get the responses that each request gets alone', async () => {
  const alone = new Map<string, ReturnType<typeof contentOf>>();
  const answerAlone = async (bytes: string) => {
    if (!alone.has(bytes)) alone.set(bytes, contentOf((await exchange(service.port, bytes))[0] as WireAnswer));
    return alone.get(bytes);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(randomRequest, { minLength: 2, maxLength: 21 }), async (requests) => {
      const expected = [];
      for (const bytes of requests) expected.push(await answerAlone(bytes));
      const answers = await exchange(
        service.port,
        requests.join(''),
        requests.length,
        (index) => requests[index]?.startsWith('HEAD ') === true,
      );
      expect(answers.map(contentOf)).toEqual(expected);
    }),
    { numRuns: 60, seed: 20_261 },
  );
});
