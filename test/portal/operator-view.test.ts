/** A signed-in operator reads the rows of one customer without a key, and nobody else does (contract: operator view). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../../src/access/password.ts';
import { Sessions } from '../../src/web/portal/sign-in/sessions.ts';
import { onServer } from '../support/database.ts';
import { lockWaits } from '../support/locks.ts';
import { startService, startServiceOn, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';
import { Operator, password } from './operator.ts';

const origin = 'https://app.example';
const environment = { PORTAL_PASSWORD: password, CORS_ORIGINS: origin };
const rest = '/portal/customers/nord/rest';
const orders = '/operations/orders?limit=3&columns=order_id,creditor.name';

let service: TestService;
let operator: Operator;
beforeAll(async () => {
  service = await startService({ environment });
  operator = await new Operator(service).signIn();
});
afterAll(() => service.stop());

/** The cookie of a session that the service signs like its own, with another end. */
const cookieUntil = (expiresAt: number): string => {
  const sessions = new Sessions(testSecret, new Map([['', hashPassword(password, testSecret)]]));
  return `estate_portal=${sessions.serialize({ ...sessions.enter(''), expiresAt })}`;
};

/** The log as `action: subject` of an operator's session, oldest first. */
const entriesOf = async (actor: string): Promise<string[]> => {
  const { rows } = await service.database.pool.query<{ entry: string }>(
    `select action || ': ' || subject as entry from estate.audit_log where actor = $1 and action in ('opened view', 'read table') order by id`,
    [actor],
  );
  return rows.map(({ entry }) => entry);
};
const actorOf = ({ cookie }: Operator): string => `portal ${cookie.split('.')[1]?.slice(0, 4)}`;

describe('what the view answers', () => {
  test.each([
    orders,
    '/v1/property/properties?limit=2',
    '/accounting/accounts?limit=2',
    '/operations/orders/groups?by=status&count',
    '/stakeholder/tenants?limit=5&order=name',
  ])('%s has the bytes that an enterprise key of the customer gets', async (path) => {
    const { status, text, headers } = await operator.get(`${rest}${path}`);
    const own = await service.get(path);
    expect([status, text]).toEqual([200, own.text]);
    expect(headers.get('x-total-count')).toBe(own.headers.get('x-total-count'));
  });

  test('a page continues within the view', async () => {
    const { headers } = await operator.get(`${rest}/operations/orders?limit=2`);
    const next = /^<(.+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
    expect(next).toMatch(/^\/portal\/customers\/nord\/rest\/operations\/orders\?/);
    expect((await operator.get(next)).text).toBe((await service.get('/operations/orders?limit=2&offset=2')).text);
  });

  test('nothing of it is stored, also when it was in the response cache', async () => {
    for (let time = 0; time < 2; time++) {
      const { headers } = await operator.get(`${rest}${orders}`);
      expect(headers.get('cache-control')).toBe('private, no-store');
    }
    expect((await service.get(orders)).headers.get('cache-control')).toBe('private, no-cache');
    for (const path of ['/me', '/explore/description', '/explore/figures?day=2026-10-31', '/operations/none'])
      expect((await operator.get(`${rest}${path}`)).headers.get('cache-control')).toBe('private, no-store');
  });

  test('the description has the tables of the customer, and no files', async () => {
    const { tables } = JSON.parse((await operator.get(`${rest}/explore/description`)).text);
    const { json } = await service.get('/explore/description');
    expect(tables.map(({ name }: { name: string }) => name)).toEqual(json.tables.map(({ name }: { name: string }) => name));
    expect(tables.some(({ hasFiles }: { hasFiles: boolean }) => hasFiles)).toBe(false);
  });

  test('a customer is seen with its own tier', async () => {
    await operator.submit('/portal/customers', { slug: 'small', name: 'Small', tier: 'basic' });
    const of = (path: string) => operator.get(`/portal/customers/small/rest${path}`);
    expect(JSON.parse((await of('/me')).text)).toMatchObject({ tier: 'basic', groups: ['rest'], quota: null });
    expect([(await of('/property/properties')).status, (await of('/operations/orders')).status]).toEqual([200, 403]);
  });

  test('paths that Explore does not need are a 404', async () => {
    for (const path of [
      '/graphql?query={__typename}',
      '/mcp',
      '/questions',
      '/files/orders/latest.parquet',
      '/raw/tables',
      '/raw/order_hdr',
      '/changes',
      '/catalog',
      '/openapi.json',
      '/operations/orders/changes',
      '/meta/orders/values/status',
      '',
    ])
      expect([path, (await operator.get(`${rest}${path}`)).status]).toEqual([path, 404]);
  });

  test('CSV is refused, because files are for keys', async () => {
    for (const [path, accept] of [
      [`${orders}&format=csv`, '*/*'],
      [orders, 'text/csv'],
    ] as const) {
      const { status, headers } = await operator.get(`${rest}${path}`, { headers: { Accept: accept } });
      expect([status, headers.get('content-disposition')]).toEqual([406, null]);
    }
  });

  test('only GET and HEAD are allowed', async () => {
    for (const path of [orders, '/me', '/graphql', '/questions/arrears'])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const { status, headers } = await operator.get(`${rest}${path}`, { method });
        expect([path, method, status, headers.get('allow')]).toEqual([path, method, 405, 'GET, HEAD']);
      }
    const { status, text, headers } = await operator.get(`${rest}${orders}`, { method: 'HEAD' });
    expect([status, text, headers.has('x-total-count')]).toEqual([200, '', true]);
  });
});

describe('who may read', () => {
  const refused = async (cookie: string, headers: Readonly<Record<string, string>> = {}) => {
    const visitor = new Operator(service, headers);
    visitor.cookie = cookie;
    const { status, text } = await visitor.get(`${rest}${orders}`);
    return [status, JSON.parse(text).detail];
  };
  const signedOut = [401, 'The session has ended: sign in to the portal again'];

  test('nobody without the session of an operator, also with a key of the customer', async () => {
    const visitor = new Operator(service);
    await visitor.get('/portal/sign-in');
    expect(visitor.cookie).toContain('estate_portal=visitor.');
    const foreign = `estate_portal=operator.AAAAAAAAAAAAAAAA.9999999999999.${'A'.repeat(43)}`;
    for (const cookie of ['', visitor.cookie, foreign]) expect(await refused(cookie)).toEqual(signedOut);
    expect(await refused('', { 'X-API-Key': keys.nordEnterprise })).toEqual(signedOut);
    expect(await refused('', { Authorization: `Bearer ${keys.nordEnterprise}` })).toEqual(signedOut);
  });

  test('the session opens no path of the API', async () => {
    for (const path of [
      orders,
      '/v1/property/properties',
      '/me',
      '/catalog',
      '/explore/description',
      '/graphql?query={me{tier}}',
      '/files',
    ])
      expect([path, (await operator.get(path)).status]).toEqual([path, 401]);
  });

  test('a session that has expired or was signed out reads nothing more, on every instance', async () => {
    const still = new Operator(service);
    still.cookie = cookieUntil(Date.now() + 60_000);
    expect((await still.get(`${rest}${orders}`)).status).toBe(200);
    expect(await refused(cookieUntil(Date.now() - 1))).toEqual(signedOut);

    const leaving = await new Operator(service).signIn();
    const { cookie } = leaving;
    expect((await leaving.get(`${rest}${orders}`)).status).toBe(200);
    const other = await startServiceOn({ ...service.database, close: async () => {} }, { environment });
    await new Operator(other).get('/portal');
    const there = new Operator(other);
    there.cookie = cookie;
    await there.submit('/portal', {}, '/portal/sign-out');
    expect(await refused(cookie)).toEqual(signedOut);
    await other.stop();
  });

  test('the page sends visitors to the sign-in, and back', async () => {
    const { status, location } = await new Operator(service).get('/portal/customers/nord/explore');
    expect([status, location]).toEqual([303, '/portal/sign-in?to=%2Fportal%2Fcustomers%2Fnord%2Fexplore']);
  });

  test('no other site, whatever it sends', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const { status } = await operator.get(`${rest}${orders}`, { headers: { 'Sec-Fetch-Site': site } });
      expect([site, status]).toEqual([site, 403]);
    }
    for (const site of ['same-origin', 'none'])
      expect((await operator.get(`${rest}${orders}`, { headers: { 'Sec-Fetch-Site': site } })).status).toBe(200);
  });

  test('scripts of other origins get no CORS header, also where the API has them', async () => {
    const corsOf = async (path: string, method: string) => {
      const { headers } = await operator.get(path, {
        method,
        headers: { Origin: origin, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-api-key' },
      });
      return [...headers.keys()].filter((name) => name.startsWith('access-control-'));
    };
    expect(await corsOf(orders, 'GET')).toContain('access-control-allow-origin');
    for (const path of [orders, '/me', '/explore/description', '/none'])
      for (const method of ['GET', 'OPTIONS']) expect([path, method, await corsOf(`${rest}${path}`, method)]).toEqual([path, method, []]);
  });

  test('a customer that is suspended, unknown or removed is refused', async () => {
    await operator.submit('/portal/customers', { slug: 'paused', name: 'Paused', tier: 'basic' });
    const status = async (path: string) => (await operator.get(`/portal/customers/paused${path}`)).status;
    expect([await status('/explore'), await status('/rest/me')]).toEqual([200, 200]);
    await operator.submit('/portal/customers/paused', {}, '/portal/customers/paused/suspend');
    expect([await status('/explore'), await status('/rest/me')]).toEqual([403, 403]);
    expect((await operator.get('/portal/customers/paused')).text).not.toContain('/explore"');
    expect((await operator.get('/portal/customers/nobody/rest/me')).status).toBe(404);
    expect((await operator.get('/portal/customers/nobody/explore')).status).toBe(404);
    for (const path of ['/none', '/property/properties'])
      expect((await operator.get(`/portal/customers/nord%00/rest${path}`)).status).toBe(404);
  });
});

describe('customers are apart', () => {
  test('requests for two customers at once get the rows of their own', async () => {
    const paths = [orders, '/property/properties?limit=3', '/stakeholder/tenants/groups?count'];
    const own = async (key: string) => Promise.all(paths.map(async (path) => (await service.get(path, { key })).text));
    const [nord, sued] = [await own(keys.nordEnterprise), await own(keys.suedEnterprise)];
    expect(nord).not.toEqual(sued);
    const seen = (slug: string) =>
      Promise.all(paths.map(async (path) => (await operator.get(`/portal/customers/${slug}/rest${path}`)).text));
    for (let time = 0; time < 5; time++) expect(await Promise.all([seen('nord'), seen('sued')])).toEqual([nord, sued]);
  });

  test('a cursor of one customer is not valid for another', async () => {
    const { headers } = await operator.get(`${rest}/property/properties?limit=1`);
    const cursor = headers.get('x-next-cursor');
    expect(cursor).toBeTruthy();
    expect((await operator.get(`${rest}/property/properties?limit=1&cursor=${cursor}`)).status).toBe(200);
    expect((await operator.get(`/portal/customers/sued/rest/property/properties?limit=1&cursor=${cursor}`)).status).toBe(422);
  });
});

describe('the log', () => {
  test('has each opening, and each table once for each session and customer', async () => {
    const reader = await new Operator(service).signIn();
    expect((await reader.get('/portal/customers/nord/explore')).status).toBe(200);
    for (let time = 0; time < 2; time++) {
      expect((await reader.get(`${rest}/me`)).status).toBe(200);
      expect((await reader.get(`${rest}${orders}`)).status).toBe(200);
    }
    await Promise.all([1, 2, 3].map((limit) => reader.get(`${rest}/property/properties?limit=${limit}`)));
    expect((await reader.get('/portal/customers/sued/rest/property/properties?limit=1')).status).toBe(200);
    expect((await reader.get('/portal/customers/nord/explore')).status).toBe(200);
    expect(await entriesOf(actorOf(reader))).toEqual([
      'opened view: nord',
      'read table: orders of nord',
      // A column and a condition read the rows of a related table, too.
      'read table: creditor of nord',
      'read table: properties of nord',
      'opened view: sued',
      'read table: properties of sued',
      'opened view: nord',
    ]);
    const { text } = await reader.get('/portal/log?q=creditor+of+nord');
    expect(text).toContain(`<td data-label="Who">${actorOf(reader)}</td>`);
  });

  test('has the tables of rows from the response cache, of conditions and of groups', async () => {
    const reader = await new Operator(service).signIn();
    await operator.get(`${rest}/operations/notifications?limit=1`);
    await reader.get(`${rest}/operations/notifications?limit=1`);
    await reader.get(`${rest}/operations/orders/groups?by=creditor.name&count`);
    await reader.get(`${rest}/property/property_structure?limit=1&where=property.federal_state=BE`);
    expect(await entriesOf(actorOf(reader))).toEqual([
      'opened view: nord',
      ...['notifications', 'orders', 'creditor', 'property_structure', 'properties'].map((name) => `read table: ${name} of nord`),
    ]);
  });

  test('without an entry, no row is sent', async () => {
    const reader = await new Operator(service).signIn();
    await reader.get(`${rest}/me`);
    await service.database.pool.query('alter table estate.audit_log rename column subject to away');
    const { status, text } = await reader.get(`${rest}${orders}`);
    await service.database.pool.query('alter table estate.audit_log rename column away to subject');
    expect([status, text.includes('order_id')]).toEqual([500, false]);
    expect((await reader.get(`${rest}${orders}`)).status).toBe(200);
  });
});

describe('limits', () => {
  test('the view uses no quota, of a key or of an address', async () => {
    const limited = await startService({ environment: { PORTAL_PASSWORD: password, RATE_LIMIT: '5' } });
    const reader = await new Operator(limited).signIn();
    for (let time = 0; time < 120; time++) {
      const { status, headers } = await reader.get(`${rest}/property/properties?limit=1`);
      expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, null]);
    }
    expect((await limited.get('/me')).json.quota.remaining).toBe(4);
    expect((await limited.get('/catalog', { key: null })).status).toBe(401);
    await limited.stop();
  });

  // The embedded database has one connection, so no statement can wait for another.
  test.skipIf(!onServer)('requests of one session beyond the limit are a 503, and another session is not affected', async () => {
    const limited = await startService({ environment: { PORTAL_PASSWORD: password, REQUESTS_PER_KEY: '1' } });
    const [one, other] = [await new Operator(limited).signIn(), await new Operator(limited).signIn()];
    const path = `${rest}/property/properties?limit=1`;
    const blocker = await limited.database.pool.connect();
    try {
      await blocker.query('begin; lock table customer_nord.orders in access exclusive mode');
      const waiting = one.get(`${rest}/operations/orders?limit=1`);
      await expect.poll(async () => (await lockWaits(limited.database.pool)).length).toBeGreaterThan(0);
      expect((await one.get(path)).status).toBe(503);
      expect((await other.get(path)).status).toBe(200);
      await blocker.query('rollback');
      expect((await waiting).status).toBe(200);
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
    await expect.poll(async () => (await one.get(path)).status).toBe(200);
    await limited.stop();
  });
});

test('the page runs only scripts of the service, is not stored, and names the customer', async () => {
  const { status, headers, text } = await operator.get('/portal/customers/nord/explore');
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  );
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(text).toContain('data-rest="/portal/customers/nord/rest"');
  expect(text).not.toMatch(/<script>|style=|id="key-bar"|https?:\/\/(?!www\.w3\.org)/);
  expect((await operator.get('/portal/customers/nord')).text).toContain('href="/portal/customers/nord/explore"');
});
