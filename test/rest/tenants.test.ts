import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import type { RawTable } from '../../src/catalogue/raw-table.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { requiredFilters, sqlOn } from '../support/specification.ts';

const canary = 'canary-7f3a-of-sued';
let service: TestService;

/** A text column of each table that accepts any text. */
const textColumns: readonly (readonly [path: string, table: string, column: string])[] = [
  ...[...catalogue.tables.values()].map((table) => {
    const reserved = [...table.sort, ...table.unique, table.key];
    const [column = ''] = Object.entries(table.columns).find(([name, { kind }]) => kind === 'string' && !reserved.includes(name)) ?? [];
    return [`/${table.category}/${table.name}`, table.name, column] as const;
  }),
  ...Object.entries<RawTable>(rawTables).map(([name, { columns, unique }]) => {
    const [column = ''] = Object.entries(columns).find(([name, type]) => type.startsWith('text') && !unique.flat().includes(name)) ?? [];
    return [`/raw/${name}`, name, column] as const;
  }),
].filter(([, , column]) => column !== '');

beforeAll(async () => {
  service = await startService();
  const sql = sqlOn(service);
  for (const [, table, column] of textColumns) await sql(`update customer_sued."${table}" set "${column}" = '${canary}'`);
});
afterAll(() => service.stop());

/** The whole table, for every combination of required filters of a customer. */
const readAll = async (path: string, table: string, key: string): Promise<string> => {
  const required = Object.keys(requiredFilters[table] ?? {});
  if (required.length === 0) return (await service.get(`${path}?limit=100000`, { key })).text;
  const columns = required.map((column) => `"${column}"`).join(', ');
  const combinations = await sqlOn(service)(
    `select distinct ${columns} from customer_nord.${table} union select distinct ${columns} from customer_sued.${table}`,
  );
  const texts = combinations.map(
    async (filters) => (await service.get(`${path}?${new URLSearchParams(filters)}&limit=100000`, { key })).text,
  );
  return (await Promise.all(texts)).join();
};

describe('each caller sees only the data of its own customer (contract: customer scope)', () => {
  test.each(textColumns)('%s', async (path, table) => {
    const [{ rows }] = await sqlOn(service)(`select count(*)::int as rows from customer_sued."${table}"`);
    expect((await readAll(path, table, keys.suedEnterprise)).includes(canary)).toBe(rows > 0);
    expect(await readAll(path, table, keys.nordEnterprise)).not.toContain(canary);
  });

  test('all tables were compared', () => {
    expect(textColumns.length).toBeGreaterThanOrEqual(catalogue.tables.size + Object.keys(rawTables).length - 1);
  });

  test('filters and totals do not reach other customers', async () => {
    const { text, headers } = await service.get(`/operations/orders?order_type=${canary}`);
    expect([text, headers.get('x-total-count')]).toEqual(['[]', '0']);
  });

  test('code lists, lists and changes are those of the caller', async () => {
    await sqlOn(service)('update customer_sued._datasets set row_count = 424242');
    expect((await service.get('/meta/orders/values/order_type', { key: keys.suedEnterprise })).text).toContain(canary);
    for (const path of [
      '/meta/orders/values/order_type',
      '/catalog',
      '/tables',
      '/changes?since=2024-01-01',
      '/raw/tables',
      '/raw/catalog_value',
    ]) {
      const { text } = await service.get(path);
      expect(text).not.toContain(canary);
      expect(text).not.toContain('424242');
    }
  });
});

describe("another customer's cursor is refused (contract: cursor lifetime)", () => {
  test.each(['/operations/orders', '/v1/property/properties', '/raw/order_hdr'])('%s', async (path) => {
    const page = await service.get(`${path}?limit=1`, { key: keys.suedEnterprise });
    const cursor = page.headers.get('x-next-cursor') ?? page.json.next_cursor;
    expect((await service.get(`${path}?limit=1&cursor=${cursor}`, { key: keys.suedEnterprise })).status).toBe(200);
    const { status, json } = await service.get(`${path}?limit=1&cursor=${cursor}`, { key: keys.nordEnterprise });
    expect([status, json.detail]).toEqual([422, 'query -> cursor: The cursor is not valid for this table and these filters']);
  });

  test('so is that of another table, of other filters or of the raw table', async () => {
    const cursor = (await service.get('/operations/orders?limit=1')).headers.get('x-next-cursor');
    for (const path of ['/operations/offers?', '/operations/orders?property_id=1001&', '/raw/order_hdr?'])
      expect((await service.get(`${path}cursor=${cursor}`)).status).toBe(422);
    // Another key of the same customer, unknown parameters and another limit do not matter.
    expect((await service.get(`/operations/orders?colour=red&limit=7&cursor=${cursor}`, { key: keys.nordProfessional })).status).toBe(200);
  });
});
