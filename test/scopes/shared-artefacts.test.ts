/**
 * No answer depends on the keys that asked before: each is that of a new process, also from a cache or a file (contract: data scopes; files
 * and rights; caching).
 *
 * The keys differ in tier, personal classes, property set and endpoint groups. Each key is the first one in a new process with an empty
 * folder of files. Then all keys send the same requests. So each pair of keys asks in both orders.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { QuestionStore } from '../../src/access/questions.ts';
import type { ScopeDefinition } from '../../src/catalogue/data-scope.ts';
import { type EndpointGroup, endpointGroups, type Tier } from '../../src/catalogue/tiers.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { untilBuilt } from '../files/support.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { startInstance } from '../support/service.ts';
import { testSecret } from '../support/settings.ts';

interface Rights {
  readonly tier?: Tier;
  readonly groups?: readonly EndpointGroup[];
  readonly scope?: ScopeDefinition | null;
}

/** Rights that have one difference each, and some with two. */
const readers = {
  all: {},
  professional: { tier: 'professional' },
  basic: { tier: 'basic' },
  'without personal data': { scope: { personal: [] } },
  'names only': { scope: { personal: ['name'] } },
  'one property': { scope: { properties: { ids: [1001] } } },
  'another property': { scope: { properties: { ids: [1002] } } },
  'a company': { scope: { properties: { companies: ['10'] } } },
  'one property, no personal data': { scope: { personal: [], properties: { ids: [1001] } } },
  'no raw tables': { groups: ['rest', 'graphql', 'files'] },
  'raw tables alone': { groups: ['raw', 'files'], scope: { properties: { ids: [1001] } } },
} as const satisfies Readonly<Record<string, Rights>>;
type Reader = keyof typeof readers;
const names = Object.keys(readers) as Reader[];

/** Raw tables that are the same for all properties. The customer's have a column that the catalogue does not list. */
const sharedTables = ['catalog_value', 'index_value', 'kontenmapping'] as const;

const document = '{ tenants(first: 5) { totalCount nodes { tenantId name iban account { accountName } } } }';
const labelled = '{ units(first: 5) { nodes { unitId unitTypeLabel } } ordersGroups { totals { count } groups { key { status } count } } }';

interface Asked {
  readonly path: string;
  readonly body?: object;
}

const asked: readonly Asked[] = [
  ...sharedTables.flatMap((table) => [
    ...(table === 'catalog_value' ? ['ndjson.gz', 'csv.gz', 'parquet'] : ['ndjson.gz']).map((format) => ({
      path: `/files/raw/${table}/latest.${format}`,
    })),
    { path: `/raw/${table}?limit=20` },
    { path: `/raw/${table}?limit=20&format=csv` },
  ]),
  ...['tenants', 'properties', 'raw/person'].map((table) => ({ path: `/files/${table}/latest.ndjson.gz` })),
  { path: '/files' },
  { path: '/stakeholder/tenants?limit=5' },
  { path: '/stakeholder/tenants?limit=5&format=csv' },
  { path: '/stakeholder/tenants/groups?by=status&count=true' },
  { path: '/operations/orders?limit=5&status=closed' },
  { path: '/property/properties?limit=5' },
  { path: '/raw/person?limit=5' },
  { path: '/catalog' },
  { path: '/tables' },
  { path: '/raw/tables' },
  { path: '/meta/units/values/unit_type' },
  { path: '/questions' },
  { path: '/questions/names' },
  { path: '/questions/names?format=csv' },
  { path: '/graphql', body: { query: document } },
  { path: '/graphql', body: { query: labelled } },
  { path: '/graphql', body: { query: '{ __schema { types { name fields { name description } } } }' } },
  { path: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  {
    path: '/mcp',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'describe_table', arguments: { table: 'tenants' } } },
  },
  { path: '/openapi.json' },
  ...['', '/files', '/tables', '/codes', '/raw', '/tables/tenants', '/tables/properties', '/tables/orders', '/reference'].map((page) => ({
    path: `/docs${page}`,
  })),
];

interface Instance {
  readonly url: string;
  close(): Promise<void>;
}

let database: Database;
const keys = new Map<Reader, string>();
const instances: FastifyInstance[] = [];
const folders: string[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  for (const table of sharedTables) {
    await database.pool.query(`alter table customer_nord.${table} add column internal_remark text`);
    await database.pool.query(`update customer_nord.${table} set internal_remark = 'not in the catalogue'`);
  }
  await new QuestionStore(database).add({ name: 'names', document: `# Tenants\n${document}` }, undefined);
  const customer = await findCustomer(database, 'nord');
  const store = new KeyStore(database, testSecret);
  for (const name of names) {
    const { tier = 'enterprise', groups = endpointGroups, scope = null }: Rights = readers[name];
    keys.set(name, (await store.create({ customer, tier, groups, scope })).key);
  }
}, 120_000);
afterAll(async () => {
  await Promise.all(instances.map((app) => app.close()));
  await database.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A new process: empty caches, and an empty store of files. */
const start = async (): Promise<Instance> => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-artefacts-'));
  folders.push(folder);
  const app = await startInstance(database, { FILES_DIR: folder, PUBLIC_URL: 'http://localhost:8080' });
  instances.push(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, close: () => app.close() };
};

interface Seen {
  readonly status: number;
  readonly tag: string | null;
  readonly text: string;
}

const portPattern = /127\.0\.0\.1:\d+/g;

/** The answer to one key, without the address of the process. A file is waited for. */
const ask = async ({ url }: Instance, key: string, { path, body }: Asked): Promise<Seen> => {
  const headers = {
    'X-API-Key': key,
    ...(body && { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }),
  };
  const response = await untilBuilt(() => fetch(url + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) }));
  const bytes = Buffer.from(await response.arrayBuffer());
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = (isGzip ? gunzipSync(bytes) : bytes).toString('latin1').replaceAll(portPattern, 'host');
  // A problem document names the path, and a page's tag the address of the process.
  const tag = path.startsWith('/docs') ? null : response.headers.get('etag');
  return { status: response.status, tag, text };
};

const nameOf = ({ path, body }: Asked): string => (body ? `${path} ${JSON.stringify(body)}` : path);

/** Short, because a failure shows many of them. */
const digestOf = ({ status, tag, text }: Seen): string =>
  `${status} ${tag} ${createHash('sha256').update(text).digest('hex').slice(0, 12)}${text.includes('not in the catalogue') ? ' with the unlisted column' : ''}`;

const askAll = async (instance: Instance, reader: Reader): Promise<Readonly<Record<string, string>>> => {
  const seen: Record<string, string> = {};
  for (const each of asked) seen[nameOf(each)] = digestOf(await ask(instance, keys.get(reader)!, each));
  return seen;
};

/** The answers of a new process to one key. */
const fresh = new Map<Reader, Readonly<Record<string, string>>>();

test('keys differ in their answers, and a hidden column is hidden from keys with a scope alone', async () => {
  for (const reader of names) {
    const instance = await start();
    fresh.set(reader, await askAll(instance, reader));
    await instance.close();
  }
  const path = '/files/raw/catalog_value/latest.ndjson.gz';
  expect(fresh.get('all')![path]).toMatch(/^200 .* with the unlisted column$/);
  for (const reader of ['one property', 'without personal data', 'raw tables alone'] as const)
    expect(fresh.get(reader)![path]).toMatch(/^200 .*[0-9a-f]{12}$/);
  for (const each of asked.map(nameOf)) {
    const all = new Set(names.map((reader) => fresh.get(reader)![each]));
    if (!/^\/(meta|tables$|docs\/(reference|files)?$|docs$)/.test(each)) expect([each, all.size > 1]).toEqual([each, true]);
  }
}, 600_000);

/** On the embedded database, which is slower, these keys alone are first. */
const firstReaders: readonly Reader[] = onServer ? names : ['all', 'one property', 'one property, no personal data'];

test.each(firstReaders)(
  'after the key "%s", every key gets the answers of a new process',
  async (first) => {
    const instance = await start();
    try {
      for (const reader of [first, ...names, first]) {
        expect({ reader, ...(await askAll(instance, reader)) }).toEqual({ reader, ...fresh.get(reader) });
      }
    } finally {
      await instance.close();
    }
  },
  600_000,
);
