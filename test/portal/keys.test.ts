/** Issuing, rotating, restricting and ending keys in the portal. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { BilingualOperator } from './german.ts';
import { idOf, keyIn, Operator, password } from './operator.ts';

let service: TestService;
let operator: Operator;

beforeAll(async () => {
  service = await startService({ environment: { PORTAL_PASSWORD: password } });
  operator = await new BilingualOperator(service).signIn();
});
afterAll(() => service.stop());

const table = '/operations/orders?limit=1';
const statusOf = async (key: string, path = table) => (await service.get(path, { key })).status;

/** Waits until a key has that status (contract: key revocation). */
const until = (status: number, key: string, path = table): Promise<void> =>
  vi.waitFor(async () => expect(await statusOf(key, path)).toBe(status), { timeout: 60_000, interval: 100 });

test('a created key works at once, within its tier and groups', async () => {
  const key = await operator.createKey();
  expect(await statusOf(key)).toBe(200);
  expect(await statusOf(key, '/accounting/accounts')).toBe(403);
  expect(await statusOf(key, '/raw/tables')).toBe(200);
});

test('the example on the page works unchanged', async () => {
  const { text } = await operator.submit('/portal/keys/new', [
    ['customer', 'nord'],
    ['name', 'export'],
    ['tier', 'basic'],
    ['groups', 'raw'],
  ]);
  const [, header, address] = /curl -H &#39;X-API-Key: (\S+)&#39; &#39;([^&]+)&#39;/.exec(text) ?? [];
  expect(header).toBe(keyIn(text));
  expect(address).toBe(`${service.address}/raw/tables`);
  expect(await statusOf(header ?? '', '/raw/tables')).toBe(200);
});

test('the text of a key appears on no second view', async () => {
  const key = await operator.createKey({ name: 'seen once' });
  const secret = key.split('_')[2] ?? '';
  for (const path of [`/portal/keys/${idOf(key)}`, '/portal/keys', '/portal/log', '/portal/keys/new', '/portal/customers/nord'])
    expect((await operator.get(path)).text).not.toContain(secret);
});

test('a form that is sent twice creates one key and leads to it', async () => {
  const fields = [
    ...Object.entries(await operator.hidden('/portal/keys/new')),
    ['customer', 'nord'],
    ['name', 'twice'],
    ['tier', 'basic'],
    ['groups', 'rest'],
  ];
  const first = await operator.post('/portal/keys/new', fields as [string, string][]);
  const second = await operator.post('/portal/keys/new', fields as [string, string][]);
  expect(first.status).toBe(200);
  expect([second.status, second.location]).toEqual([303, `/portal/keys/${idOf(keyIn(first.text))}?notice=once`]);
  expect((await operator.get(second.location ?? '')).text).toContain('This form was sent before');
});

test('invalid input is explained next to the form, which preserves it', async () => {
  for (const [fields, message] of [
    [{ customer: 'nobody' }, 'There is no customer &#39;nobody&#39;.'],
    [{ tier: 'royal' }, 'Unknown tier &#39;royal&#39;'],
    [{ expires: '2020-01-01' }, 'A key can only expire on a day to come.'],
    [{ groups: '' }, 'Choose at least one endpoint group.'],
  ] as const) {
    const all = { customer: 'nord', name: 'kept', tier: 'basic', groups: 'rest', ...fields };
    const { status, text } = await operator.submit('/portal/keys/new', all);
    expect([message, status]).toEqual([message, 422]);
    expect(text).toContain(message);
    expect(text).toContain('value="kept"');
  }
});

test('each error is shown at its field', async () => {
  const fields = { customer: 'nobody', name: 'kept', tier: 'royal', expires: '2020-01-01' };
  const { text } = await operator.submit('/portal/keys/new', fields);
  for (const name of ['customer', 'tier', 'expires']) {
    expect(text).toMatch(
      new RegExp(`<(input|select)[^>]* name="${name}"[^>]*aria-describedby="[^"]*${name}-problem"[^>]* aria-invalid="true"`),
    );
    expect(text).toContain(`id="${name}-problem"`);
  }
  expect(text).toContain('aria-describedby="groups-hint groups-problem"');
  expect(text.match(/ autofocus/g)).toHaveLength(1);
  const key = await operator.createKey();
  const page = `/portal/keys/${idOf(key)}`;
  const rights = await operator.submit(page, { tier: 'basic' }, `${page}/rights`);
  expect([rights.status, rights.text.includes('id="groups-problem"'), rights.text.includes('<details class="panel" open>')]).toEqual([
    422,
    true,
    true,
  ]);
});

test('a rotated key and its successor link to each other', async () => {
  const old = await operator.createKey({ name: 'before' });
  const successor = keyIn((await operator.submit(`/portal/keys/${idOf(old)}/rotate`, { overlap: '24' })).text);
  const page = (await operator.get(`/portal/keys/${idOf(old)}`)).text;
  expect(page).toMatch(new RegExp(`This key has been rotated. Its successor is .*href="/portal/keys/${idOf(successor)}"`));
  expect(page).not.toContain('/rotate"');
  expect((await operator.get(`/portal/keys/${idOf(successor)}`)).text).toMatch(
    new RegExp(`It takes the place of .*href="/portal/keys/${idOf(old)}"`),
  );
});

test('actions on a key that was revoked meanwhile change nothing and say so', async () => {
  const key = await operator.createKey();
  const page = `/portal/keys/${idOf(key)}`;
  const loaded = new Map<string, Record<string, string>>();
  for (const action of ['disable', 'rights']) loaded.set(action, await operator.hidden(page, `${page}/${action}`));
  loaded.set('revoke', await operator.hidden(`${page}/revoke`));
  const other = await new Operator(service).signIn();
  await other.submit(`${page}/revoke`);
  for (const [action, hidden] of loaded) {
    const { location } = await operator.post(`${page}/${action}`, { ...hidden, tier: 'basic', groups: 'rest' });
    expect([action, location]).toEqual([action, `${page}?notice=gone`]);
  }
  expect((await operator.get(`${page}?notice=gone`)).text).toContain('somebody else had revoked the key before');
  expect((await operator.get(`${page}/revoke`)).location).toBe(`${page}?notice=gone`);
});

test('keys are searched, sorted and paged by plain links', async () => {
  const { pool } = service.database;
  await pool.query(
    `insert into estate.api_keys (id, customer_id, lineage, name, tier, groups, hash, created_at, revoked_at)
     select 'many' || lpad(n::text, 3, '0'), c.id, 'many' || n, 'Many ' || n, 'basic', '{rest}', sha256(''), now() + n * interval '1 second',
       case when n > 110 then now() end
     from generate_series(1, 120) n, estate.customers c where c.slug = 'sued'`,
  );
  const idsAt = async (path: string) => {
    const { text } = await operator.get(path);
    return [...text.matchAll(/<\/a> <code>(\w+)<\/code>/g)].map(([, id]) => id);
  };
  const first = await operator.get('/portal/keys?customer=sued&q=many');
  expect(first.text).toContain('1–50 of 110');
  const next = /href="([^"]+)" rel="next"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(next).toBe('/portal/keys?customer=sued&q=many&page=2');
  expect((await idsAt(next))[0]).toBe('many060');
  expect((await idsAt('/portal/keys?q=many&ended=yes'))[0]).toBe('many120');
  expect((await idsAt('/portal/keys?q=many&sort=created'))[0]).toBe('many001');
  expect((await idsAt('/portal/keys?q=many&sort=-name'))[0]).toBe('many099');
  expect(await idsAt('/portal/keys?q=suedent')).toEqual(['suedenterprise']);
  const { text } = await operator.get('/portal/customers/sued');
  expect(text.match(/data-label="Groups"/g)).toHaveLength(10);
  expect(text).toContain('All 121 keys');
  await pool.query("delete from estate.api_keys where id like 'many%'");
});

test('a whole key in the search is reduced to its public part, and no page repeats the rest', async () => {
  const { text } = await operator.get(`/portal/keys?q=${keys.suedEnterprise}_and_more`);
  expect(text).toContain('value="suedenterprise"');
  expect(text).not.toContain('_and_more');
});

test("a key with a tier above its customer's is refused", async () => {
  await operator.submit('/portal/customers', { slug: 'small', name: 'Small', tier: 'basic' });
  const { status, text } = await operator.submit('/portal/keys/new', { customer: 'small', name: 'x', tier: 'enterprise', groups: 'rest' });
  expect(status).toBe(422);
  expect(text).toContain('a key of tier enterprise would be above it');
});

test('a rotated key is valid for the overlap, and its successor has the same rights and expiry', async () => {
  const old = await operator.createKey({ expires: '2099-01-01' });
  const path = `/portal/keys/${idOf(old)}/rotate`;
  const loadedBefore = await operator.hidden(path);
  const { text } = await operator.submit(`/portal/keys/${idOf(old)}/rotate`, { overlap: '24' });
  const successor = keyIn(text);
  expect(await Promise.all([statusOf(old), statusOf(successor)])).toEqual([200, 200]);
  expect(await statusOf(successor, '/accounting/accounts')).toBe(403);
  const { rows } = await service.database.pool.query<{ id: string; expires_at: Date }>(
    'select id, expires_at from estate.api_keys where id in ($1, $2)',
    [idOf(old), idOf(successor)],
  );
  const end = new Map(rows.map((row) => [row.id, row.expires_at.getTime()]));
  expect(Math.abs((end.get(idOf(old)) ?? 0) - Date.now() - 86_400_000)).toBeLessThan(60_000);
  expect(end.get(idOf(successor))).toBe(Date.parse('2099-01-01'));
  const again = await operator.post(path, { ...loadedBefore, overlap: '24' });
  expect(again.status).toBe(409);
  for (const { text } of [again, await operator.get(path)]) {
    expect(text).toContain('has been rotated already');
    expect(text).toContain(`href="/portal/keys/${idOf(successor)}"`);
    expect(text).not.toContain(`action="${path}"`);
  }
});

test.concurrent('after rotation without overlap, the old key ends, and its successor works', async () => {
  const old = await operator.createKey();
  expect(await statusOf(old)).toBe(200);
  const { text } = await operator.submit(`/portal/keys/${idOf(old)}/rotate`, { overlap: '0' });
  await until(401, old);
  expect(await statusOf(keyIn(text))).toBe(200);
});

test.concurrent('disabled and enabled again: each takes effect within 5 s', async () => {
  const key = await operator.createKey();
  const page = `/portal/keys/${idOf(key)}`;
  expect(await statusOf(key)).toBe(200);
  expect((await operator.submit(page, {}, `${page}/disable`)).location).toBe(`${page}?notice=disabled`);
  await until(401, key);
  await operator.submit(page, {}, `${page}/enable`);
  await until(200, key);
});

test.concurrent('a revoked key is refused within 5 s and cannot be rotated', async () => {
  const key = await operator.createKey();
  const page = `/portal/keys/${idOf(key)}`;
  expect(await statusOf(key)).toBe(200);
  const loadedBefore = await operator.hidden(`${page}/rotate`);
  await operator.submit(`${page}/revoke`);
  await until(401, key);
  const { text } = await operator.get(page);
  expect(text).toContain('class="pill bad">revoked');
  expect(text).not.toContain(`${page}/rotate`);
  const late = await operator.post(`${page}/rotate`, { ...loadedBefore, overlap: '24' });
  expect([late.status, late.text.includes('is revoked; create a new one instead')]).toEqual([409, true]);
});

test.concurrent('a key is restricted to a lower tier and to endpoint groups', async () => {
  const key = await operator.createKey();
  const page = `/portal/keys/${idOf(key)}`;
  expect(await statusOf(key)).toBe(200);
  await operator.submit(page, { tier: 'basic', groups: 'rest' }, `${page}/rights`);
  await until(403, key);
  expect(await statusOf(key, '/property/properties?limit=1')).toBe(200);
  expect(await statusOf(key, '/raw/tables')).toBe(403);
});

test('a revoked key stays revoked', async () => {
  const key = await operator.createKey();
  const page = `/portal/keys/${idOf(key)}`;
  const { token = '' } = await operator.hidden(page, `${page}/disable`);
  await operator.submit(`${page}/revoke`);
  await operator.post(`${page}/enable`, { token });
  expect((await operator.get(page)).text).toContain('class="pill bad">revoked');
});

test('every action is in the log, with operator and address', async () => {
  const key = await operator.createKey();
  const page = `/portal/keys/${idOf(key)}`;
  await operator.submit(page, {}, `${page}/disable`);
  await operator.submit(page, {}, `${page}/enable`);
  await operator.submit(page, { tier: 'basic', groups: 'rest' }, `${page}/rights`);
  const successor = keyIn((await operator.submit(`${page}/rotate`, { overlap: '1' })).text);
  await operator.submit(`${page}/revoke`);
  const { rows } = await service.database.pool.query<{ action: string; actor: string; address: string }>(
    'select action, actor, address from estate.audit_log where subject like $1 order by id',
    [`%${idOf(key)}%`],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'created key',
    'disabled key',
    'enabled key',
    'changed rights of key',
    'rotated key',
    'revoked key',
  ]);
  for (const { actor, address } of rows) expect([actor, address]).toEqual([expect.stringMatching(/^portal \S{4}$/), '127.0.0.1']);
  expect((await operator.get('/portal/log')).text).toContain(`${idOf(key)} of nord to ${idOf(successor)}`);
});

test('an unknown key is a page that says so', async () => {
  const { status, text } = await operator.get('/portal/keys/nothing');
  expect([status, text.includes('There is no key &#39;nothing&#39;.')]).toEqual([404, true]);
  expect((await operator.get('/portal/nothing')).status).toBe(404);
});
