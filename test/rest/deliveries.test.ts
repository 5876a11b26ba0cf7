/** Files from the customer's own scheduler (contract: delivery keys; files of deliveries; deletions over HTTP). */
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { keepSource } from '../../src/sources/kept/kept-sources.ts';
import { outsideLimits } from '../../src/sources/outside/limits.ts';
import { parseSource } from '../../src/sources/source-file.ts';
import { Operator, password } from '../portal/operator.ts';
import { zipOf } from '../sources/archives.ts';
import { LoadedCustomer } from '../sources/support.ts';
import { startInstance, startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';

let service: TestService;
let owner: LoadedCustomer;
let operator: Operator;
let key: string;
const data = '/portal/customers/deliverer/data';

const source = `name: erp
tables:
  - table: person
    path: "*.csv"
    primaryKey: Nr
    columns: { person_type_key: { constant: natural }, last_name: Name }
`;

beforeAll(async () => {
  service = await startService({ environment: { PORTAL_PASSWORD: password } });
  operator = await new Operator(service).signIn();
  owner = await LoadedCustomer.add(service.database, 'deliverer');
  key = (await store().create({ customer: owner.customer, tier: 'basic', groups: ['deliveries'] })).key;
});
afterAll(() => service.stop());

const store = () => new KeyStore(service.database, testSecret);
const keep = (text = source) =>
  keepSource(
    service.database.control,
    { customer: owner.customer, actor: { name: 'anna' } },
    { source: parseSource(text, 'erp.yml'), text },
  );

const list = (count: number, name = 'Weber') =>
  `Nr,Name\n${Array.from({ length: count }, (_, index) => `${index + 1},${name}\n`).join('')}`;

const put = async (name: string, body: RequestInit['body'], headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(`${service.url}/deliveries/${name}`, {
    method: 'PUT',
    body: body as never,
    headers: { 'X-API-Key': key, 'Content-Type': 'text/csv', ...headers },
  });
  return { status: response.status, headers: response.headers, json: JSON.parse(await response.text()) };
};

const stateAt = async (location: string) => {
  const { pathname } = new URL(location, service.url);
  return (await fetch(`${service.url}${pathname}`, { headers: { 'X-API-Key': key } })).json();
};

/** The state of a delivery, once it is not worked on. */
const deliver = async (name: string, body: RequestInit['body']) => {
  const { status, headers, json } = await put(name, body);
  expect([status, json]).toEqual([202, expect.objectContaining({ state: expect.any(String) })]);
  const location = headers.get('location') ?? '';
  await expect.poll(async () => (await stateAt(location)).state, { timeout: 100_000 }).not.toBe('running');
  return { location, state: await stateAt(location) };
};

const persons = async () => Number((await owner.ask('select count(*) as n from $schema.person'))[0]?.n);
const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`estate-scratch-${process.pid}-`));

test('without a kept source, a delivery is a conflict and nothing is received', async () => {
  expect(await put('a.csv', list(1))).toMatchObject({
    status: 409,
    json: { detail: 'deliverer has no kept source.', instance: '/deliveries/a.csv' },
  });
  await keep();
});

test('a delivery key reads nothing, and other keys deliver nothing', async () => {
  const paths = [
    '/me',
    '/catalog',
    '/tables',
    '/changes',
    '/property/properties',
    '/raw/person',
    '/raw/tables',
    '/graphql',
    '/files',
    '/questions',
  ];
  for (const path of [...paths, '/openapi.json', '/docs', '/', '/portal', '/nothing', '/meta/orders/values/status', '/prints?address=/me'])
    expect([path, (await fetch(`${service.url}${path}`, { headers: { 'X-API-Key': key }, redirect: 'manual' })).status]).toEqual([
      path,
      403,
    ]);
  for (const path of ['/graphql', '/graphql/rest', '/mcp'])
    expect([path, (await fetch(`${service.url}${path}`, { method: 'POST', headers: { 'X-API-Key': key } })).status]).toEqual([path, 403]);
  for (const method of ['POST', 'DELETE', 'PATCH'])
    expect((await fetch(`${service.url}/deliveries/a.csv`, { method, headers: { 'X-API-Key': key } })).status).toBe(405);
  expect((await put('a.csv', list(1), { 'X-API-Key': keys.nordEnterprise })).status).toBe(403);
  expect((await put('a.csv', list(1), { 'X-API-Key': `${key}x` })).status).toBe(401);
  await expect(store().create({ customer: owner.customer, tier: 'basic', groups: ['deliveries', 'rest'] })).rejects.toThrow(
    'goes with no other',
  );
  await expect(
    store().create({ customer: owner.customer, tier: 'basic', groups: ['deliveries'], scope: { personal: [] } as never }),
  ).rejects.toThrow('no data scope');
  expect(leftovers()).toEqual([]);
});

test('a file and an archive are loaded, and the state has counts and no rows', async () => {
  const first = await deliver('list.csv', list(60));
  expect(first.state).toMatchObject({
    file: 'list.csv',
    state: 'loaded',
    source: 'erp.yml',
    source_version: 1,
    rows_read: 60,
    reasons: [],
  });
  expect(first.state.tables).toEqual([{ table: 'person', inserted: 60, updated: 0, deleted: 0 }]);
  const second = await deliver('of the night.zip', new Uint8Array(zipOf([{ name: 'list.csv', bytes: list(61) }])));
  expect(second.state).toMatchObject({ state: 'loaded', rows_read: 61 });
  expect(await persons()).toBe(61);
  const log = (await operator.get('/portal/log')).text;
  expect(log).toContain('delivered file to load');
  expect(log).toContain('deliverer: erp.yml version 1, list.csv');
  const other = (await store().create({ customer: owner.customer, tier: 'basic', groups: ['deliveries'] })).key;
  const { pathname } = new URL(first.location, service.url);
  expect((await fetch(`${service.url}${pathname}`, { headers: { 'X-API-Key': other } })).status).toBe(404);
  for (const id of ['x', '../me', '%00', '00000000-0000-0000-0000-000000000000'])
    expect((await fetch(`${service.url}/deliveries/${encodeURIComponent(id)}`, { headers: { 'X-API-Key': key } })).status).toBe(404);
  expect(leftovers()).toEqual([]);
});

test('a delivery that lacks rows waits until a person allows it, and the key sees no figure', async () => {
  const { state, location } = await deliver('list.csv', list(59));
  expect(state).toMatchObject({ state: 'waiting', tables: [], reasons: [expect.stringContaining('A person decides')] });
  // The id and the times are of no table.
  const { id: _, received_at, ended_at, ...said } = state;
  expect(JSON.stringify(said)).not.toMatch(/59|61|60/);
  expect(await persons()).toBe(61);

  expect((await operator.get(data)).text).toContain('Waiting deliveries');
  const page = `${data}/uploads/${location.split('/').at(-1)}`;
  expect((await operator.get(page)).text).toContain('person: the load would delete 2 of 61 rows: 60, 61');
  expect((await operator.submit(page, { decision: 'allow' })).status).toBe(303);
  await expect.poll(async () => (await stateAt(location)).state, { timeout: 100_000 }).toBe('loaded');
  expect(await persons()).toBe(59);
  expect((await operator.submit(data, { decision: 'allow', token: (await operator.hidden(data)).token ?? '' }, page)).status).toBe(422);
  expect(await owner.ask('select count(*)::integer as n from $schema._delivered_files')).toEqual([{ n: 0 }]);
  expect((await operator.get('/portal/log')).text).toContain('allowed a delivery');
});

test('a refused delivery waits, is tried again after a change of the source, and can be discarded', async () => {
  const { state, location } = await deliver('list.csv', 'Nummer,Name\n1,Weber\n');
  expect(state).toMatchObject({ state: 'waiting', reasons: [expect.stringContaining('Nr')] });
  const page = `${data}/uploads/${location.split('/').at(-1)}`;
  expect((await operator.get(page)).text).not.toContain('This is right');
  await keep(source.replace('primaryKey: Nr', 'primaryKey: Nummer'));
  expect((await operator.submit(page, { decision: 'again' })).status).toBe(303);
  await expect.poll(async () => (await stateAt(location)).state, { timeout: 100_000 }).toBe('waiting');
  // The source is right now, and the file lacks rows of the table.
  expect(await stateAt(location)).toMatchObject({ source_version: 2, reasons: [expect.stringContaining('A person decides')] });
  await keep();

  expect((await operator.submit(page, { decision: 'discard' })).status).toBe(303);
  expect((await stateAt(location)).state).toBe('discarded');
  expect(await owner.ask('select count(*)::integer as n from $schema._delivered_files')).toEqual([{ n: 0 }]);
});

test('a delivery with a column of another name waits with its doubt, and the answer loads it', async () => {
  const count = await persons();
  const { location } = await deliver('list.csv', list(count, 'Kurz').replace('Nr,', 'Nummer,'));
  const id = location.split('/').at(-1)!;
  const draft = `${data}/drafts/${id}`;
  expect((await operator.get(`${data}/uploads/${id}`)).text).toContain(`href="${draft}">Answer the doubts`);
  expect((await operator.submit(draft, { doubt: 'gone/0/Nr', column: 'Nummer' }, `${draft}/answer`)).status).toBe(303);
  const ended = async (path: string) => {
    await expect.poll(async () => (await operator.get(path)).headers.get('refresh'), { timeout: 100_000 }).toBeNull();
    return operator.get(path);
  };
  const { location: checked } = await operator.submit(draft, {}, `${draft}/check`);
  expect((await ended(checked!)).text).toContain('The files can be loaded.');
  const { location: loaded } = await operator.submit(checked!, {}, `${draft}/load`);
  expect((await ended(loaded!)).text).toContain('They are loaded.');
  expect(await owner.ask("select count(*)::int as n from $schema.person where last_name = 'Kurz'")).toEqual([{ n: count }]);
  expect((await stateAt(location)).state).toBe('discarded');
  await keep();
});

test('after seven days without a decision the files are gone, and the state says so', async () => {
  const { pool } = service.database;
  const other = await LoadedCustomer.add(service.database, 'other');
  const { location } = await deliver('list.csv', list(58));
  const young = await deliver('list.csv', list(57));
  expect([(await stateAt(location)).state, young.state.state]).toEqual(['waiting', 'waiting']);
  const id = location.split('/').at(-1);
  await owner.ask(`update $schema._delivered_files set kept_at = now() - interval '169 hours' where delivery = '${id}'`);
  await pool.query("update estate.uploads set started_at = now() - interval '169 hours' where id = $1", [id]);
  // A file of a draft, of a customer that never comes back.
  await pool.query(`create table ${other.customer.schema_name}._delivered_files (like ${owner.customer.schema_name}._delivered_files)`);
  await other.ask(`insert into $schema._delivered_files values ('x', 'a.csv', 0, '', now() - interval '169 hours')`);
  const next = await startInstance(service.database);
  await expect.poll(async () => (await other.ask('select delivery from $schema._delivered_files')).length).toBe(0);
  await next.close();
  expect(await owner.ask('select distinct delivery from $schema._delivered_files')).toEqual([
    { delivery: young.location.split('/').at(-1) },
  ]);
  expect(await stateAt(location)).toMatchObject({ state: 'failed', reasons: [expect.stringContaining('the files are gone')] });
  const page = `${data}/uploads/${id}`;
  expect((await operator.get(page)).text).not.toContain('name="decision"');
  const { token = '' } = await operator.hidden(data);
  expect((await operator.submit(data, { decision: 'allow', token }, page)).status).toBe(422);
  const waiting = `${data}/uploads/${young.location.split('/').at(-1)}`;
  expect((await operator.submit(waiting, { decision: 'discard' })).status).toBe(303);
});

test('a delivery whose process has ended has failed, and one with files waits again', async () => {
  const { location } = await deliver('list.csv', list(59));
  const end = (held: string | null) =>
    service.database.pool.query(
      "update estate.uploads set ended_at = null, result = null, held = $2, seen_at = now() - interval '1 minute' where id = $1",
      [location.split('/').at(-1), held],
    );
  await end(null);
  expect(await stateAt(location)).toMatchObject({ state: 'failed', reasons: [expect.stringContaining('ended before the load did')] });
  await end(JSON.stringify({ canAllow: false, deletes: [], emptyColumns: [], source: { kept: 'erp' } }));
  expect((await stateAt(location)).state).toBe('waiting');
  await service.database.pool.query('update estate.uploads set discarded_at = now() where held is not null');
});

test('names are data, and what is no file is refused', async () => {
  for (const name of [
    '..%2f..%2fetc%2fpasswd',
    '..%5ca.csv',
    '.hidden.csv',
    'a%00.csv',
    `${'long'.repeat(60)}.csv`,
    '%E2%80%AEvsc.exe',
    'a%0d%0ab.csv',
    '%2e%2e%2fa',
  ])
    expect([name, (await put(name, list(1))).status]).toEqual([name, 422]);
  expect((await put('a.csv', '')).status).toBe(422);
  for (const [headers, status] of [
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    [{ 'Content-Type': 'multipart/form-data; boundary=x' }, 415],
    [{ 'Content-Encoding': 'gzip' }, 415],
    [{ 'Content-Range': 'bytes 0-1/5' }, 400],
  ] as const)
    expect((await put('a.csv', list(1), headers)).status).toBe(status);
  expect((await put('a.csv?source=other', list(1))).status).toBe(409);
  expect(leftovers()).toEqual([]);
});

/** Sends the head of a request and a part of its body. Gives the answer when the service closes, or undefined if the client leaves. */
const sendPart = (head: readonly string[], part: string, leaves = false): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => {
      socket.write(`${[...head, 'Host: x', `X-API-Key: ${key}`].join('\r\n')}\r\n\r\n${part}`, () => {
        if (leaves) socket.destroy();
      });
    });
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      if (text.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });

test('a file that is too large, and a client that leaves, keep nothing', async () => {
  const tooLarge = ['PUT /deliveries/a.csv HTTP/1.1', `Content-Length: ${outsideLimits.fileBytes + 1}`];
  expect(await sendPart(tooLarge, 'Nr,Name\n')).toMatch(/^HTTP\/1\.1 413 /);
  const chunk = Buffer.alloc(1_000_000, 'x');
  async function* endless() {
    for (let sent = 0; sent <= outsideLimits.fileBytes; sent += chunk.length) yield chunk;
  }
  const streamed = await fetch(`${service.url}/deliveries/a.csv`, {
    method: 'PUT',
    body: endless() as never,
    duplex: 'half',
    headers: { 'X-API-Key': key },
  } as RequestInit).then(
    ({ status }) => status,
    () => 'reset',
  );
  expect([413, 'reset']).toContain(streamed);
  await sendPart(['PUT /deliveries/a.csv HTTP/1.1', 'Content-Length: 1000'], 'Nr,Name\n', true);
  await expect.poll(leftovers, { timeout: 20_000 }).toEqual([]);
  expect((await deliver('list.csv', list(59, 'Meier'))).state.state).toBe('loaded');
});

test('two deliveries are received at once, and a third one waits for its turn', async () => {
  const slow = ['PUT /deliveries/a.csv HTTP/1.1', 'Content-Length: 1000', 'Content-Type: text/csv'];
  const sockets = [1, 2].map(() => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`${[...slow, 'Host: x', `X-API-Key: ${key}`].join('\r\n')}\r\n\r\nNr,Name\n`);
    return socket;
  });
  await expect.poll(() => leftovers().length, { timeout: 20_000 }).toBe(2);
  const third = await put('a.csv', list(1));
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, '30']);
  for (const socket of sockets) socket.destroy();
  await expect.poll(leftovers, { timeout: 20_000 }).toEqual([]);
});
