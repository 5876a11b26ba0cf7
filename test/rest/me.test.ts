/** The properties of the caller's key (contract: me). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CustomerStore } from '../../src/access/customers.ts';
import { KeyStore } from '../../src/access/keys.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '100' } });
});
afterAll(() => service.stop());

const issue = async (slug: string, rights: Partial<Parameters<KeyStore['create']>[0]> = {}) => {
  const customer = await new CustomerStore(service.database).add(catalogue, { slug, name: slug, tier: 'professional' });
  return (await new KeyStore(service.database, testSecret).create({ customer, tier: 'basic', ...rights })).key;
};

test('it returns tier, groups, end and quota, and version and age of each table of the catalogue', async () => {
  const before = Date.now();
  const { status, headers, json } = await service.get('/me', { key: keys.nordBasic });
  expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([200, 'private, no-store', null]);
  expect(json).toMatchObject({ tier: 'basic', groups: ['rest', 'raw', 'graphql', 'files'], expires_at: null });
  expect(json.quota).toMatchObject({ limit: 100, remaining: Number(headers.get('x-ratelimit-remaining')) });
  const seconds = (Date.parse(json.quota.resets_at) - before) / 1_000;
  expect(Math.abs(seconds - Number(headers.get('ratelimit-reset')))).toBeLessThan(5);

  const catalog = (await service.get('/catalog', { key: keys.nordBasic })).json;
  const names = catalog.categories.flatMap(({ tables }: { tables: string[] }) => tables);
  expect(json.tables.map(({ table }: { table: string }) => table)).toEqual(names);
  const [first] = json.tables;
  const page = await service.get(`${first.endpoint_url}?limit=1`, { key: keys.nordBasic });
  expect(Object.keys(first)).toEqual([
    'category',
    'table',
    'endpoint_url',
    'version',
    'row_count',
    'synced_at',
    'changed_at',
    'age_seconds',
    'failed_checks',
  ]);
  expect([String(first.version), String(first.row_count), first.synced_at]).toEqual([
    page.headers.get('x-data-version'),
    page.headers.get('x-total-count'),
    page.headers.get('x-snapshot-at'),
  ]);
  expect(Math.abs(first.age_seconds - (before - Date.parse(first.synced_at)) / 1_000)).toBeLessThan(5);
});

test('it counts like every request', async () => {
  const first = await service.get('/me', { key: keys.suedEnterprise });
  const second = await service.get('/me', { key: keys.suedEnterprise });
  expect(second.json.quota.remaining).toBe(first.json.quota.remaining - 1);
});

test('it is open to every group, returns the end of the key, and null for tables that were never synced', async () => {
  const expiresAt = new Date(Date.now() + 86_400_000);
  const key = await issue('narrow', { groups: ['raw'], expiresAt });
  const { status, json } = await service.get('/me', { key });
  expect([status, json.groups, json.expires_at]).toEqual([200, ['raw'], expiresAt.toISOString()]);
  expect(json.tables[0]).toMatchObject({ version: 0, row_count: 0, synced_at: null, changed_at: null, age_seconds: null });
});

test('it needs a key, has one path, and answers HEAD', async () => {
  expect((await service.get('/me', { key: null })).status).toBe(401);
  for (const path of ['/v1/me', '/me/', '/Me']) expect([path, (await service.get(path)).status]).toEqual([path, 404]);
  const head = await service.get('/me', { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
  expect((await service.get('/me', { method: 'POST' })).status).toBe(405);
});

test('GraphQL returns the same, with failed checks', async () => {
  const query =
    '{ me { tier groups expiresAt quota { limit } tables { category table endpointUrl version rowCount syncedAt changedAt } } }';
  const { json } = await service.get(`/graphql?query=${encodeURIComponent(query)}`, { key: keys.nordProfessional });
  const rest = (await service.get('/me', { key: keys.nordProfessional })).json;
  const { me } = json.data;
  expect([me.tier, me.groups, me.expiresAt, me.quota.limit]).toEqual([rest.tier, rest.groups, rest.expires_at, 100]);
  expect(me.tables.map(Object.values)).toEqual(
    rest.tables.map(({ age_seconds: _, failed_checks: __, ...table }: Record<string, unknown>) => Object.values(table)),
  );
});
