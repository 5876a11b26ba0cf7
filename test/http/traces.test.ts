/**
 * Traces reach a collector over OTLP/HTTP, with the shape of the request and without its values. Without a collector no code for traces is
 * loaded.
 */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { onServer, openTestDatabase } from '../support/database.ts';
import { recordedLog } from '../support/log.ts';
import { startEstate } from '../support/program.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

let collector: Server;
let endpoint = '';
let bodies: string[];
let service: TestService | undefined;

beforeEach(async () => {
  bodies = [];
  collector = createServer(async (request, response) => {
    expect(`${request.method} ${request.url}`).toBe('POST /v1/traces');
    bodies.push(JSON.stringify(await json(request)));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await service?.stop();
  service = undefined;
  collector.closeAllConnections();
  collector.close();
});

const start = async (environment: Record<string, string> = {}, log?: ReturnType<typeof recordedLog>) => {
  service = await startService({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...environment },
    ...(log && { logger: log.logger }),
  });
  return service;
};
/** The exported spans when the service has ended. */
const exported = async (): Promise<readonly Span[]> => {
  await service?.stop();
  service = undefined;
  return bodies.flatMap((body) =>
    JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
};
/** Ids and times contain random digits. */
const withoutIds = (body: string): string => body.replaceAll(/"[0-9a-f-]{16,}"/g, '""');
const attributesOf = ({ attributes }: Span) => Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

test('a page has a span for the request and one for its statement, named by the shape of the plan', async () => {
  const { get } = await start({ RESPONSE_CACHE_MB: '0' });
  await get('/accounting/booking_header?fiscal_year=2026&limit=3&document_number=4711');
  const spans = await exported();
  const request = spans.find(({ name }) => name === 'GET /:category/:table') as Span;
  expect(attributesOf(request)).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/:category/:table',
    'http.response.status_code': 200,
    'estate.class': 'enterprise',
    'estate.is_whole': true,
  });
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
  const [statement] = statements as [Span];
  expect(statements.map(({ name }) => name)).toContain('page booking_header');
  expect(attributesOf(statement)).toMatchObject({
    'db.system.name': 'postgresql',
    'db.operation.name': 'page',
    'db.collection.name': 'booking_header',
    'estate.limit': 4,
    'estate.position': 'first',
  });
  expect(attributesOf(statement)['estate.filter']).toContain('"fiscal_year"');
  expect(BigInt(statement.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(request.startTimeUnixNano));
  expect(BigInt(statement.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(request.endTimeUnixNano));
  expect(bodies.join()).toContain('"service.name"');
  // No value of a filter, no key, no SQL, no path.
  expect(withoutIds(bodies.join())).not.toMatch(/2026|4711|est_nord|nordenterprise|select |booking_header\?/i);
});

test('a document has a span for the request and for the statement of each level; a large page has its summary and its rows', async () => {
  const { get } = await start();
  const query =
    '{ orders(first: 5, filter: { subject: { iContains: "hush" } }) { nodes { orderId property { orders(first: 1) { nodes { orderId } } } } } }';
  await get(`/graphql?query=${encodeURIComponent(query)}`);
  await get(`/graphql?query=${encodeURIComponent('{ properties(first: 2) { nodes { orders(first: 1) { nodes { orderId } } } } }')}`);
  await get('/operations/orders?limit=5000');
  const spans = await exported();
  const names = (route: string) => {
    const requests = spans.filter(({ name }) => name === route);
    return requests.flatMap((request) => spans.filter(({ parentSpanId }) => parentSpanId === request.spanId).map(({ name }) => name));
  };
  expect(names('GET /graphql')).toEqual(expect.arrayContaining(['rows orders', 'rows properties']));
  expect(spans.some((span) => attributesOf(span)['estate.parents'] === 'property_id')).toBe(true);
  expect(names('GET /:category/:table')).toEqual(expect.arrayContaining(['summary orders', 'rows orders']));
  expect(bodies.join()).not.toContain('hush');
});

test.runIf(onServer)('the wait for a slot is a separate span', async () => {
  const { get } = await start({ RESPONSE_CACHE_MB: '0' });
  await Promise.all(Array.from({ length: 12 }, (_, offset) => get(`/operations/orders?limit=1000&offset=${offset}`)));
  const waits = (await exported()).filter(({ name }) => name === 'wait for pages');
  expect(waits.length).toBeGreaterThan(0);
  expect(attributesOf(waits[0] as Span)).toEqual({ 'estate.queue': 'pages' });
});

test('a caller with a valid key continues its own trace, and other callers do not', async () => {
  const { get } = await start();
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  await get('/catalog', { headers });
  await get('/tables', { headers, key: null });
  await get('/changes?since=2024-01-01', { headers: { traceparent: 'nonsense' } });
  await get('/raw/tables', { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-00` } });
  const spans = await exported();
  const of = (route: string) => spans.find(({ name }) => name === `GET ${route}`);
  expect(of('/catalog')).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' });
  expect(of('/tables')?.traceId).not.toBe(traceId);
  expect(attributesOf(of('/tables') as Span)).toMatchObject({ 'http.response.status_code': 401, 'estate.class': 'none' });
  expect(of('/changes')?.parentSpanId ?? '').toBe('');
  // A caller that is not sampled is not sampled here either.
  expect(of('/raw/tables')).toBeUndefined();
});

test('health checks have no traces, and unknown paths have no name', async () => {
  const { get } = await start();
  await get('/health/ready', { key: null });
  await get('/made/up/path');
  const names = (await exported()).map(({ name }) => name);
  expect(names).toContain('GET none');
  expect(names.filter((name) => /health|made/.test(name))).toEqual([]);
});

test('an unreachable collector causes a warning but no errors, and does not delay the stop', async () => {
  collector.close();
  const log = recordedLog();
  const { get } = await start({}, log);
  expect((await get('/catalog')).status).toBe(200);
  await exported();
  expect(log.texts.join('')).toContain('traces are not collected');
  expect(log.texts.join('')).not.toContain(testSecret);
});

describe.runIf(onServer)('the built program', () => {
  /** The scripts that it has loaded at its end, according to V8. */
  const loadedBy = async (environment: Record<string, string>) => {
    const database = await openTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'loaded-'));
    try {
      const env = { DATABASE_URL: database.address, KEY_SECRET: testSecret, PORT: '0', LOG_LEVEL: 'warn' };
      const program = startEstate(['serve'], { ...env, NODE_V8_COVERAGE: folder, ...environment }, ['ignore', 'pipe', 'inherit']);
      const [bytes] = await once(program.stdout!, 'data');
      const [, url = ''] = /answers at (\S+)/.exec(String(bytes)) ?? [];
      expect((await fetch(`${url}/catalog`, { headers: { 'X-API-Key': keys.nordBasic } })).status).toBe(200);
      const ended = once(program, 'exit');
      program.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      return readdirSync(folder).flatMap((file) => {
        const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { result: { url: string }[] };
        return result.map(({ url }) => url);
      });
    } finally {
      rmSync(folder, { recursive: true });
      await database.close();
    }
  };
  /** Without the semantic conventions, which the metrics library also loads. */
  const ofOpenTelemetry = (urls: readonly string[]) => urls.filter((url) => /@opentelemetry\/(?!api\/)|\/dist\/traces-/.test(url));

  test('loads no code for traces unless a collector is configured', async () => {
    const without = await loadedBy({});
    expect(without.some((url) => url.endsWith('/dist/main.js'))).toBe(true);
    expect(ofOpenTelemetry(without)).toEqual([]);
    expect(ofOpenTelemetry(await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).length).toBeGreaterThan(0);
    expect(bodies.join()).toContain('GET /catalog');
  });
});
