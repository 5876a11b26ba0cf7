/** Pages with `where`, `order` and `columns` (contract: conditions, order and columns of rows). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { ask } from '../graphql/client.ts';
import { scopedKey } from '../scopes/keys.ts';
import { onServer } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { testSecret } from '../support/settings.ts';
import { asCsv, Deliveries, load, readTableData } from '../sync/support.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const orders = (query: string, headers: Record<string, string> = {}) =>
  service.get(`/operations/orders?${query}`, Object.keys(headers).length > 0 ? { headers } : undefined);

describe('columns', () => {
  test('have the names of the request, nested names with their dots, in JSON and in CSV', async () => {
    const { json } = await orders('columns=subject,property.property_name,order_id,offer.creditor.name&limit=2');
    expect(json.map(Object.keys)).toEqual(Array(2).fill(['subject', 'property.property_name', 'order_id', 'offer.creditor.name']));
    const { text } = await orders('columns=order_id,property.property_name&limit=1&format=csv');
    expect(text.split('\r\n')[0]).toBe('order_id,property.property_name');
  });

  test('may be hidden behind a data scope, and are null then', async () => {
    const key = await scopedKey(service, { personal: [] });
    const { status, json } = await service.get(
      '/operations/orders?columns=order_id,creditor.name&where=creditor.creditor_id:is_not_null&limit=3',
      { key },
    );
    expect([status, json.map((row: object) => Object.values(row)[1])]).toEqual([200, [null, null, null]]);
  });
});

describe('functions of columns', () => {
  const sql = (text: string) => service.database.pool.query(text).then(({ rows }) => rows);

  test('have names of their own, and follow relations', async () => {
    const query =
      'columns=order_id,age:days(notification.report_date,order_date),tax:percentage(total_net,vat_rate)&where=report_hdr_id:is_not_null&limit=5';
    const expected = await sql(
      `select o.order_id, o.order_date - n.report_date as age, (o.total_net * o.vat_rate / 100)::numeric(20,6)::text as tax
       from customer_nord.orders o join customer_nord.notifications n using (report_hdr_id) order by order_id limit 5`,
    );
    const { text } = await orders(query);
    expect(text).toBe(`[${expected.map(({ order_id, age, tax }) => `{"order_id":${order_id},"age":${age},"tax":${tax}}`).join()}]`);
    const csv = await orders(`${query}&format=csv`);
    expect(csv.text.split('\r\n').slice(0, 2)).toEqual(['order_id,age,tax', Object.values(expected[0]).join()]);
  });

  test('can be ordered by, with cursors of their own', async () => {
    const query = 'columns=order_id,age:days(order_date,closed_date)&order=-age&limit=3';
    const expected = await sql(
      'select order_id, closed_date - order_date as age from customer_nord.orders order by age desc nulls last, order_id desc',
    );
    const first = await orders(query);
    const cursor = first.headers.get('x-next-cursor')!;
    const next = await orders(`${query}&cursor=${cursor}`);
    expect([...first.json, ...next.json]).toEqual(expected.slice(0, 6));
    const other = await orders(`${query.replace('closed_date)', 'execution_end_date)')}&cursor=${cursor}`);
    expect(other.status).toBe(422);
  });

  test('of hidden columns are null, and no order can use them', async () => {
    const key = await scopedKey(service, { personal: [] });
    const query = 'columns=creditor_id,left:days(exemption_certificate_valid_until,insurance_valid_until)&limit=3';
    const { json } = await service.get(`/stakeholder/creditor?${query}`, { key });
    expect(json.map((row: { left: unknown }) => row.left)).toEqual([null, null, null]);
    const refused = await service.get(`/stakeholder/creditor?${query}&order=left`, { key });
    expect([refused.status, refused.json.detail]).toEqual([422, expect.stringMatching(/exemption_certificate_valid_until: Personal data/)]);
  });

  test.each([
    ['columns=age:month(order_date,closed_date)', /query -> columns: 'month' unknown; there is: days, product, percentage/],
    ['columns=age:days(order_date)', /query -> columns: days takes two columns/],
    ['columns=age:days(order_date,subject)', /query -> columns: 'subject' unknown; there is: /],
    ['columns=subject:days(order_date,closed_date)', /query -> columns: 'subject' is a column; choose another name/],
    ['columns=1x:days(order_date,closed_date)', /query -> columns: '1x' is no name of a value/],
    ['columns=a:days(order_date,closed_date),a:product(total_net,vat_rate)', /query -> columns: 'a' is there already/],
    ['columns=days(order_date,closed_date)', /query -> columns: /],
    ['columns=age:days(order_date,closed_date', /query -> columns: /],
    ['columns=order_id&order=age', /query -> order: 'age' unknown/],
    ['columns=age:days(order_date,closed_date)&where=age>3', /query -> where: 'age' unknown/],
  ])('%s is a 422', async (query, detail) => {
    const { status, json } = await orders(query);
    expect([status, json.detail]).toEqual([422, expect.stringMatching(detail)]);
  });
});

describe('errors', () => {
  test.each([
    ['where=order_dat>=2025-01-01', /query -> where: 'order_dat' unknown; there is: order_id/],
    ['where=order_date', /query -> where: 'order_date' is no comparison/],
    ['where=order_date>=soon', /query -> where: 'soon' is no date/],
    ['where=property.orders:some_valid()', /query -> where/],
    ['where=any()', /query -> where: 'any\(\)' has no condition/],
    ['where=any(order_id=1,status)', /query -> where: 'status' is no comparison/],
    ['where=any(order_id=1,nothing=2)', /query -> where: 'nothing' unknown/],
    ['where=any(order_id=1', /query -> where: 'any\(order_id=1' has a parenthesis that is not closed/],
    ['where=any(order_id=1)x', /query -> where: 'any\(order_id=1\)x' has text after its parentheses/],
    [`where=${'any('.repeat(9)}order_id=1${')'.repeat(9)}`, /query -> where: 'any\(any\(.* has text after its parentheses/],
    [`where=${'all('.repeat(3_000)}`, /query -> where/],
    [`where=any(${Array(501).fill('order_id=1').join()})`, /501 names; the maximum is 500/],
    [`where=any(${Array(25).fill('property.federal_state=x').join()})`, /query -> where, order: 1026 comparisons/],
    ['order=total', /query -> order: 'total' unknown; there is: order_id/],
    ['order=property', /query -> order: 'property' unknown/],
    ['columns=order_id,order_id', /query -> columns: 'order_id' is there already/],
    ['columns=offer.nothing', /query -> columns: 'nothing' unknown; there is/],
    [`where=${Array(30).fill('property.federal_state=x').join()}`, /query -> where, order: 1231 comparisons/],
    ['order=-total_net&limit=0&where=a=1', /limit.*where|where.*limit/],
  ])('%s is a 422', async (query, detail) => {
    const { status, json } = await orders(query);
    expect([status, json.detail]).toEqual([422, expect.stringMatching(detail)]);
  });

  test('conditions and orders by hidden columns are refused, also through relations', async () => {
    const key = await scopedKey(service, { personal: [] });
    for (const query of [
      'where=creditor.name=x',
      'where=creditor.orders:some(invoice_number=1)&order=creditor.name',
      'order=-creditor.name',
      'where=creditor.orders:none()&where=creditor.iban:is_null',
      'where=any(order_id=1,all(status=new,creditor.name=x))',
    ]) {
      const { status, json } = await service.get(`/operations/orders?${query}`, { key });
      expect([query, status, json.detail]).toEqual([query, 422, expect.stringMatching(/Personal data|query -> where/)]);
    }
  });

  test('a tier cannot follow relations to tables that it does not include', async () => {
    const customer = await findCustomer(service.database, 'nord');
    const { key } = await new KeyStore(service.database, testSecret).create({ customer, tier: 'professional' });
    const { status, json } = await service.get('/operations/orders?columns=cost_account.account_name', { key });
    expect([status, json.detail]).toEqual([422, expect.stringMatching(/'cost_account' unknown/)]);
  });
});

describe('cursors', () => {
  test('belong to the conditions and the order, and not to the columns', async () => {
    const first = await orders('order=-total_net&where=order_id>3&limit=2');
    const cursor = first.headers.get('x-next-cursor')!;
    const next = (query: string) => orders(`${query}&limit=2&cursor=${cursor}`);
    expect((await next('order=-total_net&where=order_id>3&columns=subject')).status).toBe(200);
    for (const query of ['order=total_net&where=order_id>3', 'order=-total_net&where=order_id>4', 'where=order_id>3', 'order=-total_net'])
      expect([query, (await next(query)).status]).toEqual([query, 422]);
  });

  test('of equality conditions are those of filters', async () => {
    const first = await orders('where=status=closed&limit=2');
    const next = await orders(`status=closed&limit=2&cursor=${first.headers.get('x-next-cursor')}`);
    expect([next.status, next.json.length]).toEqual([200, 2]);
  });
});

describe('caching', () => {
  test('two requests that differ in one list have different answers and tags', async () => {
    const seen = new Set<string>();
    const queries = [
      'order=-order_id&limit=3',
      'order=order_id&limit=3',
      'order=-order_id&limit=3&columns=order_id',
      'order=-order_id&limit=3&columns=property.federal_state',
      'order=-order_id&limit=3&columns=property.property_name',
      'order=-order_id&limit=3&where=order_id<50',
      'order=-order_id&limit=3&where=order_id<60',
    ];
    for (const query of [...queries, ...queries]) {
      const { headers, text } = await orders(query);
      seen.add(`${headers.get('etag')} ${text}`);
    }
    expect(seen.size).toBe(queries.length);
    expect(new Set([...seen].map((each) => each.split(' ', 1)[0])).size).toBe(queries.length);
  });

  test('a page with related columns is a 304 until the related table changes', async () => {
    const query = 'columns=order_id,property.federal_state&limit=1';
    const tag = (await orders(query)).headers.get('etag')!;
    expect((await orders(query, { 'If-None-Match': tag })).status).toBe(304);
    const sheet = await readTableData(service.database, 'property_hdr');
    for (const row of sheet.rows) row[sheet.columns.indexOf('federal_state')] = 'HH';
    const deliveries = new Deliveries();
    await load(service.database, [deliveries.write('property_hdr.csv', asCsv(sheet))]);
    deliveries.remove();
    const later = await orders(query, { 'If-None-Match': tag });
    expect([later.status, later.json]).toEqual([200, [expect.objectContaining({ 'property.federal_state': 'HH' })]]);
  });
});

describe('alternatives', () => {
  const idsOf = async (where: string) => {
    const { status, json } = await orders(`columns=order_id&where=${encodeURIComponent(where)}`);
    return [status, json.map((row: { readonly order_id: number }) => row.order_id)];
  };

  test('are rows that meet at least one of them, also of related rows', async () => {
    const { rows } = await service.database.pool.query(
      `select order_id from customer_nord.orders o where trade is not null and (status = 'new' or status = 'closed' and total_net > 500
       or exists (select from customer_nord.properties p where p.property_id = o.property_id and p.unit_count > 20)) order by 1`,
    );
    const expected = rows.map((row) => Number(row.order_id));
    expect(expected.length).toBeGreaterThan(3);
    expect(await idsOf('trade:is_not_null,any(status=new,all(status=closed,total_net>500),property.unit_count>20)')).toEqual([
      200,
      expected,
    ]);
  });

  test('can be within conditions on related rows, and a value can have their form', async () => {
    const { rows } = await service.database.pool.query(
      `select property_id from customer_nord.properties p where exists (select from customer_nord.orders o
       where o.property_id = p.property_id and (o.total_net > 5000 or o.status = 'new')) order by 1`,
    );
    const { json } = await service.get('/property/properties?where=orders:some(any(total_net>5000,status=new))');
    expect(json.map(({ property_id }: { readonly property_id: number }) => property_id)).toEqual(rows.map((row) => row.property_id));
    expect(await idsOf('subject:in("any(a=1)",x),subject="any(b=1)"')).toEqual([200, []]);
  });

  test('do not replace a required filter', async () => {
    const { status } = await service.get('/accounting/booking_header?where=any(fiscal_year=2026,fiscal_year=2025)');
    expect(status).toBe(400);
  });
});

test('required filters may be conditions', async () => {
  const missing = await service.get('/accounting/booking_header?where=fiscal_year>2020&limit=1');
  expect([missing.status, missing.json.detail]).toEqual([400, 'Missing required filter(s): fiscal_year']);
  expect((await service.get('/accounting/booking_header?where=fiscal_year=2026&limit=1')).status).toBe(200);
});

test('raw pages have no lists', async () => {
  const { text } = await service.get('/raw/building?limit=2');
  expect((await service.get('/raw/building?limit=2&order=-nothing&columns=x&where=y')).text).toBe(text);
});

describe('parameters that a page does not know (contract: repeated and unknown parameters)', () => {
  test('are named in a header, also for CSV, 304 and cached answers', async () => {
    const query = 'staus=closed&limit=1&subject=x&%C3%BC%0D%0A=1';
    const first = await orders(query);
    const again = await orders(query, { 'If-None-Match': first.headers.get('etag')! });
    const csv = await orders(`${query}&format=csv`);
    expect([first.status, again.status, csv.status]).toEqual([200, 304, 200]);
    for (const { headers } of [first, again, csv]) expect(headers.get('x-ignored-parameters')).toBe('staus, %C3%BC%0D%0A');
    expect((await orders('status=closed&limit=1')).headers.has('x-ignored-parameters')).toBe(false);
  });

  test('are refused if the client prefers it, with the nearest known name', async () => {
    const strict = { Prefer: 'respond-async, Handling="strict"; x=1' };
    const { status, json, headers } = await orders('staus=closed&colums=x&limit=0', strict);
    expect([status, headers.get('preference-applied')]).toEqual([422, 'handling=strict']);
    expect(json.detail).toBe(
      "query -> 'staus': unknown; the nearest name is status; query -> 'colums': unknown; the nearest name is columns",
    );
    const known = await orders('status=closed&limit=1', strict);
    expect([known.status, known.headers.get('preference-applied')]).toEqual([200, 'handling=strict']);
    expect((await orders('staus=closed&limit=1', { Prefer: 'handling=lenient' })).status).toBe(200);
  });

  test('are answered quickly, however many there are', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => `p${at}=`).join('&');
    const { status, headers } = await orders(`${many}&limit=1`);
    expect([status, headers.get('x-ignored-parameters')!.split(', ').length]).toEqual([200, 20]);
    const refused = await orders(`${many}&limit=1`, { Prefer: 'handling=strict' });
    expect([refused.status, refused.json.detail]).toEqual([422, expect.stringMatching(/and 995 more$/)]);
  });
});

test('every column is a filter', async () => {
  const { rows } = await service.database.pool.query('select order_id, subject from customer_nord.orders order by order_id limit 1');
  const { json, headers } = await orders(`subject=${encodeURIComponent(rows[0].subject)}`);
  expect(json.map((row: { order_id: number }) => row.order_id)).toContain(rows[0].order_id);
  expect(new Set(json.map((row: { subject: string }) => row.subject))).toEqual(new Set([rows[0].subject]));
  expect(headers.get('x-total-count')).toBe(String(json.length));
});

describe('values that are no codes and that no row has (contract: unknown values)', () => {
  test.each([
    ['status=opne', 'status=opne'],
    ['where=status:in(open,op%2CnE),property.status=x', 'properties.status=x'],
    ['where=status:in(open,"a,b")', 'status=a%2Cb'],
    ['where=status!=opne&columns=order_id', 'status=opne'],
    ['status=new', null],
    ['where=subject=opne', null],
  ])('%s', async (query, named) => {
    for (const method of ['GET', 'GET', 'HEAD'] as const) {
      const { status, headers } = await service.get(`/operations/orders?${query}&limit=1`, { method });
      const values = headers.get('x-unknown-values')?.split(', ') ?? [null];
      expect([status, values]).toEqual([200, expect.arrayContaining([named])]);
    }
  });

  test('are known if a row has them', async () => {
    await service.database.pool.query(
      "update customer_nord.orders set status = 'paused' where order_id = (select min(order_id) from customer_nord.orders)",
    );
    expect((await orders('status=paused')).headers.has('x-unknown-values')).toBe(false);
    expect((await orders('where=status:in(paused,pausde)')).headers.get('x-unknown-values')).toBe('status=pausde');
  });

  test('are named by groups and by GraphQL', async () => {
    const { headers } = await service.get('/operations/orders/groups?by=trade&where=status=opne');
    expect(headers.get('x-unknown-values')).toBe('status=opne');
    const document = '{ orders(filter: { status: { eq: "opne" }, orderType: { ne: "x" } }, first: 1) { nodes { orderId } } }';
    const { extensions } = await ask(service, document);
    expect(extensions.warnings).toEqual([
      'order_type=x: no code of orders.order_type, and no row has it',
      'status=opne: no code of orders.status, and no row has it',
    ]);
    expect((await ask(service, document.replace('opne', 'new').replace('"x"', 'null'))).extensions).not.toHaveProperty('warnings');
  });

  const byValue = '/operations/orders?status=paused_later&limit=1';
  const document = '{ orders(filter: { status: { eq: "paused_later" } }, first: 1) { totalCount } }';
  const named = async () => [
    (await service.get(byValue)).headers.get('x-unknown-values'),
    (await ask(service, document)).extensions?.warnings ?? null,
  ];

  // The embedded database has one session, so nothing can lock the codes.
  test.skipIf(!onServer)('a check that takes too long does not fail its request, and its answer is not stored', async () => {
    const keeper = await service.database.pool.connect();
    try {
      await keeper.query('begin; lock table customer_nord.catalog_value in access exclusive mode');
      const page = await service.get(byValue);
      expect([page.status, page.json, page.headers.has('x-unknown-values')]).toEqual([200, [], false]);
      const { data, errors, extensions } = await ask(service, document);
      expect([data, errors, extensions?.warnings]).toEqual([{ orders: { totalCount: 0 } }, [], undefined]);
    } finally {
      await keeper.query('commit');
      keeper.release();
    }
    expect(await named()).toEqual(['status=paused_later', [expect.stringMatching(/^status=paused_later: /)]]);
  });

  test('are known as soon as the customer has a code for them, also in answers that were stored', async () => {
    const before = await service.get(byValue);
    expect(await named()).toEqual(['status=paused_later', [expect.stringMatching(/^status=paused_later: /)]]);
    const sheet = await readTableData(service.database, 'catalog_value');
    const at = (column: string) => sheet.columns.indexOf(column);
    const own = [...sheet.rows.find((row) => row[at('catalog_name')] === 'order_status')!];
    own[at('catalog_value_id')] = '999999';
    own[at('value_key')] = 'paused_later';
    sheet.rows.push(own);
    const deliveries = new Deliveries();
    await load(service.database, [deliveries.write('catalog_value.csv', asCsv(sheet))]);
    deliveries.remove();
    expect(await named()).toEqual([null, null]);
    const after = await service.get(byValue, { headers: { 'If-None-Match': before.headers.get('etag')! } });
    expect([after.status, after.headers.has('x-unknown-values')]).toEqual([200, false]);
    const again = await service.get(byValue, { headers: { 'If-None-Match': after.headers.get('etag')! } });
    expect(again.status).toBe(304);
  });
});
