/** With a key the documentation shows what the key can read, and without one everything (contract: interface description). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import { categories, type EndpointGroup, endpointGroups, includesTier, type Tier, tiers } from '../../src/catalogue/tiers.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '10000' } });
});
afterAll(() => service.stop());

const issue = async (tier: Tier, groups: readonly EndpointGroup[] = endpointGroups): Promise<string> => {
  const customer = await findCustomer(service.database, 'nord');
  return (await new KeyStore(service.database, testSecret).create({ customer, tier, groups })).key;
};

const tables = [...catalogue.tables.values()];
const linkedTables = (text: string) => [...new Set([...text.matchAll(/href="\/docs\/tables\/(\w+)["#]/g)].map(([, name]) => name))].sort();
const linkedRaw = (text: string) => [...new Set([...text.matchAll(/href="\/docs\/raw#(\w+)"/g)].map(([, name]) => name))];

test.each(tiers)('every page for a key of tier %s names only its tables, and each page of another table is a 403', async (tier) => {
  const key = await issue(tier);
  const own = tables.filter(({ category }) => includesTier(tier, categories[category])).map(({ name }) => name);
  const raw = Object.keys(rawTables).filter((name) => includesTier(tier, rawTables[name as keyof typeof rawTables].tier));
  for (const path of ['/docs', '/docs/tables', '/docs/codes', '/docs/raw', '/docs/filters', '/docs/reference']) {
    const { status, text } = await service.get(path, { key });
    expect([path, status, linkedTables(text)]).toEqual([path, 200, [...own].sort()]);
  }
  for (const { name } of tables) {
    const { status, text } = await service.get(`/docs/tables/${name}`, { key });
    expect([name, status]).toEqual([name, own.includes(name) ? 200 : 403]);
    if (status !== 200) continue;
    for (const linked of linkedTables(text)) expect(own).toContain(linked);
    for (const linked of linkedRaw(text)) expect(raw).toContain(linked);
  }
});

/** The text of a page. Samples have elements for their syntax colours. */
const textOf = (page: string): string => page.replaceAll(/<[^>]*>/g, '');

test('a key sees its endpoint groups', async () => {
  const rest = (await service.get('/docs/tables/orders', { key: await issue('enterprise', ['rest']) })).text;
  expect([textOf(rest).includes('curl -H'), rest.includes('ordersById'), rest.includes('orderById'), linkedRaw(rest)]).toEqual([
    true,
    false,
    false,
    [],
  ]);
  const graphql = (await service.get('/docs/tables/orders', { key: await issue('enterprise', ['graphql']) })).text;
  expect([textOf(graphql).includes('curl -H'), graphql.includes('orderById')]).toEqual([false, true]);

  const raw = await issue('enterprise', ['raw']);
  expect((await service.get('/docs/raw', { key: raw })).text).toContain('id="person"');
  expect(linkedTables((await service.get('/docs/tables', { key: raw })).text)).toEqual([]);
  expect((await service.get('/docs/tables/orders', { key: raw })).status).toBe(403);
  expect((await service.get('/docs/raw', { key: await issue('enterprise', ['rest']) })).status).toBe(403);
});

test('a wrong key is a 401 on every page', async () => {
  for (const path of ['/docs', '/docs/tables/orders', '/docs/reference', '/openapi.json']) {
    const { status, json } = await service.get(path, { key: 'est_nobody_knows' });
    expect([path, status, json.detail]).toEqual([path, 401, 'API key required']);
  }
});

test('pages for a key are not stored by shared caches, and do not change the public page', async () => {
  const open = await service.get('/docs/tables', { key: null });
  const basic = await service.get('/docs/tables', { key: keys.nordBasic });
  expect([open.headers.get('cache-control'), basic.headers.get('cache-control')]).toEqual(['public, no-cache', 'private, no-cache']);
  expect(open.headers.get('etag')).not.toBe(basic.headers.get('etag'));
  for (const [key, etag, status] of [
    [keys.nordBasic, basic.headers.get('etag'), 304],
    [keys.nordBasic, open.headers.get('etag'), 200],
  ] as const)
    expect((await service.get('/docs/tables', { key, headers: { 'If-None-Match': etag ?? '' } })).status).toBe(status);
  expect((await service.get('/docs/tables', { key: null })).text).toBe(open.text);
  expect(linkedTables(open.text)).toEqual(tables.map(({ name }) => name).sort());
});
