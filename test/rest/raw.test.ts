import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import { withClient } from '../../src/database/connections/transaction.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { registerDataset } from '../../src/database/control/datasets.ts';
import { startService, type TestService } from '../support/service.ts';
import { sqlOn } from '../support/specification.ts';

let service: TestService;
let sql: ReturnType<typeof sqlOn>;

beforeAll(async () => {
  service = await startService();
  sql = sqlOn(service);
  const customer = await findCustomer(service.database, 'nord');
  // A customer's own table, which is not in the catalogue.
  await sql('create table customer_nord.meter (meter_id bigint primary key, reading double precision, note text, seen timestamp)');
  await sql(
    `insert into customer_nord.meter select n * 1000000000000, n / 10.0, 'Zähler "' || n || '"', '2024-01-01 12:00' from generate_series(-20, 20) n`,
  );
  await withClient(service.database.pool, (client) =>
    registerDataset(client, customer.schema_name, { kind: 'raw', name: 'meter', key_column: 'meter_id', tier: 'professional' }),
  );
  await sql("update customer_nord._datasets set row_count = 41 where name = 'meter'");
});
afterAll(() => service.stop());

/** Reads all pages. `between` runs after each. */
const walk = async (table: string, limit: number, between: (page: number) => Promise<unknown> = async () => {}) => {
  const rows: Record<string, unknown>[] = [];
  let cursor: string | null = '';
  for (let page = 0; cursor !== null; page++) {
    const { status, json } = await service.get(`/raw/${table}?limit=${limit}&cursor=${cursor}`);
    expect([status, json.count]).toEqual([200, json.data.length]);
    rows.push(...json.data);
    cursor = json.next_cursor;
    await between(page);
  }
  return rows;
};

describe('the envelope (contract: raw envelope)', () => {
  test('rows, their number, the cursor of the next page and the size of the table', async () => {
    const { status, headers, text, json } = await service.get('/raw/order_hdr?limit=2');
    const [{ total, synced }] = await sql(
      `select (select count(*)::int from customer_nord.order_hdr) as total, synced_at as synced from customer_nord._datasets
       where kind = 'raw' and name = 'order_hdr'`,
    );
    expect([status, Object.keys(json)]).toEqual([200, ['data', 'count', 'next_cursor', 'total_rows']]);
    expect(text).toMatch(/^\{"data":\[\{"order_hdr_id":/);
    expect(Object.keys(json.data[0])).toEqual(Object.keys(rawTables.order_hdr.columns));
    expect([json.count, json.total_rows, json.next_cursor]).toEqual([2, total, expect.stringMatching(/^[\w-]+$/)]);
    expect(headers.get('x-snapshot-at')).toBe(synced.toISOString());
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('link')).toBe(`</raw/order_hdr?limit=2&cursor=${json.next_cursor}>; rel="next"`);
    for (const name of ['x-total-count', 'x-next-cursor', 'x-next-offset']) expect(headers.get(name)).toBeNull();
  });

  test('next_cursor is null exactly when nothing follows (contract: raw pages)', async () => {
    const [{ total }] = await sql('select count(*)::int as total from customer_nord.order_hdr');
    for (const [limit, hasNext] of [
      [total - 1, true],
      [total, false],
      [total + 1, false],
      [5000, false],
    ] as const) {
      const { headers, json } = await service.get(`/raw/order_hdr?limit=${limit}`);
      expect([limit, json.next_cursor !== null, headers.get('link') !== null]).toEqual([limit, hasNext, hasNext]);
    }
  });

  test('an empty table', async () => {
    await sql('create table if not exists customer_nord.nothing_here (id integer primary key)');
    const customer = await findCustomer(service.database, 'nord');
    await withClient(service.database.pool, (client) =>
      registerDataset(client, customer.schema_name, { kind: 'raw', name: 'nothing_here', key_column: 'id', tier: 'basic' }),
    );
    const page = () => service.get('/raw/nothing_here');
    // A new table is visible within a second.
    await expect.poll(async () => (await page()).status).toBe(200);
    const { headers, text } = await page();
    expect(text).toBe('{"data":[],"count":0,"next_cursor":null,"total_rows":0}');
    // It was never synced (contract: snapshot time).
    expect(headers.get('x-snapshot-at')).toBeNull();
  });

  test.each([
    ['limit=0', 422],
    ['limit=100001', 422],
    ['limit=1&offset=-5', 200],
    ['limit=1&order_hdr_id=x', 200],
    ['limit=100000', 200],
  ])('?%s: %i', async (query, status) => {
    expect((await service.get(`/raw/order_hdr?${query}`)).status).toBe(status);
  });

  test('HEAD has the headers and no body', async () => {
    const [get, head] = [await service.get('/raw/order_hdr?limit=3'), await service.get('/raw/order_hdr?limit=3', { method: 'HEAD' })];
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['x-snapshot-at', 'link', 'content-type'])
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
  });
});

describe('pages have the order of the key (contract: raw pages)', () => {
  test.each(Object.entries(rawTables).map(([table, { key }]) => [table, key] as const))('%s', async (table, key) => {
    const rows = await sql(`select ${key}::text as key from customer_nord.${table} order by ${key}`);
    const keys = (await walk(table, Math.max(1, Math.ceil(rows.length / 3)))).map((row) => String(row[key]));
    expect(keys).toEqual(rows.map((row) => row.key));
  });

  test("a customer's own table: keys may be negative and beyond 32 bits", async () => {
    const rows = await walk('meter', 7);
    expect(rows.map((row) => row.meter_id)).toEqual(Array.from({ length: 41 }, (_, n) => (n - 20) * 1e12));
    expect(rows[13]).toEqual({ meter_id: -7e12, reading: -0.7, note: 'Zähler "-7"', seen: '2024-01-01T12:00:00Z' });
    expect((await service.get('/raw/meter', { key: 'est_suedenterprise_demo' })).status).toBe(404);
  });

  test('rows that exist throughout appear once, during inserts and deletes', async () => {
    const before = (await sql('select meter_id from customer_nord.meter order by 1')).map((row) => Number(row.meter_id));
    const gone = new Set<number>();
    const rows = await walk('meter', 4, async (page) => {
      const at = before[page * 4 + 3] ?? 0;
      // The last row of this page, a row of an earlier page, a row of a later page; new rows before and behind.
      for (const id of [at, at - 2e12, at + 2e12]) {
        gone.add(id);
        await sql('delete from customer_nord.meter where meter_id = $1', [id]);
      }
      for (const id of [at - 5, at + 5, 1e15 + page])
        if (page < 8) await sql('insert into customer_nord.meter (meter_id) values ($1)', [id]);
    });
    const seen = rows.map((row) => row.meter_id as number);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    for (const id of before) if (!gone.has(id)) expect(seen).toContain(id);
  });
});

test('X-Snapshot-At is the end of the last successful load (contract: snapshot time)', async () => {
  await sql("update customer_nord._datasets set synced_at = '2024-03-01 12:00:00.25+01' where kind = 'raw' and name = 'person'");
  expect((await service.get('/raw/person?limit=1')).headers.get('x-snapshot-at')).toBe('2024-03-01T11:00:00.250Z');
});

test('GET /raw/tables (contract: raw table list)', async () => {
  const { json } = await service.get('/raw/tables');
  expect(json.map((entry: { table: string }) => entry.table)).toEqual(expect.arrayContaining(Object.keys(rawTables).sort()));
  const [{ total }] = await sql('select count(*)::int as total from customer_nord.person');
  expect(json.find((entry: { table: string }) => entry.table === 'person')).toEqual({
    table: 'person',
    endpoint_url: '/raw/person',
    key: 'person_id',
    row_count: total,
    snapshot_at: expect.stringMatching(/Z$/),
  });
  expect(json.find((entry: { table: string }) => entry.table === 'meter')).toMatchObject({
    key: 'meter_id',
    row_count: 41,
    snapshot_at: null,
  });
});
