/** What caches may store, and the headers that distinguish variants (contract: caching). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { exchange } from '../support/wire.ts';

const origin = 'https://app.example';
let plain: TestService;
let cors: TestService;
let open: TestService;

beforeAll(async () => {
  plain = await startService({ environment: { RATE_LIMIT: '1000', PORTAL_PASSWORD: 'correct horse battery' } });
  cors = await startService({ environment: { CORS_ORIGINS: `${origin}, https://other.example` } });
  open = await startService({ environment: { CORS_ORIGINS: '*' } });
});
afterAll(() => Promise.all([plain.stop(), cors.stop(), open.stop()]));

type Refusal = [status: number, path: string, key?: string | null, method?: string];
const errors: Refusal[] = [
  [400, '/accounting/booking_header'],
  [400, '/operations/%zz'],
  [401, '/catalog', null],
  [403, '/operations/orders', keys.nordBasic],
  [404, '/nothing'],
  [404, '/meta/orders/values/order_id'],
  [405, '/catalog', keys.nordBasic, 'DELETE'],
  [410, '/raw/person/deltas?since_version=0'],
  [415, '/graphql', keys.nordEnterprise, 'POST'],
  [422, '/operations/orders?limit=0'],
  [422, '/meta/ORDERS/values/order_id'],
];

describe('errors and other responses without data are not stored', () => {
  test.each(errors)('%i %s', async (status, path, key = keys.nordEnterprise, method = 'GET') => {
    const answer = await plain.get(path, { key, method });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'private, no-store']);
    // `/graphql` accepts tokens, too.
    expect(answer.headers.get('vary')).toMatch(
      path === '/graphql' ? /^X-API-Key, Accept-Encoding, Authorization$/ : /^X-API-Key, Accept-Encoding(, Accept)?$/,
    );
  });

  test.each(['NO HTTP\r\n\r\n', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 'GET /catalog HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n'])(
    '%j',
    async (bytes) => {
      const [answer] = await exchange(plain.port, bytes);
      expect(answer?.headers.get('cache-control')).toBe('private, no-store');
      expect(answer?.headers.get('vary')).toBe('X-API-Key, Accept-Encoding');
    },
  );

  test('the page of GraphiQL is public, and browsers ask whether theirs is current', async () => {
    const { headers } = await plain.get('/graphql', { key: null, headers: { Accept: 'text/html' } });
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['public, no-cache', expect.stringMatching(/^W\//)]);
  });

  test.each(['/portal', '/portal/sign-in', '/portal/nothing'])('the page %s', async (path) => {
    const { headers } = await plain.get(path, { key: null, headers: { Accept: 'text/html' } });
    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  test('a GraphQL document that fails', async () => {
    const { status, headers } = await plain.get('/graphql?query={nothing}', { headers: { Accept: 'application/graphql-response+json' } });
    expect([status, headers.get('cache-control')]).toEqual([400, 'private, no-store']);
  });

  test('a refusal reveals nothing about a page', async () => {
    const { status, headers } = await plain.get('/operations/orders?limit=5&cursor=nonsense');
    expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([422, 'private, no-store', null]);
  });
});

/** Responses with several representations. */
const inTwoForms = ['/operations/orders?limit=1', '/operations/orders?limit=2000', '/operations/orders/groups?by=trade'];
const data = [
  ...inTwoForms,
  '/raw/person?limit=1',
  '/catalog',
  '/tables',
  '/changes?since=2024-01-01',
  '/meta/orders/values/status',
  '/openapi.json',
];

test.each(data)('data may be stored, and is revalidated each time: %s', async (path) => {
  const { headers } = await plain.get(path);
  const vary = `X-API-Key, Accept-Encoding${inTwoForms.includes(path) ? ', Accept' : ''}`;
  expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['private, no-cache', vary]);
});

/** Requests that reach the hooks. */
const errorPaths = errors.map(([, path]) => path).filter((path) => !path.includes('%'));

describe('responses that depend on the origin say so', () => {
  test.each([...data, ...errorPaths, '/graphql?query={__typename}', '/docs', '/'])('%s', async (path) => {
    for (const headers of [{ Origin: origin }, { Origin: 'https://evil.example' }, {}]) {
      const answer = await cors.get(path, { headers });
      const names = answer.headers.get('vary')?.split(', ') ?? [];
      expect(names).toEqual(expect.arrayContaining(['X-API-Key', 'Accept-Encoding', 'Origin']));
      expect(new Set(names).size).toBe(names.length);
      expect(answer.headers.get('access-control-allow-origin')).toBe('Origin' in headers && headers.Origin === origin ? origin : null);
    }
  });

  test('a page of a configured origin can read the reason of a refusal', async () => {
    for (const [key, status] of [
      [null, 401],
      [keys.nordBasic, 403],
    ] as const) {
      const answer = await cors.get('/operations/orders', { key, headers: { Origin: origin } });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, origin]);
    }
  });

  test('an OPTIONS request that is not a preflight is a wrong method', async () => {
    const { status, json } = await cors.get('/catalog', { method: 'OPTIONS', headers: { Origin: origin } });
    expect([status, json.detail]).toEqual([405, 'Method not allowed']);
  });

  test('with all origins allowed they do not', async () => {
    const { headers } = await open.get('/catalog', { headers: { Origin: origin } });
    expect([headers.get('vary'), headers.get('access-control-allow-origin')]).toEqual(['X-API-Key, Accept-Encoding', '*']);
  });
});

describe('a tag that a proxy marked with its coding is recognized', () => {
  test.each(['/operations/orders?limit=1', '/catalog', '/docs', 'the style'])('%s', async (name) => {
    const path = name === 'the style' ? /\/assets\/\w+\/estate\.css/.exec((await plain.get('/docs')).text)![0] : name;
    const etag = (await plain.get(path)).headers.get('etag')!;
    const marked = (coding: string): string => etag.replace(/"$/, () => `-${coding}"`);
    for (const tags of [etag, marked('gzip'), marked('br'), `"other-gzip", ${marked('gzip').replace(/^W\//, '')}`])
      expect([tags, (await plain.get(path, { headers: { 'If-None-Match': tags } })).status]).toEqual([tags, 304]);
    for (const tags of [marked('zip'), marked('gzip-gzip'), etag.replace(/"$/, 'gzip"'), '"other-gzip"'])
      expect([tags, (await plain.get(path, { headers: { 'If-None-Match': tags } })).status]).toEqual([tags, 200]);
  });
});
