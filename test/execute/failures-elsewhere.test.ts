/**
 * The SQLSTATEs of `failures` during the look-up of a key and during pages of the portal: 503, never 500 (contract: waiting). The table of
 * keys becomes a view that raises them.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { randomKeyId } from '../../src/access/key-text.ts';
import { Operator, password } from '../portal/operator.ts';
import { startService, type TestService } from '../support/service.ts';
import { raised } from './raised.ts';

let service: TestService;
let operator: Operator;

/** The next reads of keys fail with this SQLSTATE; null ends that. */
const failNext = (state: string | null) => service.database.pool.query('update faults.next set state = $1', [state]);

beforeAll(async () => {
  service = await startService({ environment: { PORTAL_PASSWORD: password } });
  operator = await new Operator(service).signIn();
  await service.database.pool.query(`
    create schema faults;
    create table faults.next (state text);
    insert into faults.next values (null);
    create function faults.passes() returns boolean language plpgsql as $$
      declare wanted text := (select state from faults.next);
      begin
        if wanted is not null then raise exception 'raised by a test' using errcode = wanted; end if;
        return true;
      end $$;
    alter table estate.api_keys rename to api_keys_behind;
    create view estate.api_keys as select k.* from (select faults.passes() as passes) p, estate.api_keys_behind k where p.passes;`);
});
afterAll(() => service.stop());
beforeEach(() => failNext(null));

const pages = [
  '/portal',
  '/portal/keys',
  '/portal/keys/nordbasic',
  '/portal/keys/new',
  '/portal/customers',
  '/portal/customers/nord',
  '/portal/usage',
];

test('pages answer without a failure', async () => {
  for (const path of pages) expect([path, (await operator.get(path)).status]).toEqual([path, 200]);
});

describe.each(raised)('$state', ({ state, failure }) => {
  const retryAfter = failure === 'timeout' || failure === 'locked' ? '30' : '5';

  test('during the look-up of a key is a problem document with status 503', async () => {
    await failNext(state);
    for (const path of ['/catalog', '/operations/orders?limit=1', '/files', '/docs']) {
      // An id that was not looked up before.
      const key = `est_${randomKeyId()}_x`;
      const { status, headers, json } = await service.get(path, { key });
      expect([path, status, headers.get('retry-after'), json?.title]).toEqual([path, 503, retryAfter, 'Service Unavailable']);
    }
  });

  test('during a page of the portal is a page with status 503', async () => {
    await failNext(state);
    let failed = 0;
    for (const path of pages) {
      const { status, headers, text } = await operator.get(path);
      if (status === 200) continue;
      failed++;
      expect([path, status, headers.get('retry-after'), headers.get('content-type')]).toEqual([
        path,
        503,
        retryAfter,
        'text/html; charset=utf-8',
      ]);
      for (const internal of [state, 'raised by a test', 'faults']) expect(text).not.toContain(internal);
    }
    expect(failed).toBeGreaterThan(1);
  });
});
