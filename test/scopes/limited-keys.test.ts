/** Keys with data scopes: issue, rotation, lists, and what answers say of them (contract: data scopes; personal columns; property sets). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { ask } from '../graphql/client.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';
import { asCsv, Deliveries, load, readTableData } from '../sync/support.ts';
import { scopedKey } from './keys.ts';

let service: TestService;
let store: KeyStore;
const deliveries = new Deliveries();

beforeAll(async () => {
  service = await startService();
  store = new KeyStore(service.database, testSecret);
});
afterAll(async () => {
  await service.stop();
  deliveries.remove();
});

const issue = async (scope: object) =>
  store.create({ customer: await findCustomer(service.database, 'nord'), tier: 'enterprise', scope: scope as never });

describe('issue and rotation', () => {
  test('a rotation copies the scope, or replaces it; the audit log says so', async () => {
    const first = await issue({ personal: ['name'] });
    const same = await store.rotate(first.id, 60_000);
    expect(same.scope).toEqual({ personal: ['name'] });
    const wider = await store.rotate(same.id, 60_000, undefined, { scope: { personal: ['name', 'bank'] } });
    expect(wider.scope).toEqual({ personal: ['name', 'bank'] });
    const whole = await store.rotate(wider.id, 60_000, undefined, { scope: null });
    expect(whole.scope).toBeNull();
    const { rows } = await service.database.pool.query('select action, subject from estate.audit_log order by id desc limit 4');
    expect(rows.reverse().map(({ subject }) => subject.replace(/.*Z/, ''))).toEqual([
      expect.stringMatching(/, without personal data: contact, bank, tax, birth$/),
      '',
      ', now without personal data: contact, tax, birth',
      ', now all data',
    ]);
  });

  test('rights can change, the scope cannot', async () => {
    const { id } = await issue({ personal: [] });
    const changed = await store.setRights(id, 'enterprise', { tier: 'basic', groups: ['rest'], scope: null } as never);
    expect(changed).toMatchObject({ tier: 'basic', scope: { personal: [] } });
  });

  test('a scope that the program does not understand makes its key unknown, and no other key', async () => {
    const { id, key } = await issue({ personal: [] });
    const other = await issue({ personal: [] });
    await service.database.pool.query(`update estate.api_keys set scope = '{"rooms": [1]}' where id = $1`, [id]);
    const [strange, good] = await Promise.all([service.get('/me', { key }), service.get('/me', { key: other.key })]);
    expect([strange.status, good.status]).toEqual([401, 200]);
  });
});

describe('a key without personal data', () => {
  let key: string;
  beforeAll(async () => {
    key = await scopedKey(service, { personal: ['tax'] });
  });

  test('/me shows the scope; a key without one has none', async () => {
    expect((await service.get('/me', { key })).json.scope).toEqual({ personal: ['tax'] });
    expect((await service.get('/me')).json).not.toHaveProperty('scope');
    const document = '{ me { scope { personal properties { ids } } } }';
    expect((await ask(service, document, { key })).data.me.scope).toEqual({ personal: ['tax'], properties: null });
    expect((await ask(service, document)).data.me.scope).toBeNull();
  });

  test('hidden columns keep their place and are null', async () => {
    const [mine] = (await service.get('/stakeholder/creditor?limit=1', { key })).json;
    const [whole] = (await service.get('/stakeholder/creditor?limit=1')).json;
    expect(Object.keys(mine)).toEqual(Object.keys(whole));
    expect(mine).toMatchObject({ name: null, iban: null, phone: null, tax_number: whole.tax_number, account_id: whole.account_id });
    const [head, row] = (await service.get('/stakeholder/creditor?limit=1&format=csv', { key })).text.split('\r\n');
    expect(head?.split(',')).toHaveLength(Object.keys(whole).length);
    expect(row).not.toContain(whole.name);
  });

  test.each([
    ['/stakeholder/employees?user_name=x', 'query -> user_name'],
    ['/stakeholder/tenants/groups?by=name', 'query -> name'],
    ['/stakeholder/tenants/groups?by=account.account_name', 'query -> account_name'],
    ['/stakeholder/tenants/groups?distinct=iban', 'query -> iban'],
    ['/stakeholder/tenants/groups?by=status&order=max_name', 'query -> name'],
    ['/stakeholder/tenants/groups?by=status&having=min_name>a', 'query -> name'],
    ['/stakeholder/tenants/groups?where=name:contains(a)', 'query -> name'],
    ['/stakeholder/tenants/groups?where=account.account_name:is_not_null', 'query -> account_name'],
    ['/stakeholder/tenants/groups?value=a:count(iban:is_null)', 'query -> iban'],
    ['/stakeholder/tenants/groups?value=a:min(iban)', 'query -> iban'],
  ])('%s is refused', async (path, names) => {
    const { status, json } = await service.get(path, { key });
    expect([status, json.detail]).toEqual([
      422,
      expect.stringMatching(new RegExp(`^${names}: Personal data \\((name|bank)\\) that the key may not read; no filter, order or group`)),
    ]);
    expect((await service.get(path)).status).toBe(200);
  });

  test.each([
    '{ tenants(filter: {name: {iContains: "a"}}) { totalCount } }',
    '{ tenants(filter: {not: {or: [{iban: {isNull: true}}]}}) { totalCount } }',
    '{ orders(filter: {creditor: {name: {eq: "a"}}}) { totalCount } }',
    '{ creditor(filter: {orders: {some: {contactName: {gt: "a"}}}}) { totalCount } }',
    '{ employees(orderBy: [{userName: ASC}]) { totalCount } }',
    '{ tenants(orderBy: [{account: {accountNumber: ASC}}], filter: {account: {accountName: {startsWith: "M"}}}) { totalCount } }',
    '{ tenantsGroups { groups { key { name } } } }',
    '{ tenantsGroups { groups { key { account { accountName } } } } }',
    '{ tenantsGroups { groups { distinct { iban } } } }',
    '{ tenantsGroups(having: {distinct: {iban: {gt: 1}}}) { groups { count } } }',
    '{ tenantsGroups(orderBy: [{max: NAME}]) { groups { count } } }',
    '{ tenantsGroups { groups { count(filter: {name: {startsWith: "A"}}) } } }',
    '{ tenantsGroups { groups { sum(filter: {account: {accountName: {gt: "M"}}}) { balance } } } }',
    '{ properties { nodes { tenants(filter: {name: {eq: "a"}}) { totalCount } } } }',
    '{ properties { nodes { tenantsGroups { groups { max { name } } } } } }',
  ])('%s is refused', async (document) => {
    const { data, errors } = await ask(service, document, { key });
    expect(data ?? null).toBeNull();
    expect(errors[0].message).toMatch(/Personal data \((name|bank)\) that the key may not read|userName/);
    expect((await ask(service, document)).errors).toEqual([]);
  });

  test('the schema and the documents say what is hidden, and keys without a scope see no difference', async () => {
    const type = '{ __type(name: "Creditor") { fields { name description type { kind } } } }';
    const fieldOf = async (options: object) =>
      (await ask(service, type, options)).data.__type.fields.find(({ name }: { name: string }) => name === 'name');
    expect(await fieldOf({ key })).toEqual({
      name: 'name',
      description: 'Full name; personal data (name) that the key may not read: always null.',
      type: { kind: 'SCALAR' },
    });
    expect(await fieldOf({})).toMatchObject({ type: { kind: 'NON_NULL' } });
    const { name } = (await service.get('/openapi.json', { key })).json.components.schemas.creditor.properties;
    expect(name).toMatchObject({ type: ['string', 'null'], description: expect.stringContaining('may not read') });
    expect((await service.get('/docs/tables/creditor', { key })).text).toContain('that the key may not read');
    expect((await service.get('/docs/tables/creditor')).text).not.toContain('that the key may not read');
  });
});

describe('a key with a property set', () => {
  test('hidden tables do not exist', async () => {
    const key = await scopedKey(service, { properties: { ids: [1001] } });
    for (const path of ['/stakeholder/owner', '/raw/person', '/stakeholder/employees/groups', '/raw/person/deltas?since_version=0'])
      expect([path, (await service.get(path, { key })).status]).toEqual([path, 403]);
    for (const path of ['/catalog', '/tables', '/me', '/changes?since=2020-01-01', '/raw/tables', '/openapi.json', '/docs/tables'])
      expect((await service.get(path, { key })).text, path).not.toMatch(/\b(?:owner_hdr|creditor_hdr)\b/);
    expect((await ask(service, '{ owner { totalCount } }', { key })).errors[0].message).toMatch(/Cannot query field "owner"/);
    expect((await ask(service, '{ orders { nodes { creditor { name } } } }', { key })).errors[0].message).toMatch(
      /Cannot query field "creditor"/,
    );
  });

  test('deltas of a part are refused, those of shared tables are not', async () => {
    const key = await scopedKey(service, { properties: { ids: [1001] } });
    const { status, json } = await service.get('/operations/orders/deltas?since_version=1', { key });
    expect([status, json.detail]).toEqual([403, 'A key with a property set reads no deltas of orders: download the table again']);
    expect((await service.get('/accounting/kontenmapping_ranges/deltas?since_version=1', { key })).status).toBe(200);
  });

  test('an id that no property has reads nothing', async () => {
    const key = await scopedKey(service, { properties: { ids: [7] } });
    const { status, json, headers } = await service.get('/stakeholder/tenants', { key });
    expect([status, json, headers.get('x-total-count')]).toEqual([200, [], '0']);
  });

  test('a property that joins the set later is in it: rows, totals, tags and cached documents', async () => {
    const key = await scopedKey(service, { properties: { companies: ['77'] } });
    const path = '/stakeholder/tenants?limit=1';
    const document = '{ tenants { totalCount } }';
    const read = async () => {
      const page = await service.get(path, { key });
      const { data } = await ask(service, document, { key });
      const groups = await service.get('/stakeholder/tenants/groups?count=', { key });
      const raw = await service.get('/raw/tenancy_hdr?limit=1', { key });
      return {
        total: page.headers.get('x-total-count'),
        etag: page.headers.get('etag')!,
        of: data.tenants.totalCount,
        groups: groups.json,
        raw: raw.json.total_rows,
      };
    };
    const before = await read();
    expect(await read()).toEqual(before);
    expect(before).toMatchObject({ total: '0', of: 0, raw: 0 });
    const sheet = await readTableData(service.database, 'property_hdr');
    const [id, company] = [sheet.columns.indexOf('property_id'), sheet.columns.indexOf('company_number')];
    for (const row of sheet.rows) if (row[id] === '1001') row[company] = '77';
    await load(service.database, [deliveries.write('property_hdr.csv', asCsv(sheet))]);
    const count = Number((await service.get('/stakeholder/tenants?property_id=1001&limit=1')).headers.get('x-total-count'));
    const after = await read();
    expect(after).toMatchObject({ total: String(count), of: count, groups: [{ count }], raw: count });
    expect((await service.get(path, { key, headers: { 'If-None-Match': before.etag } })).status).toBe(200);
    expect((await service.get(path, { key, headers: { 'If-None-Match': after.etag } })).status).toBe(304);
  });

  test('cursors of other keys are refused, those of the same scope are not', async () => {
    const [mine, same, other] = await Promise.all([
      scopedKey(service, { properties: { ids: [1001, 1002] } }),
      scopedKey(service, { properties: { ids: [1002, 1001] } }),
      scopedKey(service, { properties: { ids: [1002] } }),
    ]);
    const cursor = (await service.get('/stakeholder/tenants?limit=2', { key: mine })).headers.get('x-next-cursor');
    const statusFor = async (key: string) => (await service.get(`/stakeholder/tenants?limit=2&cursor=${cursor}`, { key })).status;
    expect([await statusFor(mine), await statusFor(same), await statusFor(other), await statusFor(keys.nordEnterprise)]).toEqual([
      200, 200, 422, 422,
    ]);
  });
});

test('a list of any length reads the same rows, on pages, in counts, in relations and in raw tables', async () => {
  const more = (length: number) => [1001, ...Array.from({ length: length - 1 }, (_, index) => 900_000 + index)];
  const document = `{ tenants(first: 20) { totalCount nodes { tenantId property { propertyId tenants(first: 2) { totalCount } } } } }`;
  const read = async (length: number) => {
    const { key } = await issue({ properties: { ids: more(length) } });
    const answers = await Promise.all(
      [
        '/property/property_structure?limit=1500',
        '/stakeholder/tenants/groups?by=property_id&count',
        '/raw/contract_condition?limit=50',
      ].map(
        // The cursor is signed for the scope.
        async (path) => ({ ...(await service.get(path, { key })).json, next_cursor: '' }),
      ),
    );
    return [...answers, (await ask(service, document, { key })).data];
  };
  const one = await read(1);
  expect(JSON.stringify(one)).toContain('1001');
  expect(JSON.stringify(one)).not.toContain('1002');
  for (const length of [2, 3, 8, 9, 250, 251, 3_000]) expect([length, await read(length)]).toEqual([length, one]);
});
