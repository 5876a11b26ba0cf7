import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import { type EndpointGroup, type Tier, tiers } from '../../src/catalogue/tiers.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';
import { queryFor, specified, specifiedTables, sqlOn, tierCategories } from '../support/specification.ts';

const keyOf: Record<Tier, string> = { basic: keys.nordBasic, professional: keys.nordProfessional, enterprise: keys.nordEnterprise };
let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const issue = async (slug: string, tier: Tier, groups?: readonly EndpointGroup[]): Promise<string> => {
  const customer = await findCustomer(service.database, slug);
  return (await new KeyStore(service.database, testSecret).create({ customer, tier, ...(groups && { groups }) })).key;
};

const names = (entries: readonly { readonly table: string }[]) => entries.map(({ table }) => table);
const shape = (categories: readonly string[]) => ({
  categories: categories.map((category) => ({ category, tables: [...(specified[category] ?? [])] })),
});

describe.each(tiers)('a %s key (contract: access tiers; visibility)', (tier) => {
  const categories: readonly string[] = tierCategories[tier];
  const key = keyOf[tier];

  test('reads the tables of its categories and no others', async () => {
    for (const [category, table] of specifiedTables)
      for (const path of [
        `/${category}/${table}`,
        ...(table === 'projects' || table === 'properties' ? [`/v1/${category}/${table}`] : []),
      ]) {
        const { status } = await service.get(path + queryFor(table, { limit: '1' }), { key });
        expect([path, status]).toEqual([path, categories.includes(category) ? 200 : 403]);
      }
  });

  test('reads the raw tables of its tier in the dictionary', async () => {
    for (const [table, { tier: needed }] of Object.entries(rawTables)) {
      const { status } = await service.get(`/raw/${table}?limit=1`, { key });
      expect([table, status]).toEqual([table, tiers.indexOf(tier) >= tiers.indexOf(needed) ? 200 : 403]);
    }
  });

  /** The raw tables of the tier in the dictionary. */
  const readable = Object.entries(rawTables)
    .filter(([, table]) => tiers.indexOf(tier) >= tiers.indexOf(table.tier))
    .map(([name]) => name)
    .sort();

  test('/catalog shows the tables that it can read, /tables every category table', async () => {
    const catalog = [...shape(categories).categories, { category: 'raw', tables: readable }];
    expect((await service.get('/catalog', { key })).json).toEqual({ categories: catalog });
    expect((await service.get('/tables', { key })).json).toEqual(shape(Object.keys(specified)));
  });

  test('/raw/tables and /changes show the tables that it can read', async () => {
    expect(names((await service.get('/raw/tables', { key })).json)).toEqual(readable);
    const { changes } = (await service.get('/changes?since=2024-01-01', { key })).json;
    expect(names(changes)).toEqual(categories.flatMap((category) => specified[category] ?? []));
  });
});

describe('a key restricted to endpoint groups (contract: endpoint groups)', () => {
  const open = ['/catalog', '/tables', '/changes?since=2024-01-01', '/meta/orders/values/status'];
  const rest = ['/property/properties?limit=1', '/v1/property/properties?limit=1'];
  const raw = ['/raw/tables', '/raw/property_hdr?limit=1'];

  test.each<[EndpointGroup, readonly string[], readonly string[]]>([
    ['rest', [...open, ...rest], raw],
    ['raw', [...open, ...raw], rest],
    ['graphql', open, [...rest, ...raw]],
  ])('%s', async (group, allowed, refused) => {
    const key = await issue('nord', 'enterprise', [group]);
    for (const path of allowed) expect([path, (await service.get(path, { key })).status]).toEqual([path, 200]);
    for (const path of refused) {
      const { status, json } = await service.get(path, { key });
      expect([path, status, json.detail]).toEqual([path, 403, 'Invalid or disabled API key']);
    }
  });
});

describe("a key's tier is not above its customer's (contract: access tiers)", () => {
  test('it cannot be issued, and it is lowered with the customer', async () => {
    const sql = sqlOn(service);
    const key = await issue('sued', 'enterprise');
    await sql("update estate.customers set tier = 'basic' where slug = 'sued'");
    await expect(issue('sued', 'professional')).rejects.toThrow(
      "Customer 'sued' has tier basic; a key of tier professional would be above it.",
    );
    expect((await service.get('/operations/orders', { key })).status).toBe(403);
    expect((await service.get('/property/properties', { key })).status).toBe(200);
  });
});
