/** Operations on keys, their errors and their entries in the audit log (contract: API keys). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readLog } from '../../src/access/audit.ts';
import { hasNotEnded, isActive, keyStateOf } from '../../src/access/key-lookup.ts';
import { type IssuedKey, KeyIssuedAlready, KeyStore, type NewKey } from '../../src/access/keys.ts';
import { defaultGroups } from '../../src/catalogue/tiers.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { type Customer, findCustomer } from '../../src/database/control/customers.ts';
import { openTestDatabase } from '../support/database.ts';
import { testSecret } from '../support/settings.ts';

const actor = { name: 'anna', address: '192.0.2.1' };
const scope: NonNullable<NewKey['scope']> = { personal: ['name', 'contact', 'bank', 'tax'] };

let database: Database;
let store: KeyStore;
let nord: Customer;
let last = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  store = new KeyStore(database, testSecret, actor);
  nord = await findCustomer(database, 'nord');
});
beforeEach(async () => {
  last = (await readLog(database.control, {}, { limit: 1 }))[0]?.id ?? 0;
});
afterAll(() => database.close());

const issue = (more: Partial<NewKey> = {}) => store.create({ customer: nord, tier: 'basic', ...more });

/** The actions in this test, oldest first. */
const logged = async (): Promise<string[]> => {
  const entries = await readLog(database.control, {}, { limit: 20 });
  expect(entries.every(({ id, actor: name }) => id <= last || name === actor.name)).toBe(true);
  return entries
    .filter(({ id }) => id > last)
    .map(({ action, subject }) => `${action}: ${subject}`)
    .reverse();
};

describe('a new key', () => {
  test('has the default endpoint groups, no name, no scope and no end, unless they are given', async () => {
    const { id, ...key } = await issue();
    expect(key).toMatchObject({
      customer: 'nord',
      name: '',
      tier: 'basic',
      groups: defaultGroups,
      scope: null,
      lineage: id,
      expires_at: null,
    });
    expect(await database.pool.query('select scope is null as none from estate.api_keys where id = $1', [id])).toMatchObject({
      rows: [{ none: true }],
    });
    expect(await logged()).toEqual([`created key: ${id} of nord, tier basic, ${defaultGroups.join(', ')}`]);
  });

  test('has what is given', async () => {
    const expiresAt = new Date(Date.now() + 1_000_000);
    const { id, ...key } = await issue({ groups: ['raw'], scope, name: 'for the auditor', expiresAt, id: 'chosen' });
    expect([id, key]).toMatchObject(['chosen', { name: 'for the auditor', groups: ['raw'], scope, expires_at: expiresAt }]);
    expect((await store.find(id)).scope).toEqual(scope);
    expect(await logged()).toEqual(['created key: chosen of nord, tier basic, raw, without personal data: birth']);
  });

  test('can have no endpoint group', async () => {
    const { id } = await issue({ groups: [] });
    expect(await logged()).toEqual([`created key: ${id} of nord, tier basic, no endpoint group`]);
  });

  test('is issued once', async () => {
    await issue({ id: 'once' });
    await expect(issue({ id: 'once' })).rejects.toThrow(new KeyIssuedAlready("Key 'once' has been issued already."));
    expect(await logged()).toHaveLength(1);
  });

  test('has a tier of its customer', async () => {
    const customer = { ...nord, tier: 'professional' } as const;
    await expect(issue({ customer, tier: 'enterprise' })).rejects.toThrow(
      "Customer 'nord' has tier professional; a key of tier enterprise would be above it.",
    );
    await issue({ customer, tier: 'professional' });
    expect(await logged()).toHaveLength(1);
  });

  test('with a given text has the default groups and is not logged', async () => {
    const { id, ...key } = await store.createFixed(nord, { tier: 'basic' }, 'est_fixed_text');
    expect([id, key]).toMatchObject([
      'fixed',
      { key: 'est_fixed_text', name: 'demo', groups: defaultGroups, scope: null, expires_at: null },
    ]);
    await expect(store.createFixed(nord, { tier: 'basic' }, 'no key')).rejects.toThrow('That is no API key.');
    expect(await logged()).toEqual([]);
  });
});

describe('a rotation', () => {
  test('gives the successor the rights, the scope and the end of the key', async () => {
    const expiresAt = new Date(Date.now() + 1_000_000);
    const old = await issue({ groups: ['graphql'], scope, name: 'mine', expiresAt });
    const successor = await store.rotate(old.id, 5_000, 'successor');
    const { created_at: _, id: __, key: ___, ...rights } = old;
    expect(successor).toMatchObject({ ...rights, expires_at: expiresAt, id: 'successor' });
    const end = (await store.find(old.id)).expires_at;
    expect(Math.abs(end!.getTime() - Date.now() - 5_000)).toBeLessThan(60_000);
    expect((await logged()).at(-1)).toBe(`rotated key: ${old.id} of nord to successor, until ${end!.toISOString()}`);
  });

  test('can change the scope, and says so', async () => {
    const old = await issue({ scope });
    const open = await store.rotate(old.id, 0, undefined, { scope: null });
    expect(open.scope).toBeNull();
    expect((await logged()).at(-1)).toMatch(/, now all data$/);
    expect((await store.rotate(open.id, 0, undefined, { scope })).scope).toEqual(scope);
    expect((await logged()).at(-1)).toMatch(/, now without personal data: birth$/);
  });

  test('of a key that has ended or has a successor is refused', async () => {
    const [revoked, expired, old] = [await issue(), await issue({ expiresAt: new Date(0) }), await issue()];
    await store.revoke(revoked.id);
    await expect(store.rotate(revoked.id, 0)).rejects.toThrow(`Key '${revoked.id}' is revoked; create a new one instead.`);
    await expect(store.rotate(expired.id, 0)).rejects.toThrow(`Key '${expired.id}' is expired; create a new one instead.`);
    const successor = await store.rotate(old.id, 60_000);
    await expect(store.rotate(old.id, 0)).rejects.toThrow(`Key '${old.id}' has been rotated already; its successor is '${successor.id}'.`);
  });

  test('is possible again after its successor is revoked', async () => {
    const old = await issue();
    await store.revoke((await store.rotate(old.id, 60_000)).id);
    expect((await store.rotate(old.id, 60_000)).lineage).toBe(old.id);
  });
});

describe('a change', () => {
  test('is logged, and a revoked key does not change again', async () => {
    const { id } = await issue();
    expect((await store.disable(id)).disabled_at).toEqual(expect.any(Date));
    expect((await store.enable(id)).disabled_at).toBeNull();
    const changed = await store.setRights(id, 'professional', { tier: 'professional', groups: ['rest', 'raw'] });
    expect(changed).toMatchObject({ tier: 'professional', groups: ['rest', 'raw'] });
    const { revoked_at: end } = await store.revoke(id);
    expect(end).toEqual(expect.any(Date));
    expect((await store.revoke(id)).revoked_at).toEqual(end);
    expect((await store.disable(id)).disabled_at).toBeNull();
    expect((await logged()).slice(1)).toEqual([
      `disabled key: ${id} of nord`,
      `enabled key: ${id} of nord`,
      `changed rights of key: ${id} of nord, tier professional, rest, raw`,
      `revoked key: ${id} of nord`,
    ]);
  });

  test('of the tier stays within the customer', async () => {
    const { id } = await issue();
    await expect(store.setRights(id, 'basic', { tier: 'professional', groups: ['rest'] })).rejects.toThrow('would be above it');
    expect((await store.find(id)).tier).toBe('basic');
  });

  test('of an unknown key is refused', async () => {
    for (const change of ['revoke', 'disable', 'enable', 'find'] as const)
      await expect(store[change]('none')).rejects.toThrow("There is no key 'none'.");
    await expect(store.rotate('none', 0)).rejects.toThrow("There is no key 'none'.");
  });
});

test('keys are listed in the order of their creation, of all customers or of one', async () => {
  const made: IssuedKey[] = [];
  // The first one sorts last by its id.
  for (const id of ['zlast', 'amiddle', 'bmiddle']) made.push(await issue({ id }));
  const all = await store.list();
  const positions = made.map((key) => all.findIndex(({ id }) => id === key.id));
  expect(positions).toEqual([...positions].sort((a, b) => a - b));
  expect(positions).not.toContain(-1);
  const owners = new Set(all.map(({ customer }) => customer));
  expect(owners.size).toBeGreaterThan(1);
  const ofNord = await store.list('nord');
  expect(ofNord).toEqual(all.filter(({ customer }) => customer === 'nord'));
  expect(Object.keys(ofNord[0]!)).not.toContain('customer_id');
  expect(JSON.stringify(ofNord)).not.toContain('hash');
});

test('the states of keys are the same in SQL', async () => {
  const [disabled, revoked] = [await issue(), await issue()];
  await issue({ expiresAt: new Date(0) });
  await store.disable(disabled.id);
  await store.revoke(revoked.id);
  const all = await store.list();
  const states = all.map(keyStateOf);
  expect(new Set(states)).toEqual(new Set(['active', 'disabled', 'expired', 'revoked']));
  const idsWhere = async (condition: typeof isActive) =>
    (await database.control.selectFrom('api_keys as k').select('id').where(condition).execute()).map(({ id }) => id).sort();
  const idsIn = (...wanted: string[]) =>
    all
      .filter((_, at) => wanted.includes(states[at]!))
      .map(({ id }) => id)
      .sort();
  expect(await idsWhere(isActive)).toEqual(idsIn('active'));
  expect(await idsWhere(hasNotEnded)).toEqual(idsIn('active', 'disabled'));
});
