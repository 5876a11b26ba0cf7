/** The gate before the routes: who is counted where, and which check refuses a request (contract: order of checks; quota; page limit). */
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Authenticator } from '../../src/access/authenticate.ts';
import { OwnCaller } from '../../src/access/own-caller.ts';
import { createRateLimit } from '../../src/access/rate-limit/rate-limit.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { ApiError } from '../../src/errors.ts';
import { callerOf, createGate, type Gate, type GateOptions } from '../../src/http/gate.ts';
import { openTestDatabase } from '../support/database.ts';
import { keys, testSecret } from '../support/settings.ts';

let database: Database;
let authenticator: Authenticator;
beforeAll(async () => {
  database = await openTestDatabase();
  authenticator = new Authenticator(database, testSecret);
});
afterAll(() => database.close());

let gate: Gate;
let app: FastifyInstance;
let isLate = false;

/** Routes behind a gate: for callers, public, uncounted, and for POST. */
const open = (options: Partial<GateOptions> = {}): void => {
  gate = createGate({ authenticator, rateLimit: createRateLimit(3), requestsPerKey: 0, allowsPreflight: false, ...options });
  app = Fastify();
  for (const name of ['address', 'caller', 'isLate', 'quota']) app.decorateRequest(name, undefined);
  app.addHook('onRequest', async (request) => {
    request.isLate = isLate;
  });
  app.addHook('onRequest', gate.identify);
  app.addHook('onRequest', gate.admit);
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof ApiError)) return reply.code(500).send({ kind: String(error) });
    return reply.code(error.status).headers(error.headers).send({ kind: error.kind });
  });
  app.get('/data', async (request) => ({ key: callerOf(request).keyId }));
  for (const path of ['/open', '/docs/open', '/docs/*'])
    app.get(path, { config: { isPublic: true } }, async (request) => ({ key: request.caller?.keyId ?? null, address: request.address }));
  app.get('/portal/page', async () => ({}));
  app.get('/health', { config: { isPublic: true, isUncounted: true } }, async () => ({}));
  app.post('/written', { config: { methods: ['POST'] } }, async () => ({}));
  app.options('/*', async () => ({}));
  app.post('/*', async () => ({}));
};
beforeEach(() => {
  isLate = false;
  open();
});

interface Sent {
  readonly key?: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  readonly from?: string;
}

/** Status, kind of the error or body, and the remaining quota. */
const send = async (url: string, { key, method = 'GET', headers = {}, from = '192.0.2.1' }: Sent = {}) => {
  const response = await app.inject({
    method,
    url,
    headers: { ...headers, ...(key !== undefined && { 'x-api-key': key }) },
    remoteAddress: from,
  });
  const body = response.body === '' ? {} : response.json();
  const left = response.headers['x-ratelimit-remaining'];
  return { status: response.statusCode, body, left: left === undefined ? undefined : Number(left), headers: response.headers };
};
const html = { accept: 'text/html' };
const { nordBasic: nord, suedEnterprise: sued } = keys;

describe('requests are counted', () => {
  const left = async (...all: readonly (readonly [url: string, sent?: Sent])[]) => {
    const found: (number | undefined)[] = [];
    for (const [url, sent] of all) found.push((await send(url, sent)).left);
    return found;
  };

  test('for their key, and without a valid one for their address', async () => {
    expect(await left(['/data', { key: nord }], ['/data', { key: sued }], ['/data', { key: nord, from: '192.0.2.9' }])).toEqual([2, 2, 1]);
    expect(await left(['/data'], ['/data', { key: 'est_no_key' }], ['/data', { from: '192.0.2.9' }])).toEqual([2, 1, 2]);
  });

  test('for a page with a limit of its own, unless they have a key', async () => {
    expect(await left(['/docs/open'], ['/docs/open', { key: 'est_no_key' }], ['/docs/open'], ['/open'])).toEqual([59, 2, 58, 1]);
  });

  test('not at all for uncounted routes, operators and the process itself', async () => {
    const own = new OwnCaller();
    const caller = await authenticator.authenticate(nord);
    open({ own, isSignedIn: async ({ headers }) => headers.cookie === 'signed-in' });
    expect(await left(['/health'], ['/open', { headers: { cookie: 'signed-in' } }], ['/open', { headers: { cookie: 'other' } }])).toEqual([
      undefined,
      undefined,
      2,
    ]);
    const key = own.begin({ ...caller!, isWarmUp: true });
    expect(await send('/data', { key })).toMatchObject({ status: 200, body: { key: 'nordbasic' }, left: undefined });
    own.end();
    expect(await send('/data', { key })).toMatchObject({ status: 401, left: 1 });
    // An operator with a key is a caller.
    expect(await left(['/data', { key: nord, headers: { cookie: 'signed-in' } }])).toEqual([2]);
  });

  test('also if the caller cannot be identified, and the error has the headers', async () => {
    open({
      authenticator: Object.assign(Object.create(authenticator), { authenticate: () => Promise.reject(new ApiError('unavailable')) }),
    });
    expect(await send('/open')).toMatchObject({
      status: 503,
      body: { kind: 'unavailable' },
      left: 2,
      headers: { 'cache-control': 'private, no-store' },
    });
    open({ isSignedIn: () => Promise.reject(new ApiError('unavailable')) });
    expect(await send('/open')).toMatchObject({ status: 503, left: 2 });
  });

  test('for a connection that never became a request', async () => {
    expect(await gate.countAddress('192.0.2.1')).toMatchObject({ remaining: 2 });
    expect(await left(['/data'])).toEqual([1]);
  });
});

describe('a request is refused', () => {
  test('beyond the quota, with the time to wait', async () => {
    for (let i = 0; i < 3; i++) expect((await send('/data', { key: nord })).status).toBe(200);
    const { status, body, headers, left } = await send('/data', { key: nord });
    expect([status, body, left, Number(headers['retry-after'])]).toEqual([429, { kind: 'rateLimitExceeded' }, 0, expect.any(Number)]);
    expect(Number(headers['retry-after'])).toBe(Number(headers['ratelimit-reset']));
    expect((await send('/health', { key: nord })).status).toBe(200);
  });

  test('without a valid key, unless the route is public or a browser opens a page', async () => {
    expect(await send('/data')).toMatchObject({ status: 401, body: { kind: 'unauthorized' } });
    expect(await send('/open')).toMatchObject({ status: 200, body: { key: null, address: '192.0.2.1' } });
    expect(await send('/open', { key: nord })).toMatchObject({ status: 200, body: { key: 'nordbasic' } });
    expect(await send('/open', { key: 'est_no_key' })).toMatchObject({ status: 401 });
    expect(await send('/portal/page')).toMatchObject({ status: 401 });
    expect(await send('/portal/page', { headers: html })).toMatchObject({ status: 200 });
    expect(await send('/portal/page', { headers: html, key: '', from: '192.0.2.8' })).toMatchObject({ status: 401 });
    expect((await send('/data', { headers: html, from: '192.0.2.7' })).status).toBe(401);
  });

  test('for another method than those of the route', async () => {
    expect(await send('/data', { method: 'POST', key: nord })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect(await send('/written', { method: 'POST', key: nord })).toMatchObject({ status: 200 });
    expect(await send('/data', { method: 'HEAD', key: nord })).toMatchObject({ status: 200 });
  });

  test('while the service stops, except for uncounted routes', async () => {
    isLate = true;
    expect(await send('/data', { key: nord })).toMatchObject({ status: 503, body: { kind: 'closing' }, headers: { 'retry-after': '5' } });
    expect((await send('/health')).status).toBe(200);
  });

  test('of a suspended customer', async () => {
    const suspend = (at: string) => database.pool.query(`update estate.customers set suspended_at = ${at} where slug = 'sued'`);
    await suspend('now()');
    try {
      open({ authenticator: new Authenticator(database, testSecret) });
      expect(await send('/data', { key: sued })).toMatchObject({ status: 403, body: { kind: 'forbidden' }, left: 2 });
      expect(await send('/data', { key: nord })).toMatchObject({ status: 200 });
    } finally {
      await suspend('null');
    }
  });
});

describe('a preflight', () => {
  const preflight = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
  test('is answered without a key if cross-origin requests are allowed', async () => {
    open({ allowsPreflight: true });
    expect(await send('/data', { method: 'OPTIONS', headers: preflight })).toMatchObject({
      status: 204,
      headers: { 'content-length': '0' },
    });
    for (const name of Object.keys(preflight) as (keyof typeof preflight)[]) {
      const { [name]: _, ...rest } = preflight;
      expect(await send('/data', { method: 'OPTIONS', headers: rest, from: `192.0.2.${name.length}` })).toMatchObject({ status: 405 });
    }
    expect(await send('/data', { headers: preflight })).toMatchObject({ status: 401 });
  });

  test('is another method otherwise', async () => {
    expect(await send('/data', { method: 'OPTIONS', headers: preflight })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });
});

test.each([
  [[], '1.1', false],
  [[], '1.0', true],
  [['Host', 'x'], '1.1', true],
  [['HOST', 'x', 'Accept', 'host'], '1.1', true],
  [['Host', 'x', 'host', 'y'], '1.1', false],
  [['Host', 'x', 'host', 'y'], '1.0', false],
])('header lines %j of HTTP/%s: %s', async (rawHeaders, httpVersion, isAdmitted) => {
  const request = {
    raw: { rawHeaders, httpVersion, url: '/open' },
    method: 'GET',
    headers: {},
    routeOptions: { config: { isPublic: true } },
  };
  const admitted = gate.admit(request as never, {} as never);
  if (isAdmitted) expect(await admitted).toBeUndefined();
  else await expect(admitted).rejects.toMatchObject({ kind: 'malformedRequest' });
});
