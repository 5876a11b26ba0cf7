/** Every address of an answer has the path prefix of PUBLIC_URL, whether the request had it or not (contract: public URL). */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { defaultGroups } from '../../src/catalogue/tiers.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { Operator, password } from '../portal/operator.ts';
import { openTestDatabase } from '../support/database.ts';
import { startService, startServiceOn, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';

const address = 'https://example.com/estate';
let service: TestService;
let saver: string;

beforeAll(async () => {
  service = await startService({ environment: { PUBLIC_URL: `${address}/`, PORTAL_PASSWORD: password } });
  const customer = await findCustomer(service.database, 'nord');
  const groups = [...defaultGroups, 'raw', 'files', 'questions'] as const;
  saver = (await new KeyStore(service.database, testSecret).create({ customer, tier: 'enterprise', groups: [...groups], name: 'saver' }))
    .key;
});
afterAll(() => service.stop());

/** The values of all members of a name. */
const membersOf = (value: unknown, name: string): string[] =>
  Object.entries(value ?? {}).flatMap(([key, member]) =>
    key === name ? [member] : typeof member === 'object' ? membersOf(member, name) : [],
  );

const post = (path: string, body: object) =>
  fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': saver },
    body: JSON.stringify(body),
  }).then((answer) => answer.json());

test.each(['/catalog', '/operations/orders?limit=2&status=completed', '/openapi.json', '/docs/paging.md', '/', '/health/ready'])(
  '%s is the same with the prefix and without it, because proxies remove it or not',
  async (path) => {
    const [plain, prefixed] = [await service.get(path), await service.get(`/estate${path}`)];
    expect([plain.status, prefixed.status, prefixed.text]).toEqual([200, 200, plain.text]);
  },
);

test('the prefix alone is the front page, and another path is not found', async () => {
  const { status, text } = await service.get('/estate', { key: null });
  expect([status, text.includes('<h1>Your real-estate data, as an API</h1>')]).toEqual([200, true]);
  expect((await service.get('/estates/catalog')).status).toBe(404);
});

test.each(['/me', '/changes?since=2000-01-01', '/raw/tables', '/files'])('endpoint_url of %s leads to the service', async (path) => {
  const paths = membersOf((await service.get(path, { key: saver })).json, 'endpoint_url');
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((each) => !each.startsWith('/estate/'))).toEqual([]);
});

test('a page has a link to the next one', async () => {
  for (const prefix of ['', '/estate']) {
    const { headers } = await service.get(`${prefix}/operations/orders?limit=1`);
    const [, link = ''] = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
    expect(link).toMatch(/^\/estate\/operations\/orders\?limit=1&cursor=/);
    expect((await service.get(link)).status).toBe(200);
  }
  const raw = await service.get('/raw/person?limit=1&format=csv');
  expect(raw.headers.get('link')).toMatch(/^<\/estate\/raw\/person\?/);
});

test('latest redirects to a file', async () => {
  const { status, headers } = await service.get('/estate/files/properties/latest.parquet', { key: saver });
  expect([status, headers.get('location')]).toEqual([302, expect.stringMatching(/^\/estate\/files\/properties\/\d+\.parquet$/)]);
  const building = await service.get(headers.get('location') ?? '', { key: saver, headers: { Prefer: 'wait=0' } });
  if (building.status === 202) expect(building.json.endpoint_url).toBe(headers.get('location'));
});

test('a saved question names its address', async () => {
  const saved = await fetch(`${service.url}/questions/mine`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': saver },
    body: JSON.stringify({ document: '{ properties(first: 1) { nodes { propertyId } } }' }),
  });
  const body = (await saved.json()) as { endpoint_url: string };
  expect([saved.status, saved.headers.get('location'), body.endpoint_url]).toEqual([
    201,
    '/estate/questions/mine',
    '/estate/questions/mine',
  ]);
  const listed = (await service.get('/questions', { key: saver })).json as { endpoint_url: string }[];
  expect(listed.map(({ endpoint_url }) => endpoint_url)).toContain('/estate/questions/mine');
});

test('GraphQL has the same addresses as REST', async () => {
  const { data } = (await post('/graphql', {
    query: '{ me { tables { endpointUrl } } changes(since: "2000-01-01T00:00:00Z") { endpointUrl } }',
  })) as { data: { me: { tables: { endpointUrl: string }[] }; changes: { endpointUrl: string }[] } };
  const paths = [...data.me.tables, ...data.changes].map(({ endpointUrl }) => endpointUrl);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !path.startsWith('/estate/'))).toEqual([]);
  const { data: rest } = (await post('/graphql/rest', {
    query: '{ me { tier } orders(first: 2) { nodes { orderId } } rateLimit { limit } }',
  })) as {
    data: { requests: { field: string; path?: string; notes: string[] }[] };
  };
  expect(rest.requests.map(({ path }) => path?.split('?')[0])).toEqual(['/estate/me', '/estate/operations/orders', undefined]);
  expect(Object.keys(rest.requests[0] ?? {})).toEqual(['field', 'path', 'notes']);
});

test('problems name the address of the request', async () => {
  for (const path of ['/operations/nothing', '/estate/operations/nothing'])
    expect((await service.get(path)).json).toMatchObject({ status: 404, instance: '/estate/operations/nothing' });
  expect((await service.get('/estate/%')).json).toMatchObject({ status: 400, instance: '/estate/%' });
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(service.port, '127.0.0.1', () => socket.write('GET /estate/catalog HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n'));
    socket.on('data', (bytes) => resolve(String(bytes)));
  });
  expect(answer).toContain('"instance":"/estate/catalog"');
});

test('documents for programs have the public URL, whatever the Host header is', async () => {
  const headers = { Host: 'other.example' };
  const { json, headers: sent } = await service.get('/.well-known/api-catalog', { headers });
  expect(json.linkset.map(({ anchor }: { anchor: string }) => anchor)).toEqual([`${address}/`, `${address}/graphql`, `${address}/mcp`]);
  expect(sent.get('link')).toBe('</estate/.well-known/api-catalog>; rel="api-catalog"');
  expect((await service.get('/openapi.json', { headers })).json.servers).toEqual([{ url: address }]);
  expect((await service.get('/docs/files/estate.sql', { headers })).text).toContain(
    `read_parquet('${address}/files/orders/latest.parquet')`,
  );
  for (const path of ['/llms.txt', '/docs/start.md', '/docs/files.md']) {
    const { text } = await service.get(path, { headers });
    expect(text).toContain(address);
    expect(text).not.toMatch(/estate\.example\.com|127\.0\.0\.1|other\.example/);
  }
});

describe('the portal', () => {
  test('keeps its cookie to its own path, and only for https', async () => {
    const answer = await new Operator(service).get('/estate/portal/sign-in');
    expect(answer.headers.get('set-cookie')).toMatch(/; Path=\/estate\/portal;.*; Secure/);
  });

  test('leads to the sign-in and back', async () => {
    const operator = new Operator(service);
    const { location } = await operator.get('/portal/keys?customer=nord');
    expect(location).toBe('/estate/portal/sign-in?to=%2Fportal%2Fkeys%3Fcustomer%3Dnord');
    const answer = await operator.submit(location ?? '', { password }, '/estate/portal/sign-in');
    expect([answer.status, answer.location]).toEqual([303, '/estate/portal/keys?customer=nord']);
    expect((await operator.get('/estate/portal/customers/nord')).text).toContain('<code>/estate/questions/');
  });
});

test('a service whose prefix begins like one of its paths does not start', async () => {
  const database = await openTestDatabase();
  const start = startServiceOn(database, { environment: { PUBLIC_URL: 'https://example.com/portal', PORTAL_PASSWORD: password } });
  await expect(start).rejects.toThrow('PUBLIC_URL must not begin its path with /portal, which is a path of the service');
  await database.close();
});

test('without a path prefix, PUBLIC_URL sets the address of the service only', async () => {
  const plain = await startService({ environment: { PUBLIC_URL: 'https://data.example.com' } });
  expect((await plain.get('/me')).json.tables[0].endpoint_url).toMatch(/^\/[a-z]+\/\w+$/);
  expect((await plain.get('/docs/start.md')).text).toContain('https://data.example.com/');
  expect((await plain.get('/', { key: null })).text).toContain('href="/docs"');
  expect((await plain.get('/me', { key: keys.nordBasic })).status).toBe(200);
  await plain.stop();
});
