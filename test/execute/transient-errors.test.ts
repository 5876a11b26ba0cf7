/**
 * Errors that PostgreSQL raises for a transaction that lost against another one, and those of a server that only reads or is lost. A table
 * becomes a view that raises them (contract: waiting).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { failureOf } from '../../src/database-failures.ts';
import { onServer } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { raised } from './raised.ts';

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

describe.each(raised.filter(({ failure }) => failure === 'unavailable'))('$state', ({ state }) => {
  test('is 503 at once, and UNAVAILABLE in GraphQL', async () => {
    await failNext(100, state);
    const { status, headers } = await service.get('/operations/orders?limit=3');
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(await readsSoFar()).toBe(1);
    const answer = await graphql();
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
    expect(answer.headers.get('retry-after')).toBe('5');
  });
});

describe.each(raised.filter(({ failure }) => failure === 'timeout'))('$state', ({ state }) => {
  test('is 503 as a statement that takes too long, and TIMEOUT in GraphQL', async () => {
    await failNext(100, state);
    const { status, headers } = await service.get('/operations/orders?limit=3');
    expect([status, headers.get('retry-after')]).toEqual([503, '30']);
    expect(await (await graphql()).json()).toMatchObject({ errors: [{ extensions: { code: 'TIMEOUT' } }] });
  });
});

describe.each(raised.filter(({ failure }) => failure === 'stale' || failure === 'lost' || failure === 'locked'))('$state', ({ state }) => {
  test('is repeated, and the caller notices nothing', async () => {
    const { text } = await service.get('/operations/orders?limit=3');
    await failNext(2, state);
    expect(await service.get('/operations/orders?limit=3')).toMatchObject({ status: 200, text });
    expect(await readsSoFar()).toBe(3);
  });
});

test('errors of the client that mean a lost connection are 503, and others are not', () => {
  const withCode = (code: string, more: object = {}) => Object.assign(new Error('failed'), { code, ...more });
  for (const message of [
    'timeout expired',
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Query read timeout',
  ])
    expect([message, failureOf(new Error(message))]).toEqual([message, 'unavailable']);
  for (const code of ['ECONNREFUSED', 'EHOSTDOWN', 'EAI_FAIL', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'])
    expect([code, failureOf(withCode(code))]).toEqual([code, 'unavailable']);
  expect(failureOf(withCode('ENOENT', { syscall: 'connect' }))).toBe('unavailable');
  expect(failureOf(withCode('ENOENT', { syscall: 'open' }))).toBeUndefined();
  expect(failureOf(withCode('ENOSPC', { syscall: 'write' }))).toBeUndefined();
  for (const state of ['0A000', '22012', '42703', 'XX000', '25P02'])
    expect([state, failureOf(withCode(state))]).toEqual([state, undefined]);
});

/** Kinds of requests, each with statements of its own. */
const requests = [
  '/operations/orders?limit=3',
  '/operations/orders?limit=3&status=closed',
  '/operations/orders/groups?by=status',
  '/raw/person?limit=3',
];

test.runIf(onServer)('a column whose type changes outdates the statements of every session, and the caller notices nothing', async () => {
  const read = () => Promise.all([...requests, ...requests, ...requests].map((path) => service.get(path, { key: keys.suedEnterprise })));
  const statuses = async () => [...new Set((await read()).map(({ status }) => status))];
  expect(await statuses()).toEqual([200]);
  const { rows } = await service.database.pool.query<{ name: string; column: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name, min(quote_ident(column_name)) filter (where data_type = 'text') as column
     from information_schema.columns where table_schema = 'customer_sued' and table_name in ('orders', 'person') group by 1`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { name, column } of rows) await service.database.pool.query(`alter table ${name} alter column ${column} type varchar`);
  expect(await statuses()).toEqual([200]);
});

test.runIf(onServer)('a schema that is dropped to be restored is 503, and is served again afterwards', async () => {
  const paths = ['/operations/orders?limit=4', '/raw/person?limit=4', '/operations/orders/groups?by=status', '/catalog', '/me'];
  const statuses = () => Promise.all(paths.map(async (path) => (await service.get(path, { key: keys.suedEnterprise })).status));
  await statuses();
  await service.database.pool.query('alter schema customer_sued rename to restoring');
  for (const status of await statuses()) expect([200, 503]).toContain(status);
  expect((await service.get(paths[0] as string, { key: keys.suedEnterprise })).status).toBe(503);
  await service.database.pool.query('alter schema restoring rename to customer_sued');
  await expect.poll(statuses).toEqual(paths.map(() => 200));
});

test.runIf(onServer)('40 reads of a table that another session locks do not stop other tables', async () => {
  const client = await service.database.pool.connect();
  await client.query('begin; lock table customer_sued.orders');
  const path = (offset: number) => `/operations/orders?limit=3&offset=${offset}`;
  const locked = Promise.all(Array.from({ length: 40 }, (_, offset) => service.get(path(offset), { key: keys.suedEnterprise })));
  const other = await service.get('/stakeholder/tenants?limit=3', { key: keys.suedEnterprise });
  await client.query('rollback');
  client.release();
  expect(other.status).toBe(200);
  for (const { status, headers } of await locked)
    expect(status === 503 ? headers.get('retry-after') : status).toBe(status === 503 ? '30' : 200);
});

test.runIf(onServer)('a read of a table that stays locked is 503 with Retry-After', async () => {
  const client = await service.database.pool.connect();
  await client.query('begin; lock table customer_sued.orders');
  const { status, headers } = await service.get('/operations/orders?limit=3', { key: keys.suedEnterprise });
  await client.query('rollback');
  client.release();
  expect([status, headers.get('retry-after')]).toEqual([503, '30']);
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
