/** The portal and the front page among the routes of the API. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { createService } from '../../src/service.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, poolOptions, testSecret } from '../support/settings.ts';
import { Operator, password } from './operator.ts';

let on: TestService;
let off: TestService;

beforeAll(async () => {
  on = await startService({ environment: { PORTAL_PASSWORD: password, RATE_LIMIT: '40' } });
  off = await startService();
});
afterAll(() => Promise.all([on.stop(), off.stop()]));

test('without a password there is no portal, but a page with instructions, also without a key', async () => {
  for (const path of ['/portal', '/portal/keys', '/portal/sign-in'])
    for (const key of [null, keys.nordBasic]) {
      const { status, headers, text } = await off.get(path, { key });
      expect([path, status, headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
      expect(text).toContain('Set <code>PORTAL_PASSWORD</code>');
    }
  expect((await off.get('/portal', { key: null, method: 'POST' })).status).toBe(405);
  expect((await off.get('/portals', { key: null })).status).toBe(401);
  expect((await off.get('/', { key: null })).text).not.toContain('href="/portal"');
});

test('without its database the portal says so', async () => {
  const database = openPostgres('postgres://nobody@127.0.0.1:1/none', poolOptions);
  const config = readConfig({ KEY_SECRET: testSecret, PORTAL_PASSWORD: password });
  const app = createService(config, { database, secret: testSecret, logger: false });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const { status, text } = await new Operator({ url }).submit('/portal/sign-in', { password });
  expect([status, text.includes('The database does not answer')]).toEqual([503, true]);
  await app.close();
  await database.close();
});

test('a failed page says where to look, and shows no internal details', async () => {
  const operator = await new Operator(on).signIn();
  await on.database.pool.query('alter table estate.audit_log rename column id to away');
  const { status, text, headers } = await operator.get('/portal/log');
  await on.database.pool.query('alter table estate.audit_log rename column away to id');
  expect(status).toBe(500);
  expect(text).toContain(`under the request ${headers.get('x-request-id')}`);
  expect(text).not.toContain('audit_log');
});

test('a signed-in operator neither needs nor uses the quota of the address', async () => {
  const operator = await new Operator(on).signIn();
  for (let request = 0; request < 20 * 40; request++) await on.get('/', { key: null, method: 'HEAD' });
  expect((await on.get('/portal/sign-in', { key: null })).status).toBe(429);
  const { status, headers } = await operator.get('/portal');
  expect([status, headers.get('x-ratelimit-limit'), headers.get('ratelimit-limit')]).toEqual([200, null, null]);
  for (let request = 0; request < 60; request++) expect((await operator.get('/portal/sign-in')).status).toBe(303);
});

test('a cookie without a valid signature counts for the address', async () => {
  const operator = new Operator(on);
  operator.cookie = `estate_portal=operator.AAAAAAAAAAAAAAAA.9999999999999.${'A'.repeat(43)}`;
  expect((await operator.get('/portal')).status).toBe(429);
});

test('other methods are refused with the allowed ones', async () => {
  for (const [path, allow] of [
    ['/portal', 'GET, HEAD'],
    ['/portal/customers', 'GET, HEAD, POST'],
    ['/portal/keys/nordbasic/disable', 'POST'],
  ] as const) {
    const { status, headers } = await on.get(path, { method: 'DELETE' });
    expect([path, status, headers.get('allow')]).toEqual([path, 405, allow]);
  }
});

test('the portal cannot be framed, is not stored, and runs only its own script', async () => {
  for (const [path, forms] of [
    ['/', "'none'"],
    ['/portal/sign-in', "'self'"],
  ] as const) {
    const { headers, text } = await on.get(path);
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action ${forms}; frame-ancestors 'none'; base-uri 'none'`,
    );
    expect(headers.get('cache-control')).toBe(path === '/' ? 'public, no-cache' : 'private, no-store');
    expect(text).not.toMatch(/ style="| on\w+="|<script>|https?:\/\/(?!127\.0\.0\.1|localhost|www\.w3\.org)/);
  }
});

test('assets are named by their content and cached without limit', async () => {
  const { text } = await off.get('/', { key: null });
  const paths = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
  expect(paths).toHaveLength(2);
  for (const path of paths) {
    const { status, headers } = await off.get(path, { key: null });
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    const again = await off.get(path, { key: null, headers: { 'If-None-Match': headers.get('etag') ?? '' } });
    expect([again.status, again.text]).toEqual([304, '']);
  }
});

test('the front page needs no key and links to the parts', async () => {
  const { status, text } = await on.get('/');
  expect(status).toBe(200);
  for (const path of ['/docs', '/graphql', '/openapi.json', '/portal']) expect(text).toContain(`href="${path}"`);
  expect((await on.get('/', { method: 'HEAD' })).text).toBe('');
  expect((await off.get('/', { key: 'est_wrong_key' })).status).toBe(401);
});
