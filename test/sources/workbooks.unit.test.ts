/** Workbooks are read as a person sees them, and what cannot be read is rejected with its cell. */
import { type CellObject, utils, type WorkSheet, write } from '@e965/xlsx';
import { afterAll, describe, expect, test } from 'vitest';
import { draftSource } from '../../src/sources/draft/draft.ts';
import { withPreparedExport } from '../../src/sources/prepare-load.ts';
import { openList } from '../../src/sources/readers/open-list.ts';
import type { Formats, Source } from '../../src/sources/source-file.ts';
import { UnreadableCell } from '../../src/sources/source-rows.ts';
import { zipOf } from './archives.ts';
import { folderWith, removeFolders } from './support.ts';

afterAll(removeFolders);

type Kind = 'xlsx' | 'xls' | 'xlsb' | 'ods';

const bookOf = (sheets: Readonly<Record<string, WorkSheet>>, kind: Kind, is1904 = false): Buffer => {
  const book = utils.book_new();
  for (const [name, sheet] of Object.entries(sheets)) utils.book_append_sheet(book, sheet, name);
  book.Workbook = { WBProps: { date1904: is1904 } };
  return write(book, { type: 'buffer', bookType: kind, compression: true }) as Buffer;
};

const sheetOf = (rows: readonly (readonly (Partial<CellObject> | string | number | boolean | null)[])[]): WorkSheet =>
  utils.aoa_to_sheet(rows as unknown[][]);

/** The cell that is read from a number with a format, as text. */
const shownAs = async (cell: Partial<CellObject>, kind: Kind, is1904 = false): Promise<string> => {
  const name = `a.${kind}`;
  const folder = folderWith({ [name]: bookOf({ Mieter: sheetOf([['x'], [cell]]) }, kind, is1904) });
  const { rows } = await openList({}, { path: name }, { path: `${folder}/${name}`, name });
  for await (const batch of rows)
    for (const { cells } of batch) {
      const [found = null] = cells;
      return found instanceof UnreadableCell ? `unreadable: ${found.text}` : `${typeof found === 'string' ? 'text ' : ''}${found}`;
    }
  return 'nothing';
};

const number = (v: number, z: string): Partial<CellObject> => ({ t: 'n', v, z });

describe('a number is what its format shows', () => {
  test.each<[v: number, z: string, shown: string]>([
    [1127, '00000', 'text 01127'],
    [1127, '"D-"00000', 'text D-01127'],
    [12345, '000\\-000', 'text 012-345'],
    [0.19, '0%', '19'],
    [0.075, '0.0%', '7.5'],
    [1234.5, '#,##0.00', '1234.5'],
    [1234.5, '_-* #,##0.00\\ "€"_-', '1234.5'],
    [-5.25, '#,##0.00;[Red]\\-#,##0.00', '-5.25'],
    [0.1 + 0.2, '0.00', '0.3'],
    [45657, 'dd.mm.yyyy', '2024-12-31'],
    [45657.5, 'dd.mm.yyyy hh:mm', '2024-12-31T12:00:00'],
    [2958465, 'dd.mm.yyyy', '9999-12-31'],
    [1, 'yyyy-mm-dd', '1900-01-01'],
    [59, 'yyyy-mm-dd', '1900-02-28'],
    [61, 'yyyy-mm-dd', '1900-03-01'],
    [60, 'yyyy-mm-dd', "unreadable: Sheet 'Mieter', cell A2: 1900-02-29"],
    [0.5, 'hh:mm', 'text 12:00'],
  ])('%s in %s', async (v, z, shown) => {
    for (const kind of ['xlsx', 'xls', 'xlsb'] as const) expect(await shownAs(number(v, z), kind)).toBe(shown);
  });

  test('days are counted from 1904 if the workbook says so', async () => {
    expect(await shownAs(number(0, 'yyyy-mm-dd'), 'xlsx', true)).toBe('1904-01-01');
    expect(await shownAs(number(44195, 'yyyy-mm-dd'), 'xlsx', true)).toBe('2024-12-31');
  });
});

const columns: Source['tables'][number]['columns'] = {
  account_number: 'no',
  account_name: 'name',
  account_type_key: { constant: 'gl' },
  is_collective_account: { constant: false },
  is_posting_allowed: { constant: true },
  currency: { constant: 'EUR' },
  is_active: { constant: true },
  changed_at: { from: 'at', default: '2000-01-01T00:00:00Z' },
};

const loaded = async (bytes: Buffer, formats: Formats = {}): Promise<readonly (string | null)[][]> => {
  const source: Source = {
    name: 'book',
    tables: [{ table: 'account', path: 'a.xlsx', primaryKey: 'no', columns, formats: { timezone: 'UTC', ...formats } }],
  };
  return withPreparedExport({ source, folder: folderWith({ 'a.xlsx': bytes }) }, async ({ tables: [table], rejections }) => {
    rejections.throwIfAny();
    const at = ['account_name', 'changed_at'].map((name) => table!.columns.indexOf(name) - 1);
    const rows: (string | null)[][] = [];
    for await (const page of table!.pages()) for (const { values } of page.rows()) rows.push(at.map((index) => values[index] ?? null));
    return rows;
  });
};

describe('a cell that cannot be read is rejected', () => {
  test.each<[what: string, cell: Partial<CellObject>, message: RegExp]>([
    ['an error', { t: 'e', v: 0x17 }, /"Sheet 'Mieter', cell B2: #REF!" is the error of a formula: correct it in the workbook/],
    ['no value', { t: 'e', v: 0x2a }, /cell B2: #N\/A" is the error of a formula/],
    ['the text of an error', { t: 's', v: '#BEZUG!' }, /cell B2: #BEZUG!" is the error of a formula/],
  ])('%s', async (_what, cell, message) => {
    const bytes = bookOf(
      {
        Mieter: sheetOf([
          ['no', 'name', 'at'],
          [1, cell, null],
        ]),
      },
      'xlsx',
    );
    await expect(loaded(bytes)).rejects.toThrow(message);
  });

  test('a formula without a stored value', async () => {
    const cell = (reference: string, value: string) => `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const sheet = `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">${cell('A1', 'no')}${cell('B1', 'name')}${cell('C1', 'at')}</row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><f>A2&amp;"x"</f></c></row><row r="3"><c r="A3"><v>2</v></c><c r="B3"><f>1-1</f><v>0</v></c></row></sheetData></worksheet>`;
    const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const packages = 'http://schemas.openxmlformats.org/package/2006';
    const bytes = zipOf([
      {
        name: '[Content_Types].xml',
        bytes: `<Types xmlns="${packages}/content-types"><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
      },
      {
        name: '_rels/.rels',
        bytes: `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      },
      {
        name: 'xl/workbook.xml',
        bytes: `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${office}"><sheets><sheet name="Mieter" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        bytes: `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      },
      { name: 'xl/worksheets/sheet1.xml', bytes: sheet },
    ]);
    await expect(loaded(bytes)).rejects.toThrow(
      /"Sheet 'Mieter', cell B2: =A2&\\?"x.* is a formula without a stored value: open the workbook in Excel or LibreOffice, and save it\n1 error;/,
    );
  });
});

test('a workbook whose cells repeat beyond measure is refused, and a far cell is no million rows', async () => {
  const content = `<office:document-content><table:table><table:table-row table:number-rows-repeated="1048576"><table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="16384"/></table:table-row></table:table></office:document-content>`;
  const bytes = zipOf([
    { name: 'mimetype', bytes: 'application/vnd.oasis.opendocument.spreadsheet' },
    { name: 'content.xml', bytes: content },
  ]);
  const folder = folderWith({ 'a.ods': bytes });
  await expect(openList({}, { path: 'a.ods' }, { path: `${folder}/a.ods`, name: 'a.ods' })).rejects.toThrow(
    /^a\.ods has more than 10,000,000 cells: deliver it as CSV\.$/,
  );
  const far = sheetOf([['x'], [1]]);
  far.A1048576 = { t: 'n', v: 2 };
  far['!ref'] = 'A1:A1048576';
  const other = folderWith({ 'a.xlsx': bookOf({ Mieter: far }, 'xlsx') });
  const lines: number[] = [];
  for await (const batch of (await openList({}, { path: 'a.xlsx' }, { path: `${other}/a.xlsx`, name: 'a.xlsx' })).rows)
    lines.push(...batch.map(({ line }) => line));
  expect(lines).toEqual([2, 1_048_576]);
});

test('a day matches the words for no value as it is shown', async () => {
  const bytes = bookOf(
    {
      Mieter: sheetOf([
        ['no', 'name', 'at'],
        [1, 'a', number(2958465, 'dd.mm.yyyy')],
      ]),
    },
    'xlsx',
  );
  expect(await loaded(bytes, { missingValues: ['', '31.12.9999'] })).toEqual([['a', '2000-01-01T00:00:00Z']]);
  const ofSystem = bookOf(
    {
      Mieter: sheetOf([
        ['no', 'name', 'at'],
        [1, 'a', number(2958465, 'm/d/yy')],
      ]),
    },
    'xlsx',
  );
  expect(await loaded(ofSystem, { missingValues: ['', '31.12.9999'] })).toEqual([['a', '2000-01-01T00:00:00Z']]);
});

test('the draft names hidden parts, merged cells and further tables, and looks into archives', async () => {
  const sheet = sheetOf([['Nr', 'Name', 'Ort'], [1, 'a', 'Bonn'], [], ['Konto', 'Saldo'], ['x', 5]]);
  sheet['!merges'] = [utils.decode_range('B2:C2')];
  sheet['!cols'] = [{ hidden: true }];
  sheet['!rows'] = [{}, { hidden: true }];
  const book = utils.book_new();
  utils.book_append_sheet(
    book,
    sheetOf([
      ['Objekt', 'Ort'],
      [1, 'Bonn'],
    ]),
    'Offen',
  );
  utils.book_append_sheet(book, sheet, 'Mieter');
  book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 1 }] };
  const bytes = write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
  const archive = zipOf([
    { name: 'tief/U\u0308bersicht.csv', bytes: 'Objekt;Ort\n1;Bonn\n' },
    { name: '__MACOSX/tief/._x.csv', bytes: 'x' },
  ]);
  const { text, lists } = await draftSource(folderWith({ 'a.xlsx': bytes, 'b.zip': archive }));
  expect(lists.map(({ name }) => name)).toEqual(['a.xlsx, sheet Offen', 'a.xlsx, sheet Mieter', 'b.zip/tief/Übersicht.csv']);
  const notes = lists[1]!.notes.join('; ');
  expect(notes).toContain('the sheet is hidden');
  expect(notes).toContain('hidden rows are read: 2');
  expect(notes).toContain('hidden columns are read: A');
  expect(notes).toContain('merged cells have their value in the first cell only: B2');
  expect(notes).toContain('another table seems to begin in row 4');
  expect(text).toContain('a.xlsx, sheet Mieter');
  const source: Source = { name: 'x', tables: [{ table: 'account', path: 'b.zip/*.txt', columns: {} }] };
  const { findFiles } = await import('../../src/sources/files/named-files.ts');
  await expect(findFiles(folderWith({ 'b.zip': archive }), source.tables[0]!)).rejects.toThrow(
    /It has: b\.zip, b\.zip\/tief\/Übersicht\.csv\./,
  );
});
