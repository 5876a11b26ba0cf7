/** Groups over REST: flat rows of keys and values, with the headers of pages (contract: groups in REST). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { asCsv, Deliveries, load, readTableData } from '../sync/support.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const path = '/operations/orders/groups';
const get = (query: string, headers: Readonly<Record<string, string>> = {}) => service.get(`${path}?${query}`, { headers });

// biome-ignore lint/suspicious/noExplicitAny: rows have any shape
const sql = async (text: string): Promise<any[]> =>
  (await service.database.pool.query(text.replaceAll(/\b(from|join) ([a-z])/g, '$1 customer_nord.$2'))).rows;

test('keys, values, conditions, an order and a limit give the result of SQL', async () => {
  const { status, headers, json } = await get(
    'by=trade,order_date:quarter,property.federal_state&sum=total_net&avg=total_net&min=order_date&max=order_date&distinct=creditor_number&count&having=sum_total_net>=1000,count>=1&order=-sum_total_net&limit=5&is_insurance_claim=false',
  );
  const rows =
    await sql(`select trade, date_trunc('quarter', order_date)::date::text as order_date_quarter, federal_state as property_federal_state,
      count(*)::int, sum(total_net)::float as sum_total_net, round(avg(total_net), 6)::float as avg_total_net, min(order_date)::text as min_order_date,
      max(order_date)::text as max_order_date, count(distinct creditor_number)::int as distinct_creditor_number
    from orders left join properties using (property_id) where not is_insurance_claim group by 1, 2, 3 having sum(total_net) >= 1000
    order by sum(total_net) desc, 1, 2, 3`);
  expect(status).toBe(200);
  expect(json).toEqual(rows.slice(0, 5));
  expect(Object.keys(json[0])).toEqual(Object.keys(rows[0]));
  expect(headers.get('X-Total-Count')).toBe(String(rows.length));
  expect(headers.get('X-Has-More')).toBe('true');
  expect(headers.get('X-Next-Offset')).toBeNull();
});

test.each([
  ['', 'select count(*)::int from orders'],
  ['count', 'select count(*)::int from orders'],
  ['by=trade', 'select trade from orders group by 1 order by 1'],
  ['order_id=0&sum=total_net', 'select null as sum_total_net'],
  ['order_id=0&by=trade', 'select 1 from orders where false'],
  ['order_id=abc&count', 'select 0 as count'],
  [
    'by=property.owner.owner_number&order=-count',
    'select owner_number as property_owner_owner_number from orders left join properties using (property_id) left join owner using (owner_id) group by 1 order by count(*) desc, 1'.replace(
      'left join owner using (owner_id)',
      'left join owner o on o.owner_id = properties.owner_id',
    ),
  ],
  [
    'by=responsible_employee.name',
    'select e.name as responsible_employee_name from orders left join employees e on e.employee_id = responsible_employee_id group by 1 order by 1',
  ],
  [
    'by=created_at:month&order=-created_at_month&limit=2',
    `select to_char(date_trunc('month', created_at, 'UTC') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at_month from orders group by 1 order by 1 desc limit 2`,
  ],
  [
    'by=trade&having=trade!=painting,max_order_date>2026-01-01',
    `select trade from orders group by 1 having trade <> 'painting' and max(order_date) > '2026-01-01' order by 1`,
  ],
  ['by=trade&having=distinct_status=2', 'select trade from orders group by 1 having count(distinct status) = 2 order by 1'],
])('%s', async (query, text) => {
  expect((await get(query)).json).toEqual(await sql(text));
});

test('pages follow each other by cursor and Link, with each group once', async () => {
  const whole = await get('by=trade,status&sum=retention_amount&order=sum_retention_amount&limit=10000');
  const found = [];
  let next = `${path}?by=trade,status&sum=retention_amount&order=sum_retention_amount&limit=9`;
  for (;;) {
    const { headers, json } = await service.get(next);
    found.push(...json);
    expect(headers.get('X-Total-Count')).toBe(String(whole.json.length));
    expect(headers.has('X-Next-Cursor')).toBe(json.length === 9);
    const link = headers.get('Link');
    if (!link) break;
    next = link.slice(1, link.indexOf('>'));
  }
  expect(found).toEqual(whole.json);
});

test('a page of more than 1,000 groups has the same groups, from one snapshot', async () => {
  const large = await get('by=order_id,property.property_name&limit=10000');
  const rows = await sql(
    'select order_id, property_name as property_property_name from orders left join properties using (property_id) order by 1',
  );
  expect(large.json).toEqual(rows);
  expect(large.headers.get('X-Total-Count')).toBe(String(rows.length));
});

/** A query string whose `+` and `#` are text. */
const encoded = (query: string) =>
  query
    .split('&')
    .map((part) => part.replace(/=(.*)/s, (_, value) => `=${encodeURIComponent(value)}`))
    .join('&');

describe('conditions on rows', () => {
  test.each([
    ['where=order_date>=2025-01-01,order_date<2026-01-01', "order_date >= '2025-01-01' and order_date < '2026-01-01'"],
    ['where=total_net>1000&where=status!=closed', "total_net > 1000 and status <> 'closed'"],
    ['where=status:in(accepted,"closed")&is_insurance_claim=false', "status in ('accepted', 'closed') and not is_insurance_claim"],
    ['where=status:not_in(closed)', "status <> 'closed'"],
    ['where=subject:contains(e),subject:icontains("E")', "subject like '%e%' and subject ilike '%e%'"],
    ['where=subject:starts_with("%")', 'false'],
    ['where=subject:istarts_with(r)', "subject ilike 'r%'"],
    ['where=offer_hdr_id:is_null', 'offer_hdr_id is null'],
    ['where=offer_hdr_id:is_not_null()', 'offer_hdr_id is not null'],
    ['where=order_id>99999999999999999999', 'false'],
    ['where=order_id:in(1,99999999999999999999)', 'order_id = 1'],
    ['where=property.federal_state=BY', "property_id in (select property_id from properties where federal_state = 'BY')"],
    [
      'where=property.federal_state:not_in(BY,BE)',
      "property_id in (select property_id from properties where federal_state not in ('BY', 'BE'))",
    ],
    ['where=project.parent_project.status:is_null', 'false'],
    ['where=', 'true'],
  ])('%s', async (query, condition) => {
    const { status, json } = await get(`by=trade&count&${encoded(query)}`);
    expect([status, json]).toEqual([200, await sql(`select trade, count(*)::int from orders where ${condition} group by 1 order by 1`)]);
  });

  test('what pages of the table require can be one of them', async () => {
    const bookings = (query: string) => service.get(`/accounting/booking_positions/groups?${query}`);
    const { json } = await bookings('fiscal_year=2026&where=property_id:in(1001,1002)');
    expect(json).toEqual(await sql('select count(*)::int from booking_positions where fiscal_year = 2026 and property_id in (1001, 1002)'));
  });

  test.each([
    ['where=colour=red', /^query -> where: 'colour' unknown; there is: order_id, /],
    ['where=property.colour=red', /^query -> where: 'colour' unknown; there is: property_id, /],
    ['where=floor_areas.unit_number=1', /^query -> where: 'floor_areas' unknown; /],
    ['where=count>1', /^query -> where: 'count' unknown; /],
    ['where=total_net>many', "query -> where: 'many' is no number"],
    ['where=order_date>2025-02-30', "query -> where: '2025-02-30' is no date"],
    ['where=total_net:in(1,many)', "query -> where: 'many' is no number"],
    ['where=status', "query -> where: 'status' is no comparison such as count>=2"],
    ['where=status:in()', "query -> where: 'status:in()' names no value"],
    ['where=status:in("a)', `query -> where: 'status:in("a)' has a parenthesis that is not closed`],
    ['where=status:in(a"', `query -> where: 'status:in(a"' has a parenthesis that is not closed`],
    ['where=status:is_null(1)', "query -> where: 'status:is_null(1)' takes no value"],
    ['where=subject:contains(a,b)', "query -> where: 'subject:contains(a,b)' takes one value; quote a value with a comma"],
    ['where=total_net:contains(1)', "query -> where: 'total_net:contains(1)' does not search text"],
    [
      'where=status:like(a)',
      "query -> where: 'status:like(a)' has no known operator; there is: contains, not_contains, starts_with, not_starts_with, ends_with, not_ends_with, icontains, not_icontains, istarts_with, not_istarts_with, iends_with, not_iends_with, in, not_in, is_null, is_not_null",
    ],
    [
      `where=${Array(26).fill('property.federal_state=BY')}`,
      'query -> where, value, having: 1067 comparisons, each relation counting 40; at most 1000 are possible',
    ],
  ])('%s is refused', async (query, detail) => {
    const { status, json } = await get(encoded(query));
    expect([status, json.detail]).toEqual([422, typeof detail === 'string' ? detail : expect.stringMatching(detail)]);
  });
});

describe('named values', () => {
  test('several conditional aggregates in one row, in an order and in a condition', async () => {
    const query =
      'by=trade&count&value=open:count(status:in(accepted,closed)),net_2025:sum(total_net,order_date>=2025-01-01,order_date<2026-01-01)' +
      '&value=bavaria:avg(total_net,property.federal_state=BY),first:min(order_date,total_net>1000),states:distinct(status,total_net<1000)' +
      '&having=open>0&order=-net_2025';
    const { status, json } = await get(encoded(query));
    const rows = await sql(`select trade, count(*)::int, count(*) filter (where orders.status in ('accepted', 'closed'))::int as open,
        sum(total_net) filter (where order_date between '2025-01-01' and '2025-12-31')::float as net_2025,
        round(avg(total_net) filter (where federal_state = 'BY'), 6)::float as bavaria,
        min(order_date) filter (where total_net > 1000)::text as first, count(distinct orders.status) filter (where total_net < 1000)::int as states
      from orders left join properties using (property_id) group by 1 having count(*) filter (where orders.status in ('accepted', 'closed')) > 0
      order by 4 desc nulls last, 1`);
    expect([status, json]).toEqual([200, rows]);
    expect(Object.keys(json[0])).toEqual(Object.keys(rows[0]));
    expect(rows.length).toBeGreaterThan(2);
  });

  test('statistics', async () => {
    const query =
      'by=status&median=total_net&stddev=total_net&value=p90:percentile(total_net,90),top:percentile(total_net,100)&order=-median_total_net';
    const { json } = await get(encoded(query));
    const rows = await sql(`select status, percentile_cont(0.5) within group (order by total_net)::float as median_total_net,
        round(stddev_samp(total_net), 6)::float as stddev_total_net, percentile_disc(0.9) within group (order by total_net)::float as p90,
        max(total_net)::float as top
      from orders group by 1 order by 2 desc nulls last, 1`);
    expect(json).toEqual(rows.map((row) => ({ ...row, median_total_net: expect.closeTo(row.median_total_net, 6) })));
  });

  test('statistics of few values', async () => {
    const { json } = await get(
      encoded('where=order_id<0&count&median=total_net&stddev=total_net&value=p:percentile(total_net,50),n:count(total_net>0)'),
    );
    expect(json).toEqual([{ count: 0, median_total_net: null, stddev_total_net: null, p: null, n: 0 }]);
    const [{ id }] = await sql('select min(order_id) as id from orders where total_net is not null');
    const one = await get(encoded(`where=order_id=${id}&stddev=total_net&value=p:percentile(total_net,1)`));
    expect(one.json).toEqual(await sql(`select null as stddev_total_net, total_net::float as p from orders where order_id = ${id}`));
  });

  test('a name precedes the names of other values, and makes another answer', async () => {
    const named = await get(encoded('by=trade&value=count:sum(total_net)&order=-count'));
    expect(named.json).toEqual(
      await sql('select trade, sum(total_net)::float as count from orders group by 1 order by 2 desc nulls last, 1'),
    );
    const tags = await Promise.all(['a', 'b'].map(async (name) => (await get(`value=${name}:count()`)).headers.get('ETag')));
    expect(tags[0]).not.toBe(tags[1]);
    expect((await get('value=b:count()')).json).toEqual([{ b: expect.any(Number) }]);
  });

  test.each([
    ['value=open', "query -> value: 'open' is no named value such as open_net:sum(total_net,status!=closed)"],
    ['value=open:count', "query -> value: 'open:count' is no named value such as open_net:sum(total_net,status!=closed)"],
    ['value=Open:count()', "query -> value: 'Open:count()' is no named value such as open_net:sum(total_net,status!=closed)"],
    [
      'value=a:mode(status)',
      "query -> value: 'mode' unknown; there is: count, sum, sum_once, avg, min, max, distinct, median, stddev, percentile, ratio, difference, share, previous, change, rank, running_total",
    ],
    ['value=a:constructor(status)', /^query -> value: 'constructor' unknown; /],
    ['value=a:sum()', /^query -> value: '' unknown; there is: total_net, /],
    ['value=a:sum(trade)', /^query -> value: 'trade' unknown; there is: total_net, /],
    ['value=a:median(order_date)', /^query -> value: 'order_date' unknown; there is: total_net, /],
    ['value=a:sum(total_net,total_gross)', "query -> value: 'total_gross' is no comparison such as count>=2"],
    ['value=a:count(colour=red)', /^query -> value: 'colour' unknown; /],
    ['value=a:count(),a:count()', "query -> value: 'a' is there already"],
    ['by=trade&value=trade:count()', "query -> value: 'trade' is there already"],
    ['count&value=count:count()', "query -> value: 'count' is there already"],
    ['sum=total_net&value=sum_total_net:count()', "query -> value: 'sum_total_net' is there already"],
    ['value=a:percentile(total_net)', 'query -> value: a percentile needs a whole percent from 1 to 100'],
    ['value=a:percentile(total_net,0)', 'query -> value: a percentile needs a whole percent from 1 to 100'],
    ['value=a:percentile(total_net,101)', 'query -> value: a percentile needs a whole percent from 1 to 100'],
    ['value=a:percentile(total_net,1.5)', 'query -> value: a percentile needs a whole percent from 1 to 100'],
    ['value=a:count(status=open', "query -> value: 'a:count(status=open' has a parenthesis that is not closed"],
    [
      `value=${Array.from({ length: 26 }, (_, index) => `p${index}:percentile(total_net,50)`)}`,
      'query -> where, value, having: 1040 comparisons, each relation counting 40; at most 1000 are possible',
    ],
  ])('%s is refused', async (query, detail) => {
    const { status, json } = await get(encoded(query));
    expect([status, json.detail]).toEqual([422, typeof detail === 'string' ? detail : expect.stringMatching(detail)]);
  });
});

test('a filter of the table applies to groups, and the last of several counts as usual', async () => {
  const { json } = await get('count&property_id=1001&property_id=1002');
  expect(json).toEqual(await sql('select count(*)::int from orders where property_id = 1002'));
});

test('all values of repeated lists count', async () => {
  const repeated = await get(
    'by=trade&by=status&sum=total_net&sum=total_gross&having=count>1&having=sum_total_net>0&order=-trade&order=status&count',
  );
  const listed = await get('by=trade,status&sum=total_net,total_gross&having=count>1,sum_total_net>0&order=-trade,status&count');
  expect(repeated.json).toEqual(listed.json);
  expect(Object.keys(repeated.json[0])).toEqual(['trade', 'status', 'count', 'sum_total_net', 'sum_total_gross']);
});

describe('conditions with any text', () => {
  const texts = ['a,b', 'a "quoted", b', '"', '""', ' blanks ', 'count>=2', ',', "it's; ü €"];
  const quote = (text: string) => encodeURIComponent(`"${text.replaceAll('"', '""')}"`);

  beforeAll(async () => {
    const { pool } = service.database;
    for (const [index, text] of texts.entries())
      await pool.query(`update customer_nord.orders set contact_name = $1 where order_id % ${texts.length + 5} = ${index}`, [text]);
  });

  test.each(texts)('%s', async (text) => {
    const found = await get(`by=contact_name&having=contact_name=${quote(text)},count>0`);
    expect(found.json).toEqual([{ contact_name: text }]);
    const others = await get(`by=contact_name&having=contact_name!=${quote(text)}&limit=10000`);
    expect(others.json).not.toContainEqual({ contact_name: text });
    expect(others.json.length).toBeGreaterThanOrEqual(texts.length - 1);
  });
});

describe('a number beyond the range is compared like any other', () => {
  test.each([
    ['9223372036854775808', '<'],
    ['999999999999999999999999999999', '<'],
    ['9'.repeat(300), '<'],
    ['-9223372036854775809', '>'],
    [`-${'9'.repeat(300)}`, '>'],
  ])('%s', async (number, side) => {
    const all = (await get('by=trade')).json;
    for (const name of ['count', 'sum_total_net', 'max_property_id'])
      for (const [sign, isMet] of [
        ['=', false],
        ['!=', true],
        [side, true],
        [`${side}=`, true],
        [side === '<' ? '>' : '<', false],
        [side === '<' ? '>=' : '<=', false],
      ] as const) {
        const { status, json } = await get(`by=trade&having=${name}${encodeURIComponent(sign)}${number}`);
        expect([name, sign, status, json]).toEqual([name, sign, 200, isMet ? all : []]);
      }
  });
});

describe('wrong parameters', () => {
  test.each([
    ['by=colour', /^query -> by: 'colour' unknown; there is: order_id, property_id, .*, property\.…, offer\.…/],
    ['by=colour,size', /^query -> by: 'colour', 'size' unknown; there is: [^']*$/],
    ['by=property.colour', /^query -> by: 'colour' unknown; there is: property_id, property_name, .*owner\.…/],
    ['by=floor_areas.unit_number', /^query -> by: 'floor_areas' unknown/],
    ['by=constructor,__proto__.x', /^query -> by: 'constructor', '__proto__' unknown/],
    ['by=order_date:decade', "query -> by: 'decade' unknown; there is: day, week, month, quarter, year"],
    ['by=order_date:year:day', "query -> by: 'year:day' unknown; there is: day, week, month, quarter, year"],
    ['by=trade:year', 'query -> by: trade is neither a date nor a point in time and has no buckets'],
    ['by=trade,trade', "query -> by: 'trade' is there already"],
    ['by=parent_project.trade', /^query -> by: 'parent_project' unknown/],
    ['sum=trade', /^query -> sum: 'trade' unknown; there is: total_net, total_gross/],
    ['sum=order_id', /^query -> sum: 'order_id' unknown/],
    ['min=is_insurance_claim', /^query -> min: 'is_insurance_claim' unknown/],
    ['measure=happiness', /^query -> measure: 'happiness' unknown; there is: /],
    [
      'order=colour',
      "query -> order: 'colour' unknown; there is: count, sum_…, sum_once_…, avg_…, min_…, max_…, distinct_…, median_…, stddev_…",
    ],
    ['having=count', "query -> having: 'count' is no comparison such as count>=2"],
    ['having=count>=many', "query -> having: 'many' is no bigint"],
    ['having=trade="a', `query -> having: 'trade="a' has a quote that does not end the value; double a quote inside of one`],
    ['offset=10', 'query -> offset: Groups have no offset; continue with cursor'],
    ['order_dat=2025-01-01', /^query -> order_dat: unknown; there is: by, count, sum, .*, order_id, /],
    ['topPer=3&colour=red&colour=blue', /^query -> topPer, colour: unknown; there is: by, count, /],
    ['__proto__=1&constructor=2', /^query -> __proto__, constructor: unknown; /],
    ['By=trade', /^query -> By: unknown; /],
    ['format=xml', "query -> format: Input should be 'json' or 'csv'"],
    ['limit=10001', 'query -> limit: Input should be less than or equal to 10000'],
    ['limit=0&by=x&cursor=y', /^query -> limit: .*; query -> cursor: The cursor is not valid for these groups; query -> by: /],
    [
      'by=project.parent_project.parent_project.parent_project.parent_project.parent_project.parent_project.parent_project.parent_project.status',
      'query -> by: At most 8 relations can be followed',
    ],
  ])('%s', async (query, detail) => {
    const { status, headers, json } = await get(query);
    expect([status, headers.get('Content-Type')]).toEqual([422, 'application/problem+json; charset=utf-8']);
    if (typeof detail === 'string') expect(json.detail).toBe(detail);
    else expect(json.detail).toMatch(detail);
  });

  test('the first unknown parameters are named and all are counted', async () => {
    const { status, json } = await get(
      Array.from({ length: 500 }, (_, index) => `${'x'.repeat(90)}${index}=1`)
        .join('&')
        .slice(0, 12_000),
    );
    expect(status).toBe(422);
    expect(json.detail).toMatch(/^query -> (x{80}, ){20}… \(\d+ in all\): unknown; there is: /);
  });

  const many = (name: string) => Array.from({ length: 200 }, (_, index) => `${name}${index}`);

  test('an error is short: the first names, the first errors, and the number of others', async () => {
    const { status, text, json } = await get(`by=${many('colour')}&having=${many('size').map((name) => `${name}%3E=x`)}`);
    expect([status, Buffer.byteLength(text) <= 16_384]).toEqual([422, true]);
    expect(json.detail).toMatch(/^query -> by: 'colour0', 'colour1', 'colour2' and 197 more unknown; there is: order_id, /);
    expect(json.detail).toMatch(/; query -> having: 'size0', 'size1', 'size2' and 197 more unknown; there is: count, /);
    const faults = await get(`having=${many('x')}`);
    expect(faults.json.detail).toMatch(/^(query -> having: 'x\d' is no comparison such as count>=2; ){5}and 195 more$/);
  });

  test('an error is short even if each repeated character takes six bytes', async () => {
    const controls = '%01'.repeat(200);
    const query = ['by', 'sum', 'avg', 'min', 'max', 'distinct', 'measure', 'order'].map(
      (name) => `${name}=${controls},${controls},${controls}`,
    );
    const { status, text } = await get(query.join('&'));
    expect([status, Buffer.byteLength(text) <= 16_384]).toEqual([422, true]);
  });

  test('values in a list are not names', async () => {
    const { status, json } = await get(`count&where=order_id:in(${Array.from({ length: 1_500 }, (_, at) => at)})`);
    expect([status, json.detail]).toEqual([200, undefined]);
  });

  test('more than 500 names are refused before they are checked', async () => {
    const { status, json } = await get(`by=${Array(501).fill('trade')}`);
    expect([status, json.detail]).toEqual([
      422,
      'query -> by, sum, sum_once, avg, min, max, distinct, median, stddev, measure, value, fill, where, having, order: 501 names; the maximum is 500',
    ]);
  });

  test('a long path is refused before it is resolved', async () => {
    const { json } = await get(`by=${'property.'.repeat(1_000)}x`);
    expect(json.detail).toBe('query -> by: At most 8 relations can be followed');
  });

  test('an error for many names lists the valid names once', async () => {
    const { json } = await get(`by=${'x,'.repeat(400)}`);
    expect(json.detail.match(/there is/g)).toHaveLength(1);
  });

  test('groups need no filters, and pages of the same table do', async () => {
    const { status, json } = await service.get('/accounting/booking_positions/groups?by=fiscal_year&count&sum=amount');
    const rows = await sql(
      'select fiscal_year, count(*)::int, sum(amount)::float as sum_amount from booking_positions group by 1 order by 1',
    );
    expect([status, json]).toEqual([200, rows]);
    const page = await service.get('/accounting/booking_positions?fiscal_year=2026');
    expect([page.status, page.json.detail]).toEqual([400, 'Missing required filter(s): property_id']);
  });

  test('a cursor of other groups', async () => {
    const { headers } = await get('by=trade&limit=2');
    const cursor = headers.get('X-Next-Cursor');
    expect((await get(`by=trade&limit=2&cursor=${cursor}`)).status).toBe(200);
    for (const query of ['by=status', 'by=trade&order=-trade', 'by=trade&having=count>1', 'by=trade&order_id=1'])
      expect((await get(`${query}&limit=2&cursor=${cursor}`)).status).toBe(422);
    expect((await service.get(`/operations/orders?cursor=${cursor}`)).status).toBe(422);
  });
});

describe('access', () => {
  test('the table needs its tier, and relations lead to no table above it', async () => {
    expect((await service.get(path, { key: keys.nordBasic })).status).toBe(403);
    const { status, json } = await service.get('/property/properties/groups?by=owner.name', { key: keys.nordBasic });
    expect(status).toBe(422);
    expect(json.detail).toMatch(/^query -> by: 'owner' unknown/);
    expect(json.detail).not.toContain('owner.…');
    expect((await service.get('/property/properties/groups?by=owner.name')).status).toBe(200);
  });

  test.each([
    '/operations/accounts/groups',
    '/operations/nothing/groups',
    '/v1/operations/projects/groups',
    '/raw/order_hdr/groups',
    `${path}/`,
  ])('%s is a 404', async (other) => {
    expect((await service.get(other)).status).toBe(404);
  });

  test('a key sees no groups of another customer', async () => {
    const own = await get('by=property_id&sum=total_net');
    const other = await service.get(`${path}?by=property_id&sum=total_net`, { key: keys.suedEnterprise });
    expect(other.json).not.toEqual(own.json);
    expect(other.headers.get('ETag')).not.toBe(own.headers.get('ETag'));
  });
});

describe('conditional requests and HEAD', () => {
  const query = 'by=property.federal_state&sum=total_net';

  test('HEAD has the headers of GET', async () => {
    const [head, whole] = [await service.get(`${path}?${query}&limit=1`, { method: 'HEAD' }), await get(`${query}&limit=1`)];
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['ETag', 'X-Total-Count', 'X-Has-More', 'X-Next-Cursor', 'X-Data-Version', 'Vary', 'Content-Type'])
      expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
  });

  test('a tag depends on the versions of all tables of the groups', async () => {
    const { headers } = await get(query);
    const tag = { 'If-None-Match': headers.get('ETag') as string };
    expect((await get(query, tag)).status).toBe(304);
    expect((await get('by=property.federal_state', tag)).status).toBe(200);
    const conditions = ['where=property.federal_state=BY', 'value=a:count(property.federal_state=BY)'].map(encoded);
    const tags = await Promise.all(conditions.map(async (condition) => (await get(condition)).headers.get('ETag') as string));
    const sheet = await readTableData(service.database, 'property_hdr');
    for (const row of sheet.rows) row[sheet.columns.indexOf('federal_state')] = 'HH';
    const deliveries = new Deliveries();
    await load(service.database, [deliveries.write('property_hdr.csv', asCsv(sheet))]);
    deliveries.remove();
    const later = await get(query, tag);
    expect([later.status, later.json[0].property_federal_state]).toEqual([200, 'HH']);
    for (const [at, condition] of conditions.entries()) expect((await get(condition, { 'If-None-Match': tags[at]! })).status).toBe(200);
    const again = await get(query);
    expect((await get(query, { 'If-None-Match': again.headers.get('ETag') as string })).status).toBe(304);
  });
});

test('filled groups keep negative sums, and added groups have 0 with the digits of the measure', async () => {
  await service.database.pool.query('update customer_nord.booking_positions set signed_amount = -abs(signed_amount)');
  const path = '/accounting/booking_positions/groups?by=service_period_from:month&measure=allocable_costs&limit=10000';
  const rows = (text: string) => text.slice(2, -2).split('},{');
  const found = rows((await service.get(path)).text);
  const filled = rows((await service.get(`${path}&fill=service_period_from_month`)).text);
  expect(filled).toEqual(expect.arrayContaining(found));
  const added = filled.filter((row) => !found.includes(row));
  expect(added.length).toBeGreaterThan(0);
  for (const row of added) expect(row).toMatch(/"allocable_costs":0\.00$/);
});
