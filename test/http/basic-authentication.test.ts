/** The key as a password, where programs open an address (contract: basic authentication). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QuestionStore } from '../../src/access/questions.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  const document = 'query ($first: Int = 2) { properties(first: $first) { nodes { propertyId propertyName } } }';
  await new QuestionStore(service.database).add({ name: 'properties', document }, undefined);
});
afterAll(() => service.stop());

const basic = (password: string, user = 'anybody'): { readonly Authorization: string } => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
const get = (path: string, headers: Readonly<Record<string, string>> = {}) => service.get(path, { key: null, headers });

const csv = '/property/properties?limit=2&format=csv';
const question = '/questions/properties?first=1&format=csv';

describe('the key as a password', () => {
  test.each([
    csv,
    '/raw/person?format=json&format=csv&limit=1',
    '/operations/orders/groups?by=trade&format=csv',
    '/files',
    question,
    '/questions/properties?first=&format=csv',
  ])('%s', async (path) => {
    const { status, headers, text } = await get(path, basic(keys.nordEnterprise));
    expect([status, headers.get('Vary')?.split(', ')]).toEqual([200, expect.arrayContaining(['X-API-Key', 'Authorization'])]);
    expect(text).toBe((await service.get(path)).text);
  });

  test('a browser that opens a saved question as CSV gets the request for Basic', async () => {
    const { status, headers } = await get(question, { Accept: 'text/html' });
    expect([status, headers.get('WWW-Authenticate')]).toEqual([401, 'Basic realm="Estate", charset="UTF-8", Bearer realm="Estate"']);
  });

  test('any user name, also an empty one, and a scheme in any case', async () => {
    expect((await get(csv, basic(keys.nordEnterprise, ''))).status).toBe(200);
    const { Authorization } = basic(keys.nordEnterprise, 'a b');
    expect((await get(csv, { Authorization: Authorization.replace('Basic', 'bAsIc') })).status).toBe(200);
  });

  test('X-API-Key takes precedence', async () => {
    expect((await get(csv, { ...basic(keys.nordEnterprise), 'X-API-Key': 'est_wrong_key' })).status).toBe(401);
    const { status } = await get('/accounting/accounts?format=csv', { ...basic(keys.nordEnterprise), 'X-API-Key': keys.nordBasic });
    expect(status).toBe(403);
  });

  test('other requests ignore it', async () => {
    for (const path of [
      '/property/properties',
      '/property/properties?format=csv&format=json',
      '/catalog',
      '/filesystem',
      '/me?x=format=json',
    ]) {
      const { status, headers } = await get(path, basic(keys.nordEnterprise));
      expect([path, status, headers.get('WWW-Authenticate'), headers.get('Vary')?.includes('Authorization')]).toEqual([
        path,
        401,
        null,
        false,
      ]);
    }
  });

  test.each(['/files', '/questions', '/graphql?query={__typename}', '/operations/orders?limit=1&format=csv'])(
    'the key is a token of %s',
    async (path) => {
      const bearer = (key: string) => get(path, { Authorization: `bearer ${key}` });
      expect((await bearer(keys.nordEnterprise)).status).toBe(200);
      const { status, headers } = await bearer('est_wrong_key');
      expect([status, headers.get('WWW-Authenticate'), headers.get('Vary')]).toEqual([
        401,
        expect.stringContaining('Bearer realm="Estate"'),
        expect.stringContaining('Authorization'),
      ]);
    },
  );

  test('a refused client of /mcp learns that it takes tokens', async () => {
    const response = await fetch(`${service.url}/mcp`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
    expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer realm="Estate"']);
  });

  test('a missing and a wrong password get the same 401, with a request for Basic', async () => {
    const wrong = [
      {},
      basic('est_wrong_key'),
      basic(''),
      { Authorization: 'Basic' },
      { Authorization: 'Basic !!!' },
      { Authorization: `Basic ${Buffer.from(keys.nordEnterprise).toString('base64')}` },
      { Authorization: 'Bearer est_wrong_key' },
      { Authorization: `Digest ${keys.nordEnterprise}` },
    ];
    for (const path of [csv, question, '/files', '/files/orders/latest.parquet']) {
      const answers = await Promise.all(wrong.map((headers) => get(path, headers)));
      expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.get('WWW-Authenticate')}`))).toEqual(
        new Set(['401 Basic realm="Estate", charset="UTF-8", Bearer realm="Estate"']),
      );
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    }
  });

  test('requests count for the quota of the key', async () => {
    const limited = await startService({ environment: { RATE_LIMIT: '3' } });
    try {
      const statuses: number[] = [];
      for (let count = 0; count < 3; count++) statuses.push((await limited.get(csv, { key: null, headers: basic(keys.nordBasic) })).status);
      statuses.push((await limited.get('/catalog', { key: keys.nordBasic })).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
    } finally {
      await limited.stop();
    }
  });
});
