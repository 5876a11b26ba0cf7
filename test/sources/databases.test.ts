/** Tables and queries of databases: values of every type, rows since a watermark, streams, and connections that end. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { inTransaction } from '../../src/database/connections/transaction.ts';
import { addCustomer, type Customer } from '../../src/database/control/customers.ts';
import { columnValue } from '../../src/sources/columns/column-value.ts';
import { RowColumns, RowKeys } from '../../src/sources/columns/row-columns.ts';
import { draftSource } from '../../src/sources/draft/draft.ts';
import { loadSource } from '../../src/sources/load-source.ts';
import { openQuery } from '../../src/sources/readers/database.ts';
import { type DatabaseRule, type Origin, parseSource } from '../../src/sources/source-file.ts';
import type { SourceList } from '../../src/sources/source-rows.ts';
import { Rejection } from '../../src/sync/files/rejections.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { type ExportDatabase, hasMariadb, mariadbWith, postgresWith } from './databases.ts';
import { shareOf } from './draft-share.ts';

/** Formats of another export. Typed values are read in their plain form all the same. */
const german = { decimalChar: ',', groupChar: '.', dateFormats: ['%Y-%d-%m'], timezone: 'Europe/Berlin', trueValues: ['J'] };

/** The values of the first row, each as its SQL type takes it. */
const valuesOf = async (list: SourceList, types: Readonly<Record<string, string>>) => {
  const columns = new RowColumns(list, new RowKeys());
  for await (const [row] of list.rows) {
    if (!row) continue;
    await list.close?.();
    return Object.fromEntries(
      Object.entries(types).map(([name, type]) => {
        try {
          return [name, columnValue({ from: name }, type, columns, german)(row)];
        } catch (error) {
          if (error instanceof Rejection) return [name, `rejected: ${error.reason}`];
          throw error;
        }
      }),
    );
  }
  throw new Error('no row');
};

const countOf = async ({ rows, close }: SourceList): Promise<number> => {
  let count = 0;
  for await (const batch of rows) count += batch.length;
  await close?.();
  return count;
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The largest growth of reachable memory while all rows are read, in MB. Garbage is collected first: when V8 collects it differs between versions. */
const growthOf = async ({ rows, close }: SourceList): Promise<{ count: number; growth: number }> => {
  const used = () => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 2 ** 20;
  };
  const before = used();
  let [count, highest] = [0, before];
  let measured = 0;
  for await (const batch of rows) {
    count += batch.length;
    if (count < measured + 20_000) continue;
    measured = count;
    highest = Math.max(highest, used());
  }
  await close?.();
  return { count, growth: highest - before };
};

/** In MB. The rows of a test are 800 MB. */
const limitOfGrowth = 100;

describe.runIf(hasMariadb)('MariaDB', () => {
  let erp: ExportDatabase;
  let database: Database;
  const rule = (): DatabaseRule => ({ type: 'mysql', url: erp.address });
  const open = (origin: Partial<Origin>, since?: string) => openQuery(rule(), { database: 'erp', ...origin }, since);
  beforeAll(async () => {
    database = await openTestDatabase();
    erp = await mariadbWith(readFileSync('examples/sources/mariadb/export.sql', 'utf8'));
  });
  afterAll(async () => {
    await erp.drop();
    await database.close();
  });

  test('the example is loaded, and a second load changes nothing', { timeout: 120_000 }, async () => {
    const customer: Customer = await inTransaction(database.pool, (client) =>
      addCustomer(client, catalogue, { slug: 'mariadb', name: 'mariadb', tier: 'enterprise' }),
    );
    process.env.SOURCE_DATABASE_URL = erp.address;
    const source = parseSource(readFileSync('examples/sources/mariadb/source.yml', 'utf8'), 'source.yml');
    const load = () => loadSource({ database, catalogue, customer }, { source, folder: '.' }, { retentionHours: 24, announceMs: 0 });
    await load();
    const ask = async (sql: string) => (await database.pool.query(sql.replaceAll('$schema', () => customer.schema_name))).rows;
    expect(
      await ask(
        `select (select count(*)::int from $schema.properties) as properties, (select count(*)::int from $schema.property_structure) as units,
           (select sum(area_sqm)::text from $schema.property_structure) as area,
           (select count(*)::int from $schema.property_structure where occupancy_status = 'vacant') as vacant,
           (select sum(target_rent_net)::text from $schema.floor_area) as rent,
           (select sum(balance)::text from $schema.tenants) as arrears, (select count(*)::int from $schema.tenants) as tenants,
           (select changed_at from $schema.property_hdr order by changed_at limit 1) as changed`,
      ),
    ).toEqual([
      {
        properties: 2,
        units: 4,
        area: '324.15',
        vacant: 1,
        rent: '3485.60',
        arrears: '2045.10',
        tenants: 3,
        changed: new Date('2024-03-01T08:15:00+01:00'),
      },
    ]);
    const again = await load();
    expect(again.tables.map(({ inserted, updated, deleted }) => inserted + updated + deleted)).toEqual(again.tables.map(() => 0));
  });

  test('the draft finds a right target for 80 percent of the columns', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'estate-draft-'));
    process.env.SOURCE_DATABASE_URL = erp.address;
    const example = readFileSync('examples/sources/mariadb/source.yml', 'utf8');
    writeFileSync(join(folder, 'erp.yml'), example.slice(example.indexOf('databases:'), example.indexOf('formats:')));
    const { text } = await draftSource(join(folder, 'erp.yml'));
    rmSync(folder, { recursive: true });
    expect(text).not.toContain(erp.address);
    expect(shareOf('mariadb', text)).toBeGreaterThanOrEqual(0.8);
  });

  test('values of every type', async () => {
    await erp.run(
      `create table kinds (price decimal(20,4), tiny tinyint(1), flag bit(1), bits bit(12), id binary(2), big bigint unsigned, small float, precise double,
         day date, moment datetime(3), instant timestamp null, no_day date, no_moment datetime(6), year_only date, nothing int, padded int(6) zerofill,
         body json, words varchar(20), long_text text, bytes blob, clock time, built year, choice enum('a','b'));
       set time_zone = '+05:00';
       insert into kinds values (1234567890123456.789, 1, b'1', b'101010101010', x'0001', 18446744073709551615, 0.1, 1e-7, '2024-03-04',
         '2024-03-04 23:59:59.125', '2024-03-04 12:00:00', '0000-00-00', '0000-00-00 00:00:00', '2024-00-00', null, 42, '{"a":1}',
         '1.234,56', 'Größe', x'ff00', '08:30:00', 1962, 'b')`,
    );
    const types = {
      price: 'numeric(20,4)',
      tiny: 'boolean',
      flag: 'boolean',
      bits: 'integer',
      id: 'text',
      big: 'bigint',
      small: 'numeric(10,2)',
      precise: 'numeric(10,8)',
      day: 'date',
      moment: 'timestamptz',
      instant: 'timestamptz',
      no_day: 'date',
      no_moment: 'timestamptz',
      year_only: 'date',
      nothing: 'integer',
      padded: 'integer',
      body: 'text',
      words: 'numeric(10,2)',
      long_text: 'text',
      bytes: 'text',
      clock: 'text',
      built: 'integer',
      choice: 'text',
    };
    expect(await valuesOf(await open({ dbtable: 'kinds' }), types)).toEqual({
      price: '1234567890123456.7890',
      tiny: 'true',
      flag: 'true',
      bits: '2730',
      id: '0001',
      big: 'rejected: is beyond 64 bits',
      small: '0.1',
      precise: '0.0000001',
      day: '2024-03-04',
      moment: '2024-03-04T23:59:59.125+01:00',
      instant: '2024-03-04T07:00:00Z',
      no_day: null,
      no_moment: null,
      year_only: expect.stringMatching(/^rejected: is no date/),
      nothing: null,
      padded: '42',
      body: '{"a":1}',
      words: '1234.56',
      long_text: 'Größe',
      bytes: 'ff00',
      clock: '08:30:00',
      built: '1962',
      choice: 'b',
    });
    expect(await valuesOf(await open({ dbtable: 'kinds' }), { big: 'text', price: 'text' })).toEqual({
      big: '18446744073709551615',
      price: '1234567890123456.7890',
    });
  });

  test('a watermark reads the rows since then', async () => {
    const since = '2024-07-15 19:30:00';
    expect(await countOf(await open({ dbtable: 'einheit', watermark: 'geaendert_am' }))).toBe(4);
    expect(await countOf(await open({ dbtable: 'einheit', watermark: 'geaendert_am' }, since))).toBe(2);
    // A question mark of the query is no parameter.
    const query = "select *, '?' as mark from einheit where einheit_nr <> '?' -- all\n;";
    expect(await countOf(await open({ query, watermark: 'geaendert_am' }, since))).toBe(2);
    await erp.run("create table ticks (id bigint unsigned, at timestamp); set time_zone = '+05:00'");
    await erp.run("insert into ticks values (1, '2024-03-04 12:00:00'), (18446744073709551615, '2024-03-04 12:00:01')");
    expect(await countOf(await open({ dbtable: 'ticks', watermark: 'at' }, '2024-03-04 07:00:01Z'))).toBe(1);
    expect(await countOf(await open({ dbtable: 'ticks', watermark: 'id' }, '18446744073709551615'))).toBe(1);
  });

  test('rows are streamed: memory does not grow with their number', async () => {
    const query = "select seq, repeat('x', 2000) as text from seq_1_to_400000";
    const { count, growth } = await growthOf(await open({ query }));
    expect(count).toBe(400_000);
    expect(growth).toBeLessThan(limitOfGrowth);
  });

  test('a query that writes, a missing table and a lost connection are errors of the operator', async () => {
    await expect(open({ query: 'select 1; commit; create table taken (a int)' })).rejects.toThrow(/error in your SQL syntax/);
    const several = openQuery({ type: 'mysql', url: `${erp.address}?multipleStatements=true` }, { query: 'select 1; select 2' }, undefined);
    await expect(several).rejects.toThrow(/error in your SQL syntax/);
    await expect(open({ query: 'create table taken (a int)' })).rejects.toThrow(/READ ONLY/);
    process.env.KEY_SECRET = 'secret';
    const reaching = openQuery({ type: 'mysql', url: `mysql://h/\${KEY_SECRET}` }, { query: 'select 1' }, undefined);
    await expect(reaching).rejects.toThrow('begin with SOURCE_');
    await expect(open({ query: 'delete from einheit' })).rejects.toThrow(/^the query: the database erp says: .*READ ONLY/);
    await expect(open({ dbtable: 'keine' })).rejects.toThrow(/^keine: the database erp says: .*doesn't exist/);
    const list = await open({ query: "select connection_id() as id, repeat('x', 2000) as text from seq_1_to_400000" });
    let read = 0;
    const readAll = async () => {
      for await (const batch of list.rows) {
        if (read === 0) await erp.run(`kill ${batch[0]?.cells[0]}`);
        read += batch.length;
      }
    };
    await expect(readAll()).rejects.toThrow(/^the query: the database erp says: /);
    expect(read).toBeLessThan(400_000);
  });

  test('a list that is not read is closed', async () => {
    const list = await open({ query: 'select connection_id() as id, seq from seq_1_to_400000' });
    await list.close?.();
    const { id } = await valuesOf(await open({ query: 'select connection_id() as id' }), { id: 'integer' });
    const sql = `select count(*) as open from information_schema.processlist where id <> ${id} and db = database() and info like '%seq%'`;
    await expect.poll(async () => (await valuesOf(await open({ query: sql }), { open: 'integer' })).open, { timeout: 20_000 }).toBe('1');
  });
});

describe.runIf(onServer)('PostgreSQL', () => {
  let exported: ExportDatabase;
  let erp: DatabaseRule;
  const open = (origin: Partial<Origin>, since?: string) => openQuery(erp, { database: 'erp', ...origin }, since);
  beforeAll(async () => {
    exported = await postgresWith('');
    erp = { type: 'postgres', url: exported.address };
  });
  afterAll(() => exported.drop());

  test('keys and comments of a database are evidence for the draft', async () => {
    await exported.run(
      `create schema beheer; set search_path = beheer;
       create table complex (cpx_id integer primary key, oms text, str text, hnr text, pc text, plaats text, bj integer);
       create table vhe (vhe_id integer primary key, cpx_id integer references complex, nr text, srt text, opp numeric(8,2), kmr numeric(3,1));
       create table relatie (rel_id integer primary key, vnaam text, anaam text, mail text, geb date);
       create table ovk (ovk_id integer primary key, rel_id integer references relatie, cpx_id integer references complex, vhe_id integer references vhe,
         d1 date, d2 date, borg numeric(10,2), sld numeric(10,2));
       comment on column ovk.d1 is 'Ingangsdatum van het contract'; comment on column ovk.d2 is 'Einddatum contract';
       comment on column ovk.sld is 'Saldo'; comment on column vhe.srt is 'Soort eenheid'; comment on column complex.oms is 'Naam complex';
       comment on column vhe.opp is 'Oppervlakte in m2';
       insert into complex values (1, 'De Linden', 'Lindelaan', '12', '1012 AB', 'Amsterdam', 1972), (2, 'Parkzicht', 'Parkweg', '3', '3511 CD', 'Utrecht', 1988);
       insert into vhe values (11, 1, 'A', 'Woning', 72.5, 3), (12, 1, 'B', 'Winkel', 81, 4), (21, 2, 'A', 'Woning', 65.25, 2);
       insert into relatie values (501, 'Jan', 'de Vries', 'jan@x.nl', '1980-05-13'), (502, 'Els', 'Bakker', 'els@x.nl', '1975-11-02');
       insert into ovk values (9001, 501, 1, 11, '2019-04-01', null, 1500, 0), (9002, 502, 2, 21, '2020-09-15', '2026-08-31', 1600, -12.5);`,
    );
    const folder = mkdtempSync(join(tmpdir(), 'estate-draft-'));
    process.env.SOURCE_DATABASE_URL = erp.url;
    writeFileSync(join(folder, 'erp.yml'), `databases:\n  erp: { type: postgres, url: "\${SOURCE_DATABASE_URL}" }\n`);
    const { text } = await draftSource(join(folder, 'erp.yml'));
    rmSync(folder, { recursive: true });
    await exported.run('drop schema beheer cascade');
    const tables = new Map(parseSource(text, 'draft').tables.map((rule) => [rule.table, rule]));
    expect([...tables.keys()]).toEqual(['property_hdr', 'tenancy_hdr', 'person', 'floor_area']);
    expect(tables.get('tenancy_hdr')).toMatchObject({
      primaryKey: 'ovk_id',
      columns: {
        person_id: { from: 'rel_id', references: 'person' },
        property_id: { from: 'cpx_id', references: 'property_hdr' },
        floor_area_id: 'vhe_id',
        contract_start_date: 'd1',
        contract_end_date: 'd2',
        deposit_amount: 'borg',
        balance: 'sld',
      },
    });
    expect(tables.get('floor_area')).toMatchObject({
      primaryKey: 'vhe_id',
      columns: {
        floor_area_id: 'vhe_id',
        property_id: { from: 'cpx_id' },
        area_sqm: 'opp',
        usage_type_key: { codes: { Woning: 'apartment', Winkel: 'retail' } },
      },
    });
    expect(tables.get('property_hdr')?.columns).toMatchObject({
      property_name: 'oms',
      postal_code: 'pc',
      city: 'plaats',
      construction_year: 'bj',
    });
    expect(tables.get('person')?.columns).toMatchObject({ first_name: 'vnaam', last_name: 'anaam', email: 'mail', birth_date: 'geb' });
  });

  test('values of every type', async () => {
    await exported.run(
      `create schema erp; create table erp.kinds (price numeric(20,4), yes boolean, id uuid, big bigint, small real, day date, moment timestamp(3),
         instant timestamptz, nothing int, body jsonb, words text, bytes bytea, list int[], forever date);
       set timezone = 'Asia/Karachi';
       insert into erp.kinds values (1234567890123456.789, true, 'c0ffee00-0000-4000-8000-000000000001', 9007199254740993, 0.1, '2024-03-04',
         '2024-03-04 23:59:59.125', '2024-03-04 12:00:00', null, '{"a": 1}', '1.234,56', '\\xff00', '{1,2}', 'infinity')`,
    );
    const types = {
      price: 'numeric(20,4)',
      yes: 'boolean',
      id: 'text',
      big: 'bigint',
      small: 'numeric(10,2)',
      day: 'date',
      moment: 'timestamptz',
      instant: 'timestamptz',
      nothing: 'integer',
      body: 'text',
      words: 'numeric(10,2)',
      bytes: 'text',
      list: 'text',
      forever: 'date',
    };
    expect(await valuesOf(await open({ dbtable: 'erp.kinds' }), types)).toEqual({
      price: '1234567890123456.7890',
      yes: 'true',
      id: 'c0ffee00-0000-4000-8000-000000000001',
      big: '9007199254740993',
      small: '0.1',
      day: '2024-03-04',
      moment: '2024-03-04T23:59:59.125+01:00',
      instant: '2024-03-04T07:00:00+00:00',
      nothing: null,
      body: '{"a": 1}',
      words: '1234.56',
      bytes: 'ff00',
      list: '{1,2}',
      forever: 'rejected: is not finite',
    });
  });

  test('a watermark reads the rows since then, and a query cannot write', async () => {
    await exported.run(
      'create table ticks as select g as id, timestamptz $$2024-01-01 00:00+00$$ + g * interval $$1 hour$$ as at from generate_series(1, 10) g',
    );
    expect(await countOf(await open({ dbtable: 'ticks', watermark: 'at' }, '2024-01-01 08:00:00+00'))).toBe(3);
    expect(await countOf(await open({ query: 'select * from ticks where id < 9 -- first\n;', watermark: 'id' }, '8'))).toBe(1);
    await expect(open({ query: 'delete from ticks returning 1' })).rejects.toThrow(/^the query: the database erp says: /);
    await expect(open({ query: 'select 1; commit; create table taken (a int)' })).rejects.toThrow(/multiple commands/);
    expect(await countOf(await open({ query: "select * from information_schema.tables where table_name = 'taken'" }))).toBe(0);
    expect(await countOf(await open({ dbtable: 'ticks', watermark: 'at', lookback: '2 hours' }, '2024-01-01 08:00:00+00'))).toBe(5);
  });

  test('rows are streamed, and a lost connection is an error', async () => {
    const query = "select g, repeat('x', 2000) as text from generate_series(1, 400000) g";
    const { count, growth } = await growthOf(await open({ query }));
    expect(count).toBe(400_000);
    expect(growth).toBeLessThan(limitOfGrowth);
    const list = await open({ query: `select pg_backend_pid() as id, text from (${query}) q` });
    const readAll = async () => {
      let read = 0;
      for await (const batch of list.rows) {
        if (read === 0) await exported.run(`select pg_terminate_backend(${batch[0]?.cells[0]})`);
        read += batch.length;
      }
    };
    await expect(readAll()).rejects.toThrow(/^the query: the database erp says: /);
  });
});
