/**
 * Errors that PostgreSQL raises for a transaction that lost against another one, and those of a server that only reads or is lost. A table
 * becomes a view that raises them (contract: waiting).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { onServer } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

let service: TestService;

/** The next reads of the table fail this often with this SQLSTATE. */
const failNext = async (times: number, state = '40001') => {
  await service.database.pool.query(`update faults.next set state = '${state}'`);
  await service.database.pool.query(`select setval('faults.reads', 1, false), setval('faults.last', ${times + 1}, false)`);
};
const readsSoFar = async (): Promise<number> => {
  const { rows } = await service.database.pool.query('select is_called, last_value::int as reads from faults.reads');
  return rows[0].is_called ? rows[0].reads : 0;
};

beforeAll(async () => {
  service = await startService({ environment: { RESPONSE_CACHE_MB: '0' } });
  // A sequence keeps its value when the transaction fails.
  await service.database.pool.query(`
    create schema faults;
    create sequence faults.reads;
    create sequence faults.last;
    create table faults.next (state text not null);
    insert into faults.next values ('40001');
    create function faults.passes() returns boolean language plpgsql as $$ begin
      -- A read-only transaction cannot count.
      if current_setting('transaction_read_only')::boolean then
        if (select last_value from faults.last) = 1 then return true; end if;
        raise exception 'lost against another transaction' using errcode = (select state from faults.next);
      end if;
      if nextval('faults.reads') < (select last_value from faults.last) then
        raise exception 'lost against another transaction' using errcode = (select state from faults.next);
      end if;
      return true; end $$;
    alter table customer_nord.orders rename to orders_behind;
    create view customer_nord.orders as select o.* from (select faults.passes() as passes) p, customer_nord.orders_behind o where p.passes;`);
});
afterAll(() => service.stop());
beforeEach(() => failNext(0));

const graphql = () =>
  fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-API-Key': keys.nordEnterprise },
    body: JSON.stringify({ query: '{ orders(first: 3) { nodes { orderId } } }' }),
  });

describe.each(['40001', '40P01'])('%s', (state) => {
  test('is repeated, and the caller notices nothing', async () => {
    const { text } = await service.get('/operations/orders?limit=3');
    await failNext(2, state);
    expect(await service.get('/operations/orders?limit=3')).toMatchObject({ status: 200, text });
    expect(await readsSoFar()).toBe(3);
  });

  test('is 503 with Retry-After after three attempts', async () => {
    await failNext(100, state);
    const { status, headers, json } = await service.get('/operations/orders?limit=3');
    expect([status, headers.get('retry-after'), json.detail]).toEqual([503, '5', 'The database is not available; try again later']);
    expect(await readsSoFar()).toBe(3);
  });
});

test('groups are repeated', async () => {
  const path = '/operations/orders/groups?by=status';
  const { text } = await service.get(path);
  await failNext(1);
  expect(await service.get(path)).toMatchObject({ status: 200, text });
});

test('a large page is 503 with Retry-After before its first byte', async () => {
  expect((await service.get('/operations/orders?limit=5000')).status).toBe(200);
  for (const state of ['40001', '40P01', '08006']) {
    await failNext(100, state);
    const { status, headers } = await service.get('/operations/orders?limit=5000');
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  }
});

test('a GraphQL document is repeated', async () => {
  const text = await (await graphql()).text();
  await failNext(1);
  const answer = await graphql();
  expect([answer.status, await answer.text()]).toEqual([200, text]);
});

test.each(['08006', '08001', '25006', '57P01'])('%s is 503 at once', async (state) => {
  await failNext(100, state);
  const { status, headers } = await service.get('/operations/orders?limit=3');
  expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  expect(await readsSoFar()).toBe(1);
});

test('any other error is 500, and is not repeated', async () => {
  await failNext(100, '22012');
  expect((await service.get('/operations/orders?limit=3')).status).toBe(500);
  expect(await readsSoFar()).toBe(1);
});

/** A read-only transaction cannot count, but a failed one loses its connection. So connections that exist now fail. */
test.runIf(onServer)('a large page is repeated before its first byte', async () => {
  const path = '/operations/orders?limit=5000';
  const { text } = await service.get(path);
  await service.database.pool.query(`
    create table faults.start as select clock_timestamp() as time;
    create or replace function faults.passes() returns boolean language plpgsql as $$ begin
      if (select backend_start from pg_stat_activity where pid = pg_backend_pid()) < (select time from faults.start) then
        raise exception 'lost against another transaction' using errcode = '40P01';
      end if;
      return true; end $$`);
  expect(await service.get(path)).toMatchObject({ status: 200, text });
});
