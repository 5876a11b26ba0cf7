/** Small files in the forms of real exports, each with its outcome (contract: files in loads; values in loads). */
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';

import { encodingDefect } from '../../src/sync/files/formats.ts';
import { findSourceFiles } from '../../src/sync/files/source-files.ts';
import { plainFile } from '../../src/sync/staging/plain-file.ts';

import type { Target } from '../../src/sync/target.ts';

import { Deliveries } from './support.ts';

const deliveries = new Deliveries();
afterAll(() => deliveries.remove());

const types = { id: 'integer', name: 'text', amount: 'numeric(10,2)', day: 'date', at: 'timestamptz', open: 'boolean', big: 'bigint' };
const target: Target = {
  table: 'sample',
  key: 'id',
  tier: 'basic',
  columns: new Map(Object.entries(types).map(([name, type]) => [name, { type, required: name === 'id' }])),
  unique: [],
  isNew: false,
};

/** `loaded`, or the message of the refusal. */
const outcomeOf = async (name: string, content: string | Buffer, zone?: string): Promise<string> => {
  const [file] = findSourceFiles([deliveries.write(name, content)], 'rows');
  try {
    const rows = plainFile(file!);
    const columns = await rows.readColumns();
    await rows.checkHeader(columns, target, 'full');
    for await (const _ of rows.copyText(columns, { target, timeZone: zone, read: () => {}, seen: () => {} }));
    return 'loaded';
  } catch (error) {
    return (error as Error).message;
  }
};

const aDate = 'is no date such as 2024-12-31';
const aTime = 'is no time such as 2024-12-31T23:59:59Z';
const ofSource = ': a source can declare its form';
const noBoolean = 'is neither true nor false: a source can declare other words';
const noZone = 'has no time zone: add Z or an offset, or state the zone with --time-zone';
const aNumber = 'is no number such as 1234.56: a source can declare the decimal and group signs';

test.each<[column: keyof typeof types, value: string, outcome: string]>([
  ['id', '7', 'loaded'],
  ['id', '+7', 'loaded'],
  ['id', '0007', 'loaded'],
  ['id', '2147483648', 'is beyond 32 bits'],
  ['id', '1.0', 'is no integer'],
  ['id', '1e3', 'is no integer'],
  ['id', '0x10', 'is no integer'],
  ['id', '1_000', 'is no integer'],
  ['id', '1.000', 'is no integer: remove the group signs'],
  ['id', 'MV-1001', 'is no integer'],
  ['id', ' 7', 'has blanks around the value'],
  ['id', '٧', 'is no integer'],
  ['big', '9223372036854775807', 'loaded'],
  ['big', '9223372036854775808', 'is beyond 64 bits'],
  ['amount', '1234.56', 'loaded'],
  ['amount', '-0.5', 'loaded'],
  ['amount', '.5', 'loaded'],
  ['amount', '5.', 'loaded'],
  ['amount', '1e2', 'has an exponent: write all digits'],
  ['amount', '1e-3', 'has an exponent: write all digits'],
  ['amount', '1.234', 'has 3 decimals, and the column has 2'],
  ['amount', '1.230', 'has 3 decimals, and the column has 2'],
  ['amount', '"1.234,56"', aNumber],
  ['amount', '"1,234.56"', aNumber],
  ['amount', "1'234.56", aNumber],
  ['amount', '1 234.56', aNumber],
  ['amount', '"12,50"', aNumber],
  ['amount', '12.50-', aNumber],
  ['amount', '(12.50)', 'is no number'],
  ['amount', '12.50 €', 'is no number'],
  ['amount', 'EUR 12.50', 'is no number'],
  ['amount', '12.5%', 'is no number'],
  ['amount', 'NaN', 'is not finite'],
  ['amount', '-Infinity', 'is not finite'],
  ['amount', 'inf', 'is not finite'],
  ['amount', '#N/A', 'is no number'],
  ['amount', 'NULL', 'is no number'],
  ['amount', '100000000', 'has more than 8 digits before the point'],
  ['amount', '1.5 ', 'has blanks around the value'],
  ['amount', '""', 'is empty text in quotes: a missing value has no quotes'],
  ['day', '2024-12-31', 'loaded'],
  ['day', '31.12.24', `${aDate}${ofSource}`],
  ['day', '31.12.2024', `${aDate}${ofSource}`],
  ['day', '31-Dec-24', `${aDate}${ofSource}`],
  ['day', '1/2/24', `${aDate}${ofSource}`],
  ['day', '12/31/2024', `${aDate}${ofSource}`],
  ['day', '20241231', `${aDate}${ofSource}`],
  ['day', '"Dec 31, 2024"', `${aDate}${ofSource}`],
  ['day', '45657', aDate],
  ['day', '2024-2-3', aDate],
  ['day', '2024-02-30', aDate],
  ['day', '2023-02-29', aDate],
  ['day', '2024-13-01', aDate],
  ['day', '0000-00-00', 'lies before the year 1'],
  ['day', '10000-01-01', 'lies after the year 9999'],
  ['day', '2024-12-31 00:00:00', 'has a time, and the column has none'],
  ['day', '2024-12-31T00:00:00Z', 'has a time, and the column has none'],
  ['day', 'today', aDate],
  ['day', 'infinity', 'is not finite'],
  ['at', '2024-12-31T23:59:59Z', 'loaded'],
  ['at', '2024-12-31 23:59:59.123456+01', 'loaded'],
  ['at', '2024-12-31T23:59+01:30', 'loaded'],
  ['at', '2024-12-31T23:59:59-0330', 'loaded'],
  ['at', '2024-12-31T24:00Z', aTime],
  ['at', '2024-12-31T24:00:00Z', aTime],
  ['at', '2024-12-31T24:01Z', aTime],
  ['at', '2024-12-31T23:59:60Z', aTime],
  ['at', '2024-12-31T23:59:59', noZone],
  ['at', '2024-12-31', noZone],
  ['at', '31.12.2024 23:59', `${aTime}${ofSource}`],
  ['at', '2024-12-31T23:59:59.1234567Z', 'has 7 decimals of a second, and the column has 6'],
  ['at', '2024-12-31T23:59:59 Europe/Berlin', aTime],
  ['at', '2024-12-31T11:59:59 PM', aTime],
  ['at', '2024-12-31T23:59:59+16', `${aTime}: the zone is more than 15 hours from UTC`],
  ['at', '1735689599', aTime],
  ['at', 'now', aTime],
  ['open', 'true', 'loaded'],
  ['open', 'F', 'loaded'],
  ['open', 'N', noBoolean],
  ['open', 'yes', noBoolean],
  ['open', 'ja', noBoolean],
  ['open', 'X', noBoolean],
  ['open', '2', noBoolean],
  ['name', 'Zoë', 'loaded'],
  ['name', '"Haus ""Rose"""', 'loaded'],
  ['name', '', 'loaded'],
  ['name', 'a\0b', 'holds a NUL'],
])('%s: %s', async (column, value, outcome) => {
  const content = column === 'id' ? `id\n${value}\n` : `id,${column}\n1,${value}\n`;
  const message = await outcomeOf('sample.csv', content);
  if (outcome === 'loaded') expect(message).toBe('loaded');
  else {
    expect(message.startsWith(`sample.csv, line 2, column ${column}: `)).toBe(true);
    expect(message.endsWith(outcome)).toBe(true);
  }
});

const quotes = 'a quote within a value is doubled, and the value is in quotes';
test.each<[what: string, name: string, content: string | Buffer, outcome: string]>([
  ['LF', 'sample.csv', 'id,name\n1,a\n', 'loaded'],
  ['CRLF', 'sample.csv', 'id,name\r\n1,a\r\n', 'loaded'],
  ['quotes everywhere', 'sample.csv', '"id","name"\r\n"1","a"\r\n', 'loaded'],
  ['a byte order mark', 'sample.csv', '\uFEFFid,name\n1,a\n', 'loaded'],
  ['a line break in quotes', 'sample.csv', 'id,name\n1,"a\r\nb"\n', 'loaded'],
  ['an end mark in quotes', 'sample.csv', 'id,name\n1,"a\n\\.\nb"\n', 'loaded'],
  ['an end mark', 'sample.csv', 'id\n\\.\n1\n', 'sample.csv, line 2: a line of \\. alone cannot be loaded'],
  [
    'both line ends',
    'sample.csv',
    'id,name\r\n1,a\n',
    'sample.csv, line 2: the line ends with LF, and the first line with CRLF: use one of them',
  ],
  ['CR alone', 'sample.csv', 'id,name\r1,a\r', 'a carriage return is alone'],
  [
    'a line end that is missing',
    'sample.csv',
    'id,name\n1,a',
    'sample.csv, line 2: the last line has no line end, so the file may be cut off',
  ],
  [
    'an inch mark',
    'sample.csv',
    'id,name\n1,pipe 3/4"\n2,b\n',
    `sample.csv, line 2, column name: a quote is in a value without quotes around it: ${quotes}`,
  ],
  [
    'quotes within a value',
    'sample.csv',
    'id,name\n1,Haus "Rose"\n',
    `sample.csv, line 2, column name: a quote is in a value without quotes around it: ${quotes}`,
  ],
  [
    'text after quotes',
    'sample.csv',
    'id,name\n1,"a"b\n',
    `sample.csv, line 2, column name: text follows the closing quote of the value: ${quotes}`,
  ],
  [
    'an open quote',
    'sample.csv',
    'id,name\n1,a\n2,"b\n3,c\n',
    `sample.csv, line 3, column name: the quote that begins here is not closed: ${quotes}`,
  ],
  ['a comma too many', 'sample.csv', 'id,name\n1,a,b\n', 'sample.csv, line 2: 3 values instead of 2: a value with a comma is in quotes'],
  ['a value too few', 'sample.csv', 'id,name,day\n1,a\n', 'sample.csv, line 2: 2 values instead of 3'],
  ['an empty line', 'sample.csv', 'id,name\n1,a\n\n', 'sample.csv, line 3: the line is empty: remove it'],
  [
    'semicolons',
    'sample.csv',
    'id;name\n1;a\n',
    'sample.csv, line 1: the delimiter is a semicolon: deliver it with commas, or declare the delimiter in a source',
  ],
  [
    'tabs',
    'sample.csv',
    'id\tname\n1\ta\n',
    'sample.csv, line 1: the delimiter is a tab: deliver it with commas, or declare the delimiter in a source',
  ],
  ['bars', 'sample.csv', 'id|name\n1|a\n', 'sample.csv, line 1: the delimiter is a bar'],
  [
    'sep=',
    'sample.csv',
    'sep=;\nid;name\n1;a\n',
    "sample.csv, line 1: the line 'sep=;' is for Excel alone: remove it, and deliver it with commas",
  ],
  [
    'title lines',
    'sample.csv',
    'Report of January\n\nid,name\n1,a\n',
    'sample.csv, line 1: the names of the columns are on line 3: remove the lines before it',
  ],
  [
    'no header',
    'sample.csv',
    '1,2024-01-01\n2,2024-01-02\n',
    'sample.csv, line 1: the first line has values and no names of columns: add a header line, such as id,name,amount,…',
  ],
  [
    'another case of a name',
    'sample.csv',
    'ID,name\n1,a\n',
    'sample.csv, line 1, column ID: the table sample has no such column: it is called id',
  ],
  ['a name twice', 'sample.csv', 'id,name,name\n1,a,b\n', 'sample.csv, line 1, column name: the column is named twice'],
  ['a name that is empty', 'sample.csv', 'id,\n1,a\n', 'sample.csv, line 1, column number 2: the column has no name'],
  [
    'an escape sequence in a name',
    'sample.csv',
    'id,\u001b[31mred\n1,a\n',
    'sample.csv, line 1, column \\u{1b}[31mred: the table sample has no such column',
  ],
  [
    'an escape sequence in a value',
    'sample.csv',
    'id\n\u001b]0;x\u0007\n',
    'sample.csv, line 2, column id: "\\u{1b}]0;x\\u{7}" is no integer',
  ],
  ['nothing', 'sample.csv', '', 'sample.csv is empty: a CSV file has a header line.'],
  [
    'windows-1252',
    'sample.csv',
    Buffer.from('id,name\n1,M\xfcller\n', 'latin1'),
    'column name: is not UTF-8: it reads "Müller" as windows-1252; convert the file (iconv',
  ],
  ['UTF-16', 'sample.csv', Buffer.from('\uFEFFid,name\n1,a\n', 'utf16le'), 'sample.csv is UTF-16: convert it to UTF-8'],
  ['a gzip archive', 'sample.csv.gz', gzipSync('id\n1\n'), 'loaded'],
  ['a gzip archive without .gz', 'sample.csv', gzipSync('id\n1\n'), 'sample.csv is a gzip archive: add .gz to its name.'],
  ['.gz that is none', 'sample.csv.gz', 'id\n1\n', 'sample.csv.gz is no gzip archive: pack it, or remove the ending of its name.'],
  [
    'a gzip archive that is cut off',
    'sample.csv.gz',
    gzipSync('id\n1\n').subarray(0, 20),
    'sample.csv.gz: the gzip archive is cut off: deliver it again',
  ],
  ['bytes after a gzip archive', 'sample.csv.gz', Buffer.concat([gzipSync('id\n1\n'), Buffer.from('garbage')]), 'deliver it again'],
  ['two gzip archives', 'sample.csv.gz', Buffer.concat([gzipSync('id\n1\n'), gzipSync('2\n')]), 'loaded'],
  ['a workbook', 'sample.csv', Buffer.from('PK\u0003\u0004xl/workbook.xml'), 'sample.csv is a ZIP archive or an Excel workbook'],
  ['an old workbook', 'sample.csv', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'sample.csv is an old Excel workbook'],
  ['Parquet', 'sample.csv', 'PAR1....', 'sample.csv is a Parquet file: load it with a source.'],
  ['a page of HTML', 'sample.csv', '<!DOCTYPE html><html>\n', 'sample.csv is HTML or XML: export the data as CSV.'],
  ['JSON in CSV', 'sample.csv', '{"id":1}\n', 'sample.csv has JSON objects: name it .ndjson.'],
  ['NDJSON', 'sample.ndjson', '{"id":1,"name":"a"}\n{"id":2}\n', 'loaded'],
  ['NDJSON with blank lines', 'sample.ndjson', '{"id":1}\r\n\r\n{"id":2}', 'loaded'],
  ['digits beyond 2^53', 'sample.ndjson', '{"id":1,"big":9007199254740993}\n', 'loaded'],
  ['a list', 'sample.ndjson', '[{"id":1}]\n', 'sample.ndjson is a JSON list: NDJSON has one object on each line'],
  ['CSV in NDJSON', 'sample.ndjson', 'id,name\n1,a\n', 'sample.ndjson has no JSON objects: name it .csv if it is CSV.'],
  [
    'a member twice',
    'sample.ndjson',
    '{"id":1,"name":"a"}\n{"id":2,"name":"a","name":"b"}\n',
    'sample.ndjson, line 2, column name: the object has this member twice',
  ],
  ['half of a surrogate pair', 'sample.ndjson', '{"id":1,"name":"\\ud83d"}\n', 'a \\u escape is half of a surrogate pair'],
  ['a NUL in JSON', 'sample.ndjson', '{"id":1,"name":"a\\u0000"}\n', 'column name: "a\\u{0}" holds a NUL'],
  [
    'windows-1252 in NDJSON',
    'sample.ndjson',
    Buffer.from('{"id":1,"name":"a"}\n{"id":2,"name":"M\xfcller"}\n', 'latin1'),
    'sample.ndjson, line 2: the line is not UTF-8',
  ],
  [
    'an object as a value',
    'sample.ndjson',
    '{"id":1,"name":{}}\n',
    'sample.ndjson, line 1, column name: an object or a list is no value of a column',
  ],
  ['an object without members', 'sample.ndjson', '{}\n', 'sample.ndjson, line 1: the first object has no members, so it names no columns'],
  [
    'an unknown member',
    'sample.ndjson',
    '{"id":1}\n{"id":2,"x":1}\n',
    "sample.ndjson, line 2: 'x' is not among the columns of the first line",
  ],
  ['JSON that is cut off', 'sample.ndjson', '{"id":1}\n{"id":', 'sample.ndjson, line 2: it is no JSON: position 7 is not as JSON requires'],
])('%s (%s)', async (_what, name, content, outcome) => {
  const message = await outcomeOf(name, content);
  if (outcome === 'loaded') expect(message).toBe('loaded');
  else expect(message).toContain(outcome);
});

test.each([
  ['2024-07-01T12:00:00', 'loaded'],
  ['2024-07-01', 'loaded'],
  ['2024-03-31T02:30:00', 'does not exist in Europe/Berlin: the clock skips it'],
  ['2024-10-27T02:30:00', 'occurs twice in Europe/Berlin: add Z or an offset'],
  ['2024-10-27T01:59:59', 'loaded'],
  ['2024-10-27T03:00:00', 'loaded'],
  ['2024-10-27T02:30:00+01', 'loaded'],
])('a time without a zone, in Europe/Berlin: %s', async (value, outcome) => {
  expect(await outcomeOf('sample.csv', `id,at\n1,${value}\n`, 'Europe/Berlin')).toContain(outcome);
});

test('a value that is not UTF-8 is shown as windows-1252 reads it', () => {
  expect(encodingDefect(Buffer.from([0x35, 0x20, 0x80]))).toMatch(/^is not UTF-8: it reads "5 €" as windows-1252/);
});
