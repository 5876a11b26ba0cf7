/** A draft proposes the target of the columns that the shipped sources map. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type LookupName, lookups } from '../../src/catalogue/lookups.ts';
import { type RawTableName, rawTables } from '../../src/catalogue/raw/index.ts';
import { columnsOfRule, ruleOf } from '../../src/sources/columns/column-value.ts';
import { draftSource } from '../../src/sources/draft/draft.ts';
import { normalise, split } from '../../src/sources/draft/words/fit.ts';
import { codeTerms, columnTerms, rentRollTerms } from '../../src/sources/draft/words/terms.ts';
import { parseSource, type Source } from '../../src/sources/source-file.ts';
import { shareOf } from './draft-share.ts';

/** The pairs of raw column and column of the export that a source has. A pair of a key is one, too. */
const pairsOf = ({ tables }: Source): Set<string> =>
  new Set(
    tables.flatMap(({ table, columns }) =>
      Object.entries(columns).flatMap(([target, rule]) => columnsOfRule(ruleOf(rule)).map((column) => `${table}.${target} ${column}`)),
    ),
  );

test.each(['german-erp', 'english-excel', 'rent-roll'])('the draft of %s has at least 80 percent of the targets', async (name) => {
  const shipped = pairsOf(parseSource(readFileSync(`examples/sources/${name}/source.yml`, 'utf8'), 'source.yml'));
  const { text } = await draftSource(`examples/sources/${name}/export`);
  const drafted = pairsOf(parseSource(text, 'draft'));
  const found = [...shipped].filter((pair) => drafted.has(pair));
  expect(found.length / shipped.size).toBeGreaterThanOrEqual(0.8);
});

test.each(['german-erp', 'english-excel', 'datev', 'rent-roll'])(
  'the draft of %s finds a right target for 80 percent of the columns',
  async (name) => {
    expect(shareOf(name, (await draftSource(`examples/sources/${name}/export`)).text)).toBeGreaterThanOrEqual(0.8);
  },
);

test('the terms name columns and codes that exist, and a word means one code', () => {
  const names = new Set(Object.values(rawTables).flatMap(({ columns }) => Object.keys(columns)));
  const isColumn = (term: string) => {
    const [first = '', column] = term.split('.');
    return column === undefined ? names.has(first) : column in (rawTables[first as RawTableName]?.columns ?? {});
  };
  expect([...Object.keys(columnTerms), ...Object.keys(rentRollTerms)].filter((term) => !isColumn(term))).toEqual([]);
  for (const [lookup, terms] of Object.entries(codeTerms)) {
    const words = lookups[lookup as LookupName].map(
      ([code, ...labels]) => [code, new Set([code, ...labels, ...split(terms[code])].map(normalise))] as const,
    );
    expect(Object.keys(terms).filter((code) => !words.some(([known]) => known === code))).toEqual([]);
    const all = words.flatMap(([, each]) => [...each]);
    expect([lookup, all.filter((word, index) => all.indexOf(word) !== index)]).toEqual([lookup, []]);
  }
});

test('a file whose last line has no end is drafted as such', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-draft-'));
  writeFileSync(join(folder, 'objekte.csv'), 'Objekt-Nr;Bezeichnung;Ort\n1;a;b\n2;c;d');
  expect((await draftSource(folder)).text).toContain('lastLineEnd: false');
  rmSync(folder, { recursive: true });
});

test('the values decide between columns of one name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-draft-'));
  const typed = (first: string, second: string) =>
    writeFileSync(join(folder, 'konten.csv'), `Konto;Bezeichnung;Kontoart\n1200;Bank;${first}\n8000;Mieten;${second}\n`);
  const columnsOf = async () => Object.keys(parseSource((await draftSource(folder)).text, 'draft').tables[0]?.columns ?? {});
  typed('Aktiva', 'Erlöse');
  expect(await columnsOf()).toEqual(expect.arrayContaining(['balance_type_key']));
  expect(await columnsOf()).not.toContain('account_type_key');
  typed('Sachkonto', 'Personenkonto Mieter');
  expect(await columnsOf()).toEqual(expect.arrayContaining(['account_type_key']));
  expect(await columnsOf()).not.toContain('balance_type_key');
  rmSync(folder, { recursive: true });
});

test('columns without a target can identify a row together', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-draft-'));
  const lines = ['1001;10;Miete;500,00', '1001;20;Miete;500,00', '1002;10;Miete;500,00', '1002;20;Miete;500,00'];
  writeFileSync(join(folder, 'buchungen.csv'), `Beleg;Pos;Buchungstext;Betrag\n${lines.join('\n')}\n`);
  expect((await draftSource(folder)).text).toContain('primaryKey: [Beleg, Pos] # these columns identify each row together');
  rmSync(folder, { recursive: true });
});

/** The draft of one list. */
const draftOf = async (name: string, lines: readonly string[]): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-draft-'));
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  try {
    return (await draftSource(folder)).text;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
const tablesIn = (text: string): string[] => parseSource(text, 'draft').tables.map(({ table }) => table);

describe('a rent roll', () => {
  test('fills a table for each kind of fact, and a charge for each column of amounts', async () => {
    const text = await draftOf('rent roll 2026.csv', [
      'Property;Address;Unit;Unit type;Area sqm;Tenant;Tenant ID;Lease No;Lease Start;Lease End;Rent;Service Charge;Total Rent;Arrears',
      'P1;1 High Street, 50667 Koeln;A;Apartment;62.5;Smith;T1;L1;2020-01-01;;650.00;120.00;770.00;0.00',
      'P1;1 High Street, 50667 Koeln;B;Apartment;71.0;;;;;;;;;',
      'P2;2 Low Road, 50667 Koeln;A;Retail;120.0;Jones;T2;L2;2021-05-01;2027-04-30;1500.00;300.00;1800.00;1800.00',
    ]);
    const charges = ['contract_condition', 'contract_condition'];
    expect(tablesIn(text)).toEqual(['property_hdr', 'floor_area', 'person', 'tenancy_hdr', ...charges]);
    const { tables } = parseSource(text, 'draft');
    expect(tables.map(({ primaryKey }) => primaryKey)).toEqual([
      'Property',
      ['Property', 'Unit'],
      'Tenant ID',
      'Lease No',
      ['Lease No', 'Property', 'Unit', { constant: 'basic_rent' }],
      ['Lease No', 'Property', 'Unit', { constant: 'operating_cost_advance' }],
    ]);
    expect(tables[0]?.columns).toMatchObject({
      city: { from: 'Address', part: 'city' },
      postal_code: { from: 'Address', part: 'postalCode' },
    });
    expect(tables[2]?.skip).toEqual([{ column: 'Tenant', empty: true }]);
    // The deposits and balances of the other lines of a contract would be lost without a word.
    expect(tables[3]?.latest).toBeUndefined();
    expect(tables[5]?.columns).toMatchObject({
      net_amount: 'Service Charge',
      is_advance_payment: { constant: true },
      area_sqm: 'Area sqm',
    });
    // A sum of several kinds of rent is none of them.
    expect(text).toContain('# not used: Total Rent');
  });

  test('has no number of properties: the address is one', async () => {
    const text = await draftOf('mieter.csv', [
      'Straße;Wohnung;Wohnfläche;Name;Mieter seit;Nettomiete;NK-Vorausz.',
      'Lindenstr. 7;1;62,40;Aydin;01.04.2016;561,60;124,80',
      'Lindenstr. 7;2;71,10;frei;;;',
    ]);
    const { tables } = parseSource(text, 'draft');
    expect(tables.map(({ table }) => table)).toEqual([
      'property_hdr',
      'floor_area',
      'person',
      'tenancy_hdr',
      'contract_condition',
      'contract_condition',
    ]);
    expect(tables[0]?.primaryKey).toBe('Straße');
    expect(tables[1]?.columns.occupancy_status_key).toMatchObject({ codes: { frei: 'vacant' }, unknownCodes: { code: 'let' } });
  });

  test('is no list of units, contracts or charges alone', async () => {
    const units = ['Objekt;Einheit;Nutzung;Fläche;Mieter', '1;01;Wohnung;60,5;Aydin', '1;02;Wohnung;71,5;'];
    expect(tablesIn(await draftOf('einheiten.csv', units))).toEqual(['floor_area']);
    const contracts = [
      'Objekt;Einheit;Mieter;Vertrag;Beginn;Kaution',
      '1;01;Aydin;V1;01.04.2016;500,00',
      '1;02;Brandt;V2;01.05.2016;600,00',
    ];
    expect(tablesIn(await draftOf('vertraege.csv', contracts))).toEqual(['tenancy_hdr']);
  });
});

test('the draft names what it does not know', async () => {
  const { text } = await draftSource('examples/sources/german-erp/export');
  expect(text).toContain('# needs a value: is_active (whether the unit is active). State its column or a constant.');
  expect(text).toContain('# not used: Bezeichnung (2)');
  expect(text).toContain('# needs a value: tenant_type_key (kind of tenancy: residential, commercial, ');
});

test('the draft reads a minus after the number, and a key of amounts has their first day', async () => {
  const { text } = await draftSource('examples/sources/german-erp/export');
  expect(text).toContain('trailingMinus: true');
  expect(text).toContain('primaryKey: [Vertrags-Nr, Sollart, Gültig ab]');
});

test.each([
  ['a word for the sum', '1;a;1,50;B\n2;b;2,50;C\nSumme;;4,00;\n', 'skip: [{ column: Objekt-Nr, in: [Summe] }]'],
  ['a word and more', '1;a;1,50;B\n2;b;2,50;C\nSumme November;;4,00;\n', 'skip: [{ column: Objekt-Nr, startsWith: "Summe " }]'],
  ['a sum alone', '1;a;1,50;B\n2;b;2,50;C\n3;c;2,50;D\n;;6,50;\n', 'skip: [{ column: Objekt-Nr, empty: true }]'],
])('the draft leaves out a last row by what it is and never by its position: %s', async (_what, rows, skip) => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-draft-'));
  writeFileSync(join(folder, 'objekte.csv'), `Objekt-Nr;Bezeichnung;Verkehrswert;Ort\n${rows}`);
  const { text } = await draftSource(folder);
  expect(text).toContain(skip);
  expect(text).not.toContain('footerRows');
  rmSync(folder, { recursive: true });
});
