import { createHmac } from 'node:crypto';
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { type Customer, findCustomer } from '../../src/database/control/customers.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys, testSecret } from '../support/settings.ts';
import { sqlOn } from '../support/specification.ts';

/** The time during which an ended key may still be accepted (contract: key revocation). */
const endsWithin = { interval: 50 };
let service: TestService;
let store: KeyStore;
let nord: Customer;

beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '1000' } });
  store = new KeyStore(service.database, testSecret);
  nord = await findCustomer(service.database, 'nord');
});
afterAll(() => service.stop());

const issue = (expiresAt?: Date) => store.create({ customer: nord, tier: 'basic', ...(expiresAt && { expiresAt }) });
const statusWith = async (key: string) => (await service.get('/catalog', { key })).status;

/** Status, headers without those of time and quota, and body of the response to a request with these header lines. */
const send = (path: string, lines: readonly (readonly [string, string])[]): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const headers = ['Host', 'localhost', ...lines.flat()];
    const request = http.get({ port: service.port, path, headers, agent: false }, async (response) => {
      let body = '';
      for await (const chunk of response.setEncoding('utf8')) body += chunk;
      const { date: _, 'x-request-id': __, ...rest } = response.headers;
      const shown = Object.entries(rest).filter(([name]) => !name.includes('ratelimit'));
      resolve([response.statusCode, shown, body]);
    });
    request.on('error', reject);
  });

test('a stored hash of any length refuses its key, at the first request and at later ones', async () => {
  const sql = sqlOn(service);
  await expect(sql("update estate.api_keys set hash = 'short' where id = $1", [(await issue()).id])).rejects.toMatchObject({
    code: '23514',
  });
  await sql('alter table estate.api_keys drop constraint api_keys_hash_length');
  for (const length of [0, 1, 16, 31, 33, 64]) {
    const { id, key } = await issue();
    await sql("update estate.api_keys set hash = decode(repeat('ab', $2), 'hex') where id = $1", [id, length]);
    expect([length, await statusWith(key), await statusWith(key), await statusWith(key)]).toEqual([length, 401, 401, 401]);
  }
  await sql('delete from estate.api_keys where octet_length(hash) <> 32');
  await sql('alter table estate.api_keys add constraint api_keys_hash_length check (octet_length(hash) = 32)');
});

describe('all wrong keys get the same response (contract: missing and invalid keys)', () => {
  test('byte for byte', async () => {
    const past = new Date(Date.now() - 1000);
    const [disabled, revoked, expired] = [await issue(), await issue(), await issue(past)];
    await sqlOn(service)('update estate.api_keys set disabled_at = now() where id = $1', [disabled.id]);
    await store.revoke(revoked.id);
    const good = keys.nordEnterprise;
    const wrong: Record<string, [path: string, ...lines: [string, string][]]> = {
      missing: ['/catalog'],
      empty: ['/catalog', ['X-API-Key', '']],
      nonsense: ['/catalog', ['X-API-Key', 'nonsense']],
      unknown: ['/catalog', ['X-API-Key', 'est_nobody_secret']],
      'a wrong secret': ['/catalog', ['X-API-Key', 'est_nordenterprise_Demo']],
      'only the id': ['/catalog', ['X-API-Key', 'est_nordenterprise_']],
      'another case': ['/catalog', ['X-API-Key', good.toUpperCase()]],
      'something behind it': ['/catalog', ['X-API-Key', `${good}_x`]],
      'very long': ['/catalog', ['X-API-Key', `est_nord_${'x'.repeat(4000)}`]],
      'not ASCII': ['/catalog', ['X-API-Key', 'est_nordenterprise_dem\xf6']],
      disabled: ['/catalog', ['X-API-Key', disabled.key]],
      revoked: ['/catalog', ['X-API-Key', revoked.key]],
      expired: ['/catalog', ['X-API-Key', expired.key]],
      'sent twice': ['/catalog', ['X-API-Key', good], ['X-API-Key', good]],
      'sent as a list': ['/catalog', ['X-API-Key', `${good}, ${good}`]],
      'in the query': [`/catalog?X-API-Key=${good}&api_key=${good}`],
      'as a bearer token': ['/catalog', ['Authorization', `Bearer ${good}`]],
      'in a cookie': ['/catalog', ['Cookie', `X-API-Key=${good}`]],
    };
    const expected = await send('/catalog', []);
    expect(expected).toEqual([
      401,
      expect.anything(),
      '{"type":"about:blank","title":"Unauthorized","status":401,"detail":"API key required","instance":"/catalog"}',
    ]);
    for (const [how, [path, ...lines]] of Object.entries(wrong)) expect([how, await send(path, lines)]).toEqual([how, expected]);
  });

  test('the header name is case-insensitive, and blanks around the key are ignored', async () => {
    expect(await send('/catalog', [['x-api-KEY', `  ${keys.nordBasic} `]])).toMatchObject({ 0: 200 });
  });
});

describe('life cycle of a key', () => {
  test('a new key is accepted at once', async () => {
    expect(await statusWith((await issue()).key)).toBe(200);
  });

  test('a rotated key and its successor are both accepted until the chosen end (contract: key rotation)', async () => {
    const old = await issue();
    const successor = await store.rotate(old.id, 60_000);
    expect([await statusWith(old.key), await statusWith(successor.key)]).toEqual([200, 200]);
    expect(successor).toMatchObject({ tier: 'basic', lineage: old.lineage, expires_at: null });
  });

  test('a key that is rotated without overlap ends, and its successor is valid', async () => {
    const old = await issue();
    expect(await statusWith(old.key)).toBe(200);
    const successor = await store.rotate(old.id, 0);
    await expect.poll(() => statusWith(old.key), endsWithin).toBe(401);
    expect(await statusWith(successor.key)).toBe(200);
  });

  test('of concurrent rotations, one returns the successor and the others say so', async () => {
    const old = await issue();
    const rotations = await Promise.allSettled(Array.from({ length: 4 }, () => store.rotate(old.id, 60_000)));
    const issued = rotations.flatMap((each) => (each.status === 'fulfilled' ? [each.value.id] : []));
    expect(issued).toHaveLength(1);
    for (const each of rotations) if (each.status === 'rejected') expect(String(each.reason)).toContain(`its successor is '${issued[0]}'`);
  });

  test('rotation does not postpone an earlier expiry', async () => {
    const end = new Date(Date.now() + 1000);
    const old = await issue(end);
    await store.rotate(old.id, 60_000);
    expect((await store.find(old.id)).expires_at).toEqual(end);
  });

  test('a revoked key ends within 5 s, permanently', async () => {
    const { id, key } = await issue();
    expect(await statusWith(key)).toBe(200);
    await store.revoke(id);
    await expect.poll(() => statusWith(key), endsWithin).toBe(401);
    await expect(store.rotate(id, 0)).rejects.toThrow('is revoked');
  });

  test('a disabled key ends within 5 s and can be enabled again', async () => {
    const { id, key } = await issue();
    expect(await statusWith(key)).toBe(200);
    await sqlOn(service)('update estate.api_keys set disabled_at = now() where id = $1', [id]);
    await expect.poll(() => statusWith(key), endsWithin).toBe(401);
    await sqlOn(service)('update estate.api_keys set disabled_at = null where id = $1', [id]);
    await expect.poll(() => statusWith(key), endsWithin).toBe(200);
  });

  test('a key expires on time', async () => {
    const { key } = await issue(new Date(Date.now() + 500));
    await expect.poll(() => statusWith(key), { interval: 20 }).toBe(401);
  });
});

test('the id and an HMAC-SHA-256 of the whole key are stored (contract: key storage)', async () => {
  const { id, key } = await issue();
  const [row] = await sqlOn(service)('select * from estate.api_keys where id = $1', [id]);
  expect(key).toMatch(new RegExp(`^est_${id}_[0-9a-z]{32}$`));
  expect(Buffer.from(row.hash)).toEqual(createHmac('sha256', testSecret).update(key).digest());
  expect(JSON.stringify(row)).not.toContain(key.split('_')[2]);
});
