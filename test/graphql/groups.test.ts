/** Groups: answers equal SQL, in the shape of the document (contract: groups in GraphQL). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { statementsDuring } from '../support/statements.ts';
import { ask, dataOf } from './client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

// biome-ignore lint/suspicious/noExplicitAny: rows have any shape
const sql = async (text: string): Promise<any[]> =>
  (await service.database.pool.query(text.replaceAll(/\b(from|join) ([a-z])/g, '$1 customer_nord.$2'))).rows;

/** The text of the response, so that digits are compared. */
const textOf = (query: string) =>
  fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'X-API-Key': keys.nordEnterprise, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  }).then((response) => response.text());

test('all parts: keys with labels, buckets and relations, every value, a condition, an order, a count and a cursor', async () => {
  const { ordersGroups } = await dataOf(
    service,
    `{ ordersGroups(filter: { status: { ne: "cancelled" } }, having: { sum: { totalNet: { gte: 1000 } } },
        orderBy: [{ sum: TOTAL_NET, direction: DESC }], first: 5) {
      totalCount
      groups {
        key { trade tradeLabel orderDate(bucket: QUARTER) property { propertyName federalState } }
        count sum { totalNet } avg { totalNet } min { orderDate } max { orderDate } distinct { creditorNumber }
      }
      pageInfo { hasNextPage endCursor }
    } }`,
  );
  const rows =
    await sql(`select trade, date_trunc('quarter', order_date)::date::text as quarter, property_name, federal_state, count(*)::int,
      sum(total_net)::float, round(avg(total_net), 6)::float as avg, min(order_date)::text, max(order_date)::text, count(distinct creditor_number)::int as creditors
    from orders left join properties using (property_id) where orders.status <> 'cancelled' group by 1, 2, 3, 4 having sum(total_net) >= 1000
    order by sum(total_net) desc, 1, 2, 3, 4`);
  expect(ordersGroups.totalCount).toBe(rows.length);
  expect(ordersGroups.groups).toEqual(
    rows.slice(0, 5).map((row) => ({
      key: {
        trade: row.trade,
        tradeLabel: expect.stringContaining('('),
        orderDate: row.quarter,
        property: { propertyName: row.property_name, federalState: row.federal_state },
      },
      count: row.count,
      sum: { totalNet: row.sum },
      avg: { totalNet: row.avg },
      min: { orderDate: row.min },
      max: { orderDate: row.max },
      distinct: { creditorNumber: row.creditors },
    })),
  );
  expect(ordersGroups.pageInfo).toEqual({ hasNextPage: true, endCursor: expect.any(String) });
});

test('sums have the digits of the database', async () => {
  const [row] = await sql('select sum(total_net)::text, round(avg(total_net), 6)::text as avg from orders');
  expect(await textOf('{ ordersGroups { groups { sum { totalNet } avg { totalNet } } } }')).toContain(
    `{"groups":[{"sum":{"totalNet":${row.sum}},"avg":{"totalNet":${row.avg}}}]}`,
  );
});

describe('keys', () => {
  test('without keys there is one group, also if there are no rows', async () => {
    const values = 'count sum { totalNet } min { orderDate } distinct { trade }';
    const { all, none } = await dataOf(
      service,
      `{ all: ordersGroups { totalCount groups { count } } none: ordersGroups(filter: { orderId: { eq: 0 } }) { totalCount groups { ${values} } } }`,
    );
    const [{ count }] = await sql('select count(*)::int from orders');
    expect(all).toEqual({ totalCount: 1, groups: [{ count }] });
    expect(none).toEqual({
      totalCount: 1,
      groups: [{ count: 0, sum: { totalNet: null }, min: { orderDate: null }, distinct: { trade: 0 } }],
    });
  });

  test('with keys there is no group if there are no rows', async () => {
    const { ordersGroups } = await dataOf(
      service,
      '{ ordersGroups(filter: { orderId: { eq: 0 } }) { totalCount groups { key { trade } count } pageInfo { hasNextPage endCursor } } }',
    );
    expect(ordersGroups).toEqual({ totalCount: 0, groups: [], pageInfo: { hasNextPage: false, endCursor: null } });
  });

  test('null is a group of its own, and comes last', async () => {
    const { ordersGroups } = await dataOf(service, '{ ordersGroups(first: 1000) { groups { key { offerHdrId } count } } }');
    const [{ count }] = await sql('select count(*)::int from orders where offer_hdr_id is null');
    expect(ordersGroups.groups.at(-1)).toEqual({ key: { offerHdrId: null }, count });
  });

  test('one column in several buckets, distinguished by aliases', async () => {
    const { ordersGroups } = await dataOf(
      service,
      `{ ordersGroups(orderBy: [{ key: { column: ORDER_DATE, bucket: MONTH }, direction: DESC }], first: 1) {
        groups { key { year: orderDate(bucket: YEAR) month: orderDate(bucket: MONTH) orderDate } } } }`,
    );
    const [row] =
      await sql(`select order_date::text, date_trunc('month', order_date)::date::text as month, date_trunc('year', order_date)::date::text as year
      from orders where order_date is not null order by month desc, year, order_date limit 1`);
    expect(ordersGroups.groups).toEqual([{ key: { year: row.year, month: row.month, orderDate: row.order_date } }]);
  });

  test.each([
    ['the plain column', 'orderDate month: orderDate(bucket: MONTH)', '', 'order_date'],
    ['its only bucket', 'm: orderDate(bucket: MONTH) month: orderDate(bucket: MONTH)', '', `date_trunc('month', order_date)`],
    ['the bucket that is named', 'orderDate month: orderDate(bucket: MONTH)', ', bucket: MONTH', `date_trunc('month', order_date)`],
  ])('a key names %s', async (_name, selected, bucket, sorted) => {
    const { ordersGroups } = await dataOf(
      service,
      `{ ordersGroups(first: 20, having: { key: { orderDate: { gte: "2024-01-01" } } }, orderBy: [{ key: { column: ORDER_DATE${bucket} }, direction: DESC }],
        topPer: { by: [{ column: ORDER_DATE${bucket} }], first: 1 }) { groups { key { ${selected} } } } }`,
    );
    const dates = await sql(
      `select distinct on (${sorted}) order_date::text as day, date_trunc('month', order_date)::date::text as month from orders
       where ${selected.startsWith('m:') ? `date_trunc('month', order_date)` : 'order_date'} >= '2024-01-01' order by ${sorted} desc, order_date limit 20`,
    );
    expect(ordersGroups.groups.map(({ key }: { key: Record<string, string> }) => key.orderDate ?? key.month)).toEqual(
      dates.map(({ day, month }) => (selected.startsWith('m:') ? month : day)),
    );
  });

  test('columns of several relations, also if a relation is null', async () => {
    const { ordersGroups } = await dataOf(
      service,
      '{ ordersGroups(first: 1000) { groups { key { property { owner { ownerNumber } } project { projectName } } count } } }',
    );
    const rows = await sql(`select owner_number, project_name, count(*)::int from orders o left join properties p using (property_id)
      left join owner w on w.owner_id = p.owner_id left join projects j using (project_hdr_id) group by 1, 2 order by 1, 2`);
    expect(ordersGroups.groups).toEqual(
      rows.map(({ owner_number, project_name, count }) => ({
        key: { property: { owner: { ownerNumber: owner_number } }, project: { projectName: project_name } },
        count,
      })),
    );
  });

  test('a bucket can be a variable', async () => {
    const query = 'query ($by: Bucket) { ordersGroups { totalCount groups { key { orderDate(bucket: $by) } } } }';
    for (const by of ['YEAR', 'MONTH'])
      expect((await dataOf(service, query, { variables: { by } })).ordersGroups.totalCount).toBe(
        (
          await sql(
            `select count(distinct date_trunc('${by}', order_date)) + count(distinct order_date is null) filter (where order_date is null) as n from orders`,
          )
        )[0].n,
      );
  });
});

describe('order and pages', () => {
  const page = (after: string | null, order: string) =>
    dataOf(
      service,
      `query ($after: String) { ordersGroups(first: 7, after: $after, orderBy: ${order}) { totalCount
      groups { key { trade priorityText } count sum { retentionAmount } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`,
      { variables: { after } },
    );

  test.each([
    '[]',
    '[{ count: true, direction: DESC }]',
    '[{ sum: RETENTION_AMOUNT }, { key: { column: PRIORITY_TEXT }, direction: DESC }]',
    '[{ max: CLOSED_DATE, direction: DESC }, { distinct: CREDITOR_NUMBER }]',
    '[{ avg: TOTAL_NET, direction: DESC }]',
  ])('%s: cursors walk over all groups once, nulls included', async (order) => {
    const whole = await dataOf(
      service,
      `{ ordersGroups(first: 1000, orderBy: ${order}) { groups { key { trade priorityText } count sum { retentionAmount } } } }`,
    );
    const found = [];
    for (let after: string | null = null; ; ) {
      const { ordersGroups } = await page(after, order);
      expect(ordersGroups.totalCount).toBe(whole.ordersGroups.groups.length);
      expect(ordersGroups.pageInfo.hasPreviousPage).toBe(after !== null);
      found.push(...ordersGroups.groups);
      if (!ordersGroups.pageInfo.hasNextPage) break;
      after = ordersGroups.pageInfo.endCursor;
    }
    expect(found).toEqual(whole.ordersGroups.groups);
  });

  test('a cursor is valid only for its keys, filter, conditions and order', async () => {
    const { ordersGroups } = await page(null, '[]');
    const { endCursor } = ordersGroups.pageInfo;
    for (const other of [
      `ordersGroups(after: "${endCursor}") { groups { key { trade } } }`,
      `ordersGroups(after: "${endCursor}", having: { count: { gt: 0 } }) { groups { key { trade priorityText } count sum { retentionAmount } } }`,
      `ordersGroups(after: "${endCursor}", filter: { orderId: { gt: 0 } }) { groups { key { trade priorityText } count sum { retentionAmount } } }`,
      `orders(after: "${endCursor}") { nodes { orderId } }`,
    ]) {
      const { errors } = await ask(service, `{ ${other} }`);
      expect(errors[0]).toMatchObject({ extensions: { code: 'INVALID_PARAMETER' } });
      expect(errors[0].message).toContain('after: ');
    }
  });

  test('the first groups of each value of a coarser key', async () => {
    const { ordersGroups } = await dataOf(
      service,
      `{ ordersGroups(topPer: { by: [{ property: { column: PROPERTY_ID } }], first: 2 },
          orderBy: [{ key: { property: { column: PROPERTY_ID } } }, { sum: TOTAL_NET, direction: DESC }], having: { count: { gt: 1 } }) {
        totalCount groups { key { property { propertyId } trade } sum { totalNet } } } }`,
    );
    const rows =
      await sql(`select * from (select property_id, trade, sum(total_net)::float, row_number() over (partition by property_id order by sum(total_net) desc nulls last, trade)
      from orders group by 1, 2 having count(*) > 1) g where row_number <= 2 order by property_id, sum desc, trade`);
    expect(ordersGroups.totalCount).toBe(rows.length);
    expect(ordersGroups.groups).toEqual(
      rows.map(({ property_id, trade, sum }) => ({ key: { property: { propertyId: property_id }, trade }, sum: { totalNet: sum } })),
    );
  });
});

describe('conditions on groups', () => {
  test.each([
    ['{ count: { gte: 5 } }', 'count(*) >= 5'],
    ['{ sum: { totalNet: { gte: 1000, lt: 9999.5 } } }', 'sum(total_net) >= 1000 and sum(total_net) < 9999.5'],
    ['{ avg: { totalNet: { gt: 500 } } }', 'round(avg(total_net), 6) > 500'],
    ['{ min: { orderDate: { lt: "2026-01-01" } } }', `min(order_date) < '2026-01-01'`],
    [
      '{ max: { or: [{ closedDate: { isNull: true } }, { orderDate: { gt: "2026-06-01" } }] } }',
      `(max(closed_date) is null or max(order_date) > '2026-06-01')`,
    ],
    ['{ distinct: { creditorNumber: { in: [1, 2] } } }', 'count(distinct creditor_number) in (1, 2)'],
    ['{ key: { trade: { in: ["painting", "masonry"] } } }', `trade in ('painting', 'masonry')`],
    ['{ key: { not: { trade: { eq: "painting" } } } }', `not trade = 'painting'`],
    ['{ or: [{ count: { eq: 1 } }, { not: { sum: { totalNet: { lt: 5000 } } } }] }', '(count(*) = 1 or not sum(total_net) < 5000)'],
    ['{ count: { eq: null } }', 'false'],
    ['{ sum: null }', 'false'],
    ['{}', 'true'],
    ['{ sum: { totalNet: {} } }', 'true'],
  ])('%s', async (having, where) => {
    const { ordersGroups } = await dataOf(service, `{ ordersGroups(having: ${having}) { groups { key { trade } } } }`);
    const rows = await sql(`select trade from orders group by 1 having ${where} order by 1`);
    expect(ordersGroups.groups.map(({ key }: { key: { trade: string } }) => key.trade)).toEqual(rows.map(({ trade }) => trade));
  });

  test.each([
    ['having: { key: { status: { eq: "x" } } }', 'having: status is not selected under key'],
    ['having: { min: { isInsuranceClaim: { eq: true } } }', 'having: isInsuranceClaim has no min'],
    ['orderBy: [{ key: { column: STATUS } }]', 'orderBy: status is not selected under key'],
    ['orderBy: [{ key: { column: ORDER_DATE } }]', 'orderBy: orderDate is selected with several buckets; name one'],
    ['orderBy: [{ count: true, sum: TOTAL_NET }]', 'orderBy: a step is exactly one key or value'],
    ['orderBy: [{ direction: DESC }]', 'orderBy: a step is exactly one key or value'],
    ['orderBy: [{ key: {} }]', 'orderBy: a key is exactly one column'],
    ['orderBy: [{ max: IS_INSURANCE_CLAIM }]', 'orderBy: isInsuranceClaim has no max'],
    ['topPer: { by: [], first: 3 }', 'topPer: by names no key'],
    ['topPer: { by: [{ column: TRADE }], first: 0 }', 'topPer: Input should be greater than or equal to 1'],
    ['topPer: { by: [{ column: STATUS }], first: 1 }', 'topPer: status is not selected under key'],
    ['first: 10001', 'first: Input should be less than or equal to 10000'],
  ])('%s is refused', async (argument, message) => {
    const { errors } = await ask(
      service,
      `{ ordersGroups(${argument}) { groups { key { trade year: orderDate(bucket: YEAR) month: orderDate(bucket: MONTH) } } } }`,
    );
    expect(errors).toMatchObject([{ message, extensions: { code: 'INVALID_PARAMETER' } }]);
  });
});

describe('values with arguments', () => {
  test('several conditional aggregates in one row, in an order and in conditions', async () => {
    const { ordersGroups } = await dataOf(
      service,
      `query ($open: OrderFilter) { ordersGroups(
        orderBy: [{ of: "bavaria", sum: TOTAL_NET, direction: DESC }]
        having: { and: [{ of: "open", count: { gt: 0 } }, { of: "open", sum: { totalNet: { gt: 500 } } }, { count: { gt: 1 } }] }
      ) { totalCount groups { key { trade } count
        open: count(filter: $open)
        openSum: sum(filter: $open) { totalNet }
        bavaria: sum(filter: { property: { federalState: { eq: "BY" } } }) { totalNet totalGross }
        first: min(filter: { totalNet: { gt: 1000 } }) { orderDate }
        states: distinct(filter: { totalNet: { lt: 1000 } }) { status }
        p90: percentile(percent: 90) { totalNet }
        median { totalNet } stddev { totalNet }
        all: count(filter: {})
      } } }`,
      { variables: { open: { status: { in: ['accepted', 'closed'] } } } },
    );
    const rows = await sql(`select trade, count(*)::int, count(*) filter (where o.status in ('accepted', 'closed'))::int as open,
        sum(total_net) filter (where o.status in ('accepted', 'closed'))::float as open_sum,
        sum(total_net) filter (where federal_state = 'BY')::float as net, sum(total_gross) filter (where federal_state = 'BY')::float as gross,
        min(order_date) filter (where total_net > 1000)::text as first, count(distinct o.status) filter (where total_net < 1000)::int as states,
        percentile_disc(0.9) within group (order by total_net)::float as p90,
        percentile_cont(0.5) within group (order by total_net)::float as median, round(stddev_samp(total_net), 6)::float as stddev
      from orders o left join properties using (property_id) group by 1 having count(*) > 1 and count(*) filter (where o.status in ('accepted', 'closed')) > 0
        and sum(total_net) filter (where o.status in ('accepted', 'closed')) > 500
      order by 5 desc nulls last, 1`);
    expect(rows.length).toBeGreaterThan(1);
    expect(ordersGroups.groups).toEqual(
      rows.map((row) => ({
        key: { trade: row.trade },
        count: row.count,
        open: row.open,
        openSum: { totalNet: row.open_sum },
        bavaria: { totalNet: row.net, totalGross: row.gross },
        first: { orderDate: row.first },
        states: { status: row.states },
        p90: { totalNet: row.p90 },
        median: { totalNet: expect.closeTo(row.median, 6) },
        stddev: { totalNet: row.stddev },
        all: row.count,
      })),
    );
    expect(ordersGroups.totalCount).toBe(rows.length);
  });

  test('a filter that is null is none, and one of null matches nothing', async () => {
    const { ordersGroups } = await dataOf(
      service,
      'query ($none: OrderFilter) { ordersGroups { groups { count a: count(filter: $none) b: count(filter: { status: null }) } } }',
    );
    const [{ count }] = await sql('select count(*)::int from orders');
    expect(ordersGroups.groups).toEqual([{ count, a: count, b: 0 }]);
  });

  test('values of the groups of each parent have conditions too', async () => {
    const { properties } = await dataOf(
      service,
      '{ properties(first: 5) { nodes { propertyId ordersGroups { groups { dear: count(filter: { totalNet: { gt: 1000 } }) } } } } }',
    );
    const rows = await sql('select property_id, count(*)::int from orders where total_net > 1000 group by 1');
    for (const { propertyId, ordersGroups } of properties.nodes)
      expect(ordersGroups.groups).toEqual([{ dear: rows.find(({ property_id }) => property_id === propertyId)?.count ?? 0 }]);
  });

  test.each([
    ['orderBy: [{ of: "closed", count: true }]', 'orderBy: closed is not a selected value with arguments'],
    ['orderBy: [{ of: "count", count: true }]', 'orderBy: count is not a selected value with arguments'],
    ['orderBy: [{ of: "open", key: { column: TRADE } }]', 'orderBy: of does not apply to a key'],
    ['orderBy: [{ of: "open", percentile: TOTAL_NET }]', 'orderBy: a percentile needs a whole percent from 1 to 100'],
    ['orderBy: [{ percentile: TOTAL_NET }]', 'orderBy: a percentile needs a whole percent from 1 to 100'],
    ['having: { of: "__proto__", count: { gt: 1 } }', 'having: __proto__ is not a selected value with arguments'],
    ['having: { not: { of: "key", count: { gt: 1 } } }', 'having: key is not a selected value with arguments'],
  ])('%s is refused', async (argument, message) => {
    const { errors } = await ask(
      service,
      `{ ordersGroups(${argument}) { groups { key { trade } count open: count(filter: { status: { eq: "closed" } }) } } }`,
    );
    expect(errors).toMatchObject([{ message, extensions: { code: 'INVALID_PARAMETER' } }]);
  });

  test.each([0, 101])('a percentile of %i percent is refused', async (percent) => {
    const { errors } = await ask(service, `{ ordersGroups { groups { percentile(percent: ${percent}) { totalNet } } } }`);
    expect(errors).toMatchObject([{ message: 'groups: a percentile needs a whole percent from 1 to 100' }]);
  });

  test.each([
    ['conditions', Array.from({ length: 26 }, (_, index) => `a${index}: count(filter: { property: { federalState: { eq: "x" } } })`)],
    ['sorts', Array.from({ length: 26 }, (_, index) => `a${index}: percentile(percent: ${index + 1}) { totalNet }`)],
  ])('their %s count among the terms', async (_name, fields) => {
    const { errors } = await ask(service, `{ ordersGroups { groups { ${fields.join(' ')} } } }`);
    expect(errors).toMatchObject([{ message: expect.stringContaining('for terms'), extensions: { code: 'LIMIT_EXCEEDED' } }]);
  });

  test('a cursor holds for their conditions alone', async () => {
    const page = (amount: number, after = '') =>
      ask(
        service,
        `{ ordersGroups(first: 1${after}) { groups { key { trade } a: count(filter: { totalNet: { gt: ${amount} } }) } pageInfo { endCursor } } }`,
      );
    const { data } = await page(1000);
    const after = `, after: "${data.ordersGroups.pageInfo.endCursor}"`;
    expect((await page(1000, after)).errors).toEqual([]);
    expect((await page(1001, after)).errors[0].message).toContain('after: ');
  });
});

describe('groups of a relation', () => {
  test('are those of each parent, with one statement for all', async () => {
    const query = `{ properties { nodes { propertyId ordersGroups(orderBy: [{ sum: TOTAL_NET, direction: DESC }], first: 2, having: { count: { gt: 1 } }) {
      totalCount groups { key { trade } count } pageInfo { hasNextPage } } } } }`;
    const { properties } = await dataOf(service, query);
    for (const { propertyId, ordersGroups } of properties.nodes) {
      const rows = await sql(
        `select trade, count(*)::int from orders where property_id = ${propertyId} group by 1 having count(*) > 1 order by sum(total_net) desc nulls last, 1`,
      );
      expect(ordersGroups).toEqual({
        totalCount: rows.length,
        groups: rows.slice(0, 2).map(({ trade, count }) => ({ key: { trade }, count })),
        pageInfo: { hasNextPage: rows.length > 2 },
      });
    }
    const without = query.replace('totalCount', '').replace('first: 2', 'first: 3');
    expect(await statementsDuring(() => dataOf(service, without))).toHaveLength(2);
  });

  test('are one group without keys for every parent, also if a relation is null', async () => {
    const { properties, notifications } = await dataOf(
      service,
      `{ properties { nodes { propertyId ordersGroups(filter: { orderId: { eq: 0 } }) { totalCount groups { count } } } }
         notifications(first: 1, filter: { personId: { isNull: true } }) { nodes { reporterTenanciesGroups { totalCount groups { count } } } } }`,
    );
    for (const { ordersGroups } of properties.nodes) expect(ordersGroups).toEqual({ totalCount: 1, groups: [{ count: 0 }] });
    for (const { reporterTenanciesGroups } of notifications.nodes)
      expect(reporterTenanciesGroups).toEqual({ totalCount: 1, groups: [{ count: 0 }] });
  });
});

describe('limits and access', () => {
  test('groups need no filters, and rows of the same table do', async () => {
    const { data } = await ask(service, '{ bookingPositionsGroups { groups { key { fiscalYear } count } } }');
    const { rows } = await service.database.pool.query(
      'select fiscal_year, count(*)::int from customer_nord.booking_positions group by 1 order by 1',
    );
    expect(data.bookingPositionsGroups.groups).toEqual(rows.map(({ fiscal_year, count }) => ({ key: { fiscalYear: fiscal_year }, count })));
    const { errors } = await ask(service, '{ bookingPositions(filter: { fiscalYear: { eq: 2026 } }) { totalCount } }');
    expect(errors).toMatchObject([{ message: 'Missing required filter(s): propertyId', extensions: { code: 'MISSING_FILTERS' } }]);
  });

  test('a group counts as a node, and its fields as values', async () => {
    const { extensions } = await ask(
      service,
      '{ properties(first: 10) { nodes { ordersGroups(first: 20) { groups { key { trade } count } } } } }',
    );
    expect(extensions.cost).toMatchObject({ nodes: 10 + 10 * 20, values: 1 + 10 + 10 + 10 * 20 * 3 });
    const single = await ask(service, '{ properties(first: 1000) { nodes { ordersGroups { groups { count } } } } }');
    expect(single.extensions.cost.nodes).toBe(2_000);
    const { errors } = await ask(
      service,
      '{ properties(first: 100) { nodes { ordersGroups(first: 1000) { groups { key { trade } } } } } }',
    );
    expect(errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' } }]);
  });

  test('conditions on groups count as terms', async () => {
    const having = `{ or: [${'{ count: { eq: 1 } } '.repeat(700)}] }`;
    const { errors } = await ask(service, `{ a: ordersGroups(having: ${having}) { totalCount } }`);
    expect(errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' } }]);
  });

  test('at most eight relations are followed', async () => {
    const path = (depth: number): string => (depth === 0 ? 'projectName' : `parentProject { ${path(depth - 1)} }`);
    const { errors } = await ask(
      service,
      `{ projectsGroups { groups { key { property { propertyName } creditor { name } offer { offerType }
      technicalObject { toName } floorArea { unitNumber } costAccount { accountName } projectManager { name } approvedByEmployee { name } ${path(1)} } } } }`,
    );
    expect(errors).toMatchObject([{ message: 'key: at most 8 relations can be followed' }]);
  });

  test('columns above the tier are not keys', async () => {
    const { errors } = await ask(service, '{ propertiesGroups { groups { key { owner { name } } } } }', { key: keys.nordBasic });
    expect(errors[0].message).toMatch(/^Cannot query field "owner" on type "PropertyGroupKey"/);
  });

  test('a repeated answer costs no statement', async () => {
    const query = '{ ordersGroups { groups { key { property { federalState } } sum { totalNet } } } }';
    const first = await dataOf(service, query);
    await dataOf(service, query);
    expect(await statementsDuring(async () => expect(await dataOf(service, query)).toEqual(first))).toEqual([]);
  });
});
