/** `format=csv` and `format=json` on tables, groups and raw tables (contract: format; CSV; raw pages as CSV). */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { groupParameters } from '../../src/query/groups.ts';
import { rowLists } from '../../src/query/rows.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const csvType = 'text/csv; charset=utf-8; header=present';
const jsonType = 'application/json; charset=utf-8';
/** An empty field without quotes is null. */
const rowsOf = (text: string): Record<string, string | null>[] =>
  parse(text, { columns: true, cast: (value, { quoting, header }) => (value === '' && !quoting && !header ? null : value) as string });
/** The same rows in JSON, with numbers in their original digits. */
const textsOf = (text: string): Record<string, string | null>[] => {
  const answer = JSON.parse(text.replaceAll(/":(-?[\d.]+)(?=[,}])/g, '":"$1"'));
  return (answer.data ?? answer).map((row: object) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)])),
  );
};

describe.each([
  ['/property/properties?limit=3', 'properties.csv'],
  ['/v1/property/properties?limit=3', 'properties.csv'],
  ['/operations/orders?limit=2&property_id=1001', 'orders.csv'],
  ['/operations/orders/groups?by=trade&count&limit=2', 'orders_groups.csv'],
  ['/raw/property_hdr?limit=2', 'property_hdr.csv'],
])('%s', (path, file) => {
  test('format=csv downloads a file, whatever Accept is', async () => {
    for (const accept of ['*/*', 'application/json', 'text/csv']) {
      const { status, headers } = await service.get(`${path}&format=csv`, { headers: { Accept: accept } });
      expect([status, headers.get('Content-Type'), headers.get('Content-Disposition')]).toEqual([
        200,
        csvType,
        `attachment; filename=${file}`,
      ]);
      expect(headers.get('Vary')?.split(', ')).not.toContain('Accept');
    }
  });

  test('its rows equal those of JSON', async () => {
    const { text } = await service.get(`${path}&format=csv`);
    expect(rowsOf(text)).toEqual(textsOf((await service.get(`${path}&format=json`)).text));
  });

  test('format=json is JSON, whatever Accept is, and not a download', async () => {
    const { headers, text } = await service.get(`${path}&format=json`, { headers: { Accept: 'text/csv' } });
    expect([headers.get('Content-Type'), headers.get('Content-Disposition')]).toEqual([jsonType, null]);
    expect(text).toBe((await service.get(path)).text);
  });

  test('each format has its own tag, and HEAD has the headers of GET', async () => {
    const asCsv = await service.get(`${path}&format=csv`);
    const tag = asCsv.headers.get('ETag') ?? '';
    const tags = { headers: { 'If-None-Match': tag } };
    expect((await service.get(`${path}&format=csv`, tags)).status).toBe(304);
    expect((await service.get(`${path}&format=json`, tags)).status).toBe(200);
    const head = await service.get(`${path}&format=csv`, { method: 'HEAD' });
    for (const header of ['Content-Type', 'Content-Disposition', 'ETag', 'X-Total-Count', 'X-Has-More', 'X-Next-Cursor', 'Link'])
      expect([header, head.headers.get(header)]).toEqual([header, asCsv.headers.get(header)]);
    expect(head.text).toBe('');
  });

  test.each(['xml', 'CSV', ''])('format=%s is a 422', async (format) => {
    const { status, json } = await service.get(`${path}&format=${format}&limit=0`);
    expect(status).toBe(422);
    expect(json.detail.split('; ').sort()).toEqual([
      "query -> format: Input should be 'json' or 'csv'",
      'query -> limit: Input should be greater than or equal to 1',
    ]);
  });
});

test('CSV by Accept is not a download', async () => {
  const { headers } = await service.get('/property/properties?limit=1', { headers: { Accept: 'text/csv' } });
  expect([headers.get('Content-Type'), headers.get('Content-Disposition')]).toEqual([csvType, null]);
});

test.each(['/raw/property_hdr?limit=2', '/raw/person?limit=7', '/raw/booking_pos?limit=5000'])(
  '%s: all pages of a raw table, by Link and by cursor',
  async (path) => {
    const found: object[] = [];
    let total: string | null = null;
    for (let next: string | undefined = `${path}&format=csv`; next; ) {
      const { headers, text }: Awaited<ReturnType<TestService['get']>> = await service.get(next);
      const rows = rowsOf(text);
      found.push(...rows);
      total = headers.get('X-Total-Count');
      const [link, cursor] = [headers.get('Link'), headers.get('X-Next-Cursor')];
      expect([headers.get('X-Has-More'), headers.get('Content-Type')]).toEqual([String(link !== null), csvType]);
      next = link?.slice(1, link.indexOf('>'));
      expect(next && new URL(next, service.url).searchParams.get('cursor')).toBe(cursor ?? undefined);
    }
    const whole = await service.get(`${path.slice(0, path.indexOf('?'))}?limit=100000`);
    expect(total).toBe(String(whole.json.total_rows));
    expect(found).toHaveLength(whole.json.total_rows);
    expect(found).toEqual(textsOf(whole.text));
  },
);

test('a raw page in JSON has its envelope and no CSV headers', async () => {
  const { headers, json } = await service.get('/raw/property_hdr?limit=1');
  expect(Object.keys(json)).toEqual(['data', 'count', 'next_cursor', 'total_rows']);
  for (const header of ['X-Total-Count', 'X-Has-More', 'X-Next-Cursor']) expect(headers.get(header)).toBeNull();
});

test('a raw table without rows has only its header', async () => {
  await service.database.pool.query(`create table customer_nord.nothing (id integer primary key, note text)`);
  await service.database.pool.query(`insert into customer_nord._datasets (id, kind, name, key_column, tier)
    select max(id) + 1, 'raw', 'nothing', 'id', 'basic' from customer_nord._datasets`);
  await expect.poll(async () => (await service.get('/raw/nothing?format=csv')).text).toBe('id,note\r\n');
});

test('deltas are JSON', async () => {
  const { status, headers } = await service.get('/operations/orders/deltas?since_version=1&format=csv');
  expect([status, headers.get('Content-Type')]).toEqual([200, jsonType]);
});

describe('one column', () => {
  test('null is not a blank line, which readers skip', async () => {
    await service.database.pool.query(`update customer_nord.orders set trade = null where order_id % 2 = 0`);
    const query = '/operations/orders/groups?by=trade';
    const { text } = await service.get(`${query}&format=csv`);
    const { json } = await service.get(query);
    expect(json.at(-1)).toEqual({ trade: null });
    expect(text.endsWith('\r\n""\r\n')).toBe(true);
    expect(parse(text, { columns: true })).toEqual(json.map(({ trade }: { trade: string | null }) => ({ trade: trade ?? '' })));
  });

  test.each([
    ['sum=total_net', 'sum_total_net'],
    ['max=order_date', 'max_order_date'],
  ])('%s of no rows, and of NaN', async (query, name) => {
    const { text } = await service.get(`/operations/orders/groups?${query}&order_id=0&format=csv`);
    expect(text).toBe(`${name}\r\n""\r\n`);
  });
});

test('no column has the name of a parameter', () => {
  const names: readonly string[] = [...groupParameters, ...rowLists, 'offset', 'since_version'];
  for (const { name, columns } of catalogue.tables.values())
    expect([name, Object.keys(columns).filter((column) => names.includes(column))]).toEqual([name, []]);
});
