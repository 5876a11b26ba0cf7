import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { sqlOn } from '../support/specification.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await sqlOn(service)(`update customer_nord.orders set cost_center_id = '', order_number = 'Ä ß+"&' where order_id = 55001`);
});
afterAll(() => service.stop());

describe('wrong parameters are one 422 that names each (contract: wrong parameters)', () => {
  const noInteger = 'Input should be a valid integer, unable to parse string as an integer';
  const noCursor = 'The cursor is not valid for this table and these filters';
  test.each([
    ['/operations/orders?limit=0', 'query -> limit: Input should be greater than or equal to 1'],
    ['/operations/orders?limit=100001', 'query -> limit: Input should be less than or equal to 100000'],
    ['/operations/orders?limit=1e3', `query -> limit: ${noInteger}`],
    ['/operations/orders?limit=', `query -> limit: ${noInteger}`],
    ['/operations/orders?limit=5&limit=x', `query -> limit: ${noInteger}`],
    ['/operations/orders?limit=%00', `query -> limit: ${noInteger}`],
    ['/v1/property/properties?offset=-1', 'query -> offset: Input should be greater than or equal to 0'],
    ['/operations/orders?offset=500001', 'query -> offset: Input should be less than or equal to 500000'],
    ['/operations/orders?cursor=garbage', `query -> cursor: ${noCursor}`],
    ['/contracts/index_rent?cursor=%00', `query -> cursor: ${noCursor}`],
    ['/accounting/kontenmapping_ranges?cursor=garbage', `query -> cursor: ${noCursor}`],
    ['/raw/order_hdr?cursor=garbage', `query -> cursor: ${noCursor}`],
    ['/raw/order_hdr?limit=x&cursor=y', `query -> limit: ${noInteger}; query -> cursor: ${noCursor}`],
    [
      '/accounting/booking_header?limit=0&offset=x&cursor=y',
      `query -> limit: Input should be greater than or equal to 1; query -> offset: ${noInteger}; query -> cursor: ${noCursor}`,
    ],
  ])('%s', async (path, detail) => {
    const { status, json } = await service.get(path);
    expect([status, json.detail, json.instance]).toEqual([422, detail, path.split('?')[0]]);
  });

  test('a cursor and an offset exclude each other, an offset of 0 does not (contract: offset and cursor)', async () => {
    const cursor = (await service.get('/operations/orders?limit=1')).headers.get('x-next-cursor');
    const together = await service.get(`/operations/orders?cursor=${cursor}&offset=1`);
    expect([together.status, together.json.detail]).toEqual([
      422,
      'query -> cursor: A cursor cannot be combined with an offset greater than 0',
    ]);
    expect((await service.get(`/operations/orders?cursor=${cursor}&offset=0&limit=1`)).json[0].order_id).toBe(55002);
    expect((await service.get('/operations/orders?cursor=&offset=1&limit=1')).json[0].order_id).toBe(55002);
  });
});

describe('integers may have a sign and blanks, the last of several counts (contract: integer parameters)', () => {
  test.each([
    'limit=2',
    'limit=%2B2',
    'limit=+2',
    'limit=%202%20',
    'limit=0002',
    'limit=x&limit=2',
    'colour=red&limit=2&Limit=7',
    'limit=2&offset=%2B0',
  ])('%s', async (query) => {
    const { status, json } = await service.get(`/operations/orders?${query}`);
    expect([status, json.length]).toEqual([200, 2]);
  });
});

describe('filters are equality on the value of the column (contract: repeated and unknown parameters; filters)', () => {
  test.each([
    ['orders', 'property_id=1001', 'property_id = 1001'],
    ['orders', 'property_id=%2B01001', 'property_id = 1001'],
    ['orders', 'property_id=%201001', 'property_id = 1001'],
    ['orders', 'property_id=1001&property_id=1002', 'property_id = 1002'],
    ['orders', 'property_id=1001&order_type=repair', "property_id = 1001 and order_type = 'repair'"],
    ['orders', 'order_type=Repair', 'false'],
    ['orders', 'order_type=repair%20', 'false'],
    ['orders', 'cost_center_id=', "cost_center_id = ''"],
    ['orders', 'order_number=%C3%84+%C3%9F%2B%22%26', "order_number = 'Ä ß+\"&'"],
    ['orders', 'order_number=A%CC%88+%C3%9F%2B%22%26', 'false'],
    ['orders', 'is_insurance_claim=true', 'is_insurance_claim'],
    ['orders', 'is_insurance_claim=false', 'not is_insurance_claim'],
    ['orders', 'description=x&total_net=1&nothing=x', "description = 'x' and total_net = 1"],
    ['orders', 'nothing=x', 'true'],
    ['offers', 'floor_area_id=', "floor_area_id = ''"],
    ['notifications', 'report_date=2024-02-30', 'false'],
  ])('%s?%s: %s', async (table, query, where) => {
    const { status, headers, json } = await service.get(`/operations/${table}?${query}`);
    const [{ total }] = await sqlOn(service)(`select count(*)::int as total from customer_nord.${table} where ${where}`);
    expect([status, json.length, headers.get('x-total-count')]).toEqual([200, total, String(total)]);
  });

  test('the filter on a day finds that day', async () => {
    const [{ day, total }] = await sqlOn(service)(
      'select report_date::text as day, count(*)::int as total from customer_nord.notifications where report_date is not null group by 1 order by 2 desc limit 1',
    );
    const { json } = await service.get(`/operations/notifications?report_date=${day}`);
    expect(json.map((row: { report_date: string }) => row.report_date)).toEqual(Array(total).fill(day));
  });

  test.each([
    'property_id=abc',
    'property_id=',
    'property_id=1001.0',
    'property_id=1e3',
    'property_id=99999999999',
    'property_id=9223372036854775807',
    'property_id=9223372036854775808',
    `property_id=${'9'.repeat(300)}`,
    'order_type=a%00b',
    'order_type=%FF%FE',
    'is_insurance_claim=TRUE',
    'is_insurance_claim=1',
    'is_insurance_claim=',
    'property_id=1001&is_insurance_claim=maybe',
    "order_type='%3B%20drop%20table%20orders%3B--",
  ])('%s matches nothing', async (query) => {
    for (const limit of [1000, 5000]) {
      const { status, headers, text } = await service.get(`/operations/orders?${query}&limit=${limit}`);
      expect([status, text, headers.get('x-total-count'), headers.get('x-has-more')]).toEqual([200, '[]', '0', 'false']);
      for (const name of ['x-next-offset', 'x-next-cursor', 'link']) expect(headers.get(name)).toBeNull();
    }
  });
});

describe('required filters (contract: required filters)', () => {
  test.each([
    ['booking_header', '', 'fiscal_year'],
    ['booking_header', 'property_id=1001&Fiscal_year=2026', 'fiscal_year'],
    ['booking_positions', '', 'property_id, fiscal_year'],
    ['booking_positions', 'fiscal_year=2026', 'property_id'],
    ['booking_positions', 'property_id=1001&limit=5', 'fiscal_year'],
  ])('%s?%s lacks %s', async (table, query, names) => {
    for (const prefix of ['', '/v1']) {
      const { status, json } = await service.get(`${prefix}/accounting/${table}?${query}`);
      expect([status, json.detail]).toEqual([400, `Missing required filter(s): ${names}`]);
    }
  });

  test.each([
    ['booking_header?fiscal_year=', 0],
    ['booking_positions?fiscal_year=&property_id=', 0],
    ['booking_positions?fiscal_year=2026&property_id=abc', 0],
  ])('%s is present, even if it matches nothing', async (path, rows) => {
    const { status, json } = await service.get(`/accounting/${path}`);
    expect([status, json.length]).toEqual([200, rows]);
  });
});
