/** What a draft knows has evidence, and what has none is a question. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkSource } from '../../src/sources/check.ts';
import { ruleOf } from '../../src/sources/columns/column-value.ts';
import { type Draft, draftSource } from '../../src/sources/draft/draft.ts';
import { type ColumnRule, parseSource, type TableRule } from '../../src/sources/source-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'estate-evidence-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const draftOf = async (files: Readonly<Record<string, readonly string[]>>): Promise<Draft> => {
  for (const [name, lines] of Object.entries(files)) writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  return draftSource(folder);
};
const tablesOf = ({ text }: Draft): TableRule[] => parseSource(text, 'draft').tables;
const tableOf = (draft: Draft, name: string): TableRule => tablesOf(draft).find(({ table }) => table === name)!;
const columnOf = (draft: Draft, table: string, column: string): ColumnRule => ruleOf(tableOf(draft, table).columns[column] ?? {});
/** The formats that count for a column. */
const formatsOf = (draft: Draft, table: string, column: string) => {
  const source = parseSource(draft.text, 'draft');
  return { ...source.formats, ...tableOf(draft, table).formats, ...columnOf(draft, table, column).formats };
};

const units = (first: string, second: string, area: readonly string[] = ['62', '71']) => ({
  'einheiten.csv': ['Objekt;Einheit;Nutzung;Fläche;Sollmiete', `7;01;Wohnung;${area[0]};${first}`, `7;02;Wohnung;${area[1]};${second}`],
});

describe('separators of numbers', () => {
  test('before three digits everywhere, they are a question, and neither check nor load takes the source', async () => {
    const draft = await draftOf(units('450.000', '1.200'));
    expect(draft.questions).toEqual([expect.stringContaining('Sollmiete')]);
    expect(draft.text).toContain('# QUESTION');
    const checked = await checkSource({ source: parseSource(draft.text, 'draft'), folder, questions: {} }, undefined);
    expect(checked.isLoadable).toBe(false);
    expect(checked.errors.join()).toContain('answer it in the source file');
  });

  test('are known from another column', async () => {
    const draft = await draftOf(units('1.200', '2.350', ['62,5', '71,25']));
    expect(draft.questions).toEqual([]);
    expect(formatsOf(draft, 'floor_area', 'target_rent_net')).toMatchObject({ decimalChar: ',', groupChar: '.' });
    expect(draft.text).toMatch(/"\d+,\d+" in Fläche of einheiten\.csv/);
  });

  test('are known from a column of another list of the same kind', async () => {
    const draft = await draftOf({ ...units('1.200', '2.350'), 'konten.csv': ['Konto;Bezeichnung;Saldo', '1;a;5,50', '2;b;1.000,25'] });
    expect(formatsOf(draft, 'floor_area', 'target_rent_net')).toMatchObject({ decimalChar: ',', groupChar: '.' });
  });

  test('are known from the values that cannot be: no flat has 62,500 square metres', async () => {
    const draft = await draftOf(units('450', '500', ['62.500', '71.250']));
    expect(draft.questions).toEqual([]);
    expect(formatsOf(draft, 'floor_area', 'area_sqm').decimalChar).toBeUndefined();
    expect(draft.text).toContain('only then the values can be of this kind');
  });

  test('of two forms in one column are a question', async () => {
    expect((await draftOf(units('1.234,50', '1,234.50'))).questions).toEqual([expect.stringContaining('numbers in two forms')]);
    // Amounts with cents and thousands without: 950.50 and 1.200.
    expect((await draftOf(units('950.50', '1.200'))).questions).toHaveLength(1);
  });

  test('differ between columns of one list', async () => {
    const draft = await draftOf({
      'einheiten.csv': [
        'Objekt;Einheit;Nutzung;Fläche;Sollmiete;Kaution',
        '7;01;Wohnung;62.5;1.450,00;1,5',
        '7;02;Wohnung;71.25;450,10;2,5',
      ],
    });
    expect(formatsOf(draft, 'floor_area', 'target_rent_net')).toMatchObject({ decimalChar: ',' });
    expect(formatsOf(draft, 'floor_area', 'area_sqm').decimalChar ?? '.').toBe('.');
  });
});

const leases = (...days: readonly [start: string, end: string][]) => ({
  'leases.csv': [
    'Lease No,Tenant ID,Property,Unit,Start,End,Balance',
    ...days.map(([start, end], at) => `L${at},T${at},7,${at},${start},${end},0`),
  ],
});

describe('days', () => {
  test('without evidence of their order are a question', async () => {
    const draft = await draftOf(leases(['03/04/2025', '04/05/2026'], ['01/02/2024', '']));
    expect(draft.questions).toHaveLength(2);
    expect(draft.questions[0]).toContain('begins with the day or with the month');
  });

  test('have the order that another column proves', async () => {
    const draft = await draftOf(leases(['03/04/2025', '12/31/2026'], ['01/02/2024', '']));
    expect(draft.questions).toEqual([]);
    expect(formatsOf(draft, 'tenancy_hdr', 'contract_start_date').dateFormats).toEqual(['%m/%d/%Y']);
  });

  test('in two orders are a question', async () => {
    expect((await draftOf(leases(['03/31/2025', '12/31/2026'], ['31/03/2024', '']))).questions.join()).toContain('days in two orders');
  });

  test('of a birth with two digits of the year are a question', async () => {
    const draft = await draftOf({
      'mieter.csv': ['Mieter-Nr;Nachname;Vorname;Geburtsdatum', '1;Lang;Ute;01.02.55', '2;Kaya;Emre;03.04.81'],
    });
    expect(draft.questions.join()).toContain('is read as 2055');
  });

  test('with the hours of a clock of twelve are read', async () => {
    const draft = await draftOf(leases(['3/31/2024 12:00:00 AM', '12/31/2026 12:00:00 AM'], ['1/2/2024 12:00:00 AM', '']));
    expect(formatsOf(draft, 'tenancy_hdr', 'contract_start_date').dateFormats).toEqual(['%m/%d/%Y %I:%M:%S %p']);
  });
});

test('an area in square feet is converted, and one without a unit in an American list is a question', async () => {
  const list = (name: string) => ({
    'units.csv': [`Property,Unit,Usage,${name},Market Rent`, '7,01,Apartment,850,"$1,250.00"', '7,02,Office,1020,"$1,400.00"'],
  });
  expect(columnOf(await draftOf(list('Sq Ft')), 'floor_area', 'area_sqm').apply).toEqual([{ multiply: 0.09290304 }, { round: 2 }]);
  expect((await draftOf(list('Area'))).questions.join()).toContain('square feet');
});

test('values as lists write them are read', async () => {
  const draft = await draftOf({
    'einheiten.csv': [
      'Objekt;WE-Nr.;Nutzung;Wfl./Nfl. (m2);Zi.;Kaltm. Soll',
      '7;01;Wohnung;50,50 m²;2,5;1.300,00 €',
      '7;02;Wohnung;61 m²;-;1.234,--',
      '7;03;Laden;90 m²;-;- €',
      '7;04;Laden;90 m²;-;€ 80,25',
    ],
  });
  expect(formatsOf(draft, 'floor_area', 'area_sqm')).toMatchObject({ bareNumber: false, missingValues: ['', '-', '- €'] });
  const text = draft.text
    .replace(/# needs a value: is_active.*/, 'is_active: { constant: true }')
    .replace(/# needs a value: occupancy_status_key.*/, 'occupancy_status_key: { constant: let }');
  const { errors, tables } = await checkSource({ source: parseSource(text, 'draft'), folder, questions: {} }, undefined);
  expect(errors.filter((line) => !line.includes('property'))).toEqual([]);
  expect(tables[0]!.samples.map(({ after }) => [after.area_sqm, after.room_count, after.target_rent_net])).toEqual([
    ['50.50', '2.5', '1300.00'],
    ['61', null, '1234'],
    ['90', null, null],
    ['90', null, '80.25'],
  ]);
});

describe('records', () => {
  test('stand below titles and a header of several lines, among sums and repeated headers', async () => {
    const draft = await draftOf({
      'einheiten.csv': [
        'Einheitenliste;;;;',
        'Stand: 31.10.2025;;;;',
        ';;;;',
        'Objekt;Einheit;Nutzung;"Wohn-\nfläche";Zimmer',
        '7;01;Wohnung;62,50;2',
        '7;02;Wohnung;71,25;3',
        'Summe 7;;;133,75;',
        'Objekt;Einheit;Nutzung;"Wohn-\nfläche";Zimmer',
        '8;01;Laden;140,00;1',
        '8;02;Wohnung;40,00;1',
        'Summe 8;;;180,00;',
        'Gesamtsumme;;;313,75;',
      ],
    });
    const table = tableOf(draft, 'floor_area');
    expect(table.dialect?.headerRows ?? parseSource(draft.text, 'draft').dialect?.headerRows).toHaveLength(1);
    expect(table.skip).toEqual([
      { column: 'Objekt', in: ['Objekt'] },
      { column: 'Objekt', in: ['Gesamtsumme'] },
      { column: 'Objekt', startsWith: 'Summe ' },
    ]);
    expect(columnOf(draft, 'floor_area', 'area_sqm').from).toMatch(/^Wohn-\s?fläche$/);
    expect(draft.questions).toEqual([]);
  });

  test('have the property of a heading above them', async () => {
    const draft = await draftOf({
      'mieter.csv': [
        'Einheit;Nutzung;Wohnfläche;Mieter;Mietbeginn;Nettokaltmiete',
        'Objekt: LIN 7;;;;;',
        '01;Wohnung;62,50;Aydin;01.04.2016;561,60',
        '02;Wohnung;71,25;frei;;',
        'Objekt: SEE 3;;;;;',
        '01;Wohnung;40,00;Brandt;13.05.2018;400,00',
        '02;Wohnung;45,00;Lang;01.05.2019;450,00',
      ],
    });
    expect(tableOf(draft, 'floor_area')).toMatchObject({
      headings: [{ column: 'Einheit', startsWith: 'Objekt:', as: 'Objekt' }],
      primaryKey: ['Objekt', 'Einheit'],
    });
    expect(tableOf(draft, 'person').primaryKey).toEqual(['Objekt', 'Einheit', 'Mietbeginn']);
  });

  test('have a value that stands once for a group', async () => {
    const draft = await draftOf({
      'mieter.csv': [
        'Objekt;Einheit;Nutzung;Wohnfläche;Mieter;Mietbeginn;Nettokaltmiete',
        'LIN 7;01;Wohnung;62,50;Aydin;01.04.2016;561,60',
        ';02;Wohnung;71,25;frei;;',
        ';03;Wohnung;71,25;Kaya;14.04.2016;600,00',
        'SEE 3;01;Wohnung;40,00;Brandt;13.05.2018;400,00',
        ';02;Wohnung;45,00;Lang;01.05.2019;450,00',
      ],
    });
    expect(tableOf(draft, 'floor_area').fillDown).toEqual(['Objekt']);
  });

  test('of a second tenant on the line below are no loss without a word', async () => {
    const draft = await draftOf({
      'mieter.csv': [
        'Objekt;Einheit;Nutzung;Wohnfläche;Mieter;Mietbeginn;Nettokaltmiete',
        'LIN7;01;Wohnung;62,50;Aydin, Selma;01.04.2016;561,60',
        ';;;;Aydin, Emre;;',
        'LIN7;02;Wohnung;71,25;Brandt, Jan;13.05.2018;600,00',
        'LIN7;03;Wohnung;40,00;Lang, Ute;01.05.2019;400,00',
      ],
    });
    expect(draft.questions.join()).toContain('second tenant');
  });
});

test('a Swiss list calls a unit an object, and its numbers say which is which', async () => {
  const draft = await draftOf({
    'mieterspiegel.csv': [
      'Lg-Nr.;Objekt-Nr.;Objektart;Stockw.;Zi.;m²;Mietpartei;Mietantritt;Nettomietzins;Akonto NK',
      "1001;101;Wohnung;EG;3.5;82;Meier Hans;01.04.2019;1'450.00;180.00",
      '1001;102;Wohnung;1. OG;4.5;104.5;Keller Anna;01.10.2021;1’890.00;220.00',
      '1001;901;Garage;UG;;;Meier Hans;01.04.2019;120.00;0.00',
      '1002;201;Wohnung;EG;2.5;61;Leerstand;;;',
      "1002;202;Laden;EG;;140;Bäckerei Huber AG;01.01.2018;3'200.00;350.00",
    ],
  });
  expect(tablesOf(draft).map(({ table }) => table)).toEqual([
    'property_hdr',
    'floor_area',
    'person',
    'tenancy_hdr',
    'contract_condition',
    'contract_condition',
  ]);
  expect(tableOf(draft, 'floor_area')).toMatchObject({ primaryKey: ['Lg-Nr.', 'Objekt-Nr.'], columns: { unit_number: 'Objekt-Nr.' } });
  expect(columnOf(draft, 'floor_area', 'usage_type_key').codes).toEqual({ Wohnung: 'apartment', Garage: 'garage', Laden: 'retail' });
});

test('the values say what a column is, whatever its name is', async () => {
  const draft = await draftOf({
    'dienstleister.csv': [
      'DL-Nr.;Firmenname;Straße;PLZ;Ort;Gewerk;Kennung;Verbindung;Tel.',
      '70001;Müller Heizung GmbH;Hauptstr. 1;10115;Berlin;Sanitär Heizung Klima;DE123456789;DE89370400440532013000;030 1234567',
      '70002;Elektro Schmidt KG;Am Weg 5;10117;Berlin;Elektro;DE987654321;DE75512108001245126199;030 7654321',
      '70003;Dach & Co GmbH;Ring 9;10119;Berlin;Dachdecker;;DE02120300000000202051;',
    ],
  });
  expect(tableOf(draft, 'creditor_hdr').columns).toMatchObject({ creditor_no: 'DL-Nr.', vat_id: 'Kennung', iban: 'Verbindung' });
  expect(tableOf(draft, 'person').columns).toMatchObject({ company_name: 'Firmenname', city: 'Ort', phone: 'Tel.' });
});

test('a key that few rows repeat is named with these rows, and stays the key', async () => {
  const lines = Array.from({ length: 200 }, (_, at) => `${at + 1};Haus ${at};Berlin`);
  const draft = await draftOf({ 'objekte.csv': ['Objekt-Nr;Bezeichnung;Ort', ...lines, '7;Doppelt;Berlin', '9;Doppelt;Berlin'] });
  expect(tableOf(draft, 'property_hdr').primaryKey).toBe('Objekt-Nr');
  expect(draft.questions.join()).toContain('200 of 202 rows are unique; 2 repeat a key: line 202, 203');
});

test('what follows from other columns is stated with its rule', async () => {
  const draft = await draftOf({
    'sollstellungen.csv': [
      'Vertrag;Objekt;Einheit;Sollart;Gültig ab;Netto (EUR);Brutto (EUR)',
      'V1;7;01;Grundmiete;01.03.2017;650,00;773,50',
      'V1;7;01;Betriebskostenvorauszahlung;15.03.2017;100,00;119,00',
      'V2;7;02;Grundmiete;01.03.2018;500,00;500,00',
    ],
  });
  expect(tableOf(draft, 'contract_condition').columns).toMatchObject({
    vat_amount: { sum: ['Brutto (EUR)'], minus: ['Netto (EUR)'] },
    vat_rate: { sum: ['Brutto (EUR)'], minus: ['Netto (EUR)'], percentOf: 'Netto (EUR)' },
    currency: { constant: 'EUR' },
    is_advance_payment: { codes: { Grundmiete: 'false', Betriebskostenvorauszahlung: 'true' } },
  });
});

test('a Dutch export is known without a term of its own', async () => {
  const draft = await draftOf({
    'complexen.csv': [
      'Complexnr;Naam;Straat;Huisnr;Postcode;Plaats;Bouwjaar',
      'C01;De Linden;Lindelaan;12;1012 AB;Amsterdam;1972',
      'C02;Parkzicht;Parkweg;3;3511 CD;Utrecht;1988',
    ],
    'eenheden.csv': [
      'VHE-nummer;Complexnr;Soort;Oppervlakte;Aantal kamers;Verdieping',
      'C01-001;C01;Woning;72,5;3;0',
      'C01-002;C01;Winkel;81;4;1',
    ],
    'contracten.csv': [
      'Contractnr;Huurdernr;Complexnr;VHE-nummer;Ingangsdatum;Einddatum;Waarborgsom;Kale huur',
      'HC-1;H1;C01;C01-001;01-04-2019;;1.500,00;€ 950,00',
      'HC-2;H2;C01;C01-002;15-09-2020;31-08-2026;1.600,00;€ 1.025,50',
    ],
  });
  expect(tablesOf(draft).map(({ table }) => table)).toEqual(['property_hdr', 'tenancy_hdr', 'contract_condition', 'floor_area']);
  expect(tableOf(draft, 'tenancy_hdr').columns).toMatchObject({
    contract_number: 'Contractnr',
    contract_start_date: 'Ingangsdatum',
    contract_end_date: 'Einddatum',
    deposit_amount: 'Waarborgsom',
  });
  expect(columnOf(draft, 'floor_area', 'usage_type_key').codes).toEqual({ Woning: 'apartment', Winkel: 'retail' });
});

describe('a tenant', () => {
  const listWith = (...tenants: readonly string[]) => ({
    'mieter.csv': [
      'Objekt;Einheit;Nutzung;Wohnfläche;Mieter;Mietbeginn;Nettokaltmiete',
      ...tenants.map((tenant, at) => `7;0${at};Wohnung;${50 + at},50;${tenant};${tenant === '' ? '' : `1${at}.04.2019`};450,50`),
    ],
  });
  const skippedBy = (draft: Draft) => tableOf(draft, 'person').skip;

  test('can be called Frei, and a vacancy can have a day', async () => {
    const draft = await draftOf(listWith('Frei, Lea', 'frei ab 01.02.2026', 'Leerstand', 'Vogel, Ina'));
    expect(skippedBy(draft)).toEqual([
      { column: 'Mieter', empty: true },
      { column: 'Mieter', in: ['frei ab 01.02.2026', 'Leerstand'] },
    ]);
  });

  test('or a vacancy is a question, if nobody knows', async () => {
    expect((await draftOf(listWith('Vogel, Ina', 'z. Zt. leer wegen Sanierung', 'Lang, Ute'))).questions.join()).toContain(
      'is "z. Zt. leer wegen Sanierung" a tenant?',
    );
  });
});

test('a word tells a thing, and no state: nicht vermietet is not let', async () => {
  const draft = await draftOf({
    'einheiten.csv': [
      'Objekt;Einheit;Nutzung;Status;Fläche',
      '7;01;3.5-Zi-Whg;vermietet;62,5',
      '7;02;Ladenlokal EG;nicht vermietet;71,5',
      '7;03;Wohnung/Büro;vermietet;80,5',
    ],
  });
  expect(columnOf(draft, 'floor_area', 'usage_type_key').codes).toEqual({ '3.5-Zi-Whg': 'apartment', 'Ladenlokal EG': 'retail' });
  expect(columnOf(draft, 'floor_area', 'occupancy_status_key').codes).toEqual({ vermietet: 'let' });
  expect(draft.text).toContain('unknown codes of usage_type_key, to add to codes: Wohnung/Büro');
});

test('what differs within a property is no fact of it, and a place to park has no area', async () => {
  const draft = await draftOf({
    'mieter.csv': [
      'Liegenschaft;Top;Kategorie;Nutzfl. m²;Bestandnehmer;Vertragsbeginn;HMZ netto',
      'Burggasse;1;Wohnung;74,50;Huber Eva;15.05.2015;612,40',
      'Burggasse;2;Garage;;Maier Karl;15.09.2018;145,20',
      'Annenstr;1;Wohnung;61,00;Novak Petra;15.02.2020;498,10',
    ],
  });
  expect(tableOf(draft, 'property_hdr').columns.property_type_key).toBeUndefined();
  expect(columnOf(draft, 'floor_area', 'usage_type_key').from).toBe('Kategorie');
  expect(columnOf(draft, 'floor_area', 'area_sqm')).toEqual({ from: 'Nutzfl. m²', default: 0 });
});

test('an amount that can be net or gross is a question', async () => {
  const lines = ['V1;7;01;Grundmiete;15.03.2017;650,50', 'V2;7;02;Grundmiete;15.03.2018;500,25'];
  const draft = await draftOf({ 'sollstellungen.csv': ['Vertrag;Objekt;Einheit;Sollart;Gültig ab;Betrag', ...lines] });
  expect(draft.questions.join()).toContain('Betrag can be the net or the gross amount');
});

test('a unit is known by its property and its number, not by its meter', async () => {
  const draft = await draftOf({
    'Wohnungen.csv': [
      'Objekt;WE-Nr.;Zähler-Nr.;Nutzungsart;Wohnfläche',
      '1001;01;88123;Wohnung;61,5',
      '1001;02;88124;Wohnung;72,5',
      '1002;01;88125;Gewerbe;120,5',
      '1002;02;88126;Wohnung;48,5',
    ],
  });
  expect(tableOf(draft, 'floor_area').primaryKey).toEqual(['Objekt', 'WE-Nr.']);
});

test('a sum of zeros is a sum by its word', async () => {
  const draft = await draftOf({
    'units.csv': [
      'Objekt;WE-Nr.;Nutzungsart;Wohnfläche',
      '1001;01;Wohnung;61,5',
      '1001;02;Wohnung;72,5',
      ';Zw.-Summe 1001;;134',
      '1002;01;Wohnung;120,5',
      '1002;02;Wohnung;48,5',
      ';Zw.-Summe 1002;;169',
      ';Zw.-Summe 1003;;0',
    ],
  });
  expect(draft.questions).toEqual([]);
  expect(JSON.stringify(tableOf(draft, 'floor_area').skip)).not.toContain('Zw.-Summe 1001');
});

test('a birthday is no building: days are not filled down', async () => {
  const draft = await draftOf({
    'Debitoren.csv': [
      'Deb.-Nr.;Geb.;Name;Vorname;PLZ;Ort',
      '1001;04.07.2000;Keller;Urs;8004;Zürich',
      '1002;;Meier AG;;3011;Bern',
      '1003;;Huber AG;;3011;Bern',
      '1004;03.01.1967;Frei;Anna;6900;Lugano',
    ],
  });
  expect(draft.text).not.toContain('fillDown');
});

test('a column of names is the person of a creditor, whatever it is called, and each creditor has an account', async () => {
  const rows = Array.from(
    { length: 12 },
    (_, index) =>
      `${70_001 + index};${index % 2 === 0 ? `Anna Weber${'abcdefghijkl'[index]}` : `Bau ${index} GesmbH`};Hauptstraße ${index + 1};${10_115 + index};Berlin;office${index}@example.org;${index % 2 === 0 ? 14 : 30};Dachdecker`,
  );
  const { text } = await draftOf({
    'Kreditoren.csv': ['Kreditorennummer;Wortlaut;Straße;PLZ;Ort;E-Mail-Adresse;Zahlungsziel;Gewerk', ...rows],
  });
  expect(text).toMatch(/last_name: \{ from: Wortlaut, question: "values look like whole names/);
  expect(text).toContain('person_id: { from: Kreditorennummer, references: person }');
  expect(text).toContain('creditor_no: Kreditorennummer');
  expect(text).toContain('account_id: { from: Kreditorennummer, references: account, unresolved: assign } # each creditor has an account');
  expect(text).not.toContain('fillDown');
});

test('words that are written apart mean what they mean together', async () => {
  const rows = Array.from({ length: 12 }, (_, index) => `V${index},${index + 1},2020-01-01,2020-02-${index + 10},2024-03-${index + 10}`);
  const { text } = await draftOf({ 'Leases.csv': ['Lease No,Unit No,Lease Start,Move In,Move Out', ...rows] });
  expect(text).toMatch(/move_in_date: Move In/);
  expect(text).toMatch(/move_out_date: Move Out/);
});

test('the encoding is found from the letters', async () => {
  const text = 'Objekt-Nr;Bezeichnung;Straße;Ort\n1;Häuser Süd;Müllerstraße 4;Köln\n2;Wöhrd;Ölmühlweg 2;Nürnberg\n';
  const macintosh: Readonly<Record<string, number>> = { ä: 0x8a, ö: 0x9a, ü: 0x9f, ß: 0xa7, Ö: 0x85 };
  writeFileSync(join(folder, 'objekte.csv'), Buffer.from([...text].map((letter) => macintosh[letter] ?? letter.charCodeAt(0))));
  expect((await draftSource(folder)).text).toContain('encoding: macintosh');
  writeFileSync(join(folder, 'objekte.csv'), Buffer.from(text, 'utf16le'));
  const { text: draft } = await draftSource(folder);
  expect(draft).toContain('encoding: utf-16le');
  expect(draft).toContain('street: { from: Straße, part: street }');
});

test('a row of sums is known by its numbers, whatever its word is', async () => {
  const draft = await draftOf({
    'units.csv': [
      'Property,Unit,Usage,Area sqm,Target Rent',
      '7,01,Apartment,62.50,850.25',
      '7,02,Apartment,71.25,920.50',
      '7,03,Retail,120.00,1500.00',
      'Grand Totals,,,253.75,3270.75',
    ],
    'einheiten.csv': [
      'Objekt;Einheit;Nutzung;Fläche;Sollmiete',
      '8;01;Wohnung;62,50;850,25',
      '8;02;Wohnung;71,25;920,50',
      '8;03;Laden;120,00;1500,00',
      'Alles;;;253,75;3270,75',
    ],
  });
  expect(tablesOf(draft).map(({ skip }) => skip)).toEqual([
    [{ column: 'Einheit', empty: true }],
    [{ column: 'Property', in: ['Grand Totals'] }],
  ]);
});

test('values of a list of codes never pass as they are', async () => {
  const draft = await draftOf({
    'auftraege.csv': ['Auftr.-Nr.;Auftr.-Datum;Obj.-Nr.;Kurztext;Status', '1;12.03.2024;7;Heizung;xyz', '2;13.03.2024;7;Anstrich;abc'],
  });
  expect(columnOf(draft, 'order_hdr', 'status_key')).toEqual({ from: 'Status', codes: {} });
});

test('the location names units that have no number, and a property is no unit', async () => {
  const draft = await draftOf({
    'mieter.csv': [
      'Objekt;Anschrift;Lage;Art;qm;Name des Mieters;seit;Kaltmiete €',
      'A-Haus;Ring 1, 10115 Berlin;EG li;Wohnung;55,20;Kaya, Emre;01.02.2018;420,50',
      ';;EG re;Wohnung;61,10;Lang, Ute;15.06.2019;455,00',
      ';;1. OG;Wohnung;88,00;Leerstand;;0,00',
      'B-Haus;Weg 2, 10117 Berlin;EG;Laden;120,00;Roth GmbH;01.01.2020;1.500,00',
      ';;OG;Wohnung;70,00;Otto, Ina;13.01.2021;600,00',
    ],
  });
  expect(tableOf(draft, 'floor_area')).toMatchObject({ primaryKey: ['Objekt', 'Lage'], fillDown: ['Objekt', 'Anschrift'] });
  expect(tableOf(draft, 'property_hdr')).toMatchObject({
    primaryKey: 'Objekt',
    columns: { street: { from: 'Anschrift', part: 'street' } },
  });
});

test('a number of units can look like a decimal, and an English address has lines', async () => {
  const draft = await draftOf({
    'Wohnungen.csv': [
      'Wohnungs-Nr.;Stockwerk;Lage;Grösse m2;Miete netto;Mieter;Mietbeginn',
      "1.1;1;links;85;1'500.--;Müller Kurt;1.4.2018",
      "1.2;1;rechts;90;1'620.--;leer;",
    ],
    'Properties.csv': [
      'Prop Code,Prop Name,Addr Line 1,Town,Post Code,Yr Built',
      'P01,Maple House,12 High St,Leeds,LS1 4AB,1987',
      'P02,Oak House,3 Park Ln,York,YO1 7HH,1999',
    ],
  });
  expect(tableOf(draft, 'floor_area').columns).toMatchObject({ unit_number: 'Wohnungs-Nr.', location: 'Lage' });
  expect(tableOf(draft, 'property_hdr').columns).toMatchObject({
    street: { from: 'Addr Line 1', part: 'street' },
    house_no: { from: 'Addr Line 1', part: 'houseNumber' },
    construction_year: 'Yr Built',
    postal_code: 'Post Code',
  });
});

describe('values of another list', () => {
  const contracts = [
    'Vertragsnummer;Objekt;Einheit;Mieter;Vertragsbeginn;Vertragsende;Kaution',
    '7-01;7;01;101;01.02.2020;;900,00',
    '7-02;7;02;102;01.03.2021;31.12.2025;1200,50',
    '8-01;8;01;103;01.05.2019;;700,00',
  ];
  const debits = [
    'Vertragsnummer;Sollart;gültig ab;gültig bis;Nettobetrag;Steuerbetrag;Bruttobetrag',
    '7-01;Grundmiete;01.02.2020;;500,00;0,00;500,00',
    '7-02;Grundmiete;01.03.2021;;620,00;0,00;620,00',
    '8-01;Grundmiete;01.05.2019;;410,00;0,00;410,00',
  ];

  test('are joined by the key that both lists have', async () => {
    const draft = await draftOf({ 'sollstellungen.csv': debits, 'vertraege.csv': contracts });
    const debit = tableOf(draft, 'contract_condition');
    expect(debit.lists).toMatchObject([{ as: 'tenancy_hdr', path: 'vertraege.csv', on: { Vertragsnummer: 'Vertragsnummer' } }]);
    expect(debit.columns).toMatchObject({
      property_id: { from: 'tenancy_hdr.Objekt' },
      floor_area_id: 'tenancy_hdr.Einheit',
    });
    expect(draft.text).toContain('vertraege.csv has it for each Vertragsnummer');
    const read = parseSource(draft.text, 'draft');
    const check = await checkSource({ source: { ...read, tables: [debit] }, folder, questions: {} }, undefined);
    expect(check.errors.join()).not.toMatch(/property_id|floor_area_id/);
  });

  test.each([
    ['if a number is in no row of the other list', [...debits, '9-01;Grundmiete;01.05.2019;;410,00;0,00;410,00'], contracts],
    ['if the other list has a number twice', debits, [...contracts, '8-01;8;02;103;01.05.2019;;700,00']],
    ['if the rows have them themselves', debits.map((line, index) => `${line};${index === 0 ? 'Objekt' : line[0]}`), contracts],
  ])('are not joined %s', async (_, own, others) => {
    const draft = await draftOf({ 'sollstellungen.csv': own, 'vertraege.csv': others });
    expect(tableOf(draft, 'contract_condition').columns.property_id).not.toMatchObject({ from: 'tenancy_hdr.Objekt' });
  });

  test('rows of the other list that are no rows of it are skipped', async () => {
    const list = [...contracts.slice(0, 3), 'Summe Objekt 7;;;;;;2100,50', contracts[3]!, 'Summe Objekt 8;;;;;;700,00'];
    const draft = await draftOf({ 'sollstellungen.csv': debits, 'vertraege.csv': list });
    const [joined] = tableOf(draft, 'contract_condition').lists ?? [];
    expect(joined?.skip).toEqual(tableOf(draft, 'tenancy_hdr').skip);
    expect(joined?.skip).toHaveLength(1);
  });
});

describe('the currency', () => {
  const currencyOf = async (header: string, values: readonly [string, string]) => {
    const names = `Vertragsnummer;Objekt;Einheit;Sollart;gültig ab;Nettobetrag;Steuerbetrag;Bruttobetrag;${header}`;
    const row = (at: 0 | 1) => `7-0${at};7;0${at};Grundmiete;01.02.202${at};500,50;0,00;500,50;${values[at]}`;
    const draft = await draftOf({ 'sollstellungen.csv': [names, row(0), row(1)] });
    return ruleOf(tableOf(draft, 'contract_condition').columns.currency ?? {}).constant;
  };

  test.each([
    ['is named by an amount in francs', 'Depot Fr.', ['100,50', '200,00'], 'CHF'],
    ['is named by the unit of a number', 'Depot', ['100,50 Fr.', '200,00 Fr.'], 'CHF'],
    ['is no term of notice', 'Künd.-Fr.', ['3', '6'], undefined],
    ['is no term of notice with a blank', 'Künd. Fr.', ['3', '6'], undefined],
    ['is no salutation', 'Anrede', ['Fr.', 'Hr.'], undefined],
  ] as const)('%s', async (_, header, values, code) => {
    expect(await currencyOf(header, values)).toBe(code);
  });
});
