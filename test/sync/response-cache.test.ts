/**
 * A cached response equals the response of a read, byte for byte, and costs no statement on the tables (contract: page snapshot; data
 * versions; snapshot time).
 */
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leaseMs } from '../../src/database/control/publications.ts';
import { onServer } from '../support/database.ts';
import { startInstance, startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { recordStatements } from '../support/statements.ts';
import { asCsv, Deliveries, load, readTableData } from './support.ts';

let service: TestService;
/** The same data without the response cache. */
let reading: FastifyInstance;
const deliveries = new Deliveries();
const statements = recordStatements();
/** State tables have names with `_`. */
const onTables = () => statements.filter((text) => /"customer_nord"\."[a-z]/.test(text));

beforeAll(async () => {
  service = await startService();
  reading = await startInstance(service.database, { RESPONSE_CACHE_MB: '0' });
});
afterAll(async () => {
  await reading.close();
  await service.stop();
  deliveries.remove();
});

interface Question {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const document = (text: string, variables: Readonly<Record<string, unknown>> = {}): Question => ({
  method: 'POST',
  url: '/graphql',
  body: JSON.stringify({ query: text, variables }),
  headers: { 'content-type': 'application/json' },
});

const tenants = '{ tenants(first: 3) { totalCount nodes { tenantId name } edges { cursor } pageInfo { hasNextPage } } }';
const questions: readonly Question[] = [
  { url: '/operations/orders?limit=2' },
  { url: '/operations/orders?property_id=1001&limit=50' },
  { url: '/operations/orders?limit=50&property_id=1001' },
  { url: '/operations/orders?property_id=1001&offset=1&limit=2' },
  { url: '/operations/orders?property_id=nonsense' },
  { url: '/operations/orders?limit=2', method: 'HEAD' },
  { url: '/operations/orders/groups?by=creditor.name,order_date:year&sum=total_net&limit=50' },
  { url: '/operations/orders?limit=2', headers: { accept: 'text/csv' } },
  document('{ ordersGroups(first: 5) { totalCount groups { key { creditor { name } } count } } }'),
  { url: '/stakeholder/tenants?limit=5' },
  { url: '/v1/stakeholder/tenants?limit=5' },
  { url: '/raw/person?limit=3' },
  { url: '/raw/tables' },
  { url: '/catalog' },
  { url: '/tables' },
  { url: '/meta/orders/values/status' },
  document(tenants),
  { url: `/graphql?query=${encodeURIComponent(tenants)}` },
  { ...document(tenants), headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' } },
  document('query ($n: Int) { orders(first: $n) { nodes { orderId statusLabel property { address orders(first: 2) { totalCount } } } } }', {
    n: 4,
  }),
  document('{ offers(first: 3, filter: { creditor: { name: { contains: "Firma" } } }) { totalCount nodes { offerHdrId } } }'),
  document('{ properties(first: 3, orderBy: [{ owner: { ownerId: DESC } }]) { nodes { propertyId } } }'),
];

/** Headers that depend on the request or on the time. */
const passing = ['date', 'x-request-id', 'server-timing', 'connection', 'keep-alive'];
const lasting = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.includes(name)));

const ask = async (app: FastifyInstance, { method = 'GET', url, body, headers = {} }: Question, key: string = keys.nordEnterprise) => {
  const answer = await app.inject({ method, url, payload: body ?? '', headers: { ...headers, 'x-api-key': key, host: 'localhost' } });
  return { status: answer.statusCode, headers: lasting(answer.headers), body: answer.rawPayload.toString('latin1') };
};

const expectSame = async (asked: readonly Question[], key?: string) => {
  for (const question of asked) {
    const now = await ask(reading, question, key);
    expect(await ask(service.app, question, key), JSON.stringify(question)).toEqual(now);
    expect(await ask(service.app, question, key), JSON.stringify(question)).toEqual(now);
  }
};

/** Loads a raw table with other values in one of its columns. */
const change = async (table: string, column: string, valueAt: (index: number) => string, options = {}): Promise<void> => {
  const sheet = await readTableData(service.database, table);
  for (const [index, row] of sheet.rows.entries()) row[sheet.columns.indexOf(column)] = valueAt(index);
  await load(service.database, [deliveries.write(`${table}.csv`, asCsv(sheet))], options);
};
const rename = (name: string, options = {}): Promise<void> => change('person', 'company_name', () => name, options);

describe.each(['identity', 'gzip', 'br'])('repeated with Accept-Encoding: %s', (encoding) => {
  test.each(questions)('$method $url', async (question) => {
    const asked = { ...question, headers: { ...question.headers, 'accept-encoding': encoding } };
    const first = await ask(service.app, asked);
    expect(first.status).toBe(200);
    // HEAD reads no rows, so it may come first.
    if (question.method === 'HEAD') await ask(service.app, { ...asked, method: 'GET' });
    statements.length = 0;
    expect(await ask(service.app, asked)).toEqual(first);
    expect(onTables()).toEqual([]);
    expect(await ask(reading, asked)).toEqual(first);
  });
});

test('a new request costs one statement, a repeated one none', async () => {
  statements.length = 0;
  const texts = [];
  for (let n = 0; n < 3; n++) texts.push((await service.get('/operations/orders?limit=7')).text);
  expect(onTables()).toHaveLength(1);
  expect(new Set(texts).size).toBe(1);
});

test.runIf(onServer)('repeated requests read no table, and read versions once per lease', async () => {
  const asked = [questions[1]!, document(tenants)];
  for (const question of [...asked, ...asked]) await ask(service.app, question);
  statements.length = 0;
  const begun = performance.now();
  for (let n = 0; n < 20; n++) for (const question of asked) await ask(service.app, question);
  const leases = Math.ceil((performance.now() - begun) / leaseMs);
  expect(onTables()).toEqual([]);
  expect(statements.filter((text) => text.includes('row_count')).length).toBeLessThanOrEqual(leases);
});

test('after loads, with and without changes, every response equals a read', async () => {
  await expectSame(questions);
  for (const name of ['Neue Firma', 'Neue Firma', 'Noch eine Firma']) {
    await rename(name);
    await expectSame(questions);
    expect((await service.get('/raw/person?limit=3')).json.data[0].company_name).toBe(name);
  }
});

test('a load of a table that only a filter reaches invalidates responses, totals and cursors', async () => {
  const offers = async (name: string) => {
    const filter = `filter: { creditor: { name: { eq: "${name}" } } }`;
    const asked = document(`{ offers(first: 2, ${filter}) { totalCount pageInfo { hasNextPage } } }`);
    await ask(service.app, asked);
    return JSON.parse((await ask(service.app, asked)).body).data.offers;
  };
  const versionOf = async () => (await service.get('/operations/offers?limit=1')).headers.get('x-data-version');
  await rename('Eine Firma davor');
  const version = await versionOf();
  const all = await offers('Eine Firma davor');
  expect(all).toEqual({ totalCount: expect.any(Number), pageInfo: { hasNextPage: true } });
  const none = { totalCount: 0, pageInfo: { hasNextPage: false } };
  expect(await offers('Eine Firma danach')).toEqual(none);
  await rename('Eine Firma danach');
  expect([await offers('Eine Firma danach'), await offers('Eine Firma davor')]).toEqual([all, none]);
  // The table itself has not changed.
  expect(await versionOf()).toBe(version);
});

test('a load of a table that only an order reaches invalidates responses', async () => {
  const asked = document('{ offers(first: 500, orderBy: [{ creditor: { rating: ASC } }]) { nodes { creditorId } } }');
  const creditors = async (): Promise<readonly number[]> => {
    await ask(service.app, asked);
    const { nodes } = JSON.parse((await ask(service.app, asked)).body).data.offers;
    return [...new Set<number>(nodes.map(({ creditorId }: { creditorId: number }) => creditorId))];
  };
  await change('creditor_hdr', 'rating', (index) => String(index));
  const before = await creditors();
  expect(before.length).toBeGreaterThan(2);
  await change('creditor_hdr', 'rating', (index) => String(1_000 - index));
  expect(await creditors()).toEqual(before.toReversed());
});

test('an outdated tag gets the cached response, a current one a 304', async () => {
  const url = '/stakeholder/tenants?limit=5';
  const { headers, body } = await ask(service.app, { url });
  await ask(service.app, { url });
  statements.length = 0;
  expect((await ask(service.app, { url, headers: { 'if-none-match': '"other"' } })).body).toBe(body);
  expect((await ask(service.app, { url, headers: { 'if-none-match': String(headers.etag) } })).status).toBe(304);
  expect(onTables()).toEqual([]);
});

test('keys of other tiers and customers get their own responses', async () => {
  await expectSame(questions);
  for (const key of [keys.nordBasic, keys.nordProfessional, keys.suedEnterprise]) await expectSame(questions, key);
  expect((await ask(service.app, { url: '/operations/orders?limit=2' }, keys.nordBasic)).status).toBe(403);
  const [own, others] = [await ask(service.app, document(tenants)), await ask(service.app, document(tenants), keys.suedEnterprise)];
  expect(own.body).not.toBe(others.body);
});

test('metadata, errors and introspection are not cached', async () => {
  const changes = document('{ changes(since: "2000-01-01") { table rowCount version syncedAt } }');
  const before = await ask(service.app, changes);
  await rename('Eine andere Firma');
  expect((await ask(service.app, changes)).body).not.toBe(before.body);
  const failing = document('{ tenants(first: 1) { totalCount } lookupValues(table: "nothing", column: "nothing") { value } }');
  await expectSame([failing, document('{ __schema { queryType { name } } }'), document('{ nothing }')]);
});

test('large pages are read each time', async () => {
  statements.length = 0;
  for (let n = 0; n < 2; n++) await service.get('/raw/person?limit=1001');
  expect(onTables().length).toBeGreaterThanOrEqual(2);
});

describe.runIf(onServer)('several instances', () => {
  test.each(['listen', 'poll'])('none returns a cached response that another shows in a newer version (%s)', async (feed) => {
    const other = await startInstance(service.database, { VERSION_FEED: feed });
    const asked = [{ url: '/raw/person?limit=1' }, document('{ tenants(first: 1) { nodes { name } } }')];
    const names = async (app: FastifyInstance) =>
      Promise.all(asked.map(async (question) => /(?:Firma|Haus) \w+ \d+/.exec((await ask(app, question)).body)?.[0]));
    try {
      await rename(`Firma ${feed} 0`);
      for (let round = 1; round <= 3; round++) {
        await names(other);
        let isOver = false;
        // The load waits for the leases of the instances.
        const loading = rename(`Firma ${feed} ${round}`, { announceMs: 500 }).then(() => {
          isOver = true;
        });
        let answers = 0;
        while (!isOver) {
          const read = await names(reading);
          const cached = await names(other);
          for (const [at, name] of read.entries()) if (name?.endsWith(String(round))) expect(cached[at]).toBe(name);
          answers += 1;
        }
        await loading;
        const present = `Firma ${feed} ${round}`;
        expect([await names(other), await names(service.app)]).toEqual([
          [present, present],
          [present, present],
        ]);
        expect(answers).toBeGreaterThan(5);
      }
    } finally {
      await other.close();
    }
  });

  test('a response is not cached if a table changes during the read', async () => {
    const asked = document('{ a: tenants(first: 1) { nodes { name } } b: tenants(first: 1) { nodes { name } } }');
    let isOver = false;
    const loading = (async () => {
      for (let round = 0; round < 4; round++) await rename(`Haus ${round}`, { announceMs: 500 });
      isOver = true;
    })();
    while (!isOver) await ask(service.app, asked);
    await loading;
    const { data } = JSON.parse((await ask(service.app, asked)).body);
    expect(data).toEqual({ a: { nodes: [{ name: 'Haus 3' }] }, b: { nodes: [{ name: 'Haus 3' }] } });
  });
});
