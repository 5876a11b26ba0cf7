/** Options of source files, loaded: refusals with their place, shared tables, changes with deletions, and references. */
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../src/database/connections/connection.ts';
import { parseSource } from '../../src/sources/source-file.ts';
import { openTestDatabase } from '../support/database.ts';
import { zipOf } from './archives.ts';
import { changesOf, folderWith, LoadedCustomer, readSourceFile, removeFolders } from './support.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
  removeFolders();
});

const sourceOf = (name: string) => readSourceFile(`test/sources/exports/${name}.yml`);
const western = (text: string) => Buffer.from(text, 'latin1');

const properties = {
  'objekte_old.csv': western('cut'),
  'objekte_new.csv': western(
    [
      'Liste der Objekte',
      'Objekt|Name|Kurz|Art|Bau|Verkauf|Wert|Adresse|Ort|Heizung|Mehr',
      'Nr||||||||||',
      "7|'Haus |Größe'|-|Haus|31.12.68|2024-05-06 07:08|1.234.567,80 EUR|Seestraße 14a, 13353 Berlin|B|G|x",
      '# a comment',
      'M-8|Halle|ha|Halle|-|-|(1.500,55)|Am Ring 2|L|-|x',
      'M-9|Turm|-|Turm|-|-|-|-|L|-|x',
      'S-1|Summe|-|Haus|-|-|-|-|L|-|x',
      '-|Niemand|-|Haus|-|-|-|-|L|-|x',
      'Summe||||||1|||| ',
      'Ende|||||||||| ',
    ].join('\r\n'),
  ),
  'orte.txt': 'B ;Berlin\nL;Leip"zig\n',
  'arten.csv': western("ort|klasse\r\n'Berlin'|Klasse Ä\r\nLeipzig|B\r\nBerlin|-\r\nBerlin|alt\r\nSumme|B"),
  'leute.zip': zipOf([
    { name: 'b.csv', bytes: western('Name\r\nHerr Dr. Cem von Öztürk\r\nHerr Dr. Cem von Öztürk') },
    { name: 'a.csv', bytes: western("Name\r\n'Weber, Anna'") },
  ]),
  'vertraege.csv': western('Nr|Mieter|Objekt|Mehr\r\nV-1|p|007|x\r\nV-2|q|M-8|-\r\nX-3|q|M-8|-'),
};

test.each([
  ['objekte_new.csv', '|G|', '|Öl|', 'objekte_new.csv, line 4, column Heizung → heating_type_key: "Öl" has no code: add it to codes'],
  ['objekte_new.csv', '31.12.68', '31.13.68', 'column Bau → construction_year: "31.13.68" is no date or time in the format %d.%m.%y'],
  ['objekte_new.csv', '|2024-05-06 07:08|', '|gestern|', 'column Verkauf → disposal_date: "gestern" is no date or time in the format %Y'],
  ['objekte_new.csv', 'Titel', '', "objekte_new.csv has no column 'Fehlt'"],
  ['vertraege.csv', '|007|', '|99|', 'vertraege.csv, line 2, column Objekt → property_id: "99" has no row in property_hdr'],
  ['vertraege.csv', '|p|', '|-|', 'vertraege.csv, line 2, column Mieter → person_id: has no value and needs one'],
  ['leute.csv', '', '', "has no file 'leute.zip/*.csv'"],
])('in %s, %s as %s is refused with its place', async (name, from, to, message) => {
  const { 'leute.zip': people, ...others } = properties;
  const files: Record<string, Buffer | string> = { ...others, ...(name !== 'leute.csv' && { 'leute.zip': people }) };
  const text = files[name]?.toString('latin1') ?? '';
  files[name] = western(text.replace(from, () => to));
  const folder = folderWith(files);
  utimesSync(join(folder, 'objekte_old.csv'), new Date(0), new Date(0));
  const customer = await LoadedCustomer.add(database, `refused-${Math.random().toString(36).slice(2)}`);
  const source = sourceOf('properties');
  if (from === 'Titel') (source.tables[0] as { missingColumns?: string }).missingColumns = 'refuse';
  await expect(customer.load(source, folder)).rejects.toThrow(message);
  expect(await customer.ask('select count(*)::int as rows from $schema.property_hdr')).toEqual([{ rows: 0 }]);
});

test('newColumns: refuse names columns that nothing reads', async () => {
  const customer = await LoadedCustomer.add(database, 'neue-spalten');
  const people = zipOf([{ name: 'a.csv', bytes: western("Name|Mehr\r\n'Weber, Anna'|1") }]);
  const folder = folderWith({ ...properties, 'leute.zip': people });
  utimesSync(join(folder, 'objekte_old.csv'), new Date(0), new Date(0));
  await expect(customer.load(sourceOf('properties'), folder)).rejects.toThrow('has columns that the source does not name: Mehr');
});

test('changes are applied in order: the latest row counts, and marked rows are deleted', async () => {
  const customer = await LoadedCustomer.add(database, 'aenderungen');
  const source = sourceOf('changes');
  const people = () => customer.ask('select person_id, last_name from $schema.person order by 1');
  await customer.load(
    source,
    folderWith({ 'personen_1.csv': 'nr;name;stand;kz\n7;Alt;1;A\nb;Bea;1;A\nc;Cem;1;A\n7;Neu;10;C\n7;Mittel;9;C\n' }),
  );
  const before = await people();
  expect(before.map(({ last_name }) => last_name)).toEqual(['Neu', 'Bea', 'Cem']);
  expect(before[0]!.person_id).toBe(7);
  // A mark for a key that was never there changes nothing. A later row brings a deleted one back.
  const files = {
    'personen_1.csv': 'nr;name;stand;kz\nb;;11;D\nc;;11;D\nx;;11;D\n',
    'personen_2.csv': 'nr;name;stand;kz\nc;Cem zurück;12;A\nd;Dora;1;A\n',
  };
  await customer.load(source, folderWith(files), { allowDeletes: ['person'] });
  const after = await people();
  expect(after.map(({ last_name }) => last_name)).toEqual(['Neu', 'Cem zurück', 'Dora']);
  expect(after[1]!.person_id).toBe(before[2]!.person_id);
  await expect(customer.load(source, folderWith({ 'personen_1.csv': 'nr;name;stand;kz\nb;B;1;A\nc;C;heute;A\n' }))).rejects.toThrow(
    'personen_1.csv, line 3, column stand: "heute" is no number',
  );
});

test('two sources fill a table: each owns its rows, and the first keeps its keys', async () => {
  const customer = await LoadedCustomer.add(database, 'geteilt');
  const [north, south, contracts] = [sourceOf('north'), sourceOf('south'), sourceOf('contracts')];
  const names = async () =>
    (await customer.ask('select property_id, property_name from $schema.property_hdr order by 2')).map((row) => [
      row.property_id,
      row.property_name,
    ]);
  const northern = folderWith({ 'north.csv': 'nr,name\n0007,N7\n8,N8\nN-9,N9\n8,N8b\n' });
  // The first source is alone at first, and does not share.
  const alone = { ...north, tables: north.tables.map((table) => ({ ...table, shared: false })) };
  await customer.load(alone, northern);
  await expect(
    customer.load(
      { ...south, tables: south.tables.map((table) => ({ ...table, shared: false })) },
      folderWith({ 'south.csv': 'nr,name\n7,S7\n' }),
    ),
  ).rejects.toThrow('property_hdr has rows of the source north. If both fill the table, state shared: true in both.');
  const first = await names();
  expect(first).toEqual([
    [7, 'N7'],
    [8, 'N8b'],
    [1_000_000_001, 'N9'],
  ]);
  await customer.load(south, folderWith({ 'south.csv': 'nr,name\n7,S7\n11,S11\n' }));
  expect(changesOf(await customer.load(north, northern))).toEqual([]);
  expect(await names()).toEqual([...first, [11, 'S11'], [1_000_000_002, 'S7']]);
  // Another source refers to the rows of each by its own numbers.
  await customer.load(contracts, folderWith({ 'contracts.csv': 'nr,property\n1,7\n', 'more.csv': 'nr,property\n2,007\n' }));
  expect(
    await customer.ask(
      'select contract_number, property_name from $schema.tenancy_hdr join $schema.property_hdr using (property_id) order by 1',
    ),
  ).toEqual([
    { contract_number: '1', property_name: 'S7' },
    { contract_number: '2', property_name: 'N7' },
  ]);
  await customer.load(south, folderWith({ 'south.csv': 'nr,name\n7,S7 neu\n' }), { allowDeletes: ['property_hdr'] });
  expect(await names()).toEqual([...first, [1_000_000_002, 'S7 neu']]);
});

const people = parseSource(
  `name: people
tables:
  - table: person
    path: people.csv
    primaryKey: nr
    columns: { person_type_key: { constant: natural }, last_name: name, created_at: since, changed_at: stamp }
`,
  'people.yml',
);

test('a row without a load time gets the time of the load, and keeps it until it changes', async () => {
  const customer = await LoadedCustomer.add(database, 'zeiten');
  const rows = () => customer.ask('select last_name, created_at, changed_at from $schema.person order by person_id');
  const load = (text: string) => customer.load(people, folderWith({ 'people.csv': `nr,name,since,stamp\n${text}` }));
  const given = new Date('2020-01-01T00:00:00Z');
  await load('1,A,2020-01-01T00:00:00Z,2020-01-01T00:00:00Z\n2,B,,\n3,C,2020-01-01T00:00:00Z,\n');
  const first = await rows();
  const at = first[1]!.created_at as Date;
  expect(first).toEqual([
    { last_name: 'A', created_at: given, changed_at: given },
    { last_name: 'B', created_at: at, changed_at: at },
    { last_name: 'C', created_at: given, changed_at: at },
  ]);
  expect(at.getTime()).toBeGreaterThan(given.getTime());
  expect(changesOf(await load('3,C,2020-01-01T00:00:00Z,\n2,B,,\n1,A,,\n'))).toEqual([]);
  await load('1,A,,\n2,B neu,,\n3,C,2021-01-01T00:00:00Z,\n');
  const [same, renamed, older] = await rows();
  expect(same).toEqual(first[0]);
  expect(renamed).toMatchObject({ last_name: 'B neu', created_at: at });
  expect((renamed!.changed_at as Date).getTime()).toBeGreaterThan(at.getTime());
  expect(older!.created_at).toEqual(new Date('2021-01-01T00:00:00Z'));
  expect((older!.changed_at as Date).getTime()).toBeGreaterThan(at.getTime());
});

test('what the load refuses is named with the file, the line and the column of the export', async () => {
  const customer = await LoadedCustomer.add(database, 'doppelt');
  await expect(customer.load(people, folderWith({ 'people.csv': 'nr,name,since,stamp\n7,A,,\n8,B,,\n07,C,,\n' }))).rejects.toThrow(
    'people.csv, line 4, column nr → person_id: "07" is on people.csv, line 2 already',
  );
  const accounts = parseSource(
    `name: accounts
tables:
  - table: account
    path: "*.csv"
    files: all
    primaryKey: nr
    columns:
      account_number: { from: [Konto, nr] }
      account_name: { constant: x }
      account_type_key: { constant: gl }
      is_collective_account: { constant: false }
      is_posting_allowed: { constant: true }
      currency: { constant: EUR }
      is_active: { constant: true }
`,
    'accounts.yml',
  );
  const load = (b: string) => customer.load(accounts, folderWith({ 'a.csv': 'nr,Konto\n1,1200\n', 'b.csv': `nr,Konto\n${b}` }));
  await expect(load('2,1300\n3,1200\n')).rejects.toThrow(
    'b.csv, line 3, column Konto or nr → account_number: "1200" is on a.csv, line 2 already',
  );
});
