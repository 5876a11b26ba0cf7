import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { queryFor, specifiedTables, unversionedTables } from '../support/specification.ts';

const limit = 250;
const exhausted = keys.suedEnterprise;
let service: TestService;

beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: String(limit), CORS_ORIGINS: 'https://app.example' } });
  for (let i = 0; i < limit; i += 25)
    await Promise.all(Array.from({ length: 25 }, () => service.get('/catalog', { key: exhausted, method: 'HEAD' })));
});
afterAll(() => service.stop());

describe('the first check that fails determines the error (contract: order of checks)', () => {
  test.each([
    ['a malformed path before the method', 400, 'POST', '/operations/%zz', null],
    ['the method before the key', 405, 'DELETE', '/operations/orders', null],
    ['the method before the quota', 405, 'PUT', '/operations/orders', exhausted],
    ['the method before the path', 405, 'PATCH', '/nowhere/at/all', keys.nordBasic],
    ['the key before the path', 401, 'GET', '/nowhere/at/all', null],
    ['the key before the table', 401, 'GET', '/operations/nothing', 'est_nobody_knows'],
    ['the key before the parameters', 401, 'GET', '/operations/orders?limit=0', null],
    ['the quota before the path', 429, 'GET', '/nowhere/at/all', exhausted],
    ['the quota before the parameters', 429, 'GET', '/operations/orders?limit=0', exhausted],
    ['the path before the tier', 404, 'GET', '/accounting/nothing', keys.nordBasic],
    ['the path before the tier, under /v1', 404, 'GET', '/v1/operations/orders', keys.nordBasic],
    ['the path before the parameters', 404, 'GET', '/operations/nothing?limit=0', keys.nordEnterprise],
    ['the tier before the parameters', 403, 'GET', '/operations/orders?limit=0', keys.nordBasic],
    ['the tier before required filters', 403, 'GET', '/accounting/booking_header', keys.nordProfessional],
    ['the parameters before required filters', 422, 'GET', '/accounting/booking_header?limit=0', keys.nordEnterprise],
    ['required filters last', 400, 'GET', '/accounting/booking_header?limit=1', keys.nordEnterprise],
  ])('%s: %i', async (_, status, method, path, key) => {
    expect((await service.get(path, { key, method })).status).toBe(status);
  });
});

describe('methods other than GET and HEAD are a 405 on every path (contract: methods)', () => {
  const paths = ['/catalog', '/tables', '/changes', '/meta/orders/values/status', '/raw/tables', '/raw/person', '/property/properties'];
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'REPORT'])('%s', async (method) => {
    for (const path of [...paths, '/v1/property/properties', '/nothing']) {
      const { status, headers } = await service.get(path, { method });
      expect([path, status, headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
      expect(headers.get('x-ratelimit-limit')).toBe(String(limit));
    }
  });

  test('a preflight is answered without a key if CORS is configured', async () => {
    const origin = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'X-API-Key' };
    const { status, headers } = await service.get('/operations/orders', { key: null, method: 'OPTIONS', headers: origin });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(headers.get('access-control-allow-headers')).toContain('X-API-Key');
  });

  test('browsers may read the headers of pages and of the quota', async () => {
    const { headers } = await service.get('/operations/orders?limit=1', { headers: { Origin: 'https://app.example' } });
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
    const exposed = headers.get('access-control-expose-headers')?.split(/, */);
    for (const name of [
      'X-Total-Count',
      'X-Has-More',
      'X-Next-Offset',
      'X-Next-Cursor',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'ETag',
    ])
      expect(exposed).toContain(name);
  });
});

describe('there are no redirects and no alternative spellings (contract: paths)', () => {
  test.each([
    '/v1',
    '/raw',
    '/raw/',
    '/operations',
    '/operations/',
    '/operations/orders/',
    '//operations/orders',
    '/operations//orders',
    '/Operations/orders',
    '/operations/ORDERS',
    '/V1/property/properties',
    '/catalog/',
    '/Catalog',
    '/raw/tables/',
    '/v1/catalog',
    '/v1/tables',
    '/v1/changes?since=2024-01-01',
    '/v1/meta/orders/values/status',
    '/v1/raw/tables',
    '/v1/raw/person',
    '/v2/property/properties',
    '/property/orders',
    '/operations/index_rent',
    '/operations/orders;x=1',
    '/raw/orders',
    '/operations/__proto__',
    '/constructor/toString',
  ])('%s is a 404', async (path) => {
    const { status, json } = await service.get(path);
    expect([status, json.detail]).toEqual([404, 'Category or table not found']);
  });

  test('/raw/tables is the list', async () => {
    const { status, json } = await service.get('/raw/tables');
    expect([status, json[0].table]).toEqual([200, 'account']);
  });
});

describe('/v1 serves every table but three (contract: versioned paths)', () => {
  test.each(specifiedTables)('/v1/%s/%s', async (category, table) => {
    const query = queryFor(table, { limit: '3' });
    const [versioned, plain] = [await service.get(`/v1/${category}/${table}${query}`), await service.get(`/${category}/${table}${query}`)];
    expect([versioned.status, plain.status]).toEqual([unversionedTables.includes(table) ? 404 : 200, 200]);
    if (versioned.status === 200) expect(versioned.text).toBe(plain.text);
  });
});
