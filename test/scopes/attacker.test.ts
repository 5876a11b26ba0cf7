/**
 * No answer to a key with a scope depends on hidden data: neither values, nor counts, nor errors, nor cursors, tags and 304s (contract: data
 * scopes). `SCOPE_ATTACKS` sets the number of requests, `SEED` the seed.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onServer } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { attack, cases, describeLeak, separate } from './attack.ts';

const count = Number(process.env.SCOPE_ATTACKS ?? (onServer ? 4_000 : 800)) / Object.keys(cases).length;
const seed = Number(process.env.SEED ?? 27);

describe.each(Object.entries(cases))('%s', (name, each) => {
  let one: TestService;
  let other: TestService;
  beforeAll(async () => {
    [one, other] = await Promise.all([startService(), startService()]);
    await separate({ one, other }, each);
  });
  afterAll(() => Promise.all([one.stop(), other.stop()]));

  test('nothing hidden can be found', { timeout: 3_600_000 }, async () => {
    const { asked, statuses, leak } = await attack({ one, other }, each, count, seed);
    console.log(`${name}: ${asked} requests, ${JSON.stringify(statuses)}`);
    expect(leak && describeLeak(leak)).toBeUndefined();
    expect(statuses['200']).toBeGreaterThan(asked / 3);
  });
});
