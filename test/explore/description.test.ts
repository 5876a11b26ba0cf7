/** `GET /explore` and its description: who may read what, and that every address of the page has an answer (contract: explore page; explore description). */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atDay } from '../../src/catalogue/relative-days.ts';
import { rowFunctionNames } from '../../src/plan/vocabulary/values.ts';
import { conditionAt, itemsOfCondition } from '../../src/web/explore/app/view/condition-tree.ts';
import { appliesTo } from '../../src/web/explore/app/view/row-functions.ts';
import { searchCondition } from '../../src/web/explore/app/view/search.ts';
import { addressOf } from '../../src/web/explore/app/view/view.ts';
import type { Description, Figures } from '../../src/web/explore/described.ts';
import { exploreFiles } from '../../src/web/explore/page.ts';
import { scopedKey } from '../scopes/keys.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const described = async (key: string): Promise<Description> => (await service.get('/explore/description', { key })).json;
const namesOf = ({ tables }: Description): string[] => tables.map(({ name }) => name);

describe('the page', () => {
  test('needs no key, runs only scripts of the service and asks only the service', async () => {
    const { status, headers, text } = await service.get('/explore', { key: null });
    expect(status).toBe(200);
    expect(headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(text).not.toMatch(/<script>|style=|https?:\/\/(?!www\.w3\.org)/);
    for (const page of ['/', '/docs', '/explore']) expect((await service.get(page, { key: null })).text).toContain('href="/explore"');
  });

  test('has a script of at most 150 KB, compressed, and another one that draws charts', () => {
    const sizeOf = (name: string) => gzipSync(exploreFiles.find(name)!.body.bytes).length;
    expect(sizeOf('explore.js')).toBeLessThan(150_000);
    expect(sizeOf('explore.js') + sizeOf('drawing.js')).toBeLessThan(350_000);
  });

  test('an error of its path is a page for browsers', async () => {
    const { status, headers } = await service.get('/explore', { key: 'est_nobody_wrong', headers: { Accept: 'text/html' } });
    expect([status, headers.get('Content-Type')]).toEqual([401, 'text/html; charset=utf-8']);
  });
});

describe('the description', () => {
  test('needs a key and the group rest', async () => {
    expect((await service.get('/explore/description', { key: null })).status).toBe(401);
    const { tables, categories, questions, codes } = await described(await scopedKey(service, {}, { groups: ['graphql', 'raw'] }));
    expect([tables, categories, questions, codes]).toEqual([[], [], [], {}]);
  });

  test.each([
    ['basic', keys.nordBasic],
    ['professional', keys.nordProfessional],
    ['enterprise', keys.nordEnterprise],
  ])('has exactly the tables of the tier %s, and no relation, column or question that leads elsewhere', async (_tier, key) => {
    const { json: catalog } = await service.get('/catalog', { key });
    const listed = catalog.categories.flatMap(({ category, tables }: { category: string; tables: string[] }) =>
      category === 'raw' ? [] : tables,
    );
    const description = await described(key);
    expect(namesOf(description).sort()).toEqual([...listed].sort());
    for (const { relations } of description.tables) for (const { target } of relations) expect(listed).toContain(target);
    for (const { address } of description.questions) expect((await service.get(atDay(address, description.day), { key })).status).toBe(200);
  });

  test('the first columns and figures of every table have an answer', async () => {
    const key = await scopedKey(service, { personal: [] });
    for (const who of [keys.nordEnterprise, keys.nordBasic, key]) {
      const description = await described(who);
      for (const table of description.tables) {
        const columns = [...new Set([...table.first, table.title])];
        const filters = table.required.map((name) => [name, '1'] as const);
        const address = addressOf(`/${table.category}/${table.name}`, [['columns', columns.join()], ['limit', '1'], ...filters]);
        expect([address, (await service.get(address, { key: who })).status]).toEqual([address, 200]);
        const condition = searchCondition('7', table, description) ?? '';
        const search = addressOf(`/${table.category}/${table.name}`, [['where', condition], ['limit', '1'], ...filters]);
        expect([search, (await service.get(search, { key: who })).status]).toEqual([search, 200]);
      }
    }
  });

  test('the rows that a figure counts are as many as the figure, and can be rows of a relation', async () => {
    for (const key of [keys.nordEnterprise, keys.nordBasic]) {
      const { tables, day } = await described(key);
      const { figures } = (await service.get(`/explore/figures?day=${day}`, { key })).json as Figures;
      const numbers = new Map<string, number>();
      for (const { label, address } of tables.flatMap(({ counted }) => counted)) {
        const { status, headers } = await service.get(`${atDay(address, day)}&limit=1`, { key });
        expect([address, status]).toEqual([address, 200]);
        numbers.set(label.en, Number(headers.get('X-Total-Count')));
      }
      for (const { label, unit, points } of figures)
        if (unit === 'count') expect([label.en, numbers.get(label.en)]).toEqual([label.en, points.at(-1)?.value]);
    }
    const { tables, day } = await described(keys.nordEnterprise);
    const [open] = tables.find(({ name }) => name === 'orders')!.counted;
    const condition = { is: 'related', name: 'orders', by: 'some', of: [conditionAt(open!.address, day)!] } as const;
    const related = addressOf('/property/properties', [['where', itemsOfCondition(condition).join()]]);
    expect((await service.get(related)).status).toBe(200);
  });

  test('every function of columns that the page offers has an answer, also over relations', async () => {
    const description = await described(keys.nordEnterprise);
    for (const table of description.tables) {
      const related = table.relations.filter(({ kind }) => kind === 'to-one').slice(0, 8);
      const columns = [table, ...related].flatMap((from) => {
        const target = 'target' in from ? description.tables.find(({ name }) => name === from.target) : table;
        const prefix = 'target' in from ? `${from.name}.` : '';
        return target?.columns.map((column) => ({ ...column, path: `${prefix}${column.name}` })) ?? [];
      });
      const entries = rowFunctionNames.flatMap((call) => {
        const paths = columns.filter((column) => appliesTo(call, column)).map(({ path }) => path);
        return paths.map((path, index) => `${call}_${index}:${call}(${paths[0]},${path})`);
      });
      if (entries.length === 0) continue;
      const filters = table.required.map((name) => [name, '1'] as const);
      const address = addressOf(`/${table.category}/${table.name}`, [
        ['columns', entries.slice(0, 300).join()],
        ['limit', '1'],
        ...filters,
      ]);
      const { status, text } = await service.get(address);
      expect([table.name, status, status === 200 ? '' : text]).toEqual([table.name, 200, '']);
    }
  });

  test('a key without personal data has no such columns, filters or titles', async () => {
    const { tables } = await described(await scopedKey(service, { personal: [] }));
    const tenants = tables.find(({ name }) => name === 'tenants');
    expect(tenants?.columns.map(({ name }) => name)).not.toContain('name');
    expect([tenants?.title, tenants?.first.includes('name')]).toEqual(['tenant_id', false]);
    expect(tables.find(({ name }) => name === 'orders')?.first).not.toContain('creditor.name');
  });

  test('a key with a property set has no tables that belong to no property', async () => {
    const description = await described(await scopedKey(service, { properties: { ids: [1001] } }));
    for (const hidden of ['creditor', 'employees', 'owner']) expect(namesOf(description)).not.toContain(hidden);
    const targets = description.tables.flatMap(({ relations }) => relations.map(({ target }) => target));
    expect(targets.filter((target) => !namesOf(description).includes(target))).toEqual([]);
  });

  test('has the labels of the customer, and another tag when they change', async () => {
    const first = await service.get('/explore/description');
    const etag = first.headers.get('ETag') ?? '';
    expect((await service.get('/explore/description', { headers: { 'If-None-Match': etag } })).status).toBe(304);
    const status = (first.json as Description).codes.order_status?.find(({ value }) => value === 'new');
    expect(status?.label).toEqual({ en: 'New', de: 'Neu' });
    const other = await service.get('/explore/description', { key: keys.suedEnterprise });
    expect(other.headers.get('ETag')).not.toBe(etag);
    const [{ count } = { count: 0 }] = await sqlOn(service)(
      "select count(*)::int as count from customer_nord.catalog_value where is_active and catalog_name = 'trade'",
    );
    if (count > 0) expect((first.json as Description).codes.trade).toHaveLength(count);
  });
});
