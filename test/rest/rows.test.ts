/** Pages with `where`, `order` and `columns` (contract: conditions, order and columns of rows). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { categorySource } from '../../src/cache/directory.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { createCursors } from '../../src/plan/cursor.ts';
import { parseRows } from '../../src/query/rows.ts';
import { statementFor } from '../../src/sql/statement.ts';
import { ask } from '../graphql/client.ts';
import { scopedKey } from '../scopes/keys.ts';
import { onServer } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';
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

describe('aggregates of related rows', () => {
  const sql = (text: string) => service.database.pool.query(text).then(({ rows }) => rows);
  const properties = (query: string, key: string = keys.nordEnterprise) => service.get(`/property/properties?${query}`, { key });

  test('are counts and aggregates of the rows that meet conditions, in JSON and in CSV', async () => {
    const query =
      'columns=property_id,all_orders:count(orders),open:count(orders,any(status=new,total_net>1000)),net:sum(orders.total_net,status=closed),first:min(orders.order_date),p90:percentile(orders.total_net,90),mean:avg(orders.total_net)&limit=2';
    const expected = await sql(
      `select property_id, count(order_id)::int as all_orders, (count(*) filter (where o.status = 'new' or total_net > 1000))::int as open,
         (sum(total_net) filter (where o.status = 'closed'))::text as net, min(order_date)::text as first,
         (percentile_disc(0.9) within group (order by total_net))::text as p90, round(avg(total_net), 6)::text as mean
       from customer_nord.properties left join customer_nord.orders o using (property_id) group by property_id order by property_id limit 2`,
    );
    const { text, headers } = await properties(query);
    const shown = JSON.parse(text.replaceAll(/"(net|p90|mean)":(-?[\d.]+)/g, '"$1":"$2"'));
    expect(shown).toEqual(expected);
    expect(headers.get('x-has-more')).toBe('true');
    const csv = await properties(`${query}&format=csv`);
    expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
      'property_id,all_orders,open,net,first,p90,mean',
      Object.values(expected[0]).join(),
    ]);
  });

  test('are 0 or null without related rows, and can belong to a related row', async () => {
    const none = await properties(
      'columns=n:count(orders,order_id<0),s:sum(orders.total_net,order_id<0),d:distinct(orders.status,order_id<0)&limit=1',
    );
    expect(none.json).toEqual([{ n: 0, s: null, d: 0 }]);
    const ofRelated = await orders('columns=order_id,n:count(property.tenants)&limit=5');
    const expected = await sql(
      `select order_id, (select count(*)::int from customer_nord.tenants t where t.property_id = o.property_id) as n
       from customer_nord.orders o order by order_id limit 5`,
    );
    expect(ofRelated.json).toEqual(expected);
  });

  test('can be ordered by, with cursors that depend on the order and not on the other columns', async () => {
    const query = 'columns=property_id,open:count(orders,status!=closed)&order=-open&limit=2';
    const expected = await sql(
      `select property_id, (select count(*)::int from customer_nord.orders o where o.property_id = p.property_id and status != 'closed') as open
       from customer_nord.properties p order by open desc, property_id desc`,
    );
    const first = await properties(query);
    const cursor = first.headers.get('x-next-cursor')!;
    const next = await properties(`${query}&cursor=${cursor}`);
    expect([...first.json, ...next.json]).toEqual(expected.slice(0, 4));
    const named = await properties(
      `columns=short_name,x:sum(orders.total_net),y:count(orders,status!=closed)&order=-y&limit=2&cursor=${cursor}`,
    );
    expect(named.status).toBe(200);
    const other = await properties(`columns=open:count(orders,status=closed)&order=-open&limit=2&cursor=${cursor}`);
    expect(other.status).toBe(422);
    const walked = await properties('columns=property_id,n:count(orders)&limit=2');
    const plain = await properties(`columns=property_id&limit=2&cursor=${walked.headers.get('x-next-cursor')}`);
    expect(plain.status).toBe(200);
  });

  test('count only what the key reads', async () => {
    const [{ property_id: id }] = await sql(
      'select property_id from customer_nord.orders where property_id is not null order by 1 limit 1',
    );
    const key = await scopedKey(service, { properties: { ids: [id] } });
    const own = await service.get('/accounting/accounts?columns=account_id,n:count(orders)&order=-n,account_id&limit=5', { key });
    const expected = await sql(
      `select account_id, (select count(*)::int from customer_nord.orders o where o.cost_account_id = a.account_id and o.property_id = ${id}) as n
       from customer_nord.accounts a where property_id is null or property_id = ${id} order by n desc, account_id limit 5`,
    );
    expect(own.json).toEqual(expected);
  });

  test('of hidden columns or with conditions on them are refused', async () => {
    const key = await scopedKey(service, { personal: [] });
    for (const column of ['n:distinct(tenants.name)', 'n:count(tenants,name=Mia)']) {
      const { status, json } = await properties(`columns=${column}`, key);
      expect([column, status, json.detail]).toEqual([column, 422, expect.stringMatching(/name: Personal data/)]);
    }
  });

  test('of tables of another tier do not exist', async () => {
    const { status, json } = await properties('columns=n:count(orders)', keys.nordBasic);
    expect([status, json.detail]).toEqual([422, expect.stringMatching(/'orders' unknown; there is: /)]);
  });

  test('are computed for the rows of the page only', async () => {
    const table = catalogue.tables.get('orders')!;
    const source = categorySource(table, { id: 1, schema: 'customer_nord' }, undefined);
    const relationsOf = (name: string) => catalogue.relations.get(name)!;
    const query = new URLSearchParams('columns=subject,n:count(property.tenants)&order=-subject&limit=3');
    const { plan } = parseRows(query, createCursors('secret'), { source, table, tables: catalogue.tables, relationsOf });
    const { text } = statementFor({ queryKind: 'rows', plan, limit: 4 });
    const rows = await sql(`explain (analyze, costs off, timing off, summary off) ${text}`);
    const lines: readonly string[] = rows.map((row: { 'QUERY PLAN': string }) => row['QUERY PLAN']);
    const subplan = lines.findIndex((line) => /^\s*SubPlan/.test(line));
    expect(lines[subplan + 1]).toMatch(/Aggregate \(actual rows=1(\.00)? loops=4\)/);
  });

  test('name values in their conditions that no row has', async () => {
    const { headers } = await properties('columns=n:count(orders,status=opne)&limit=1');
    expect(headers.get('x-unknown-values')).toBe('orders.status=opne');
  });

  test('a page is a 304 until the related table changes', async () => {
    const path = '/property/properties?columns=property_id,n:count(orders)&limit=1';
    const tag = (await service.get(path)).headers.get('etag')!;
    const again = () => service.get(path, { headers: { 'If-None-Match': tag } });
    expect((await again()).status).toBe(304);
    const sheet = await readTableData(service.database, 'order_hdr');
    sheet.rows.pop();
    const deliveries = new Deliveries();
    await load(service.database, [deliveries.write('order_hdr.csv', asCsv(sheet))]);
    deliveries.remove();
    expect((await again()).status).toBe(200);
  });

  const many = Array.from({ length: 25 }, (_, at) => `n${at}:count(orders,status=closed)`).join();
  test.each([
    ['columns=n:count(order)', /query -> columns: 'order' unknown; there is: .*orders/],
    ['columns=n:count()', /query -> columns: 'n:count\(\)' begins with no relation, as count\(orders\)/],
    ['columns=orders:count(status=new)', /begins with no relation/],
    ['columns=n:sum(orders)', /query -> columns: 'n:sum\(orders\)' begins with no relation, as sum\(orders.total_net\)/],
    ['columns=n:sum(orders.status)', /query -> columns: 'status' unknown; there is: total_net/],
    ['columns=n:sum_once(orders.total_net)', /query -> columns: 'sum_once' unknown; there is: days, product, percentage, count, sum/],
    ['columns=n:percentile(orders.total_net,0)', /a percentile needs a whole percent from 1 to 100/],
    ['columns=n:count(orders,nothing=1)', /query -> columns: 'nothing' unknown/],
    ['columns=n:count(orders,status<>new)', /query -> columns: /],
    ['columns=unit_count:count(orders)', /query -> columns: 'unit_count' is a column; choose another name/],
    ['columns=n:count(orders)&where=n>3', /query -> where: 'n' unknown/],
    ['columns=property_id&order=n', /query -> order: 'n' unknown/],
    [`columns=${many}`, /query -> where, order, columns: 1025 comparisons, each relation counting 40; at most 1000 are possible/],
  ])('%s is a 422', async (query, detail) => {
    const { status, json } = await properties(query);
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

  test('are those of the request, also if another one without rows is cached', async () => {
    const impossible = ['order_id=abc', 'order_id=abd', 'property_id=abc', 'order_date=abc', 'order_id=abc&property_id=abd'];
    for (let round = 0; round < 3; round++)
      for (const query of impossible) {
        const { headers, text } = await orders(query);
        expect([text, headers.get('x-unknown-values')]).toEqual(['[]', query.replaceAll('&', ', ')]);
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
