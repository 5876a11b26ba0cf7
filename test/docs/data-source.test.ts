/** The data source files of Power BI: their format, the address in them, who may read them (contract: data source files). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '10000' } });
});
afterAll(() => service.stop());

const read = (name: string, key: string | null = null, headers: Readonly<Record<string, string>> = {}) =>
  service.get(`/docs/tables/${name}.pbids`, { key, headers });

const tables = [...catalogue.tables.values()];

test('every table has one, for the first page as CSV, and Basic authentication opens this address', async () => {
  const password = Buffer.from(`any:${keys.nordEnterprise}`).toString('base64');
  for (const { name } of tables) {
    const { status, headers, json } = await read(name);
    expect([name, status, headers.get('Content-Disposition'), headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([
      name,
      200,
      `attachment; filename=${name}.pbids`,
      'application/json; charset=utf-8',
      'public, no-cache',
    ]);
    const url: string = json.connections[0].details.address.url;
    expect(json).toEqual({ version: '0.1', connections: [{ details: { protocol: 'http', address: { url } }, mode: 'Import' }] });
    expect([name, url.startsWith(`${service.url}/`), url.includes('est_')]).toEqual([name, true, false]);
    const csv = await service.get(url.slice(service.url.length), {
      key: null,
      method: 'HEAD',
      headers: { Authorization: `Basic ${password}` },
    });
    expect([name, csv.status, csv.headers.get('Content-Type')]).toEqual([name, 200, 'text/csv; charset=utf-8; header=present']);
  }
});

test('it has the address of the page, and nothing unexpected from a Host header', async () => {
  const page = await service.get('/docs/tables/orders', { key: null });
  const { json, text } = await read('orders');
  expect(page.text.replaceAll('&amp;', '&')).toContain(json.connections[0].details.address.url);
  expect(page.text).toContain('href="/docs/tables/orders.pbids" download');
  expect((await read('orders', null, { 'X-Forwarded-Host': 'elsewhere.example' })).text).toBe(text);
});

test('HEAD has the same headers, and a reader that has the file gets a 304', async () => {
  const { headers } = await read('orders');
  const head = await service.get('/docs/tables/orders.pbids', { key: null, method: 'HEAD' });
  expect([head.status, head.headers.get('Content-Disposition')]).toEqual([200, headers.get('Content-Disposition')]);
  const again = await read('orders', null, { 'If-None-Match': headers.get('ETag') ?? '' });
  expect([again.status, again.text]).toEqual([304, '']);
});

test('with a key it is there for the tables of the key, and for keys that read pages', async () => {
  const customer = await findCustomer(service.database, 'nord');
  const graphql = await new KeyStore(service.database, testSecret).create({ customer, tier: 'enterprise', groups: ['graphql'] });
  const own = await read('properties', keys.nordBasic);
  expect([own.status, own.headers.get('Cache-Control'), own.text.includes(keys.nordBasic)]).toEqual([200, 'private, no-cache', false]);
  const refused = [await read('accounts', keys.nordBasic), await read('properties', graphql.key)];
  expect(refused.map(({ status, headers }) => [status, headers.get('Content-Disposition')])).toEqual([
    [403, null],
    [403, null],
  ]);
  expect((await service.get('/docs/tables/properties', { key: graphql.key })).text).not.toContain('.pbids');
  expect((await read('properties', 'est_nobody_knows')).status).toBe(401);
  expect((await read('nothing')).status).toBe(401);
  expect((await read('nothing', keys.nordBasic)).status).toBe(404);
});
