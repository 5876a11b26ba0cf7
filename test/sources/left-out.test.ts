/** Rows that cannot be loaded are refused, left out or kept in quarantine, with their causes (contract: rows that cannot be loaded). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../src/database/connections/connection.ts';
import { countQuarantined } from '../../src/database/control/quarantine.ts';
import { checkSource } from '../../src/sources/check.ts';
import { parseSource, type Source } from '../../src/sources/source-file.ts';
import { openTestDatabase } from '../support/database.ts';
import { folderWith, LoadedCustomer, readSourceFile, removeFolders } from './support.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
  removeFolders();
});

/** Properties and accounts that refer to them, with the treatment of invalid rows. */
const sourceOf = (properties = '', accounts = ''): Source =>
  parseSource(
    `name: erp
tables:
  - table: cost_center
    path: centers.csv
    primaryKey: nr
    ${accounts}
    columns:
      cost_center_id: nr
      cost_center_name: name
      property_id: { from: property, references: property_hdr }
      is_active: { constant: true }
  - table: property_hdr
    path: properties.csv
    primaryKey: nr
    ${properties}
    columns: { property_name: name, construction_year: built, property_type_key: { constant: residential } }
`,
    'erp.yml',
  );

const centers = (count: number, property: string) =>
  `nr,name,property\n${Array.from({ length: count }, (_, index) => `K${index + 1},Center ${index + 1},${property}\n`).join('')}`;

const errorsOf = async (customer: LoadedCustomer, source: Source, folder: string) => {
  const { errors, isLoadable } = await checkSource({ source, folder, questions: {} }, customer);
  expect(isLoadable).toBe(errors.length === 0);
  return errors;
};

test('a rejected row is one line with the number of rows that refer to it, and keys are those of the export', async () => {
  const customer = await LoadedCustomer.add(database, 'ursachen');
  const folder = folderWith({
    'centers.csv': `${centers(3_049, 'M24/00021')}K9999,Other,M24/00022\n`,
    'properties.csv': 'nr,name,built\nM24/00021,A,20x5\n',
  });
  const errors = await errorsOf(customer, sourceOf(), folder);
  expect(errors).toEqual([
    'properties.csv, line 2, column built → construction_year: "20x5" is no number such as 1234.56: state decimalChar, groupChar or bareNumber in formats; 3,049 rows refer to it',
    'centers.csv, line 3051, column property → property_id: "M24/00022" has no row in property_hdr: deliver it, or state unresolved',
  ]);
  await expect(customer.load(sourceOf(), folder)).rejects.toThrow(errors.join('\n'));
});

test.each([
  ['two rows with one key', 'M1,A,\nM1,B,\n', 'properties.csv, line 3, column nr → property_hdr.property_id'],
  ['two forms of one integer', '0107,A,\n107,B,\n', 'is on properties.csv, line 2 already'],
  ['a key without a value', ',A,\n', 'a column of the key has no value'],
  ['a reference without a row', 'M9,A,\n', 'has no row in property_hdr'],
])('the check refuses what the load refuses: %s', async (_what, rows, words) => {
  const customer = await LoadedCustomer.add(database, `gleich-${Math.random().toString(36).slice(2)}`);
  const folder = folderWith({ 'centers.csv': centers(2, 'M1'), 'properties.csv': `nr,name,built\n${rows}` });
  const errors = await errorsOf(customer, sourceOf(), folder);
  expect(errors.join('\n')).toContain(words.replace('property_hdr.', ''));
  await expect(customer.load(sourceOf(), folder)).rejects.toThrow(errors.join('\n'));
});

test('the check of a customer refuses what guards refuse, and shows the changes of the load', async () => {
  const customer = await LoadedCustomer.add(database, 'waechter');
  const rows = Array.from({ length: 40 }, (_, index) => `${index + 1},P${index + 1},2000\n`);
  const folder = folderWith({ 'centers.csv': centers(2, '1'), 'properties.csv': `nr,name,built\n${rows.join('')}` });
  const before = await checkSource({ source: sourceOf(), folder, questions: {} }, customer);
  expect(before.load?.tables.find(({ table }) => table === 'property_hdr')).toMatchObject({ inserted: 40 });
  await customer.load(sourceOf(), folder);
  writeFileSync(join(folder, 'properties.csv'), `nr,name,built\n${rows.slice(0, 10).join('')}`);
  expect(await errorsOf(customer, sourceOf(), folder)).toEqual([
    expect.stringContaining('property_hdr: the load would delete 30 of 40 rows'),
  ]);
});

test('a source states the share of rows that a load may delete, in place of the general limits', async () => {
  const customer = await LoadedCustomer.add(database, 'abgaenge');
  const folder = folderWith({ 'centers.csv': centers(2, '1'), 'properties.csv': '' });
  const deliver = (count: number, more = 'maxDeleted: 10', options = {}) => {
    const rows = Array.from({ length: count }, (_, index) => `${index + 1},P${index + 1},2000\n`);
    writeFileSync(join(folder, 'properties.csv'), `nr,name,built\n${rows.join('')}`);
    return customer.load(sourceOf(more), folder, options);
  };
  await deliver(100);
  await expect(deliver(89)).rejects.toThrow(
    'property_hdr: the load would delete 11 of 100 rows, and its source allows 10 per cent. To allow it: --allow-deletes property_hdr',
  );
  await deliver(90, 'maxDeleted: 10', { confirmDeletes: true });
  await expect(deliver(89, 'maxDeleted: 0', { confirmDeletes: true })).rejects.toThrow(
    'would delete 1 of 90 rows, and its source allows 0 per cent: 90',
  );
  await expect(deliver(89, 'mode: full', { confirmDeletes: true })).rejects.toThrow('would delete 1 of 90 rows: 90');
  await deliver(60, 'maxDeleted: 10', { allowDeletes: ['property_hdr'] });
  expect(() => sourceOf('maxDeleted: 60')).toThrow('50');
});

test('a load of changes is held for the deleted rows of a list with all rows', async () => {
  const customer = await LoadedCustomer.add(database, 'gemischt');
  const source = sourceOf('', 'mode: upsert');
  const folder = folderWith({ 'centers.csv': centers(2, '1'), 'properties.csv': 'nr,name,built\n1,A,2000\n2,B,2000\n3,C,2000\n' });
  await customer.load(source, folder);
  writeFileSync(join(folder, 'properties.csv'), 'nr,name,built\n1,A,2000\n2,B,2000\n');
  await expect(customer.load(source, folder, { confirmDeletes: true })).rejects.toThrow(
    'property_hdr: the load would delete 1 of 3 rows: 3',
  );
});

test('latest replaces a row of the same key only', async () => {
  const customer = await LoadedCustomer.add(database, 'formen');
  const folder = folderWith({ 'centers.csv': centers(1, '107'), 'properties.csv': 'nr,name,built\n0107,A,\n107,B,\n0107,C,\n' });
  await expect(customer.load(sourceOf('latest: $position'), folder)).rejects.toThrow(
    'properties.csv, line 3, column nr → property_id: "107" is another form of "0107": write the key of an object in one form',
  );
  writeFileSync(join(folder, 'properties.csv'), 'nr,name,built\n0107,A,\n0107,C,\n');
  await customer.load(sourceOf('latest: $position'), folder);
  // A reference may write the key in another form.
  expect(await customer.ask('select property_id, property_name from $schema.property_hdr')).toEqual([
    { property_id: 107, property_name: 'C' },
  ]);
});

test('rows in quarantine are kept with their reason, and rows that refer to them follow', async () => {
  const customer = await LoadedCustomer.add(database, 'quarantaene');
  const source = sourceOf('invalidRows: { quarantine: 50 }', 'invalidRows: { quarantine: 50 }');
  const folder = folderWith({
    'centers.csv': `nr,name,property\nK1,One,M1\nK2,Two,M2\nK3,Three,M3\n`,
    'properties.csv': 'nr,name,built\nM1,A,2001\nM2,B,20x5\nM3,C,2003\n',
  });
  const result = await customer.load(source, folder);
  expect(result.left_out).toEqual([
    { table: 'cost_center', action: 'quarantine', rows: 1, reasons: [] },
    { table: 'property_hdr', action: 'quarantine', rows: 1, reasons: [expect.stringContaining('"20x5" is no number')] },
  ]);
  expect(await customer.ask('select cost_center_name from $schema.cost_center order by 1')).toEqual([
    { cost_center_name: 'One' },
    { cost_center_name: 'Three' },
  ]);
  const kept = await customer.ask('select table_name, key_text, file, line, reasons, row from $schema._quarantine order by 1');
  expect(kept).toEqual([
    {
      table_name: 'cost_center',
      key_text: 'K2',
      file: 'centers.csv',
      line: 3,
      reasons: ['column property → property_id: "M2" is a row of property_hdr that is not loaded (properties.csv, line 3)'],
      row: { nr: 'K2', name: 'Two', property: 'M2' },
    },
    expect.objectContaining({ table_name: 'property_hdr', key_text: 'M2', row: { nr: 'M2', name: 'B', built: '20x5' } }),
  ]);
  expect(await countQuarantined(database.pool, customer.customer.schema_name)).toHaveLength(2);
  // A row that the next delivery has again is judged there.
  writeFileSync(join(folder, 'properties.csv'), 'nr,name,built\nM1,A,2001\nM2,B,2005\nM3,C,2003\n');
  expect((await customer.load(source, folder)).left_out).toEqual([]);
  expect(await customer.ask('select count(*)::int as rows from $schema.cost_center')).toEqual([{ rows: 3 }]);
  expect(await customer.ask('select count(*)::int as rows from $schema._quarantine')).toEqual([{ rows: 0 }]);
  // The earlier version of a row stays, and rows may refer to it.
  writeFileSync(join(folder, 'properties.csv'), 'nr,name,built\nM1,A,2001\nM2,New,20x5\nM3,C,2003\n');
  const again = await customer.load(source, folder);
  expect(again.left_out?.map(({ table, rows }) => [table, rows])).toEqual([['property_hdr', 1]]);
  expect(await customer.ask('select property_name from $schema.property_hdr order by 1')).toEqual([
    { property_name: 'A' },
    { property_name: 'B' },
    { property_name: 'C' },
  ]);
  // A row that a full delivery no longer has is dropped from the quarantine and from the table.
  writeFileSync(join(folder, 'properties.csv'), 'nr,name,built\nM1,A,2001\nM3,C,2003\n');
  writeFileSync(join(folder, 'centers.csv'), 'nr,name,property\nK1,One,M1\nK3,Three,M3\n');
  await customer.load(source, folder);
  expect(await customer.ask('select count(*)::int as rows from $schema._quarantine')).toEqual([{ rows: 0 }]);
  expect(await customer.ask('select count(*)::int as rows from $schema.property_hdr')).toEqual([{ rows: 2 }]);
});

test('more invalid rows than the limit refuse the load, and skip keeps nothing', async () => {
  const customer = await LoadedCustomer.add(database, 'grenze');
  const folder = folderWith({
    'centers.csv': 'nr,name,property\nK1,One,M1\n',
    'properties.csv': 'nr,name,built\nM1,A,2001\nM2,B,20x5\nM3,C,20x6\nM4,D,2004\n',
  });
  await expect(customer.load(sourceOf('invalidRows: { quarantine: 49 }'), folder)).rejects.toThrow(
    'property_hdr: 2 of 4 rows cannot be loaded (50.0 %), and invalidRows allows 49 %',
  );
  const { left_out } = await customer.load(sourceOf('invalidRows: { skip: 50 }'), folder);
  expect(left_out).toEqual([{ table: 'property_hdr', action: 'skip', rows: 2, reasons: [expect.stringContaining('(2 such values)')] }]);
  expect(await customer.ask('select count(*)::int as rows from $schema._quarantine')).toEqual([{ rows: 0 }]);
});

test('several rows of one key are all kept apart, because either could be meant', async () => {
  const customer = await LoadedCustomer.add(database, 'mehrfach');
  const folder = folderWith({ 'centers.csv': 'nr,name,property\nK1,One,M1\n', 'properties.csv': 'nr,name,built\nM1,A,\nM2,B,\nM2,C,\n' });
  const { left_out } = await customer.load(sourceOf('invalidRows: { quarantine: 70 }'), folder);
  expect(left_out).toMatchObject([{ rows: 2 }]);
  expect(await customer.ask('select property_name from $schema.property_hdr')).toEqual([{ property_name: 'A' }]);
});

test('rows that share the value of a unique column are named with the keys of the export', async () => {
  const customer = await LoadedCustomer.add(database, 'eindeutig');
  const source = (invalidRows: string) =>
    parseSource(
      `name: unique
tables:
  - table: property_hdr
    path: properties.csv
    primaryKey: nr
    columns: { property_name: nr, property_type_key: { constant: residential } }
  - table: building
    path: buildings.csv
    primaryKey: $row
    ${invalidRows}
    columns: { property_id: { from: property, references: property_hdr }, building_no: no, building_name: name }
`,
      'unique.yml',
    );
  const folder = folderWith({
    'properties.csv': 'nr\nM24/00021\nM24/00022\n',
    'buildings.csv': 'property,no,name\nM24/00021,1,A\nM24/00022,1,B\nM24/00021,1,C\n',
  });
  const words =
    'buildings.csv, line 4, column property → property_id, no → building_no: "M24/00021, 1" is on buildings.csv, line 2 already';
  expect((await checkSource({ source: source(''), folder, questions: {} }, undefined)).errors).toEqual([words]);
  await expect(customer.load(source(''), folder)).rejects.toThrow(words);
  expect((await customer.load(source('invalidRows: { skip: 70 }'), folder)).left_out).toMatchObject([{ table: 'building', rows: 2 }]);
  expect(await customer.ask('select building_name from $schema.building')).toEqual([{ building_name: 'B' }]);
});

test('an upsert tries rows in quarantine again', async () => {
  const customer = await LoadedCustomer.add(database, 'nochmal');
  const source = sourceOf('mode: upsert', 'mode: upsert\n    invalidRows: { quarantine: 100 }');
  const first = folderWith({ 'centers.csv': 'nr,name,property\nK1,One,M1\nK2,Two,M2\n', 'properties.csv': 'nr,name,built\nM1,A,\n' });
  expect((await customer.load(source, first)).left_out).toMatchObject([{ table: 'cost_center', rows: 1 }]);
  const second = folderWith({ 'centers.csv': 'nr,name,property\n', 'properties.csv': 'nr,name,built\nM2,B,\n' });
  expect((await customer.load(source, second)).left_out).toEqual([]);
  expect(await customer.ask('select cost_center_name from $schema.cost_center order by 1')).toEqual([
    { cost_center_name: 'One' },
    { cost_center_name: 'Two' },
  ]);
  expect(await customer.ask('select count(*)::int as rows from $schema._quarantine')).toEqual([{ rows: 0 }]);
});

test('a joined identifier without a part has no value, and no other row', async () => {
  const customer = await LoadedCustomer.add(database, 'teile');
  const source = parseSource(
    `name: parts
tables:
  - table: property_hdr
    path: properties.csv
    primaryKey: nr
    columns:
      property_name: { join: [nr, name] }
      property_type_key: { constant: residential }
  - table: floor_area
    path: units.csv
    primaryKey: $row
    invalidRows: { skip: 50 }
    columns:
      floor_area_id: { join: [property, unit], separator: "-" }
      unit_number: { from: unit, default: none }
      property_id: { from: property, references: property_hdr }
      usage_type_key: { constant: apartment }
      occupancy_status_key: { constant: let }
      area_sqm: { constant: 50 }
      is_active: { constant: true }
`,
    'parts.yml',
  );
  const folder = folderWith({ 'properties.csv': 'nr,name\n1096,\n', 'units.csv': 'property,unit\n1096,01\n1096,\n' });
  await customer.load(source, folder);
  expect(await customer.ask('select floor_area_id from $schema.floor_area')).toEqual([{ floor_area_id: '1096-01' }]);
  // A text that names nothing may lack a part.
  expect(await customer.ask('select property_name from $schema.property_hdr')).toEqual([{ property_name: '1096' }]);
});

test('--strict names the files that no table reads', async () => {
  const customer = await LoadedCustomer.add(database, 'streng');
  const folder = folderWith({ 'centers.csv': centers(1, 'M1'), 'properties.csv': 'nr,name,built\nM1,A,\n', 'tenants.csv': 'nr\n1\n' });
  await expect(customer.load(sourceOf(), folder, { strict: true })).rejects.toThrow(
    'not loaded: tenants.csv (no table of the source reads it)',
  );
  expect((await customer.load(sourceOf(), folder)).not_loaded).toEqual(['tenants.csv (no table of the source reads it)']);
  const { notLoaded } = await checkSource({ source: sourceOf(), folder, questions: {} }, undefined);
  expect(notLoaded).toEqual(['tenants.csv (no table of the source reads it)']);
});

test('--strict names the sheets that no table reads', async () => {
  const source = readSourceFile('examples/sources/english-excel/source.yml');
  const folder = 'examples/sources/english-excel/export';
  const all = await checkSource({ source, folder, questions: {} }, undefined);
  expect(all.notLoaded).toEqual([]);
  const fewer = { ...source, tables: source.tables.slice(0, -1) };
  const { notLoaded } = await checkSource({ source: fewer, folder, questions: {} }, undefined);
  expect(notLoaded).toEqual([expect.stringMatching(/\.xlsx, sheet .+ \(no table of the source reads it\)$/)]);
});

const bookings = parseSource(
  `name: journal
tables:
  - table: booking_hdr
    path: "EXTF*.csv"
    files: all
    format: datev
    formats: { decimalChar: "," }
    primaryKey: $row
    columns:
      property_id: { from: Umsatz, references: property_hdr, unresolved: assign }
      document_number: Belegfeld 1
      booking_type_key: { constant: manual }
      fiscal_year: $fiscalYear
      fiscal_period: { from: Belegdatum, apply: [month] }
      booking_date: Belegdatum
      document_date: Belegdatum
      total_amount: Umsatz
      position_count: { constant: 2 }
      currency: { constant: EUR }
      is_reversal: { constant: false }
      status_key: { constant: posted }
`,
  'journal.yml',
);

/** A batch that DATEV writes at a time of day. */
const batch = (at: string, ...rows: readonly string[]) =>
  [
    `"EXTF";700;21;"Buchungsstapel";12;${at};;"RE";"";"";29098;55003;20240101;4;20240101;20240131;"";"WD";1;0;0;"EUR";;"";;;;;;`,
    'Umsatz;Belegdatum;Belegfeld 1;Generalumkehr (GU)',
    ...rows,
    '',
  ].join('\r\n');

test('a batch of DATEV that is there twice is named, also if it was written at another time', async () => {
  const rows = ['100,00;0301;"M-1";0', '100,00;0301;"M-1";0'];
  const twice = folderWith({ 'EXTF_1.csv': batch('20240201093000000', ...rows), 'EXTF_2.csv': batch('20240202093000000', ...rows) });
  const { errors } = await checkSource({ source: bookings, folder: twice, questions: {} }, undefined);
  expect(errors).toEqual(['EXTF_2.csv: has the same 2 rows as EXTF_1.csv: deliver each batch once']);
  const other = folderWith({ 'EXTF_1.csv': batch('20240201093000000', ...rows), 'EXTF_2.csv': batch('20240202093000000', rows[0]!) });
  expect((await checkSource({ source: bookings, folder: other, questions: {} }, undefined)).errors).toEqual([]);
});

test('a reversal of DATEV that the source does not read is named, because its amount looks like that of a booking', async () => {
  const folder = folderWith({ 'EXTF_1.csv': batch('20240201093000000', '100,00;0301;"M-1";0', '100,00;0301;"M-1";1') });
  const { errors } = await checkSource({ source: bookings, folder, questions: {} }, undefined);
  expect(errors).toEqual([expect.stringMatching(/^EXTF_1\.csv, line 4, column Generalumkehr \(GU\): "1" is a reversal/)]);
  const [table] = bookings.tables;
  const skipping = { ...bookings, tables: [{ ...table!, skip: [{ column: 'Generalumkehr (GU)', in: ['1'] }] }] };
  expect((await checkSource({ source: skipping, folder, questions: {} }, undefined)).errors).toEqual([]);
});
