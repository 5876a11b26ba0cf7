/**
 * The answers of the shipped examples equal those of their exports. The test reads the exports itself: nothing here is shared with the
 * code that loads them, and amounts are integers of cents.
 */
import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyStore } from '../../src/access/keys.ts';
import { startService, type TestService } from '../support/service.ts';
import { testSecret } from '../support/settings.ts';
import { hasMariadb, mariadbWith } from './databases.ts';
import { changesOf, LoadedCustomer, readSourceFile } from './support.ts';

type Row = Readonly<Record<string, string>>;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Loads an example, and asks questions of it with a key of its customer. A second load changes nothing. */
const loadExample = async (name: string) => {
  const customer = await LoadedCustomer.add(service.database, name);
  const load = () => customer.load(readSourceFile(`examples/sources/${name}/source.yml`), `examples/sources/${name}/export`);
  await load();
  expect(changesOf(await load())).toEqual([]);
  const key = `est_${name.replaceAll('-', '')}_answers`;
  await new KeyStore(service.database, testSecret).createFixed(customer.customer, { tier: 'enterprise' }, key);
  return async (path: string): Promise<Record<string, unknown>[]> => {
    const { status, json } = await service.get(`/${path}`, { key });
    expect(status, JSON.stringify(json)).toBe(200);
    return json;
  };
};

/** Cents of a German amount. */
const cents = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.replace('-', '').split(',');
  const value = BigInt(whole.replaceAll('.', '')) * 100n + BigInt(fraction.padEnd(2, '0') || '0');
  return text.includes('-') ? -value : value;
};
/** Pence of a number of a workbook, which is a binary fraction. */
const pence = (text: string): bigint => BigInt(Math.round(Number(text) * 100));
const amount = (value: bigint): number => Number(value) / 100;
const total = (rows: readonly Row[], column: string, read = cents): number =>
  amount(rows.reduce((sum, row) => sum + read(row[column] || '0'), 0n));

const tally = <T>(rows: readonly T[], by: (row: T) => string, value: (row: T) => bigint): Record<string, number> => {
  const sums = new Map<string, bigint>();
  for (const row of rows) sums.set(by(row), (sums.get(by(row)) ?? 0n) + value(row));
  return Object.fromEntries([...sums].map(([key, sum]) => [key, amount(sum)]));
};

/** Answers of groups as an object: the value by key. */
const byKey = (groups: readonly Record<string, unknown>[], key: string, value: string): Record<string, unknown> =>
  Object.fromEntries(groups.map((group) => [group[key] as string, group[value]]));

/** A file with semicolons, whose quoted values have no semicolon. */
const readLists = (path: string, headerLine = 0): Row[] => {
  const text = new TextDecoder('windows-1252').decode(readFileSync(path), { stream: true });
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  const cells = lines.map((line) => line.split(';').map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)));
  return cells.slice(headerLine + 1).map((row) => Object.fromEntries(cells[headerLine]!.map((name, index) => [name, row[index] ?? ''])));
};

test('the German property management: rows, area, rent, vacancy and arrears', async () => {
  const ask = await loadExample('german-erp');
  const list = (name: string) => readLists(`examples/sources/german-erp/export/${name}.csv`);
  const units = list('einheiten').slice(0, -1);
  const debits = list('sollstellungen').slice(0, -1);
  const contracts = list('mietvertraege');
  // The last row of each list has the sums that the program printed.
  expect(total(debits, 'Netto')).toBe(total(list('sollstellungen').slice(-1), 'Netto'));
  expect(await ask('property/properties/groups?count')).toEqual([{ count: list('objekte').length }]);
  expect(byKey(await ask('property/property_structure/groups?by=property_id&sum=area_sqm'), 'property_id', 'sum_area_sqm')).toEqual(
    tally(
      units,
      (unit) => String(Number(unit['Objekt-Nr'])),
      (unit) => cents(unit['Fläche in m²']!),
    ),
  );
  expect(byKey(await ask('property/property_structure/groups?by=occupancy_status&count'), 'occupancy_status', 'count')).toEqual({
    let: units.filter(({ Status }) => Status === 'Vermietet').length,
    vacant: units.filter(({ Status }) => Status === 'Leerstand').length,
  });
  const kinds: Readonly<Record<string, string>> = {
    Grundmiete: 'basic_rent',
    Betriebskostenvorauszahlung: 'operating_cost_advance',
    Stellplatzmiete: 'parking_rent',
  };
  expect(byKey(await ask('contracts/contract_debits/groups?by=debit_type&sum=net_amount'), 'debit_type', 'sum_net_amount')).toEqual(
    tally(
      debits,
      ({ Sollart }) => kinds[Sollart!]!,
      ({ Netto }) => cents(Netto!),
    ),
  );
  expect(await ask('contracts/contract_debits/groups?sum=vat_amount,gross_amount&count')).toEqual([
    { sum_vat_amount: total(debits, 'USt-Betrag'), sum_gross_amount: total(debits, 'Brutto'), count: debits.length },
  ]);
  expect(byKey(await ask('stakeholder/tenants/groups?by=contract_number&sum=balance'), 'contract_number', 'sum_balance')).toEqual(
    tally(
      contracts,
      (contract) => contract['Vertrags-Nr']!,
      ({ Saldo }) => cents(Saldo!),
    ),
  );
});

test('the rent roll: properties, areas, vacancy, tenants, rent by kind and arrears', async () => {
  const ask = await loadExample('rent-roll');
  const file = readFileSync('examples/sources/rent-roll/export/mieterliste.csv', 'utf8');
  const [header = [], ...lines] = file
    .split('\r\n')
    .slice(2, -2)
    .map((line) => line.split(';')); // Without title, sums and end.
  const units: Row[] = lines.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])));
  const let_ = units.filter(({ Mieter }) => Mieter !== 'Leerstand');
  expect(byKey(await ask('property/properties?columns=short_name,city'), 'short_name', 'city')).toEqual({
    LIN7: 'Köln',
    HAF12: 'Münster',
  });
  const occupancy = await ask('property/property_structure/groups?by=occupancy_status&count&sum=area_sqm');
  expect(byKey(occupancy, 'occupancy_status', 'count')).toEqual({ let: let_.length, vacant: units.length - let_.length });
  expect(occupancy.reduce((sum, group) => sum + Number(group.sum_area_sqm), 0)).toBeCloseTo(total(units, 'Wohnfläche'), 6);
  const [persons] = await ask('stakeholder/tenants/groups?count&sum=balance,deposit_amount');
  expect(persons).toEqual({ count: let_.length, sum_balance: total(let_, 'Saldo'), sum_deposit_amount: total(let_, 'Kaution') });
  expect(byKey(await ask('contracts/contract_debits/groups?by=debit_type&sum=net_amount'), 'debit_type', 'sum_net_amount')).toEqual({
    basic_rent: total(let_, 'Nettokaltmiete'),
    operating_cost_advance: total(let_, 'BK-Vorauszahlung'),
    heating_cost_advance: total(let_, 'HK-Vorauszahlung'),
    parking_rent: total(let_, 'Stellplatz'),
  });
});

/** The cells of a sheet, by name of its header. A workbook is a zip archive whose directory is at its end. */
const readSheet = (path: string, sheet: number, headerLine = 0): Row[] => {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  for (let at = bytes.readUInt32LE(end + 16); at < end; ) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const local = bytes.readUInt32LE(at + 42);
    if (bytes.toString('utf8', at + 46, at + 46 + nameLength) === `xl/worksheets/sheet${sheet}.xml`) {
      const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
      const xml = (bytes.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed)).toString();
      const rows = [...xml.matchAll(/<row [^>]*>(.*?)<\/row>/g)].map(([, row = '']) =>
        Object.fromEntries(
          [...row.matchAll(/<c r="([A-Z]+)\d+"[^>]*>.*?<(?:t|v)>(.*?)<\/(?:t|v)>/g)].map(([, column, value]) => [column!, value!]),
        ),
      );
      const header = rows[headerLine]!;
      return rows
        .slice(headerLine + 1)
        .map((row) => Object.fromEntries(Object.entries(header).map(([column, name]) => [name, row[column] ?? ''])));
    }
    at += 46 + nameLength + extraLength + commentLength;
  }
  throw new Error(`no sheet ${sheet}`);
};

test('the workbook: rows, area, rent, vacancy and arrears', async () => {
  const ask = await loadExample('english-excel');
  const sheet = (number: number, headerLine?: number) =>
    readSheet('examples/sources/english-excel/export/portfolio.xlsx', number, headerLine);
  const [properties, units, leases, charges] = [sheet(1, 3), sheet(2), sheet(4), sheet(5)];
  expect(await ask('property/properties/groups?count')).toEqual([{ count: properties.length }]);
  expect(
    byKey(await ask('property/property_structure/groups?by=property.property_name&sum=area_sqm'), 'property_property_name', 'sum_area_sqm'),
  ).toEqual(
    tally(
      units,
      (unit) => properties.find((property) => property['Property Code'] === unit['Property Code'])!['Property Name']!,
      (unit) => pence(unit['Area sqm']!),
    ),
  );
  expect(byKey(await ask('property/property_structure/groups?by=occupancy_status&count'), 'occupancy_status', 'count')).toEqual({
    let: units.filter(({ Occupancy }) => Occupancy === 'Let').length,
    vacant: units.filter(({ Occupancy }) => Occupancy === 'Vacant').length,
  });
  const kinds: Readonly<Record<string, string>> = { 'Basic rent': 'basic_rent', Surcharge: 'surcharge' };
  expect(byKey(await ask('contracts/contract_debits/groups?by=debit_type&sum=net_amount'), 'debit_type', 'sum_net_amount')).toEqual(
    tally(
      charges,
      (charge) => kinds[charge['Charge Type']!]!,
      ({ Net }) => pence(Net!),
    ),
  );
  expect(await ask('contracts/contract_debits/groups?sum=gross_amount&count')).toEqual([
    { sum_gross_amount: total(charges, 'Gross', pence), count: charges.length },
  ]);
  expect(byKey(await ask('stakeholder/tenants/groups?by=contract_number&sum=balance'), 'contract_number', 'sum_balance')).toEqual(
    tally(
      leases,
      (lease) => lease['Lease No']!,
      ({ Balance }) => pence(Balance!),
    ),
  );
});

test('bookings of DATEV: rows and the trial balance', async () => {
  const ask = await loadExample('datev');
  const bookings = readLists('examples/sources/datev/export/EXTF_Buchungsstapel.csv', 1);
  const lines = bookings.flatMap((booking) => {
    const value = cents(booking['Umsatz (ohne Soll/Haben-Kz)']!);
    const signed = booking['Soll/Haben-Kennzeichen'] === 'S' ? value : -value;
    return [
      { account: booking.Konto!, property: booking['KOST1 - Kostenstelle']!, value: signed },
      { account: booking['Gegenkonto (ohne BU-Schlüssel)']!, property: booking['KOST1 - Kostenstelle']!, value: -signed },
    ];
  });
  const [whole] = await ask('accounting/booking_positions/groups?sum=signed_amount&count');
  expect(whole).toEqual({ sum_signed_amount: 0, count: 2 * bookings.length });
  for (const [key, of] of [
    ['account_number', 'account'],
    ['property_id', 'property'],
  ] as const)
    expect(byKey(await ask(`accounting/booking_positions/groups?by=${key}&sum=signed_amount`), key, 'sum_signed_amount')).toEqual(
      tally(
        lines,
        (line) => line[of],
        ({ value }) => value,
      ),
    );
});

describe.runIf(hasMariadb)('the database', () => {
  test('rows, area, rent, vacancy, arrears and times', async () => {
    const erp = await mariadbWith(readFileSync('examples/sources/mariadb/export.sql', 'utf8'));
    try {
      process.env.SOURCE_DATABASE_URL = erp.address;
      const connection = await mysql.createConnection({ uri: erp.address, decimalNumbers: true, dateStrings: true });
      const inErp = async (sql: string) => (await connection.query<mysql.RowDataPacket[]>(sql))[0].map((row) => ({ ...row }));
      const ask = await loadExample('mariadb');
      expect(await ask('property/property_structure/groups?by=property.property_name&sum=area_sqm,target_rent_net&count')).toEqual(
        await inErp(
          `select bezeichnung as property_property_name, sum(flaeche) as sum_area_sqm, sum(sollmiete) as sum_target_rent_net, count(*) as count
           from einheit join objekt using (objekt_nr) group by 1 order by 1`,
        ),
      );
      expect(await ask('property/property_structure/groups?count&occupancy_status=vacant')).toEqual(
        await inErp("select count(*) as count from einheit where status = 'L'"),
      );
      expect(await ask('stakeholder/tenants/groups?by=contract_number,contract_start_date&sum=balance')).toEqual(
        await inErp(
          `select vertrag_nr as contract_number, beginn as contract_start_date, saldo as sum_balance from mietvertrag where aktiv = 1 order by 1`,
        ),
      );
      const times = await inErp("select date_format(geaendert_am, '%Y-%m-%dT%H:%i:%s') as at from objekt order by 1");
      const local = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'medium' });
      const changed = await ask('property/properties?columns=changed_at&order=changed_at');
      expect(changed.map(({ changed_at }) => local.format(new Date(changed_at as string)).replace(' ', 'T'))).toEqual(
        times.map(({ at }) => at),
      );
      await connection.end();
    } finally {
      await erp.drop();
    }
  });
});
