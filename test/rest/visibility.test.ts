/** Lists show the tables that the key can read with its tier and its endpoint groups (contract: visibility). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { type EndpointGroup, endpointGroups, type Tier } from '../../src/catalogue/tiers.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';
import { queryFor, specified, tierCategories } from '../support/specification.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const issue = async (tier: Tier, groups: readonly EndpointGroup[], slug = 'nord'): Promise<string> => {
  const customer = await findCustomer(service.database, slug);
  return (await new KeyStore(service.database, testSecret).create({ customer, tier, groups })).key;
};

interface Listed {
  readonly category: string;
  readonly table: string;
  readonly endpoint_url: string;
}

const pathsOf = (entries: readonly Listed[]) => entries.map(({ category, table }) => `/${category}/${table}`);

const catalogOf = async (key: string): Promise<string[]> => {
  const { categories } = (await service.get('/catalog', { key })).json as { categories: { category: string; tables: string[] }[] };
  return categories.flatMap(({ category, tables }) => tables.map((table) => `/${category}/${table}`));
};

const rawOf = async (key: string): Promise<string[]> => {
  const { status, json } = await service.get('/raw/tables', { key });
  return status === 200 ? json.map(({ endpoint_url }: Listed) => endpoint_url) : [];
};

const groupSets: readonly (readonly EndpointGroup[])[] = [
  ['rest'],
  ['raw'],
  ['graphql'],
  ['agents'],
  ['rest', 'raw'],
  ['raw', 'graphql'],
  endpointGroups,
];

describe.each(groupSets.map((groups) => [groups.join(' + '), groups] as const))('a key for %s', (_, groups) => {
  test.each<Tier>(['basic', 'enterprise'])(
    'of tier %s: /catalog and /me list the same readable tables; /changes reports raw tables only if there are no others',
    async (tier) => {
      const key = await issue(tier, groups);
      const readsCategories = groups.some((group) => group !== 'raw');
      const categoryPaths = readsCategories
        ? tierCategories[tier].flatMap((name) => (specified[name] ?? []).map((table) => `/${name}/${table}`))
        : [];
      const expected = [...categoryPaths, ...(await rawOf(key))];
      expect(expected).not.toEqual([]);

      const me = (await service.get('/me', { key })).json.tables as Listed[];
      const { changes } = (await service.get('/changes?since=2000-01-01', { key })).json as { changes: Listed[] };
      expect(await catalogOf(key)).toEqual(expected);
      expect(pathsOf(me)).toEqual(expected);
      expect(me.map(({ endpoint_url }) => endpoint_url)).toEqual(expected);
      expect(pathsOf(changes)).toEqual(readsCategories ? categoryPaths : expected);

      for (const path of expected) {
        const [, category, table = ''] = path.split('/');
        if (category !== 'raw' && !groups.includes('rest')) continue;
        const query = category === 'raw' ? '?limit=1' : queryFor(table, { limit: '1' });
        expect([path, (await service.get(path + query, { key, method: 'HEAD' })).status]).toEqual([path, 200]);
      }
    },
  );
});

describe('raw tables in lists', () => {
  test('match /raw, with version and rows', async () => {
    const key = await issue('enterprise', ['raw']);
    const person = (await service.get('/me', { key })).json.tables.find(({ table }: Listed) => table === 'person');
    const { headers, json } = await service.get('/raw/person?limit=1', { key });
    expect(person).toMatchObject({ category: 'raw', endpoint_url: '/raw/person', row_count: json.total_rows });
    expect([String(person.version), person.synced_at]).toEqual([headers.get('x-data-version'), headers.get('x-snapshot-at')]);
  });

  test('are not in /tables, which lists every category table for every key', async () => {
    const all = { categories: Object.entries(specified).map(([category, tables]) => ({ category, tables: [...tables] })) };
    for (const groups of groupSets) expect((await service.get('/tables', { key: await issue('basic', groups) })).json).toEqual(all);
  });
});

test('GraphQL lists the same tables as REST for a key, and keys of one tier are distinguished', async () => {
  const query = '{ catalog { category tables } me { tables { endpointUrl } } changes(since: "2000-01-01") { endpointUrl } }';
  const narrow = await issue('enterprise', ['graphql']);
  const wide = await issue('enterprise', ['graphql', 'raw']);
  for (const key of [wide, narrow, wide]) {
    const { data } = (await service.get(`/graphql?query=${encodeURIComponent(query)}`, { key })).json;
    const expected = await catalogOf(key);
    expect(data.catalog).toEqual((await service.get('/catalog', { key })).json.categories);
    const urlsOf = (tables: readonly { readonly endpointUrl: string }[]) => tables.map(({ endpointUrl }) => endpointUrl);
    expect(urlsOf(data.me.tables)).toEqual(expected);
    expect(urlsOf(data.changes)).toEqual(expected.filter((path) => !path.startsWith('/raw/')));
  }
});

describe('tags depend on everything that shapes the response (contract: conditional requests)', () => {
  const tagOf = async (path: string, key: string) => (await service.get(path, { key })).headers.get('etag');

  test.each(['/catalog', '/tables', '/raw/tables'])('%s of two customers', async (path) => {
    const [one, other] = [await tagOf(path, keys.nordEnterprise), await tagOf(path, keys.suedEnterprise)];
    expect(one).toMatch(/^W\/"/);
    expect(one).not.toBe(other);
    const foreign = await service.get(path, { key: keys.nordEnterprise, headers: { 'If-None-Match': other ?? '' } });
    expect(foreign.status).toBe(200);
    const own = await service.get(path, { key: keys.nordEnterprise, headers: { 'If-None-Match': one ?? '' } });
    expect(own.status).toBe(304);
  });

  test('/catalog of two keys with different or equal groups', async () => {
    const raw = await tagOf('/catalog', await issue('enterprise', ['raw']));
    expect(raw).not.toBe(await tagOf('/catalog', await issue('enterprise', ['rest'])));
    expect(raw).toBe(await tagOf('/catalog', await issue('enterprise', ['raw'])));
  });
});
