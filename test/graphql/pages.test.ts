/** Pages: orders with nulls and duplicates, cursors that are valid in REST too, limits (contract: GraphQL cursors). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { camelCase } from '../../src/graphql/schema/names.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { ask, dataOf } from './client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const schema = 'customer_nord';

/** Follows `after` to the end. Returns the keys of all pages. */
const walk = async (field: string, key: string, args: string, first: number): Promise<unknown[]> => {
  const found: unknown[] = [];
  for (let after: string | null = null; ; ) {
    const query = `query ($after: String) { page: ${field}(first: ${first}, after: $after, ${args}) { pageInfo { hasNextPage hasPreviousPage endCursor } nodes { ${key} } } }`;
    const { page } = await dataOf(service, query, { variables: { after } });
    expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
    found.push(...page.nodes.map((node: Record<string, unknown>) => String(node[key])));
    if (!page.pageInfo.hasNextPage) return found;
    expect(page.nodes).toHaveLength(first);
    after = page.pageInfo.endCursor;
  }
};

const keysInOrder = async (table: string, key: string, order: string, where = 'true'): Promise<string[]> => {
  const { rows } = await service.database.pool.query(`select ${key}::text as key from ${schema}.${table} where ${where} order by ${order}`);
  return rows.map((row) => row.key);
};

describe('every column, in both directions', () => {
  const small = ['notifications', 'technical_objects', 'property_creditor_services', 'projects'];
  const cases = small.flatMap((name) =>
    Object.keys(catalogue.tables.get(name)!.columns).flatMap((column) => [
      [name, column, 'ASC'],
      [name, column, 'DESC'],
    ]),
  );
  test.each(cases as [string, string, string][])('%s by %s %s', async (name, column, direction) => {
    const { key, sort } = catalogue.tables.get(name)!;
    const rest = sort.filter((other) => other !== column).map((other) => `${other} ${direction}`);
    const order = [`${column} ${direction} nulls last`, ...rest].join();
    const wanted = await keysInOrder(name, key, order);
    const first = Math.max(2, Math.ceil(wanted.length / 4));
    expect(await walk(camelCase(name), camelCase(key), `orderBy: [{ ${camelCase(column)}: ${direction} }]`, first)).toEqual(wanted);
  });
});

test('several columns with mixed directions, nulls and duplicates', async () => {
  const args = 'orderBy: [{ priorityText: DESC }, { toHdrId: ASC }, { reportType: DESC }], filter: { propertyId: { gt: 0 } }';
  const order = 'priority_text desc nulls last, to_hdr_id nulls last, report_type desc nulls last, report_hdr_id desc';
  expect(await walk('notifications', 'reportHdrId', args, 4)).toEqual(await keysInOrder('notifications', 'report_hdr_id', order));
});

test('a table with a composite sort key has cursors too', async () => {
  const { sort } = catalogue.tables.get('property_creditor_services')!;
  const wanted = await keysInOrder('property_creditor_services', 'property_creditor_service_id', sort.join());
  expect(await walk('propertyCreditorServices', 'propertyCreditorServiceId', '', 2)).toEqual(wanted);
});

describe('cursors are valid in GraphQL and REST', () => {
  const page = (args: string) =>
    dataOf(service, `{ orders(first: 3, ${args}) { pageInfo { endCursor } edges { cursor node { orderId } } } }`);
  const ids = (rows: { order_id: number }[]) => rows.map((row) => row.order_id);

  test.each([
    ['without a filter', '', ''],
    ['with an equality', 'filter: { propertyId: { eq: 1001 } }', '&property_id=1001'],
    ['with two', 'filter: { orderType: { eq: "repair" }, isInsuranceClaim: { eq: false } }', '&is_insurance_claim=false&order_type=repair'],
  ])('%s', async (_name, args, query) => {
    const [one, two] = [await service.get(`/operations/orders?limit=3${query}`), await page(args)];
    const restCursor = one.headers.get('X-Next-Cursor');
    expect(two.orders.pageInfo.endCursor).toBe(restCursor);
    expect(two.orders.edges.at(-1).cursor).toBe(restCursor);
    const next = await service.get(`/operations/orders?limit=3${query}&cursor=${restCursor}`);
    const continued = await page(`${args}, after: "${restCursor}"`);
    expect(continued.orders.edges.map(({ node }: { node: { orderId: number } }) => node.orderId)).toEqual(ids(next.json));
    expect(next.json.length).toBeGreaterThan(0);
  });

  test.each([
    ['another filter', 'filter: { propertyId: { eq: 1 } }'],
    ['another order', 'orderBy: [{ orderType: ASC }]'],
    ['a filter that REST cannot say', 'filter: { propertyId: { gte: 0 } }'],
  ])('a cursor of the plain list is refused by %s', async (_name, args) => {
    const { orders } = await page('');
    const { data, errors } = await ask(service, `{ orders(${args}, after: "${orders.pageInfo.endCursor}") { nodes { orderId } } }`);
    expect(data).toBeNull();
    expect(errors[0]).toMatchObject({ message: expect.stringContaining('after'), extensions: { code: 'INVALID_PARAMETER' } });
  });

  test('a cursor of another order is refused, also by REST and for another customer', async () => {
    const { orders } = await page('orderBy: [{ orderType: DESC }]');
    const cursor = orders.pageInfo.endCursor;
    expect((await service.get(`/operations/orders?cursor=${cursor}`)).status).toBe(422);
    for (const [args, key] of [
      ['', keys.nordEnterprise],
      ['orderBy: [{ orderType: DESC }],', keys.suedEnterprise],
    ] as const) {
      const { errors } = await ask(service, `{ orders(${args} after: "${cursor}") { nodes { orderId } } }`, { key });
      expect(errors[0].extensions.code).toBe('INVALID_PARAMETER');
    }
  });
});

test('a nested connection continues after its cursor', async () => {
  const property = (args: string) =>
    dataOf(
      service,
      `{ propertyById(propertyId: 1001) { orders(first: 2 ${args}) { totalCount pageInfo { hasNextPage hasPreviousPage endCursor } nodes { orderId } } } }`,
    );
  const wanted = await keysInOrder('orders', 'order_id', 'order_id', 'property_id = 1001');
  const one = (await property('')).propertyById.orders;
  const two = (await property(`after: "${one.pageInfo.endCursor}"`)).propertyById.orders;
  expect([...one.nodes, ...two.nodes].map(({ orderId }: { orderId: number }) => String(orderId))).toEqual(wanted.slice(0, 4));
  expect([one.totalCount, two.totalCount, two.pageInfo.hasPreviousPage]).toEqual([wanted.length, wanted.length, true]);
});

describe('offsets', () => {
  test.each([0, 3, 499, 500, 501, 1_000_000])('%i rows are skipped', async (offset) => {
    const wanted = await keysInOrder('contract_debits', 'contract_debit_id', 'contract_debit_id desc');
    const query = `{ rows: contractDebits(first: 5, offset: ${Math.min(offset, 500_000)}, orderBy: [{ contractDebitId: DESC }]) { totalCount nodes { contractDebitId } } }`;
    const { rows } = await dataOf(service, query);
    expect(rows.nodes.map((row: { contractDebitId: number }) => String(row.contractDebitId))).toEqual(wanted.slice(offset, offset + 5));
    expect(rows.totalCount).toBe(wanted.length);
  });
});

describe('arguments out of range', () => {
  test.each([
    ['first: 0', 'first: Input should be greater than or equal to 1', 'INVALID_PARAMETER'],
    ['first: 1001', 'first: Input should be less than or equal to 1000', 'INVALID_PARAMETER'],
    ['offset: -1', 'offset: Input should be greater than or equal to 0', 'INVALID_PARAMETER'],
    ['offset: 500001', 'offset: Input should be less than or equal to 500000', 'INVALID_PARAMETER'],
    ['after: "x"', 'after: The cursor is not valid for this table, filter and order', 'INVALID_PARAMETER'],
  ])('%s', async (args, message, code) => {
    const { status, data, errors } = await ask(service, `{ orders(${args}) { nodes { orderId } } }`);
    expect({ status, data, errors }).toMatchObject({ status: 200, data: null, errors: [{ message, extensions: { code } }] });
  });

  test.each([
    ['bookingHeader', '', 'fiscalYear'],
    ['bookingHeader', 'filter: { fiscalYear: { gte: 2000 } }', 'fiscalYear'],
    ['bookingHeader', 'filter: { fiscalYear: { eq: null } }', 'fiscalYear'],
    ['bookingHeader', 'filter: { or: [{ fiscalYear: { eq: 2024 } }] }', 'fiscalYear'],
    ['bookingPositions', '', 'propertyId, fiscalYear'],
    ['bookingPositions', 'filter: { propertyId: { eq: 1001 } }', 'fiscalYear'],
  ])('%s without its required filter: %s', async (field, args, missing) => {
    const { errors } = await ask(service, `{ ${field}${args && `(${args})`} { totalCount } }`);
    expect(errors).toMatchObject([
      { message: `Missing required filter(s): ${missing}`, path: [field], extensions: { code: 'MISSING_FILTERS' } },
    ]);
  });

  test.each(['{ fiscalYear: { in: [2023, 2024] } }', '{ and: [{ and: [{ fiscalYear: { eq: 2024 } }] }] }'])(
    '%s meets a required filter',
    async (filter) => {
      const { bookingHeader } = await dataOf(service, `{ bookingHeader(filter: ${filter}, first: 1) { totalCount } }`);
      expect(bookingHeader.totalCount).toBeGreaterThanOrEqual(0);
    },
  );

  test('a required filter does not apply to relations', async () => {
    const { properties } = await dataOf(
      service,
      '{ properties(first: 1) { nodes { bookingHeaders(first: 2) { nodes { fiscalYear } } } } }',
    );
    expect(properties.nodes[0].bookingHeaders.nodes).toHaveLength(2);
  });
});

describe('pages from the end', () => {
  const table = 'notifications';
  const orders = [
    ['', 'report_hdr_id'],
    ['orderBy: [{ toHdrId: ASC }]', 'to_hdr_id nulls last, report_hdr_id'],
    ['orderBy: [{ toHdrId: DESC }]', 'to_hdr_id desc nulls last, report_hdr_id desc'],
    ['orderBy: [{ priorityText: DESC }, { toHdrId: ASC }]', 'priority_text desc nulls last, to_hdr_id nulls last, report_hdr_id'],
    [
      'orderBy: [{ technicalObject: { nextMaintenanceDate: DESC } }]',
      '(select next_maintenance_date from customer_nord.technical_objects o where o.to_id = to_hdr_id) desc nulls last, report_hdr_id desc',
    ],
  ] as const;

  test.each(orders)('lead back to the beginning: %s', async (args, order) => {
    const wanted = await keysInOrder(table, 'report_hdr_id', order);
    const found: string[] = [];
    for (let before: string | null = null, isFirst = true; ; isFirst = false) {
      const query = `query ($before: String) { page: ${table}(last: 4, before: $before ${args}) {
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor } nodes { reportHdrId property { propertyId } } } }`;
      const { page } = await dataOf(service, query, { variables: { before } });
      found.unshift(...page.nodes.map(({ reportHdrId }: { reportHdrId: number }) => String(reportHdrId)));
      expect(page.pageInfo.hasNextPage).toBe(!isFirst);
      expect(page.pageInfo).toMatchObject({ startCursor: page.edges[0].cursor, endCursor: page.edges.at(-1).cursor });
      if (!page.pageInfo.hasPreviousPage) break;
      expect(page.nodes).toHaveLength(4);
      before = page.pageInfo.startCursor;
    }
    expect(found).toEqual(wanted);
  });

  test.each(orders)('forward and backward over the same rows: %s', async (args, order) => {
    const wanted = await keysInOrder(table, 'report_hdr_id', order);
    const page = async (position: string) => {
      const { rows } = await dataOf(
        service,
        `{ rows: ${table}(${position} ${args}) { pageInfo { startCursor endCursor } nodes { reportHdrId } } }`,
      );
      return { ...rows.pageInfo, keys: rows.nodes.map(({ reportHdrId }: { reportHdrId: number }) => String(reportHdrId)) };
    };
    const one = await page('first: 3,');
    const two = await page(`first: 5, after: "${one.endCursor}",`);
    const back = await page(`last: 2, before: "${two.endCursor}",`);
    const relatedColumns = await page(`before: "${two.startCursor}",`);
    expect([one.keys, two.keys, back.keys, relatedColumns.keys]).toEqual([
      wanted.slice(0, 3),
      wanted.slice(3, 8),
      wanted.slice(5, 7),
      wanted.slice(0, 3),
    ]);
  });

  test('on relations, for each parent', async () => {
    const document = `{ properties { nodes { propertyId orders(last: 2, orderBy: [{ totalNet: ASC }]) {
      totalCount pageInfo { hasNextPage hasPreviousPage startCursor } nodes { orderId offer { offerValue } } } } } }`;
    const { properties } = await dataOf(service, document);
    let [seen, before] = [0, ''];
    for (const { propertyId, orders: found } of properties.nodes) {
      const wanted = await keysInOrder('orders', 'order_id', 'total_net nulls last, order_id', `property_id = ${propertyId}`);
      expect(found.nodes.map(({ orderId }: { orderId: number }) => String(orderId))).toEqual(wanted.slice(-2));
      expect(found.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: wanted.length > 2 });
      if (propertyId === 1001) before = found.pageInfo.startCursor;
      seen += found.nodes.length;
    }
    expect(seen).toBeGreaterThan(4);
    const { propertyById } = await dataOf(
      service,
      `{ propertyById(propertyId: 1001) { orders(last: 2, before: "${before}", orderBy: [{ totalNet: ASC }]) { nodes { orderId } } } }`,
    );
    const wanted = await keysInOrder('orders', 'order_id', 'total_net nulls last, order_id', 'property_id = 1001');
    expect(propertyById.orders.nodes.map(({ orderId }: { orderId: number }) => String(orderId))).toEqual(wanted.slice(-4, -2));
  });

  test('may be larger than the table, or empty', async () => {
    const page = (args: string) =>
      dataOf(service, `{ rows: ${table}(${args}) { pageInfo { hasNextPage hasPreviousPage startCursor } nodes { reportHdrId } } }`);
    const all = (await page('last: 1000')).rows;
    expect(all.nodes.map(({ reportHdrId }: { reportHdrId: number }) => String(reportHdrId))).toEqual(
      await keysInOrder(table, 'report_hdr_id', 'report_hdr_id'),
    );
    expect(all.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    const none = (await page(`last: 3, before: "${all.pageInfo.startCursor}"`)).rows;
    expect(none).toEqual({ pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: null }, nodes: [] });
  });

  test.each([
    ['first: 1, last: 1', 'last'],
    ['last: 1, after: "x"', 'last'],
    ['first: 1, before: "x"', 'before'],
    ['before: "x", after: "x"', 'before'],
    ['last: 1, offset: 1', 'last'],
  ])('cannot be combined with pages from the beginning: %s', async (args, name) => {
    const { data, errors } = await ask(service, `{ ${table}(${args}) { totalCount } }`);
    const message = `${name}: Use first, after and offset, or last and before, but not both`;
    expect([data, errors]).toMatchObject([null, [{ message, extensions: { code: 'INVALID_PARAMETER' } }]]);
  });

  test.each([
    ['last: 0', 'last: Input should be greater than or equal to 1'],
    ['last: 1001', 'last: Input should be less than or equal to 1000'],
    ['before: "x"', 'before: The cursor is not valid for this table, filter and order'],
  ])('have limits: %s', async (args, message) => {
    expect((await ask(service, `{ ${table}(${args}) { totalCount } }`)).errors).toMatchObject([{ message }]);
  });

  test('variables that are null or missing count as absent', async () => {
    const query = `query ($first: Int, $last: Int, $after: String) { rows: ${table}(first: $first, last: $last, after: $after) { nodes { reportHdrId } } }`;
    const wanted = await keysInOrder(table, 'report_hdr_id', 'report_hdr_id');
    for (const [variables, keysOfPage] of [
      [{ first: 2, last: null }, wanted.slice(0, 2)],
      [{ last: 2, first: null, after: '' }, wanted.slice(-2)],
      [{}, wanted.slice(0, 100)],
    ] as const) {
      const { rows } = await dataOf(service, query, { variables });
      expect(rows.nodes.map(({ reportHdrId }: { reportHdrId: number }) => String(reportHdrId))).toEqual(keysOfPage);
    }
  });
});

describe('orders without an index', () => {
  const extensionsOf = async (args: string) => (await ask(service, `{ orders(first: 2, ${args}) { nodes { orderId } } }`)).extensions;
  test.each([
    ['orderBy: [{ totalNet: DESC }]', ['orders.totalNet']],
    ['orderBy: [{ status: ASC }, { orderDate: DESC }]', ['orders.orderDate']],
    [
      'orderBy: [{ property: { unitCount: DESC } }, { offer: { property: { propertyId: ASC } } }]',
      ['orders.property.unitCount', 'orders.offer.property.propertyId'],
    ],
  ])('are reported: %s', async (args, named) => {
    expect((await extensionsOf(args)).unindexedOrders).toEqual(named);
  });

  test.each(['orderBy: [{ orderId: DESC }]', 'orderBy: [{ propertyId: ASC }]', 'first: 3'])(
    'are not reported if there is none: %s',
    async (args) => {
      const { extensions } = await ask(service, `{ orders(${args}) { nodes { orderId } } }`);
      expect(extensions).not.toHaveProperty('unindexedOrders');
    },
  );
});
