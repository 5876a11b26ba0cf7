/** Customers are renamed, suspended and removed while others send requests (contract: suspended customers). */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commandLine, readLog } from '../../src/access/audit.ts';
import { CustomerStore } from '../../src/access/customers.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { loadLockSpace } from '../../src/database/load-lock.ts';
import { sync } from '../../src/sync/sync.ts';
import { onServer } from '../support/database.ts';
import { startService, startServiceOn, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

let service: TestService;
let store: CustomerStore;

beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '500' } });
  store = new CustomerStore(service.database);
});
afterAll(() => service.stop());

const lastActions = async (max: number) => {
  const entries = await readLog(service.database.control, {}, { limit: max });
  return entries.map(({ actor, action, subject }) => [actor, action, subject]);
};

test('a customer is not created if its audit entry cannot be written', async () => {
  // PostgreSQL text cannot contain this character.
  const unheard = new CustomerStore(service.database, { name: '\0' });
  await expect(unheard.add(catalogue, { slug: 'west', name: 'West', tier: 'basic' })).rejects.toThrow();
  await expect(findCustomer(service.database, 'west')).rejects.toThrow("There is no customer 'west'.");
  const { id } = await store.add(catalogue, { slug: 'west', name: 'West', tier: 'basic' });
  expect(await findCustomer(service.database, 'west')).toMatchObject({ id });
  expect(await lastActions(1)).toEqual([[commandLine.name, 'added customer', 'west, tier basic']]);
  await store.remove('west');
});

test('renaming changes only the displayed name', async () => {
  const before = await findCustomer(service.database, 'sued');
  await store.rename('sued', '  Südhof SE ');
  expect(await findCustomer(service.database, 'sued')).toEqual({ ...before, name: 'Südhof SE' });
  expect(await lastActions(1)).toEqual([[commandLine.name, 'renamed customer', 'sued, from Südhof Immobilien AG to Südhof SE']]);
  await expect(store.rename('sued', ' ')).rejects.toThrow('A customer needs a name.');
  await expect(store.rename('nobody', 'x')).rejects.toThrow("There is no customer 'nobody'.");
});

test('a suspended customer gets 403 for everything that needs a key, on every instance within 5 s; others are not affected', async () => {
  // A database of one connection has one instance.
  const others = onServer ? [await startServiceOn({ ...service.database, close: async () => {} })] : [];
  const instances = [service, ...others];
  const key = keys.suedEnterprise;
  const statusOf = (instance: TestService, path = '/property/properties?limit=1') =>
    instance.get(path, { key }).then(({ status }) => status);
  const reaches = (status: number) =>
    vi.waitFor(async () => expect(await Promise.all(instances.map((each) => statusOf(each)))).toEqual(instances.map(() => status)), {
      timeout: 60_000,
      interval: 100,
    });
  await reaches(200);
  await store.suspend('sued');
  await reaches(403);
  for (const path of ['/property/properties', '/nothing', '/catalog', '/me', '/openapi.json', '/graphql?query={__typename}', '/raw/tables'])
    expect([path, await statusOf(service, path)]).toEqual([path, 403]);
  const { json, headers } = await service.get('/catalog', { key });
  expect(json).toEqual({
    type: 'about:blank',
    title: 'Forbidden',
    status: 403,
    detail: 'Invalid or disabled API key',
    instance: '/catalog',
  });
  expect(Number(headers.get('x-ratelimit-remaining'))).toBeLessThan(500);
  expect((await service.get('/property/properties', { key, method: 'DELETE' })).status).toBe(405);
  expect((await service.get('/property/properties')).status).toBe(200);
  await store.resume('sued');
  await reaches(200);
  expect((await lastActions(2)).map(([, action]) => action)).toEqual(['resumed customer', 'suspended customer']);
  for (const other of others) await other.stop();
});

test('a customer is removed with its schema, data and keys; the log stays, and the slug can be reused', async () => {
  const { control, pool } = service.database;
  const { id } = await store.add(catalogue, { slug: 'gone', name: 'Gone', tier: 'basic' });
  await pool.query(
    "insert into estate.api_keys (id, customer_id, lineage, name, tier, groups, hash) select 'gone', $1, 'gone', '', 'basic', '{rest}', sha256('')",
    [id],
  );
  await pool.query("insert into estate.usage values ('gone', now(), 1, 1, 1, 1, 1, now())");
  await store.remove('gone');
  const { rows } = await pool.query("select nspname from pg_catalog.pg_namespace where nspname = 'customer_gone'");
  expect(rows).toEqual([]);
  for (const [table, column, value] of [
    ['customers', 'slug', 'gone'],
    ['api_keys', 'id', 'gone'],
    ['usage', 'key_id', 'gone'],
  ] as const) {
    const found = await control
      .selectFrom(table)
      .select(column as never)
      .where(column as never, '=', value as never)
      .execute();
    expect([table, found]).toEqual([table, []]);
  }
  expect((await lastActions(1))[0]?.slice(1)).toEqual(['removed customer', 'gone, with keys and data']);
  await expect(store.remove('gone')).rejects.toThrow("There is no customer 'gone'.");
  await store.add(catalogue, { slug: 'gone', name: 'Here again', tier: 'basic' });
  await store.remove('gone');
});

test('two concurrent removals remove a customer once', async () => {
  await store.add(catalogue, { slug: 'twice', name: 'Twice', tier: 'basic' });
  const outcomes = await Promise.allSettled([store.remove('twice'), store.remove('twice')]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const entries = await readLog(service.database.control, { search: 'twice, with keys' }, { limit: 10 });
  expect(entries).toHaveLength(1);
});

test.runIf(onServer)('a customer with a running load is neither removed nor changed', async () => {
  const { database } = service;
  const { id } = await store.add(catalogue, { slug: 'busy', name: 'Busy', tier: 'basic' });
  const load = await database.shares.large.connect();
  await load.query('select pg_advisory_lock($1, $2)', [loadLockSpace, id]);
  await expect(store.remove('busy')).rejects.toThrow("Customer 'busy' is in use");
  expect(await findCustomer(database, 'busy')).toMatchObject({ suspended_at: null });
  await load.query('select pg_advisory_unlock($1, $2)', [loadLockSpace, id]);
  load.release();
  await store.remove('busy');
});

test('a load that waited while its customer was removed says so', async () => {
  const customer = await store.add(catalogue, { slug: 'late', name: 'Late', tier: 'basic' });
  await store.remove('late');
  const load = sync({ database: service.database, catalogue }, customer, { files: [], mode: 'upsert', retentionHours: 1 } as never);
  await expect(load).rejects.toThrow("There is no customer 'late' any more.");
});
