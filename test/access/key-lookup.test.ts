/** The number of statements for key lookup is bounded, whatever is sent as a key. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Authenticator } from '../../src/access/authenticate.ts';
import { apiKeyText } from '../../src/access/key-text.ts';
import { KeyStore } from '../../src/access/keys.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { cacheLookups } from '../../src/metrics.ts';
import { openTestDatabase } from '../support/database.ts';
import { keys, testSecret } from '../support/settings.ts';

let database: Database;
let counted: Database;
let statements = 0;
/** Emits when a statement is about to begin. */
let begins: () => void;

beforeAll(async () => {
  database = await openTestDatabase();
  const control = database.control.withPlugin({
    transformQuery: ({ node }) => {
      statements++;
      begins();
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  counted = { ...database, control };
});
beforeEach(() => {
  statements = 0;
  begins = () => {};
});
afterAll(() => database.close());

const issue = async (id: string) =>
  new KeyStore(database, testSecret).create({ customer: await findCustomer(database, 'nord'), tier: 'basic', id });

test('unknown ids cost a few statements per second, however many arrive', async () => {
  const authenticator = new Authenticator(counted, testSecret);
  const started = performance.now();
  let asked = 0;
  for (let round = 0; round < 8; round++)
    await Promise.all(Array.from({ length: 500 }, () => authenticator.authenticate(apiKeyText(`madeup${asked++}`))));
  const seconds = (performance.now() - started) / 1_000;
  expect(asked).toBe(4_000);
  // Ten per second, and the one that begins at once.
  expect(statements).toBeLessThanOrEqual(Math.ceil(10 * seconds) + 1);
});

test('an unknown id is remembered', async () => {
  const authenticator = new Authenticator(counted, testSecret);
  await Promise.all(Array.from({ length: 50 }, () => authenticator.authenticate('est_nobody_knows')));
  await authenticator.authenticate('est_nobody_else');
  expect(statements).toBe(1);
});

test('the refusal of a known id waits for the same statement as that of an unknown id', async () => {
  const authenticator = new Authenticator(counted, testSecret);
  await authenticator.authenticate(keys.nordBasic);
  // The id is no longer among those of recent batches.
  await Promise.all(Array.from({ length: 10_001 }, (_, at) => authenticator.authenticate(apiKeyText(`recent${at}`))));
  await authenticator.authenticate(keys.nordBasic);
  let hasBegun = false;
  begins = () => {
    hasBegun = true;
  };
  const refused = [`${keys.nordBasic}x`, 'est_nobody_knows'].map(async (key) => [await authenticator.authenticate(key), hasBegun]);
  expect(await Promise.all(refused)).toEqual([
    [undefined, true],
    [undefined, true],
  ]);
  expect(statements).toBeGreaterThan(0);
  expect(await authenticator.authenticate(keys.nordBasic)).toMatchObject({ keyId: 'nordbasic' });
});

test('requests with a key whose lookup is in flight wait for the same statement', async () => {
  const authenticator = new Authenticator(counted, testSecret);
  const meanwhile = new Promise((resolve) => {
    begins = () => resolve(authenticator.authenticate(keys.nordBasic));
  });
  expect(await authenticator.authenticate(keys.nordBasic)).toMatchObject({ keyId: 'nordbasic' });
  expect(await meanwhile).toMatchObject({ keyId: 'nordbasic' });
  expect(statements).toBe(1);
});

test('a valid key is accepted among unknown ones and stays in memory', async () => {
  const authenticator = new Authenticator(counted, testSecret);
  const flood = (part: number) =>
    Array.from({ length: 6_000 }, (_, i) => authenticator.authenticate(apiKeyText(`flood${part * 6_000 + i}`)));
  const [caller] = await Promise.all([authenticator.authenticate(keys.nordBasic), ...flood(0)]);
  expect(caller?.keyId).toBe('nordbasic');
  await Promise.all(flood(1));
  const waiting = Promise.all(flood(2));
  statements = 0;
  // Cached or looked up at once: it does not wait with the others.
  expect((await authenticator.authenticate(keys.nordBasic))?.keyId).toBe('nordbasic');
  expect(statements).toBeLessThanOrEqual(2);
  await waiting;
});

test('a key is accepted soon after it is issued, even if it was unknown before', async () => {
  const authenticator = new Authenticator(database, testSecret);
  expect(await authenticator.authenticate('est_tooearly_x')).toBeUndefined();
  const { key } = await issue('tooearly');
  await expect.poll(async () => (await authenticator.authenticate(key))?.keyId, { interval: 20 }).toBe('tooearly');
});

test('a known key is looked up at most every two seconds', async () => {
  const authenticator = new Authenticator(counted, testSecret);
  const started = performance.now();
  for (let i = 0; i < 200; i++) await authenticator.authenticate(keys.nordEnterprise);
  expect(statements).toBeLessThanOrEqual(Math.ceil((performance.now() - started) / 2_000));
});

test('a key has the tier of its customer if its own is higher, and its own otherwise', async () => {
  const tierOf = async (key: string) => (await new Authenticator(database, testSecret).authenticate(key))?.tier;
  const lower = (tier: string) => database.pool.query("update estate.customers set tier = $1 where slug = 'nord'", [tier]);
  expect([await tierOf(keys.nordBasic), await tierOf(keys.nordEnterprise)]).toEqual(['basic', 'enterprise']);
  await lower('professional');
  try {
    expect([await tierOf(keys.nordBasic), await tierOf(keys.nordEnterprise)]).toEqual(['basic', 'professional']);
  } finally {
    await lower('enterprise');
  }
});

test('a key with a scope that this program does not understand is refused', async () => {
  const { id, key } = await issue('fromlater');
  await database.pool.query('update estate.api_keys set scope = $1 where id = $2', [{ colours: ['red'] }, id]);
  expect(await new Authenticator(database, testSecret).authenticate(key)).toBeUndefined();
});

test('a key is recalled only after it was looked up', async () => {
  const authenticator = new Authenticator(counted, testSecret);
  expect(authenticator.recall(keys.nordBasic)).toBeUndefined();
  await authenticator.authenticate(keys.nordBasic);
  expect(authenticator.recall(keys.nordBasic)?.keyId).toBe('nordbasic');
  expect(authenticator.recall(`${keys.nordBasic}x`)).toBeUndefined();
  expect(statements).toBe(1);
});

test('lookups are counted as found in the cache or not', async () => {
  const authenticator = new Authenticator(database, testSecret);
  const before = { ...cacheLookups.keys };
  for (const key of [keys.nordBasic, keys.nordBasic, 'est_nobody_knows', 'est_nobody_knows', keys.nordBasic])
    await authenticator.authenticate(key);
  expect({ hit: cacheLookups.keys.hit - before.hit, miss: cacheLookups.keys.miss - before.miss }).toEqual({ hit: 3, miss: 2 });
});

test('a lookup that fails is repeated by the next request', async () => {
  let isBroken = true;
  const control = database.control.withPlugin({
    transformQuery: ({ node }) => {
      if (isBroken) throw new Error('The connection is lost');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const authenticator = new Authenticator({ ...database, control }, testSecret);
  isBroken = false;
  await authenticator.authenticate(keys.nordBasic);
  await expect
    .poll(
      async () => {
        isBroken = true;
        return authenticator.authenticate(keys.nordBasic).then(
          () => 'found',
          (error: Error) => error.message,
        );
      },
      { interval: 50 },
    )
    .toBe('The connection is lost');
  isBroken = false;
  expect((await authenticator.authenticate(keys.nordBasic))?.keyId).toBe('nordbasic');
});
