/** A refused load reports file, line, column and table, and no values of rows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findCustomer } from '../../src/database/control/customers.ts';
import { Cancelled } from '../../src/sync/cancel.ts';
import { listRuns } from '../../src/sync/history.ts';
import { isCluster } from '../support/server-databases.ts';
import { startService, type TestService } from '../support/service.ts';
import { asCsv, Deliveries, expectPublished, type LoadOptions, load, readTableData, type TableData } from './support.ts';

let service: TestService;
let persons: TableData;
let tenancies: TableData;
const deliveries = new Deliveries();
beforeAll(async () => {
  service = await startService();
  persons = await readTableData(service.database, 'person');
  tenancies = await readTableData(service.database, 'tenancy_hdr');
  const iban = tenancies.columns.indexOf('iban');
  for (const row of tenancies.rows) row[iban] = secret;
  await load(service.database, [deliveries.write('tenancy_hdr.csv', asCsv(tenancies))]);
});
afterAll(async () => {
  await service.stop();
  deliveries.remove();
});

const secret = 'DE02120300000000202051';
const at = ({ columns }: TableData, column: string): number => columns.indexOf(column);
const copyOf = ({ columns, rows }: TableData): TableData => ({ columns, rows: rows.map((row) => [...row]) });

/** Loads invalid data. Returns the message, which the history also has, and checks that it contains no values. */
const refused = async (paths: readonly string[], options: LoadOptions = {}): Promise<string> => {
  const { message } = await load(service.database, paths, options).then(
    () => new Error('it was taken'),
    (reason: Error) => reason,
  );
  const [run] = await listRuns(service.database, await findCustomer(service.database, 'nord'), 1);
  expect(run?.error).toBe(message);
  for (const text of [secret, 'Failing row']) expect(message).not.toContain(text);
  return message;
};

/** The person of a tenant, and the tenant's tenancies. */
const tenant = () => {
  const personId = tenancies.rows[0]![at(tenancies, 'person_id')]!;
  const index = persons.rows.findIndex((row) => row[0] === personId);
  const ofPerson = tenancies.rows.filter((row) => row[at(tenancies, 'person_id')] === personId);
  return { personId, index, tenancyIds: ofPerson.map((row) => row[at(tenancies, 'tenancy_hdr_id')]) };
};

describe('a row that cannot be published', () => {
  const nameless = 'column company_name, title, first_name, last_name: tenants.name requires a value, and this row gives none';
  const nowhere = 'column person_id: it leads to no row of person, and tenants.name requires one';

  test.each(['full', 'upsert'] as const)('a person without a name is reported with its line (%s)', async (mode) => {
    const sheet = copyOf(persons);
    const { index } = tenant();
    for (const column of ['company_name', 'title', 'first_name', 'last_name']) sheet.rows[index]![at(sheet, column)] = null;
    expect(await refused([deliveries.write('person.csv', asCsv(sheet))], { mode })).toBe(`person.csv, line ${index + 2}, ${nameless}`);
    await expectPublished(service.database);
  });

  test('a missing person is reported with the rows that refer to it', async () => {
    const sheet = copyOf(persons);
    const { index, tenancyIds } = tenant();
    sheet.rows.splice(index, 1);
    const message = await refused([deliveries.write('person.csv', asCsv(sheet))]);
    expect(message.split('\n').sort()).toEqual(tenancyIds.map((id) => `table tenancy_hdr, row tenancy_hdr_id ${id}, ${nowhere}`).sort());
  });

  test('a dangling reference is reported with its line, and so is every other error of the load', async () => {
    const sheet = copyOf(tenancies);
    sheet.rows[3]![at(sheet, 'person_id')] = '999999999';
    const nobody = copyOf(persons);
    const { index } = tenant();
    for (const column of ['company_name', 'title', 'first_name', 'last_name']) nobody.rows[index]![at(nobody, column)] = null;
    const message = await refused([deliveries.write('tenancy_hdr.csv', asCsv(sheet)), deliveries.write('person.csv', asCsv(nobody))]);
    expect(message.split('\n').sort()).toEqual([`person.csv, line ${index + 2}, ${nameless}`, `tenancy_hdr.csv, line 5, ${nowhere}`]);
  });

  test('of many errors, 20 are shown and the rest are counted', async () => {
    const sheet = copyOf(tenancies);
    for (const row of sheet.rows) row[at(sheet, 'person_id')] = '999999999';
    const lines = (await refused([deliveries.write('tenancy_hdr.csv', asCsv(sheet))])).split('\n');
    expect(lines).toHaveLength(21);
    expect(lines[20]).toBe(`… and ${sheet.rows.length - 20} more errors`);
  });
});

describe('an upsert of existing rows needs their key and the columns of the file', () => {
  test('required columns may be missing', async () => {
    const [id] = persons.rows[0]!;
    await load(service.database, [deliveries.write('person.csv', `person_id,city\n${id},Rostock\n`)], { mode: 'upsert' });
    const expected = copyOf(persons);
    expected.rows[0]![at(persons, 'city')] = 'Rostock';
    expect(await readTableData(service.database, 'person')).toEqual(expected);
  });

  test.each(['person.csv', 'person.ndjson'])('new rows are reported with the columns that they need (%s)', async (name) => {
    const [id] = persons.rows[0]!;
    const ids = [id, '990001', '990002'];
    const content = name.endsWith('csv')
      ? `person_id,city\n${ids.map((one) => `${one},Wismar`).join('\n')}\n`
      : ids.map((one) => JSON.stringify({ person_id: Number(one), city: 'Wismar' })).join('\n');
    const first = name.endsWith('csv') ? 3 : 2;
    const why = 'there is no such row of person yet, and a new one needs person_type_key';
    expect(await refused([deliveries.write(name, content)], { mode: 'upsert' })).toBe(
      `${name}, line ${first}: ${why}\n${name}, line ${first + 1}: ${why}`,
    );
  });

  test('an empty value of a required column is refused, and a full load needs every required column', async () => {
    const [id] = persons.rows[0]!;
    expect(await refused([deliveries.write('person.csv', `person_id,person_type_key\n${id},\n`)], { mode: 'upsert' })).toBe(
      'person.csv, line 2, column person_type_key: a value is required',
    );
    expect(await refused([deliveries.write('person.csv', `person_id,city\n${id},Rostock\n`)])).toContain(
      'person.csv, line 1, column person_type_key: the column is missing',
    );
  });
});

describe('days and times have years from 1 to 9999', () => {
  const deliver = (column: string, value: string, extension = 'csv') => {
    const row = { person_id: persons.rows[0]![0]!, [column]: value };
    const content = extension === 'csv' ? `person_id,${column}\n${row.person_id},${value}\n` : JSON.stringify(row);
    return deliveries.write(`person.${extension}`, content);
  };

  test.each([
    ['birth_date', '0044-03-15 BC', 'csv', 'line 2, column birth_date: "0044-03-15 BC" lies before the year 1'],
    ['birth_date', '0044-03-15 bc', 'ndjson', 'line 1, column birth_date: "0044-03-15 bc" lies before the year 1'],
    ['birth_date', '12024-03-15', 'csv', 'line 2, column birth_date: "12024-03-15" lies after the year 9999'],
    ['changed_at', '0044-03-15 12:00:00+00 BC', 'csv', 'line 2, column changed_at: "0044-03-15 12:00:00+00 BC" lies before the year 1'],
    ['changed_at', '0001-01-01T00:00:00+02', 'csv', 'line 2, column changed_at: "0001-01-01T00:00:00+02" lies before the year 1 in UTC'],
    ['changed_at', '9999-12-31 23:00-01:30', 'csv', 'line 2, column changed_at: "9999-12-31 23:00-01:30" lies after the year 9999 in UTC'],
    ['changed_at', '9999-12-31T23:30-01', 'ndjson', 'line 1, column changed_at: "9999-12-31T23:30-01" lies after the year 9999 in UTC'],
    ['changed_at', '9999-12-31T24:00Z', 'ndjson', 'line 1, column changed_at: "9999-12-31T24:00Z" is no time such as 2024-12-31T23:59:59Z'],
  ])('%s %s is refused (%s)', async (column, value, extension, message) => {
    expect(await refused([deliver(column, value, extension)], { mode: 'upsert' })).toBe(`person.${extension}, ${message}`);
  });

  test.each([
    ['0001-01-01', '0001-01-01'],
    ['9999-12-31', '9999-12-31'],
  ])('%s is returned as %s', async (value, served) => {
    await load(service.database, [deliver('birth_date', value)], { mode: 'upsert' });
    expect((await service.get('/raw/person?limit=1')).json.data[0].birth_date).toBe(served);
  });

  test.each(
    ['birth_date', 'changed_at'].flatMap((column) =>
      ['infinity', '-infinity', ' Infinity', 'today', 'NOW', 'tomorrow', 'yesterday', 'epoch', 'today 12:00', '12:00 today'].flatMap(
        (value) => ['csv', 'ndjson'].map((extension) => [column, value, extension] as const),
      ),
    ),
  )('%s %s is refused (%s) (contract: values in loads)', async (column, value, extension) => {
    // PostgreSQL refuses a time in place of a date.
    const line = extension === 'csv' ? 2 : 1;
    const words = /infinity/i.test(value)
      ? 'is not finite'
      : `is no ${column === 'birth_date' ? 'date such as 2024-12-31' : 'time such as 2024-12-31T23:59:59Z'}`;
    expect(await refused([deliver(column, value, extension)], { mode: 'upsert' })).toBe(
      `person.${extension}, line ${line}, column ${column}: ${JSON.stringify(value)} ${words}`,
    );
  });

  test.each(['csv', 'ndjson'])('the same words are valid in a text column (%s)', async (extension) => {
    await load(service.database, [deliver('city', 'today', extension)], { mode: 'upsert' });
    expect((await service.get('/raw/person?limit=1')).json.data[0].city).toBe('today');
  });
});

describe('numbers are finite (contract: values in loads)', () => {
  test.each(['NaN', ' nan ', 'Infinity', '-inf'].flatMap((value) => ['csv', 'ndjson'].map((extension) => [value, extension] as const)))(
    '%s is refused (%s)',
    async (value, extension) => {
      const content =
        extension === 'csv'
          ? `property_id,lettable_area_sqm\n1001,${value}\n`
          : JSON.stringify({ property_id: 1001, lettable_area_sqm: value });
      const path = deliveries.write(`property_hdr.${extension}`, content);
      expect(await refused([path], { mode: 'upsert' })).toBe(
        `property_hdr.${extension}, line ${extension === 'csv' ? 2 : 1}, column lettable_area_sqm: ${JSON.stringify(value)} is not finite`,
      );
    },
  );

  test('also in a table with its own columns', async () => {
    const { pool } = service.database;
    await pool.query(`create table customer_nord.readings
      (id integer primary key, free numeric, narrow real, wide double precision, local timestamp(3), zoned timestamp(3) with time zone)`);
    await pool.query(`insert into customer_nord._datasets (id, kind, name, key_column, tier)
      select max(id) + 1, 'raw', 'readings', 'id', 'basic' from customer_nord._datasets`);
    for (const column of ['free', 'narrow', 'wide'])
      for (const value of ['NaN', '-Infinity'])
        expect(await refused([deliveries.write('readings.csv', `id,${column}\n1,${value}\n`)], { mode: 'upsert' })).toBe(
          `readings.csv, line 2, column ${column}: "${value}" is not finite`,
        );
    for (const column of ['local', 'zoned']) {
      expect(await refused([deliveries.write('readings.csv', `id,${column}\n1,infinity\n`)], { mode: 'upsert' })).toContain(
        'readings.csv, line 2',
      );
      expect(await refused([deliveries.write('readings.csv', `id,${column}\n1,today\n`)], { mode: 'upsert' })).toContain(
        'readings.csv, line 2',
      );
    }
    expect(await refused([deliveries.write('readings.csv', 'id,free\n1,1e300\n')], { mode: 'upsert' })).toBe(
      'readings.csv, line 2, column free: "1e300" has an exponent: write all digits',
    );
    const good = 'id,free,narrow,wide,local,zoned\n1,12345678901234567890.5,1.5,-1e300,2024-01-01 12:00:00.5,2024-01-01 12:00:00.5Z\n';
    await load(service.database, [deliveries.write('readings.csv', good)], { mode: 'upsert' });
  });
});

// The faults are triggers on staged tables, and distributed tables of Citus have none.
describe.skipIf(await isCluster(process.env.DATABASE_URL))('errors that do not concern the data, on one PostgreSQL', () => {
  /** The first row that is copied into a staged table fails with the state, like a server with a fault. */
  const failing = async (state: string, message: string, work: () => Promise<void>) => {
    const { pool } = service.database;
    await pool.query(`create function public.fail() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '${state}', message = '${message}', detail = '${secret}'; end $$`);
    await pool.query(`create function public.fail_staged() returns event_trigger language plpgsql as $$
      declare made record;
      begin
        for made in select object_identity from pg_event_trigger_ddl_commands() where object_identity like '% %' and object_type = 'table' loop
          execute 'create trigger fail before insert on ' || made.object_identity || ' for each row execute function public.fail()';
        end loop;
      end $$`);
    await pool.query(
      `create event trigger fail_staged on ddl_command_end when tag in ('CREATE TABLE') execute function public.fail_staged()`,
    );
    try {
      await work();
    } finally {
      await pool.query('drop event trigger fail_staged');
      await pool.query('drop function public.fail_staged(), public.fail()');
    }
  };
  const unusual = () => {
    const sheet = copyOf(persons);
    sheet.rows[0]![at(sheet, 'city')] = 'Wismar';
    return deliveries.write('person.csv', asCsv(sheet));
  };

  test.each([
    ['53100', 'could not extend file "base/16384/16385": No space left on device', "the database's disk is full (SQLSTATE 53100)"],
    ['53200', 'out of memory', 'the database has no memory left (SQLSTATE 53200)'],
    ['57014', 'canceling statement', 'the statement was cancelled or took too long (SQLSTATE 57014)'],
    ['P0001', 'something else', 'something else (SQLSTATE P0001)'],
  ])('%s is reported without the row', async (state, message, words) => {
    await failing(state, message, async () => expect(await refused([unusual()])).toBe(`person.csv: ${words}`));
  });

  test('an error that only PostgreSQL finds is located', async () => {
    await failing('22003', 'numeric field overflow', async () =>
      expect(await refused([unusual()])).toBe('person.csv, line 2: numeric field overflow (SQLSTATE 22003)'),
    );
  });

  test('a failure during publishing reveals nothing of the row', async () => {
    const { pool } = service.database;
    await pool.query(`create function public.fail() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '22P02', message = 'invalid input syntax: "${secret}"', detail = '${secret}'; end $$`);
    await pool.query('create trigger fail before insert on customer_nord.person for each row execute function public.fail()');
    const sheet = copyOf(persons);
    sheet.rows[0]![at(sheet, 'city')] = 'Schwerin';
    try {
      expect(await refused([deliveries.write('person.csv', asCsv(sheet))])).toContain('invalid input syntax (SQLSTATE 22P02)');
    } finally {
      await pool.query('drop function public.fail() cascade');
    }
  });
});

test.each(['read', 'compare', 'apply', 'publish'] as const)('a load that is cancelled at "%s" changes nothing', async (moment) => {
  const before = await readTableData(service.database, 'person');
  const sheet = copyOf(before);
  for (const row of sheet.rows) row[at(sheet, 'city')] = 'Nirgends';
  const stop = new AbortController();
  const loading = load(service.database, [deliveries.write('person.csv', asCsv(sheet))], { signal: stop.signal }, (phase) => {
    if (phase === moment) stop.abort(new Cancelled());
  });
  await expect(loading).rejects.toThrow('nord: cancelled; nothing was changed.');
  expect(await readTableData(service.database, 'person')).toEqual(before);
  const [run] = await listRuns(service.database, await findCustomer(service.database, 'nord'), 1);
  expect(run).toMatchObject({ error: 'cancelled', ended_at: expect.any(Date) });
  const { rows } = await service.database.pool.query(
    `select (select count(*) from pg_class where relname like '% %' and relkind = 'r') as staged,
       (select count(*) from estate.publications where announced_at is not null) as announced`,
  );
  expect(rows[0]).toEqual({ staged: 0, announced: 0 });
});

test('a process that died leaves no running load in the history', async () => {
  const { id } = await findCustomer(service.database, 'sued');
  await service.database.pool.query(`insert into estate.sync_runs (customer_id, mode, tables) values ($1, 'full', '{person}')`, [id]);
  const [run] = await listRuns(service.database, { id }, 1);
  expect(run).toMatchObject({ error: 'aborted', ended_at: expect.any(Date) });
});
