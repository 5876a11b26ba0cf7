/**
 * GraphQL over HTTP: the specification's audits, methods, content types, keys, quota, persisted operations (contract: order of
 * checks; methods; quota owner; document limits; GraphiQL).
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';
import { ask, dataOf } from './client.ts';

const persisted = 'query Persisted($first: Int!) {\n  orders(first: $first) {\n    nodes {\n      orderId\n    }\n  }\n}\n';
const folder = mkdtempSync(join(tmpdir(), 'estate-persisted-'));
writeFileSync(join(folder, 'orders.graphql'), persisted);

let service: TestService;
let strict: TestService;
beforeAll(async () => {
  service = await startService({ environment: { PERSISTED_DIR: folder, RATE_LIMIT: '100000' } });
  strict = await startService({ environment: { PERSISTED_DIR: folder, PERSISTED_ONLY: 'true' } });
});
afterAll(async () => {
  await Promise.all([service?.stop(), strict?.stop()]);
  rmSync(folder, { recursive: true });
});

describe('audits of the GraphQL over HTTP specification', () => {
  const audits = serverAudits({
    url: () => `${service.url}/graphql`,
    fetchFn: (url: string, init: RequestInit = {}) =>
      fetch(url, { ...init, headers: { ...(init.headers as object), 'X-API-Key': keys.nordEnterprise } }),
  });
  test('there are 61', () => expect(audits).toHaveLength(61));
  test.each(audits.map((audit) => [`${audit.id} ${audit.name}`, audit] as const))('%s', async (_name, audit) => {
    expect(await audit.fn()).toMatchObject({ status: 'ok' });
  });
});

describe('requests that are not GraphQL', () => {
  const json = { 'Content-Type': 'application/json' };
  test.each([
    ['another method', { method: 'PUT' }, 405, 'Method not allowed'],
    ['HEAD', { method: 'HEAD' }, 405, undefined],
    ['no key', { method: 'GET', key: null }, 401, 'API key required'],
    ['an unknown key', { method: 'POST', key: 'est_nobody_x', headers: json }, 401, 'API key required'],
  ] as const)('%s', async (_name, options, status, detail) => {
    const answer = await service.get('/graphql', options);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('X-RateLimit-Limit')).toBe('100000');
    if (status === 405) expect(answer.headers.get('Allow')).toBe('GET, POST');
    if (detail) expect(answer.json).toMatchObject({ status, detail, instance: '/graphql' });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/graphql'])(
    'a body that a form of another site could send: %s',
    async (type) => {
      const response = await fetch(`${service.url}/graphql`, {
        method: 'POST',
        headers: { 'X-API-Key': keys.nordBasic, 'Content-Type': type },
        body: '{"query":"{__typename}"}',
      });
      expect(response.status).toBe(415);
      expect(response.headers.get('Content-Type')).toContain('application/problem+json');
    },
  );

  test('a body of more than a megabyte', async () => {
    const body = JSON.stringify({ query: `{ __typename } ${'#'.repeat(1_000_000)}` });
    const response = await fetch(`${service.url}/graphql`, { method: 'POST', headers: { ...json, 'X-API-Key': keys.nordBasic }, body });
    expect(response.status).toBe(413);
  });

  test('a key without the group', async () => {
    const customer = await findCustomer(service.database, 'nord');
    const { key } = await new KeyStore(service.database, testSecret).create({ customer, tier: 'enterprise', groups: ['rest', 'raw'] });
    const answer = await service.get('/graphql?query={__typename}', { key });
    expect([answer.status, answer.json.detail]).toEqual([403, 'Invalid or disabled API key']);
  });
});

test('a request counts once, whatever it contains, and has quota headers', async () => {
  const quota = () =>
    dataOf(
      service,
      '{ a: rateLimit { limit remaining resetsAt } b: rateLimit { remaining } orders(first: 5) { nodes { offer { offerValue } } } }',
    );
  const [one, two] = [await quota(), await quota()];
  expect(one.a.remaining - two.a.remaining).toBe(1);
  expect(two.a).toEqual({ limit: 100_000, remaining: two.b.remaining, resetsAt: expect.stringMatching(/^\d{4}-.*Z$/) });
  expect(Date.parse(two.a.resetsAt)).toBeGreaterThan(Date.now());
});

test('an answer belongs to its key', async () => {
  const { headers } = await ask(service, '{ orders(first: 1) { totalCount } }');
  expect(headers.get('Cache-Control')).toBe('private, no-cache');
  expect(headers.get('Vary')).toContain('X-API-Key');
  expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
});

describe('fields besides the tables', () => {
  test('catalog and changes equal those of REST', async () => {
    for (const key of [keys.nordBasic, keys.nordEnterprise]) {
      const { catalog, changes } = await dataOf(
        service,
        '{ catalog { category tables } changes(since: "2020-01-01") { category table endpointUrl syncedAt changedAt rowCount version } }',
        { key },
      );
      expect(catalog).toEqual((await service.get('/catalog', { key })).json.categories);
      const rest = (await service.get('/changes?since=2020-01-01', { key })).json.changes;
      expect(changes.map((change: object) => Object.values(change))).toEqual(rest.map((change: object) => Object.values(change)));
    }
    expect((await dataOf(service, '{ changes(since: "2999-01-01T00:00:00Z") { table } }')).changes).toEqual([]);
  });

  test('the values of a coded column, and its labels on rows', async () => {
    const { lookupValues, orders } = await dataOf(
      service,
      '{ lookupValues(table: "orders", column: "orderType") { value label } orders(first: 20) { nodes { orderType orderTypeLabel } } }',
    );
    expect(lookupValues).toEqual((await service.get('/meta/orders/values/order_type')).json);
    const languages = await dataOf(
      service,
      `query ($shown: Language) {
        de: lookupValues(table: "orders", column: "orderType", language: DE) { value label }
        orders(first: 20) { nodes { orderType german: orderTypeLabel(language: DE) shown: orderTypeLabel(language: $shown) } }
        ordersGroups { groups { key { orderType orderTypeLabel english: orderTypeLabel(language: EN) } count } }
      }`,
      { variables: { shown: 'EN' } },
    );
    const german = (await service.get('/meta/orders/values/order_type?language=de')).json;
    const english = (await service.get('/meta/orders/values/order_type?language=en')).json;
    expect(languages.de).toEqual(german);
    const labelOf = (list: { value: string; label: string }[], code: string) => list.find(({ value }) => value === code)?.label ?? null;
    for (const { orderType, german: inGerman, shown } of languages.orders.nodes)
      expect([inGerman, shown]).toEqual([labelOf(german, orderType), labelOf(english, orderType)]);
    expect(languages.ordersGroups.groups.map(({ key }: { key: { orderType: string } }) => key.orderType)).toEqual([
      ...new Set(languages.ordersGroups.groups.map(({ key }: { key: { orderType: string } }) => key.orderType)),
    ]);
    for (const { key } of languages.ordersGroups.groups) expect(key.english).toBe(labelOf(english, key.orderType));
    const labels = new Map(lookupValues.map(({ value, label }: { value: string; label: string }) => [value, label]));
    for (const { orderType, orderTypeLabel } of orders.nodes) expect(orderTypeLabel).toBe(labels.get(orderType) ?? null);
  });
});

describe('GraphiQL', () => {
  const page = () => service.get('/graphql', { key: null, headers: { Accept: 'text/html,application/xhtml+xml' } });

  test('its page needs no key, runs only scripts of the service, and is a 304 for clients that have it', async () => {
    const { status, headers, text } = await page();
    expect([status, headers.get('Content-Security-Policy')]).toEqual([200, expect.stringContaining("; script-src 'self'; ")]);
    expect(text).not.toMatch(/<script>|<script(?! src="\/assets\/)| on\w+="/);
    expect(text).not.toMatch(/https?:\/\//);
    expect([headers.get('Cache-Control'), headers.get('Vary')]).toEqual(['public, no-cache', expect.stringMatching(/\bAccept(?:,|$)/)]);
    const again = await service.get('/graphql', {
      key: null,
      headers: { Accept: 'text/html', 'If-None-Match': headers.get('ETag') ?? '' },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('its script is compressed, under a hashed address', async () => {
    const path = /src="([^"]+graphiql\.js)"/.exec((await page()).text)?.[1] ?? '';
    const answer = await service.get(path, { key: null, headers: { 'Accept-Encoding': 'gzip' } });
    expect(answer.headers.get('Content-Encoding')).toBe('gzip');
    expect(answer.headers.get('Cache-Control')).toContain('immutable');
    expect(answer.text).toContain('graphiql-container');
    expect(
      (
        await service.get(
          path.replace(/[0-9a-f]{12}/, () => '0'.repeat(12)),
          { key: null },
        )
      ).status,
    ).toBe(404);
  });
});

describe('persisted operations', () => {
  const sha256Hash = createHash('sha256').update(persisted.trim()).digest('hex');
  const byHash = { variables: { first: 2 }, extensions: { persistedQuery: { version: 1, sha256Hash } } };

  test('are requested by hash', async () => {
    for (const where of [service, strict]) {
      const { data } = await ask(where, undefined, byHash);
      expect(data.orders.nodes).toHaveLength(2);
    }
  });

  test('an unknown hash has the error that clients expect', async () => {
    const { errors } = await ask(service, undefined, { extensions: { persistedQuery: { version: 1, sha256Hash: 'f'.repeat(64) } } });
    expect(errors[0].message).toBe('PersistedQueryNotFound');
  });

  test('nothing else is executed if they are required', async () => {
    const { data, errors } = await ask(strict, '{ orders { totalCount } }');
    expect([data, errors[0].message]).toEqual([undefined, 'PersistedQueryOnly']);
  });
});

test('an answer is compressed on request', async () => {
  const { json, headers } = await service.get(
    `/graphql?query=${encodeURIComponent('{ orders(first: 20) { nodes { orderId subject description } } }')}`,
    {
      headers: { 'Accept-Encoding': 'gzip' },
    },
  );
  expect(json.data.orders.nodes).toHaveLength(20);
  expect(headers.get('Content-Encoding')).toBe('gzip');
});

test('the data is in its place in an event stream, too', async () => {
  const { text, headers } = await service.get(`/graphql?query=${encodeURIComponent('{ orders(first: 1) { totalCount } }')}`, {
    headers: { Accept: 'text/event-stream' },
  });
  expect(headers.get('Content-Type')).toMatch('text/event-stream');
  expect(text).toMatch(/^event: next\ndata: \{"data":\{"orders":\{"totalCount":\d+\}\},"extensions":\{.*\}\}\n\n/m);
});
