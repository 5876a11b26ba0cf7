/**
 * A table with many changes is replaced by a new one. Readers see all of it or nothing, dependent objects are preserved, and deltas are the
 * same.
 */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { beginSnapshot } from '../../src/execute/connections.ts';
import type { Phase } from '../../src/sync/request.ts';
import { onServer } from '../support/database.ts';
import { lockWaits } from '../support/locks.ts';
import { isCluster, serversOf } from '../support/server-databases.ts';
import { startService, type TestService } from '../support/service.ts';
import { asCsv, Deliveries, expectPublished, load, readTableData, type TableData } from './support.ts';

const isOnCluster = await isCluster(process.env.DATABASE_URL);
let service: TestService;
let orders: TableData;
const deliveries = new Deliveries();
beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '0' } });
  orders = await readTableData(service.database, 'order_hdr');
});
afterAll(async () => {
  await service.stop();
  deliveries.remove();
});

const always = { share: 0.2, fewest: 1, attempts: 3 };
const never = { ...always, fewest: Number.POSITIVE_INFINITY };

const deliverSubject = (subject: string, rows = orders.rows): string => {
  const at = orders.columns.indexOf('subject');
  return deliveries.write('order_hdr.csv', asCsv({ ...orders, rows: rows.map((row) => row.with(at, subject)) }));
};

const query = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await service.database.pool.query<T>(text, values)).rows;

const oids = async (): Promise<Record<string, number>> => {
  const rows = await query<{ name: string; oid: number }>(
    `select relname::text as name, oid from pg_class where relnamespace = 'customer_nord'::regnamespace and relname in ('order_hdr', 'orders')`,
  );
  return Object.fromEntries(rows.map(({ name, oid }) => [name, oid]));
};

const subjects = async (table = 'orders'): Promise<string[]> =>
  (await query<{ subject: string }>(`select distinct subject from customer_nord.${table}`)).map(({ subject }) => subject);

/** The system catalog's entries of the tables, without identifiers. */
const definitions = () =>
  query(
    `select c.relname, c.relkind, c.relacl::text, obj_description(c.oid, 'pg_class') as comment,
       (select json_agg(json_build_array(attname, format_type(atttypid, atttypmod), attnotnull, attcollation::regcollation::text,
          col_description(c.oid, attnum)) order by attnum) from pg_attribute where attrelid = c.oid and attnum > 0) as columns,
       (select json_agg(json_build_array(conname, pg_get_constraintdef(oid)) order by conname) from pg_constraint where conrelid = c.oid) as keys,
       case when c.relkind = 'i' then pg_get_indexdef(c.oid) end as index
     from pg_class c where c.relnamespace = 'customer_nord'::regnamespace and c.relname ~ 'order(s|_hdr)' order by c.relname`,
  );

/** Entries of the change log by table and key, with versions above the one before the load. */
const changedSince = (version: number) =>
  query(
    `select d.kind, d.name, c.key, c.is_deleted from customer_nord._changed_keys c join customer_nord._datasets d on d.id = c.dataset_id
     where d.name in ('order_hdr', 'orders') and c.version > $1 order by 1, 2, 3`,
    [version],
  );

const versionOf = async (name = 'order_hdr'): Promise<number> => {
  const [row] = await query<{ version: number }>(`select d.version from customer_nord._datasets d where d.name = $1`, [name]);
  return row!.version;
};

test('both tables are replaced, with indexes, keys, grants and comments', async () => {
  await query(`comment on table customer_nord.orders is 'what we''ve ordered'`);
  await query(`comment on column customer_nord.orders.subject is 'in a word'`);
  await query(`create index "an operator's" on customer_nord.orders (lower(subject)) where subject <> ''`);
  await query(`comment on index customer_nord."an operator's" is 'for searching'`);
  await query('create role loads_reader');
  await query('grant select on customer_nord.orders to loads_reader');
  await query('grant select on customer_nord.order_hdr to public');
  try {
    const [before, definition] = [await oids(), await definitions()];
    const { tables } = await load(service.database, [deliverSubject('replaced')], { replacing: always });
    expect(tables.map(({ table, updated }) => [table, updated])).toEqual([
      ['order_hdr', orders.rows.length],
      ['orders', orders.rows.length],
    ]);
    const after = await oids();
    expect(after.order_hdr).not.toBe(before.order_hdr);
    expect(after.orders).not.toBe(before.orders);
    expect(await definitions()).toEqual(definition);
    expect(await subjects()).toEqual(['replaced']);
    await expectPublished(service.database);
  } finally {
    await query('drop owned by loads_reader');
    await query('drop role loads_reader');
  }
});

test.each<[what: string, mode: 'full' | 'upsert']>([
  ['whole tables', 'full'],
  ['differences', 'upsert'],
])('the change log equals that of %s changed in place', async (_what, mode) => {
  // Rows change, one is deleted, one is inserted. With differences, half of the rows are not delivered.
  const rows = mode === 'full' ? orders.rows.slice(1) : orders.rows.slice(1, orders.rows.length / 2);
  const added = [...orders.rows[0]!].with(0, '9999999');
  const gone = deliveries.folderNamed('gone').write('order_hdr.csv', `order_hdr_id\n${orders.rows[0]![0]}\n`);
  const logs: unknown[] = [];
  for (const replacing of [never, always]) {
    await load(service.database, [deliverSubject('before')], { replacing: never });
    const [version, before] = [await versionOf(), await oids()];
    const path = deliverSubject(`after ${mode}`, [...rows, added]);
    const { tables } = await load(service.database, [path], { replacing, mode, deletes: mode === 'upsert' ? [gone] : [] });
    expect((await oids()).orders === before.orders).toBe(replacing === never);
    const log = await changedSince(version);
    logs.push({
      log,
      tables: tables.map((table) => ({ ...table, version: table.version - version })),
      sheet: await readTableData(service.database, 'orders'),
    });
    expect(log.length).toBeGreaterThan(rows.length);
    await expectPublished(service.database);
  }
  expect(logs[1]).toEqual(logs[0]);
});

test('a copy that follows deltas reaches the table', async () => {
  await load(service.database, [deliverSubject('at first')], { replacing: never });
  const since = await versionOf('orders');
  const { json: copy } = await service.get('/operations/orders?limit=100000');
  await load(service.database, [deliverSubject('then', orders.rows.slice(2))], { replacing: always });
  const { json: delta } = await service.get(`/operations/orders/deltas?since_version=${since}&limit=100000`);
  const rows = new Map(copy.map((row: { order_id: number }) => [row.order_id, row]));
  for (const row of delta.upserts) rows.set(row.order_id, row);
  for (const key of delta.deletes) rows.delete(key);
  expect([...rows.values()]).toEqual((await service.get('/operations/orders?limit=100000')).json);
});

test('a table with objects that cannot be transferred is not replaced', async () => {
  await query('create view customer_nord.seen as select order_id from customer_nord.orders');
  const before = await oids();
  await load(service.database, [deliverSubject('with a view')], { replacing: always });
  const after = await oids();
  expect(after.orders).toBe(before.orders);
  expect(after.order_hdr).not.toBe(before.order_hdr);
  expect(await subjects()).toEqual(['with a view']);
  await query('drop view customer_nord.seen');
});

test('rows that violate a key are reported as usual, and nothing is changed', async () => {
  const creditors = await readTableData(service.database, 'creditor_hdr');
  const at = creditors.columns.indexOf('creditor_no');
  const rows = creditors.rows.map((row, index) => (index === 0 ? row.with(at, creditors.rows[1]![at]!) : row)).slice(0, 1);
  const path = deliveries.write('creditor_hdr.csv', asCsv({ ...creditors, rows }));
  await expect(load(service.database, [path], { mode: 'upsert', replacing: { ...always, share: 0 } })).rejects.toThrow(
    'creditor_hdr.csv, line 2, column creditor_no: another row of creditor_hdr has this already',
  );
  expect(await readTableData(service.database, 'creditor_hdr')).toEqual(creditors);
});

describe.runIf(onServer)('concurrent readers', () => {
  const clients: pg.Client[] = [];
  const addressOfService = () => (service.database as unknown as { address: string }).address;
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
  });
  /** A session until the end of the test. `name` distinguishes the service's sessions from others. */
  const connect = async (name: string, address = addressOfService()): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: address, application_name: name });
    await client.connect();
    clients.push(client);
    return client;
  };
  const source = { schema: 'customer_nord', customerId: 0, kind: 'category' as const, name: 'orders', sort: [], cursor: undefined };
  const count = async (client: pg.Client, where: string): Promise<number> =>
    (await client.query(`select count(*)::int as count from customer_nord.orders where ${where}`)).rows[0].count;

  test('an export that began before finishes with its rows; meanwhile others read, and the load changes the rows in place', async () => {
    await load(service.database, [deliverSubject('old')], { replacing: never });
    const before = await oids();
    const client = await connect('estate');
    await beginSnapshot(client, [source]);
    expect(await count(client, 'true')).toBe(orders.rows.length);
    await load(service.database, [deliverSubject('new')], { replacing: always });
    expect((await oids()).orders).toBe(before.orders);
    expect(await subjects()).toEqual(['new']);
    expect(await count(client, `subject = 'old'`)).toBe(orders.rows.length);
    await client.query('commit');
    expect(await count(client, `subject = 'new'`)).toBe(orders.rows.length);
  });

  test('an export that ends in time lets the table be replaced', async () => {
    const before = await oids();
    const client = await connect('estate');
    await beginSnapshot(client, [source]);
    const servers = await Promise.all((await serversOf(addressOfService())).map((server) => connect('watcher', server)));
    const done = load(service.database, [deliverSubject('in time')], { replacing: { ...always, attempts: 1000 } });
    // The load has requested the lock at least once. On Citus, it waits at a node.
    const isWaiting = async () =>
      (await Promise.all(servers.map(lockWaits))).flat().some(({ mode, table }) => mode === 'AccessExclusiveLock' && table === 'orders');
    await expect.poll(isWaiting, { interval: 10 }).toBe(true);
    expect(await count(client, `subject = 'new'`)).toBe(orders.rows.length);
    await client.query('commit');
    await done;
    expect((await oids()).orders).not.toBe(before.orders);
  });

  test('a reader that waits for the lock sees the new rows, also in a snapshot', async () => {
    const [loader, reader] = [await connect('estate'), await connect('estate')];
    await loader.query('begin; lock table customer_nord.orders in access exclusive mode');
    const begun = beginSnapshot(reader, [source]);
    const statement = service.get('/operations/orders?limit=1');
    const large = service.get('/operations/orders?limit=100000');
    // Like a load, while readers wait.
    for (const statement of [
      'create table customer_nord.orders_beside (like customer_nord.orders including all)',
      'insert into customer_nord.orders_beside select * from customer_nord.orders',
      'drop table customer_nord.orders',
      'alter table customer_nord.orders_beside rename to orders',
      'commit',
    ])
      await loader.query(statement);
    await begun;
    expect(await count(reader, 'true')).toBe(orders.rows.length);
    await reader.query('commit');
    expect((await statement).json).toHaveLength(1);
    expect((await large).json).toHaveLength(orders.rows.length);
  });

  test('while another session holds a snapshot nothing is replaced, because it would find the new table empty', async () => {
    const before = await oids();
    const dump = await connect('a dump');
    await dump.query('begin isolation level repeatable read read only');
    await dump.query('select count(*) from estate.customers');
    await load(service.database, [deliverSubject('dumped')], { replacing: always });
    expect((await oids()).orders).toBe(before.orders);
    // On Citus, the snapshot at a node begins with the first read there, after the load.
    if (!isOnCluster) expect(await count(dump, `subject = 'dumped'`)).toBe(0);
    expect(await count(dump, 'true')).toBe(orders.rows.length);
    await dump.query('commit');
    await load(service.database, [deliverSubject('undumped')], { replacing: always });
    expect((await oids()).orders).not.toBe(before.orders);
  });

  test('statements that were prepared on the old table read the new one', async () => {
    const client = await connect('estate');
    const statement = { name: 'kept', text: 'select distinct subject from customer_nord.orders where order_id > $1', values: [0] };
    for (let n = 0; n < 7; n++) await client.query(statement);
    await load(service.database, [deliverSubject('prepared')], { replacing: always });
    expect((await client.query(statement)).rows).toEqual([{ subject: 'prepared' }]);
  });

  test('continuous readers never see half a load, an empty table, or two loads at once', async () => {
    const phases = new Set<Phase>();
    let isOver = false;
    const seen = new Set<string>();
    const read = async (limit: number) => {
      while (!isOver) {
        const { status, json, headers } = await service.get(`/operations/orders?limit=${limit}`);
        expect(status).toBe(200);
        expect(json).toHaveLength(Math.min(limit, orders.rows.length));
        const shown = new Set(json.map((row: { subject: string }) => row.subject));
        expect(shown.size).toBe(1);
        seen.add(`${headers.get('x-data-version')} ${[...shown][0]}`);
      }
    };
    const readers = [read(100_000), read(100_000), read(1), read(100)];
    for (let n = 0; n < 4; n++)
      await load(service.database, [deliverSubject(`round ${n}`)], { replacing: { ...always, attempts: 1000 } }, (phase) =>
        phases.add(phase),
      );
    isOver = true;
    await Promise.all(readers);
    // A version has one content.
    expect(new Set([...seen].map((each) => each.split(' ', 1)[0])).size).toBe(seen.size);
    await expectPublished(service.database);
  });
});
