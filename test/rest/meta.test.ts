import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { lookups } from '../../src/catalogue/lookups.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await sqlOn(service)("delete from customer_nord.catalog_value where catalog_name in ('order_type', 'priority')");
  await sqlOn(service)(
    `insert into customer_nord.catalog_value (catalog_value_id, catalog_name, value_key, label_en, label_de, sort_no, is_active, created_at, changed_at)
     select 900000 + n, 'priority', 'p' || n, 'Priority ' || n, case n when 2 then 'Stufe 2' else 'Priority ' || n end, 10 - n, n < 4, now(), now()
     from generate_series(1, 4) n`,
  );
});
afterAll(() => service.stop());

describe('the codes of a column with their labels (contract: lookup values)', () => {
  test("the catalogue's list if the customer has none, in its order", async () => {
    const { status, headers, json } = await service.get('/meta/orders/values/order_type');
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    expect(json.map(({ value }: { value: string }) => value)).toEqual(lookups.order_type.map(([value]) => value));
    for (const entry of json) expect(entry).toEqual({ value: expect.any(String), label: expect.any(String) });
  });

  test("the customer's own list instead of the catalogue's, without values that are out of use", async () => {
    expect((await service.get('/meta/notifications/values/priority_text')).text).toBe(
      '[{"value":"p3","label":"Priority 3"},{"value":"p2","label":"Priority 2 (Stufe 2)"},{"value":"p1","label":"Priority 1"}]',
    );
  });

  test('in one language, also of a list of the customer, and each answer has its own tag', async () => {
    const [both, german, english] = await Promise.all(
      ['', '?language=de', '?language=en'].map((query) => service.get(`/meta/notifications/values/priority_text${query}`)),
    );
    expect(german!.json.map(({ label }: { label: string }) => label)).toEqual(['Priority 3', 'Stufe 2', 'Priority 1']);
    expect(english!.json.map(({ label }: { label: string }) => label)).toEqual(['Priority 3', 'Priority 2', 'Priority 1']);
    expect(new Set([both, german, english].map((answer) => answer!.headers.get('etag'))).size).toBe(3);
  });

  test.each(['fr', 'DE', ''])('the language %j is a 422', async (language) => {
    const { status, json } = await service.get(`/meta/orders/values/order_type?language=${language}`);
    expect([status, json]).toEqual([422, { detail: [{ loc: ['query', 'language'], msg: "Input should be 'de' or 'en'", type: 'enum' }] }]);
  });

  test('every column with a list answers', async () => {
    for (const table of catalogue.tables.values())
      for (const [column, { lookup }] of Object.entries(table.columns)) {
        const { status } = await service.get(`/meta/${table.name}/values/${column}`);
        if (lookup) expect([table.name, column, status]).toEqual([table.name, column, 200]);
      }
  });
});

describe('no list (contract: lookup values)', () => {
  test.each([
    ['orders', 'order_id', 404],
    ['orders', 'nothing', 404],
    ['nothing', 'order_type', 404],
    ['order_hdr', 'order_type_key', 404],
    ['orders', 'constructor', 404],
  ])('%s.%s', async (table, column, status) => {
    const answer = await service.get(`/meta/${table}/values/${column}?x=1`);
    expect([answer.status, answer.json.detail]).toEqual([status, `No lookup values configured for ${table}.${column}`]);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.json.instance).toBe(`/meta/${table}/values/${column}`);
  });

  test("a table above the key's tier is a 403, one that does not exist a 404", async () => {
    expect((await service.get('/meta/orders/values/order_type', { key: keys.nordBasic })).status).toBe(403);
    expect((await service.get('/meta/accounts/values/account_type', { key: keys.nordProfessional })).status).toBe(403);
    expect((await service.get('/meta/nothing/values/order_type', { key: keys.nordBasic })).status).toBe(404);
  });

  test.each(['/meta', '/meta/orders', '/meta/orders/values', '/meta/orders/labels/status', '/meta/orders/values/status/x'])(
    '%s is a 404',
    async (path) => {
      const { status, json } = await service.get(path);
      expect([status, json.detail]).toEqual([404, 'Category or table not found']);
    },
  );
});

describe('path parameters that are not identifiers have a body of their own (contract: lookup values)', () => {
  const fault = (name: string) => ({ loc: ['path', name], msg: expect.any(String), type: expect.any(String) });
  test.each([
    ['/meta/orders/values/Status', ['column']],
    ['/meta/orders/values/1st', ['column']],
    ['/meta/orders/values/a-b', ['column']],
    ['/meta/orders/values/_a', ['column']],
    ['/meta/orders/values/%00', ['column']],
    [`/meta/orders/values/${'a'.repeat(64)}`, ['column']],
    ['/meta/Orders/values/status', ['api_table']],
    ['/meta/%C3%A4/values/status', ['api_table']],
    ['/meta/or%2Fders/values/%20', ['api_table', 'column']],
  ])('%s', async (path, names) => {
    const { status, headers, json } = await service.get(path);
    expect([status, json]).toEqual([422, { detail: names.map(fault) }]);
    expect(headers.get('content-type')).toMatch(/^application\/json(;|$)/);
    // Also above the tier, because the response reveals nothing about tables.
    expect((await service.get(path, { key: keys.nordBasic })).status).toBe(422);
  });

  test('63 characters are an identifier', async () => {
    expect((await service.get(`/meta/orders/values/${'a'.repeat(63)}`)).status).toBe(404);
  });
});
