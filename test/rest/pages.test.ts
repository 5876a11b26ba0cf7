import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { cursorColumn, type Table } from '../../src/catalogue/table.ts';
import { startService, type TestService } from '../support/service.ts';
import { queryFor, requiredFilters, sqlOn } from '../support/specification.ts';

let service: TestService;
let total: number;
beforeAll(async () => {
  service = await startService();
  const sql = sqlOn(service);
  [{ total }] = await sql('select count(*)::int as total from customer_nord.notifications');
  await sql(
    `update customer_nord.orders set total_net = 'NaN', total_gross = -0.10, contact_name = $1, changed_at = '2024-11-30 03:00:00.5+00' where order_id = 55001`,
    [Array.from({ length: 127 }, (_, i) => String.fromCharCode(i + 1)).join('')],
  );
  await sql(
    `update customer_nord.orders set contact_name = 'Zoë "😀"\u2028', changed_at = '2024-11-30 03:00:00.000001+00' where order_id = 55002`,
  );
  await sql(`update customer_nord.notifications set report_date = 'infinity' where report_hdr_id = 88001`);
});
afterAll(() => service.stop());

const page = async (query: string) => {
  const { status, headers, json } = await service.get(`/operations/notifications?${query}`);
  const header = (name: string) => headers.get(name);
  const ids: number[] = json.map((row: { report_hdr_id: number }) => row.report_hdr_id);
  return { status, header, ids, cursor: header('x-next-cursor') };
};

describe("a page's headers (contract: page headers)", () => {
  test('more rows exist: total, has-more, offset, cursor and link', async () => {
    const { status, header, ids, cursor } = await page('limit=10');
    expect([status, ids.length, header('x-total-count'), header('x-has-more'), header('x-next-offset')]).toEqual([
      200,
      10,
      `${total}`,
      'true',
      '10',
    ]);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(header('link')).toBe(`</operations/notifications?limit=10&cursor=${cursor}>; rel="next"`);
    expect(header('content-type')).toMatch(/^application\/json(;|$)/);
  });

  test('a page that is not full ends the table', async () => {
    const { header, ids } = await page(`limit=${total + 1}`);
    expect([ids.length, header('x-total-count'), header('x-has-more')]).toEqual([total, String(total), 'false']);
    for (const name of ['x-next-offset', 'x-next-cursor', 'link']) expect(header(name)).toBeNull();
  });

  test('a full page at the end still has a cursor, which leads to an empty page without one', async () => {
    const { header, ids, cursor } = await page(`limit=${total}`);
    expect([ids.length, header('x-has-more'), header('x-next-offset'), header('link')]).toEqual([total, 'false', null, null]);
    const after = await page(`limit=${total}&cursor=${cursor}`);
    expect([after.ids, after.cursor, after.header('x-has-more'), after.header('x-total-count')]).toEqual([
      [],
      null,
      'false',
      String(total),
    ]);
  });

  test('a page by cursor has no offset', async () => {
    const first = await page('limit=10');
    const second = await page(`limit=10&cursor=${first.cursor}`);
    expect([second.header('x-has-more'), second.header('x-next-offset'), second.header('x-total-count')]).toEqual([
      'true',
      null,
      String(total),
    ]);
    expect(second.ids).toEqual((await page('limit=10&offset=10')).ids);
    expect(second.header('link')).toContain('cursor=');
  });

  test('an offset beyond the end is an empty page', async () => {
    const { header, ids } = await page('offset=500000');
    expect([ids, header('x-total-count'), header('x-has-more'), header('x-next-offset')]).toEqual([[], String(total), 'false', null]);
  });

  test('the next offset is included up to the largest allowed one, and beyond it only the cursor', async () => {
    const setCount = (count: number) =>
      sqlOn(service)("update customer_nord._datasets set row_count = $1 where name = 'notifications' and kind = 'category'", [count]);
    // The count determines the distance of a deep page from the end, so a few rows can simulate half a million.
    await setCount(500_010);
    try {
      const last = await page('limit=2&offset=499998');
      expect([last.ids.length, last.header('x-has-more'), last.header('x-next-offset')]).toEqual([2, 'true', '500000']);
      const beyond = await page('limit=2&offset=499999');
      expect([beyond.ids.length, beyond.header('x-has-more'), beyond.header('x-next-offset')]).toEqual([2, 'true', null]);
      expect(beyond.header('link')).toContain(`cursor=${beyond.cursor}`);
    } finally {
      await setCount(total);
    }
  });

  test('the filters stay in the link, cursor and offset are replaced', async () => {
    const { header, cursor } = await page('property_id=1001&limit=2&offset=2&offset=3');
    expect(header('link')).toBe(`</operations/notifications?property_id=1001&limit=2&cursor=${cursor}>; rel="next"`);
    expect((await service.get((header('link') as string).slice(1, -'>; rel="next"'.length))).status).toBe(200);
  });

  test('a cursor continues after its row was deleted, and with another limit (contract: cursor lifetime)', async () => {
    const { ids, cursor } = await page('limit=3');
    const expected = (await page('limit=4&offset=3')).ids;
    await sqlOn(service)('delete from customer_nord.notifications where report_hdr_id = $1', [ids[2]]);
    expect((await page(`limit=4&cursor=${cursor}`)).ids).toEqual(expected);
    await sqlOn(service)(
      "insert into customer_nord.notifications (report_hdr_id, property_id, report_date) values ($1, 1001, 'infinity')",
      [ids[2]],
    );
  });

  test('tables without a cursor column link by offset', async () => {
    const { headers } = await service.get('/property/property_creditor_services?limit=2');
    expect([headers.get('x-next-cursor'), headers.get('x-next-offset')]).toEqual([null, '2']);
    expect(headers.get('link')).toBe('</property/property_creditor_services?limit=2&offset=2>; rel="next"');
  });

  test.each(['limit=10', 'limit=10&offset=5', 'limit=5000', 'offset=9000', 'property_id=1002&limit=1', 'property_id=x'])(
    'HEAD ?%s has the headers of GET and no body (contract: methods)',
    async (query) => {
      const path = `/operations/notifications?${query}`;
      const [get, head] = [await service.get(path), await service.get(path, { method: 'HEAD' })];
      const pageHeaders = ({ headers }: typeof get) =>
        [...headers].filter(([name]) => /^x-(?!request-id)|^(link|etag|vary|cache-control|content-type)$/.test(name));
      expect([head.status, head.text, pageHeaders(head)]).toEqual([200, '', pageHeaders(get)]);
    },
  );

  test('caches learn that responses belong to a key (contract: caching)', async () => {
    const { header } = await page('limit=1');
    expect([header('cache-control'), header('x-content-type-options')]).toEqual(['private, no-cache', 'nosniff']);
    expect(header('vary')?.toLowerCase()).toContain('x-api-key');
  });
});

/** A value as JSON, written by the database. */
const jsonOf = ([name, { kind }]: [string, { kind: string }]): string => {
  const column = `t."${name}"`;
  const at = `${column} at time zone 'UTC'`;
  const expressions: Record<string, string> = {
    integer: `${column}::text`,
    bigint: `${column}::text`,
    number: `nullif(${column}::text, 'NaN')`,
    boolean: `${column}::text`,
    string: `to_json(${column})::text`,
    date: `case when isfinite(${column}) then to_json(to_char(${column}, 'YYYY-MM-DD'))::text end`,
    timestamp: `case when isfinite(${column}) then to_json(to_char(${at}, 'YYYY-MM-DD"T"HH24:MI:SS')
      || case when extract(microseconds from ${column})::bigint % 1000000 = 0 then '' else to_char(${at}, '.US') end || 'Z')::text end`,
  };
  return `'"${name}":' || coalesce(${expressions[kind]}, 'null')`;
};

const expectedBytes = async (table: Table, limit: number): Promise<string> => {
  const row = Object.entries(table.columns).map(jsonOf).join(` || ',' || `);
  const where = Object.entries(requiredFilters[table.name] ?? {}).map(([column, value]) => `t."${column}" = ${value}`);
  const sort = table.sort.map((column) => `t."${column}"`).join(', ');
  const rows = await sqlOn(service)(
    `select '{' || ${row} || '}' as json from customer_nord."${table.name}" t where ${['true', ...where].join(' and ')} order by ${sort} limit ${limit}`,
  );
  return `[${rows.map(({ json }) => json).join(',')}]`;
};

describe('rows carry every column in catalogue order with the digits of the database (contract: row values)', () => {
  test.each([...catalogue.tables.values()].map((table) => [table.name, table] as const))('%s', async (name, table) => {
    const path = `/${table.category}/${name}`;
    const small = await service.get(path + queryFor(name, { limit: '200' }));
    expect(small.text).toBe(await expectedBytes(table, 200));
    const large = await service.get(path + queryFor(name, { limit: '4000' }));
    expect(large.text === (await expectedBytes(table, 4000))).toBe(true);
    expect(Boolean(small.headers.get('x-next-cursor'))).toBe(small.json.length === 200 && cursorColumn(table) !== undefined);
  });
});
