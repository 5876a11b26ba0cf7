/** Errors of page paths are pages in a browser and problem documents for other clients (contract: pages in a browser; page limit). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { createService } from '../../src/service.ts';
import { type GetOptions, startService, type TestService } from '../support/service.ts';
import { keys, poolOptions, testSecret } from '../support/settings.ts';

const limit = 5;
/** The number of pages that one address may load for each request to the API. */
const pages = 20 * limit;
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

let service: TestService;
let limited: TestService;
beforeAll(async () => {
  service = await startService();
  limited = await startService({
    environment: { RATE_LIMIT: String(limit), TRUST_PROXY: 'true', PORTAL_PASSWORD: 'correct horse battery' },
  });
});
afterAll(() => Promise.all([service.stop(), limited.stop()]));

const problemType = /^application\/problem\+json(;|$)/;
const isPage = (headers: Headers) => headers.get('content-type') === 'text/html; charset=utf-8';
const open = (path: string, { key = null, headers = {}, ...options }: GetOptions = {}) =>
  service.get(path, { key, ...options, headers: { Accept: browser, ...headers } });

describe('a browser gets errors as pages', () => {
  test.each<[path: string, status: number, options?: GetOptions]>([
    ['/docs/nothing', 404],
    ['/docs/tables/nothing', 404],
    ['/docs/', 404],
    ['/assets/000000000000/estate.css', 404],
    ['/assets/nothing', 404],
    ['/docs/%zz', 400],
    ['/docs', 401, { key: 'est_nobody_knows' }],
    ['/', 401, { key: 'est_nobody_knows' }],
    ['/graphql', 401, { key: 'est_nobody_knows' }],
    ['/docs', 405, { method: 'POST' }],
    ['/portal', 405, { method: 'POST' }],
    ['/portal/nothing', 404],
  ])('%s: %i', async (path, status, options) => {
    const answer = await open(path, options);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(answer.text).toContain('<!doctype html>');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; /);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    if (status === 405) expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });

  test('the page says what to do and names the request, and repeats nothing of the address', async () => {
    const { headers, text } = await open('/docs/<script>alert(1)</script>?key=secret');
    expect(text).toContain('<h1>Page not found</h1>');
    expect(text).toContain(headers.get('x-request-id'));
    expect(text).toContain('href="/docs"');
    expect(text).not.toMatch(/alert|secret/);
  });

  test('a page for an internal error does not show its cause', async () => {
    const database = openPostgres('postgres://nobody@127.0.0.1:1/none', poolOptions);
    const app = createService(readConfig({ KEY_SECRET: testSecret }), { database, secret: testSecret, logger: false });
    const { statusCode, headers, body } = await app.inject({ url: '/docs', headers: { accept: browser, 'x-api-key': keys.nordBasic } });
    expect([statusCode >= 500, headers['content-type']]).toEqual([true, 'text/html; charset=utf-8']);
    expect(body).not.toMatch(/ECONNREFUSED|127\.0\.0\.1:1\b/);
    await app.close();
    await database.close();
  });
});

describe('other clients get a problem document', () => {
  test.each(['/docs/nothing', '/assets/nothing', '/docs/%zz'])('%s without a browser', async (path) => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5', '']) {
      const { headers, json } = await open(path, { key: keys.nordBasic, headers: { Accept: accept } });
      expect([accept, headers.get('content-type')]).toEqual([accept, expect.stringMatching(problemType)]);
      expect(json.instance).toBe(path);
    }
  });

  test.each<[path: string, status: number]>([
    ['/nothing', 401],
    ['/catalog', 401],
    ['/operations/orders', 401],
    ['/documents', 401],
    ['/portals', 401],
    ['/graphql?query={__typename}', 401],
  ])('a browser at %s, which belongs to the API', async (path, status) => {
    const answer = await open(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, expect.stringMatching(problemType)]);
  });

  test('errors of page paths name Accept in Vary', async () => {
    expect((await open('/docs/nothing')).headers.get('vary')).toBe('X-API-Key, Accept-Encoding, Accept');
    expect((await open('/nothing')).headers.get('vary')).toBe('X-API-Key, Accept-Encoding');
  });

  test('a missing page is a 401 without a key, except for a browser', async () => {
    expect((await service.get('/docs/nothing', { key: null })).status).toBe(401);
    expect((await open('/docs/nothing', { key: 'est_nobody_knows' })).status).toBe(401);
  });
});

describe('pages have a separate limit', () => {
  const from = (address: string, path: string, { key = null, headers = {}, ...options }: GetOptions = {}) =>
    limited.get(path, { key, ...options, headers: { Accept: browser, 'X-Forwarded-For': address, ...headers } });
  const paths = ['/', '/docs', '/docs/tables/orders', '/docs/nothing', '/graphql', '/portal', '/portal/sign-in', '/openapi.json'];

  test('requests with wrong keys use up the API quota of their address, not its page limit', async () => {
    const address = '203.0.113.10';
    for (let request = 0; request < limit; request++) await from(address, '/catalog', { key: 'est_nobody_knows' });
    expect((await from(address, '/catalog', { key: 'est_nobody_knows' })).status).toBe(429);
    expect((await from(address, '/catalog')).status).toBe(429);
    for (const path of paths) expect([path, (await from(address, path)).status]).not.toEqual([path, 429]);
    const css = /href="(\/assets\/[^"]+\.css)"/.exec((await from(address, '/docs')).text)?.[1] ?? '';
    expect((await from(address, css, { headers: { Accept: 'text/css,*/*;q=0.1' } })).status).toBe(200);
  });

  test('a page request with a key counts as a request to the API', async () => {
    const address = '203.0.113.11';
    for (let request = 0; request < limit; request++) expect((await from(address, '/docs', { key: 'est_nobody_knows' })).status).toBe(401);
    const refused = await from(address, '/docs', { key: 'est_nobody_knows' });
    expect([refused.status, isPage(refused.headers)]).toEqual([429, true]);
  });

  test('pages do not use up the API quota, and have the headers of their own limit', async () => {
    const address = '203.0.113.12';
    for (let request = 1; request <= 2 * limit; request++) {
      const { headers } = await from(address, '/docs');
      expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([String(pages), String(pages - request)]);
    }
    const { status, headers } = await from(address, '/catalog');
    expect([status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([
      401,
      String(limit),
      String(limit - 1),
    ]);
  });

  test('beyond the limit a browser gets a page with the time to wait, other clients a problem document', async () => {
    const address = '203.0.113.13';
    for (let request = 0; request < pages; request++) await from(address, '/', { method: 'HEAD' });
    for (const path of ['/', '/docs', '/docs/nothing', '/graphql', '/portal', '/portal/sign-in']) {
      const { status, headers, text } = await from(address, path);
      expect([path, status, isPage(headers)]).toEqual([path, 429, true]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      if (!path.startsWith('/portal')) expect(text).toContain('Try again in 60 minutes.');
    }
    const { status, json } = await from(address, '/docs', { headers: { Accept: '*/*' } });
    expect([status, json.detail]).toEqual([429, `Rate limit exceeded: ${pages} per 1 hour`]);
    // The API for this address, and pages for other addresses, are not blocked.
    expect((await from(address, '/catalog')).status).toBe(401);
    expect((await from('203.0.113.14', '/docs')).status).toBe(200);
  });
});
