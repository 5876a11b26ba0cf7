/** Each format of a source file, whole and damaged: a damaged file is refused with its name, and never read in part. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, describe, expect, test } from 'vitest';
import { OperatorError } from '../../src/errors.ts';
import { withPreparedExport } from '../../src/sources/prepare-load.ts';
import type { Source, TableRule } from '../../src/sources/source-file.ts';
import { workbookOf, zipOf } from './archives.ts';

const root = mkdtempSync(join(tmpdir(), 'estate-formats-'));
afterAll(() => rmSync(root, { recursive: true }));

const noTime = '2000-01-01T00:00:00Z';
const columns: TableRule['columns'] = {
  account_number: 'no',
  account_name: 'name',
  account_type_key: { constant: 'gl' },
  is_collective_account: { from: 'yes', default: false },
  is_posting_allowed: { constant: true },
  currency: { constant: 'EUR' },
  is_active: { constant: true },
  changed_at: { from: 'at', default: noTime },
};

/** What a load would take of this file. */
const read = async (
  files: Readonly<Record<string, Buffer | string>>,
  origin: Partial<TableRule>,
): Promise<readonly (readonly (string | null)[])[]> => {
  const folder = mkdtempSync(join(root, 'export-'));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const formats = { timezone: 'Europe/Berlin' };
  const source: Source = { name: 'formats', tables: [{ table: 'account', primaryKey: 'no', columns, formats, ...origin }] };
  return withPreparedExport({ source, folder }, async ({ tables: [table], rejections }) => {
    rejections.throwIfAny();
    const at = ['account_number', 'account_name', 'is_collective_account', 'changed_at'].map((name) => table!.columns.indexOf(name) - 1);
    const rows: (string | null)[][] = [];
    for await (const page of table!.pages()) for (const { values } of page.rows()) rows.push(at.map((index) => values[index] ?? null));
    return rows;
  });
};

/** The error of a file that is refused. */
const refused = (files: Parameters<typeof read>[0], origin: Partial<TableRule>): Promise<string> =>
  read(files, origin).then(
    () => 'read',
    (error: unknown) => {
      if (error instanceof OperatorError) return error.message;
      throw error;
    },
  );

const whole = [
  ['1', 'Größe', 'true', '2024-03-04T12:00:00+01:00'],
  ['2', 'Zwei\u2028Zeilen', 'false', noTime],
];
const csv = 'no,name,yes,at\r\n1,Größe,true,2024-03-04 12:00:00\r\n2,Zwei\u2028Zeilen,false,\r\n';
const ndjson = '{"no":1,"name":"Größe","yes":true,"at":"2024-03-04 12:00:00"}\n{"no":2,"name":"Zwei\u2028Zeilen","yes":false}\n';
/** Rows enough that a cut leaves some of them. */
const many = (line: (index: number) => string) => Array.from({ length: 20_000 }, (_, index) => line(index + 1)).join('');
const manyCsv = `no,name,yes,at\n${many((index) => `${index},Konto ${Math.sin(index)},true,\n`)}`;
const manyJson = many((index) => `{"no":${index},"name":"Konto ${Math.sin(index)}","yes":true,"at":null}\n`);
/** Much text of few bytes that holds no row, so that only its size is refused. */
const blanks = Buffer.alloc(101 * 2 ** 20, `${' '.repeat(65_535)}\n`);
const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);

describe('CSV', () => {
  test('is read, with and without the mark of its encoding', async () => {
    expect(await read({ 'a.csv': csv }, { path: 'a.csv' })).toEqual(whole);
    expect(await read({ 'a.csv': `\ufeff${csv}` }, { path: 'a.csv' })).toEqual(whole);
    expect(await read({ 'a.csv': Buffer.from(`\ufeff${csv}`, 'utf16le') }, { path: 'a.csv', encoding: 'utf-16le' })).toEqual(whole);
  });

  test.each(['"', "'", '|'])('a quote within a value is doubled: %s', async (quoteChar) => {
    const quoted = (text: string) => `${quoteChar}${text.replaceAll(quoteChar, () => quoteChar + quoteChar)}${quoteChar}`;
    const names = [`Haus ${quoteChar}Rose${quoteChar}`, quoteChar, '"', "O'Neil"];
    const text = `no,name,yes,at\n${names.map((name, index) => `${index},${quoted(name)},true,\n`).join('')}`;
    const rows = await read({ 'a.csv': text }, { path: 'a.csv', dialect: { quoteChar } });
    expect(rows.map(([, name]) => name)).toEqual(names);
  });

  test('values of a second list have its formats', async () => {
    const first = 'no,name,yes\n1,x,true\n2,y,true\n';
    const second = 'Nr;Zeit\n1;04.03.2024 12:00\n2;-\n';
    const list = {
      path: 'b.csv',
      as: 'more',
      on: { no: 'Nr' },
      dialect: { delimiter: ';' },
      formats: { dateFormats: ['%d.%m.%Y %H:%M'], missingValues: ['-'] },
    };
    const rules = { columns: { ...columns, changed_at: { from: 'more.Zeit', default: noTime } }, lists: [list] };
    expect(await read({ 'a.csv': first, 'b.csv': second }, { path: 'a.csv', ...rules })).toEqual([
      ['1', 'x', 'true', '2024-03-04T12:00:00+01:00'],
      ['2', 'y', 'true', noTime],
    ]);
  });

  test('of another encoding is refused', async () => {
    const western = Buffer.from('no,name,yes,at\n1,Größe,true,\n', 'latin1');
    expect(await refused({ 'a.csv': western }, { path: 'a.csv' })).toBe(
      'a.csv: the file is not utf-8, after line 0. State its encoding, such as windows-1252.',
    );
    expect(await refused({ 'a.csv': csv }, { path: 'a.csv', encoding: 'windows-1252' })).toBe(
      'a.csv: the file is utf-8, and the source states windows-1252: state encoding: utf-8.',
    );
    expect(await refused({ 'a.csv': `\ufeff${csv}` }, { path: 'a.csv', encoding: 'windows-1252' })).toMatch(/the file is utf-8/);
    expect(await refused({ 'a.csv': Buffer.from(`\ufeff${csv}`, 'utf16le') }, { path: 'a.csv' })).toMatch(/the file is utf-16le/);
    expect(await read({ 'a.csv': western }, { path: 'a.csv', encoding: 'windows-1252' })).toEqual([['1', 'Größe', 'true', noTime]]);
  });

  test('that is cut within a value is refused', async () => {
    const cut = 'no,name,yes,at\n1,Größe,true,2024-03-04 12:00:00\n2,Zwei,true,2024-03-04 12:00';
    expect(await refused({ 'a.csv': cut }, { path: 'a.csv' })).toMatch(
      /^a\.csv, line 3: the last line has no line end, so the file may be cut off/,
    );
    expect(await read({ 'a.csv': cut }, { path: 'a.csv', dialect: { lastLineEnd: false } })).toHaveLength(2);
    expect(await refused({ 'a.csv': 'no,name,yes,at\n1,"Grö\n' }, { path: 'a.csv' })).toMatch(
      /^a\.csv, line 2, value 2: the quote that begins here is not closed/,
    );
    expect(await refused({ 'a.csv': 'no,name,yes,at\n1,Größe\n' }, { path: 'a.csv' })).toMatch(
      /^a\.csv, line 2: the row has 2 values, and the header 4/,
    );
  });
});

describe('NDJSON and JSON', () => {
  const list = `[${ndjson.trim().split('\n').join(',\n')}]`;
  test('are read, and nested members are columns', async () => {
    expect(await read({ 'a.ndjson': ndjson }, { path: 'a.ndjson' })).toEqual(whole);
    expect(await read({ 'a.json': list }, { path: 'a.json' })).toEqual(whole);
    const nested = '{"no":"1","name":"x","more":{"yes":true,"at":"2024-03-04"},"tags":["a",{"b":1}]}\n';
    const rules = { columns: { ...columns, account_name: 'tags', is_collective_account: 'more.yes', changed_at: 'more.at' } };
    expect(await read({ 'a.ndjson': nested }, { path: 'a.ndjson', ...rules })).toEqual([
      ['1', '["a",{"b":1}]', 'true', '2024-03-04T00:00:00+01:00'],
    ]);
  });

  test('keep every digit of a number', async () => {
    const digits = '{"no":90071992547409931,"name":1234567890123456.75,"yes":false,"at":null}\n{"no":1.5e3,"name":-0.0,"yes":true}\n';
    expect(await read({ 'a.ndjson': digits }, { path: 'a.ndjson' })).toEqual([
      ['90071992547409931', '1234567890123456.75', 'false', noTime],
      ['1500', '0.0', 'true', noTime],
    ]);
  });

  test.each([
    ['a cut line', '{"no":1,"name":"x","yes":true,"at":null}\n{"no":2,"na', /^a\.ndjson, line 2: it is no JSON: position 9 /],
    ['a member twice', '{"no":1,"no":2,"name":"x"}\n', /line 1, column no: the object has this member twice/],
    ['half of a surrogate pair', '{"no":1,"name":"\\ud800"}\n', /line 1: .* half of a surrogate pair/],
    ['a list', `${list}\n`, /line 1: it is no object/],
    ['more after the object', '{"no":1} x\n', /line 1: it is no JSON: position 10 is not as JSON requires/],
    ['an empty file', '', /has no column 'no'/],
  ])('%s is refused', async (_, text, message) => {
    expect(await refused({ 'a.ndjson': text }, { path: 'a.ndjson' })).toMatch(message);
  });

  test('in another encoding, or cut, are refused and not read in part', async () => {
    const western = Buffer.concat([Buffer.from(manyJson), Buffer.from('{"no":20001,"name":"Größe"}\n', 'latin1')]);
    expect(await refused({ 'a.ndjson': western }, { path: 'a.ndjson' })).toMatch(/^a\.ndjson: the file is not utf-8, after line 1\d{4}/);
    expect(await refused({ 'a.json': list.slice(0, -4) }, { path: 'a.json' })).toMatch(
      /^a\.json, object 2: it is no JSON: position \d+ is not as JSON requires/,
    );
    expect(await refused({ 'a.json': '{"rows":[]}' }, { path: 'a.json' })).toMatch(/^a\.json, object 1: it is no list of objects/);
  });
});

describe('gzip', () => {
  test('is unpacked', async () => {
    expect(await read({ 'a.csv.gz': gzipSync(csv) }, { path: 'a.csv.gz' })).toEqual(whole);
    expect(await read({ 'a.ndjson.gz': gzipSync(ndjson) }, { path: '*.gz' })).toEqual(whole);
  });

  test('that is cut or changed is refused and not read in part', async () => {
    for (const [name, text] of Object.entries({ 'a.csv.gz': manyCsv, 'a.ndjson.gz': manyJson })) {
      const packed = gzipSync(text);
      expect(await refused({ [name]: half(packed) }, { path: name })).toMatch(
        new RegExp(`^${name}: the gzip archive is cut off: deliver it again`),
      );
      const changed = Buffer.from(packed);
      changed[changed.length - 6]! ^= 1;
      expect(await refused({ [name]: changed }, { path: name })).toMatch(
        new RegExp(`^${name}: the gzip archive is damaged: deliver it again`),
      );
    }
  });

  test('that grows beyond measure is refused', async () => {
    expect(await refused({ 'a.ndjson.gz': gzipSync(blanks) }, { path: 'a.ndjson.gz' })).toMatch(
      /^a\.ndjson\.gz grows to more than 200 times its size/,
    );
  });
});

describe('zip', () => {
  const archive = zipOf([
    { name: 'a.csv', bytes: csv },
    { name: 'deep/b.csv', bytes: csv.replace('1,Größe', '3,Breite').replace('\n2,', '\n4,') },
  ]);
  test('one file of an archive is read', async () => {
    expect(await read({ 'a.zip': archive }, { path: 'a.zip/a.csv' })).toEqual(whole);
    expect((await read({ 'a.zip': archive }, { path: 'a.zip/deep/*.csv' }))[0]?.[1]).toBe('Breite');
    expect((await read({ 'a.zip': archive }, { path: 'a.zip/*.csv', files: 'all', primaryKey: ['$file', 'no'] })).length).toBe(4);
  });

  test('an archive with two files that the path names, and one without a path, are refused', async () => {
    expect(await refused({ 'a.zip': archive }, { path: 'a.zip/*.csv' })).toBe("'a.zip/*.csv' names 2 files: state files, newest or all.");
    expect(await refused({ 'a.zip': archive }, { path: 'a.zip' })).toMatch(/^a\.zip is an archive: name a file in it/);
    expect(await refused({ 'a.zip': archive }, { path: 'a.zip/c.csv' })).toMatch(/has no file 'a\.zip\/c\.csv'/);
    expect(await refused({ 'a.csv': archive }, { path: 'a.csv' })).toMatch(/^a\.csv is a ZIP archive or an Excel workbook/);
  });

  test('that is cut, changed or made to grow is refused', async () => {
    const packed = zipOf([{ name: 'a.csv', bytes: manyCsv }]);
    expect(await refused({ 'a.zip': half(packed) }, { path: 'a.zip/a.csv' })).toMatch(/^a\.zip cannot be unpacked/);
    const changed = Buffer.from(packed);
    changed[14]! ^= 1;
    changed[changed.lastIndexOf(Buffer.from('PK\u0001\u0002')) + 16]! ^= 1;
    expect(await refused({ 'a.zip': changed }, { path: 'a.zip/a.csv' })).toMatch(
      /^a\.zip\/a\.csv cannot be unpacked.*its checksum is wrong/,
    );
    expect(await refused({ 'a.zip': zipOf([{ name: 'a.ndjson', bytes: blanks }]) }, { path: 'a.zip/a.ndjson' })).toMatch(
      /^a\.zip\/a\.ndjson grows to more than 200 times its size/,
    );
    const lying = zipOf([{ name: 'a.csv', bytes: manyCsv, statedSize: 100 }]);
    expect(await refused({ 'a.zip': lying }, { path: 'a.zip/a.csv' })).toMatch(/^a\.zip\/a\.csv cannot be unpacked/);
  });
});

describe('Excel', () => {
  const sheets = {
    Konten: [['Title'], [], ['no', 'name', 'yes', 'at'], [1, 'Größe', true, { day: 45355.5 }], [2, 'Zwei\u2028Zeilen', false, null]],
    Leer: [],
  };
  const dialect = { headerRows: [3] };
  test('is read with its types, also from an archive', async () => {
    const bytes = workbookOf(sheets);
    expect(await read({ 'a.xlsx': bytes }, { path: 'a.xlsx', dialect })).toEqual(whole);
    expect(await read({ 'a.zip': zipOf([{ name: 'a.xlsx', bytes }]) }, { path: 'a.zip/a.xlsx', dialect })).toEqual(whole);
  });

  test('keeps blanks if the source says so, and reads times to the hundredth of a second', async () => {
    const time = Date.parse('2024-11-03T05:03:01Z') / 86_400_000 + 25_569;
    // The text of this number is less than the time by a part of a millisecond.
    expect(new Date((time - 25_569) * 86_400_000).getMilliseconds()).toBe(999);
    const rows = [
      ['no', 'name', 'yes', 'at'],
      [1, '  außen ', true, { day: time }],
    ];
    const formats = { trim: false, timezone: 'UTC' };
    expect(await read({ 'a.xlsx': workbookOf({ Konten: rows }) }, { path: 'a.xlsx', formats })).toEqual([
      ['1', '  außen ', 'true', '2024-11-03T05:03:01+00:00'],
    ]);
    expect((await read({ 'a.xlsx': workbookOf({ Konten: rows }) }, { path: 'a.xlsx' }))[0]![1]).toBe('außen');
  });

  test('that is cut, of another kind, without the sheet or made to grow is refused', async () => {
    const bytes = workbookOf(sheets);
    expect(await refused({ 'a.xlsx': half(bytes) }, { path: 'a.xlsx', dialect })).toMatch(/^a\.xlsx cannot be unpacked/);
    expect(await refused({ 'a.xlsx': csv }, { path: 'a.xlsx', dialect })).toMatch(/^a\.xlsx /);
    expect(await refused({ 'a.xlsx': zipOf([{ name: 'a.csv', bytes: csv }]) }, { path: 'a.xlsx', dialect })).toMatch(
      /^a\.xlsx is no workbook/,
    );
    expect(await refused({ 'a.xlsx': bytes }, { path: 'a.xlsx', dialect: { sheetName: 'Fehlt' } })).toMatch(
      /^a\.xlsx has no sheet 'Fehlt'\. It has: Konten, Leer\./,
    );
    const renamed = Buffer.from(bytes.toString('latin1').replaceAll('xl/worksheets/sheet1.xml', 'xl/worksheets/sheet9.xml'), 'latin1');
    expect(await refused({ 'a.xlsx': renamed }, { path: 'a.xlsx', dialect })).toMatch(/^a\.xlsx, sheet Konten, cannot be read/);
    const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
    expect(await refused({ 'a.xls': old }, { path: 'a.xls' })).toMatch(/^a\.xls is no workbook that can be read/);
    const bomb = zipOf([{ name: 'xl/workbook.xml', bytes: blanks }]);
    expect(await refused({ 'a.xlsx': bomb }, { path: 'a.xlsx' })).toMatch(/^a\.xlsx grows to more than 200 times its size/);
  });
});

describe('Parquet', () => {
  const bytes = (adjusted: boolean) =>
    Buffer.from(
      parquetWriteBuffer({
        schema: [
          { name: 'root', num_children: 5 },
          { name: 'no', type: 'INT64', repetition_type: 'OPTIONAL' },
          { name: 'name', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
          { name: 'yes', type: 'BOOLEAN', repetition_type: 'OPTIONAL' },
          {
            name: 'at',
            type: 'INT64',
            repetition_type: 'OPTIONAL',
            ...(adjusted && { converted_type: 'TIMESTAMP_MICROS' }),
            logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: adjusted, unit: 'MICROS' },
          },
          { name: 'price', type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 2, repetition_type: 'OPTIONAL' },
        ],
        columnData: [
          { name: 'no', data: [9007199254740993n, 2n] },
          { name: 'name', data: ['Größe', 'Zwei\u2028Zeilen'] },
          { name: 'yes', data: [true, false] },
          { name: 'at', data: [1709553600123456n, null] },
          { name: 'price', data: [-123456789012345678n, 5n] },
        ],
        rowGroupSize: 1,
      } as unknown as Parameters<typeof parquetWriteBuffer>[0]),
    );
  test('is read with its types: exact numbers, instants, and times without a zone', async () => {
    const first = { columns: { ...columns, account_name: 'price' } };
    expect(await read({ 'a.parquet': bytes(true) }, { path: 'a.parquet', ...first })).toEqual([
      ['9007199254740993', '-1234567890123456.78', 'true', '2024-03-04T12:00:00.123456Z'],
      ['2', '0.05', 'false', noTime],
    ]);
    expect((await read({ 'a.parquet': bytes(false) }, { path: 'a.parquet' }))[0]).toEqual([
      '9007199254740993',
      'Größe',
      'true',
      '2024-03-04T12:00:00.123456+01:00',
    ]);
  });

  test('that is cut, of another kind or in an archive is refused', async () => {
    const parquet = bytes(true);
    expect(await refused({ 'a.parquet': half(parquet) }, { path: 'a.parquet' })).toMatch(/^a\.parquet is no whole Parquet file/);
    expect(await refused({ 'a.parquet': csv }, { path: 'a.parquet' })).toMatch(/^a\.parquet is no whole Parquet file/);
    const changed = Buffer.from(parquet);
    changed.fill(0xff, 4, 40);
    expect(await refused({ 'a.parquet': changed }, { path: 'a.parquet' })).toMatch(/^a\.parquet is no whole Parquet file/);
    expect(await refused({ 'a.zip': zipOf([{ name: 'a.parquet', bytes: parquet }]) }, { path: 'a.zip/a.parquet' })).toMatch(
      /Parquet is read from a file, not from an archive/,
    );
  });
});
