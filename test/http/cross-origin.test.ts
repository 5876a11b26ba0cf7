/** Scripts of another origin may send what clients send, and read what answers say (contract: cross-origin requests). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';

const origin = 'https://app.example';
let service: TestService;
let agentKey: string;
beforeAll(async () => {
  service = await startService({ environment: { CORS_ORIGINS: origin, RATE_LIMIT: '10000' } });
  const customer = await findCustomer(service.database, 'nord');
  agentKey = (await new KeyStore(service.database, testSecret).create({ customer, tier: 'enterprise', groups: ['agents'] })).key;
});
afterAll(() => service.stop());

/** Request headers of clients, by the path and the method of their requests. */
const clients: readonly (readonly [client: string, method: string, path: string, headers: readonly string[]])[] = [
  ['fetch', 'GET', '/operations/orders', ['x-api-key', 'if-none-match', 'prefer', 'cache-control']],
  ['a reader of Parquet', 'GET', '/files/orders/1.parquet', ['authorization', 'range', 'if-range', 'if-match', 'if-none-match', 'prefer']],
  ['a reader of Parquet', 'HEAD', '/files/orders/1.parquet', ['x-api-key']],
  ['fetch that waits', 'GET', '/changes', ['x-api-key', 'prefer']],
  [
    'Apollo Client',
    'POST',
    '/graphql',
    ['content-type', 'x-api-key', 'apollo-require-preflight', 'apollographql-client-name', 'apollographql-client-version'],
  ],
  ['urql with traces', 'POST', '/graphql', ['content-type', 'authorization', 'traceparent', 'tracestate', 'baggage']],
  ['Relay with persisted documents', 'GET', '/graphql', ['x-api-key', 'x-apollo-operation-name', 'sentry-trace']],
  ['an agent', 'POST', '/mcp', ['content-type', 'authorization', 'mcp-protocol-version', 'mcp-session-id', 'last-event-id']],
];

test.each(clients)('%s may send %s %s', async (_client, method, path, headers) => {
  const preflight = { Origin: origin, 'Access-Control-Request-Method': method, 'Access-Control-Request-Headers': headers.join(',') };
  const answer = await service.get(path, { key: null, method: 'OPTIONS', headers: preflight });
  const list = (name: string) =>
    answer.headers
      .get(name)
      ?.toLowerCase()
      .split(/\s*,\s*/) ?? [];
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
  expect(list('access-control-allow-headers')).toEqual(headers);
  expect(list('access-control-allow-methods')).toContain(method.toLowerCase());
  expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0);
});

/** Response headers that scripts may always read (Fetch, section 3.3), and those for the browser or the connection alone. */
const safelisted = ['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified', 'pragma'];
const forTheBrowser = ['connection', 'content-encoding', 'date', 'keep-alive', 'transfer-encoding', 'vary', 'x-content-type-options'];

const graphql = (query: string) => ({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ query }) });
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** A request; `key: null` sends no key. */
type Init = RequestInit & { readonly key?: null };

/** Requests with all kinds of answers. */
const requests: readonly (readonly [path: string, status: number, init?: Init])[] = [
  ['/operations/orders?limit=2&staus=x&status=opne', 200],
  ['/operations/orders?limit=2', 200, { headers: { Prefer: 'handling=strict' } }],
  ['/operations/orders?limit=2&format=csv', 200],
  ['/operations/orders?limit=0', 422],
  ['/operations/orders/groups?by=status', 200],
  ['/operations/orders/deltas?since_version=1', 200],
  ['/raw/person?limit=2', 200],
  ['/changes?since=2999-01-01', 200, { headers: { Prefer: 'wait=0' } }],
  ['/catalog', 405, { method: 'DELETE' }],
  ['/catalog', 401, { key: null }],
  ['/files', 401, { key: null }],
  ['/files', 200],
  ['/files/orders/latest.parquet', 206, { headers: { Range: 'bytes=0-3' } }],
  ['/files/orders/latest.parquet', 416, { headers: { Range: 'bytes=999999999-' } }],
  ['/graphql', 200, graphql('{ __typename }')],
  ['/graphql', 200, graphql('{ rateLimit { limit } }')],
  [
    '/mcp',
    200,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify(initialize),
    },
  ],
  ['/mcp', 405],
];

test.each(requests.map(([path, status, init = {}]) => [path, status, init] as const))(
  'a script reads every header of %s (%i)',
  async (path, status, init) => {
    const { key = path === '/mcp' ? agentKey : keys.nordEnterprise, ...rest } = init;
    const headers = new Headers(rest.headers);
    headers.set('Origin', origin);
    if (key) headers.set('X-API-Key', key);
    const response = await fetch(`${service.url}${path}`, { ...rest, headers });
    await response.arrayBuffer();
    const exposed =
      response.headers
        .get('access-control-expose-headers')
        ?.toLowerCase()
        .split(/\s*,\s*/) ?? [];
    const names = [...response.headers.keys()].filter((name) => !name.startsWith('access-control-'));
    expect([path, response.status, response.headers.get('access-control-allow-origin')]).toEqual([path, status, origin]);
    expect(names.filter((name) => ![...exposed, ...safelisted, ...forTheBrowser].includes(name))).toEqual([]);
  },
);
