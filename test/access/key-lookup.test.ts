/** The number of statements for key lookup is bounded, whatever is sent as a key. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Authenticator } from '../../src/access/authenticate.ts';
import { keyText } from '../../src/access/key-text.ts';
import { KeyStore } from '../../src/access/keys.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
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
    await Promise.all(Array.from({ length: 500 }, () => authenticator.authenticate(keyText(`madeup${asked++}`))));
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
  const flood = (part: number) => Array.from({ length: 6_000 }, (_, i) => authenticator.authenticate(keyText(`flood${part * 6_000 + i}`)));
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
  await expect.poll(async () => (await authenticator.authenticate(key))?.keyId, { timeout: 5_000, interval: 20 }).toBe('tooearly');
});

test('a known key is looked up at most every two seconds', async () => {
  const authenticator = new Authenticator(counted, testSecret);
  const started = performance.now();
  for (let i = 0; i < 200; i++) await authenticator.authenticate(keys.nordEnterprise);
  expect(statements).toBeLessThanOrEqual(Math.ceil((performance.now() - started) / 2_000));
});
