/**
 * Some random pages with conditions, orders and columns, and groups, of a key with a scope: nothing hidden can be found (contract: data
 * scopes). `attacker.exhaustive.test.ts` asks thousands, on every interface.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onServer } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { attack, cases, describeLeak, separate } from './attack.ts';
import { ofRows } from './requests.ts';

const each = cases['a federal state, and contacts only']!;
const count = onServer ? 240 : 80;

let one: TestService;
let other: TestService;
beforeAll(async () => {
  [one, other] = await Promise.all([startService(), startService()]);
  await separate({ one, other }, each);
});
afterAll(() => Promise.all([one.stop(), other.stop()]));

test('nothing hidden can be found by conditions, orders and columns of rows, and by groups', async () => {
  const { asked, statuses, leak } = await attack({ one, other }, each, { count, seed: 29, only: ofRows });
  expect(leak && describeLeak(leak)).toBeUndefined();
  expect([asked, statuses['200']! > asked / 4]).toEqual([count, true]);
});
