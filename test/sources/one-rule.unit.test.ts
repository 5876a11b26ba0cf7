/** A plain file and a source give one answer about each value and each file (contract: values in loads; files in loads). */
import { appendFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import zlib, { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { OperatorError, textFor } from '../../src/errors.ts';
import { converter } from '../../src/sources/columns/values.ts';
import { globOf } from '../../src/sources/files/glob.ts';
import { openList } from '../../src/sources/readers/open-list.ts';
import { fileRows } from '../../src/sync/files/file-rows.ts';
import { openFile } from '../../src/sync/files/open-file.ts';
import { Rejection, Rejections } from '../../src/sync/files/rejections.ts';
import { findSourceFiles } from '../../src/sync/files/source-files.ts';
import { valueCheck } from '../../src/sync/values/check-value.ts';
import { ZonedDays } from '../../src/sync/values/zoned-days.ts';
import { zipOf } from './archives.ts';

const folder = mkdtempSync(join(tmpdir(), 'estate-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));

const berlin = new ZonedDays('Europe/Berlin');

/** The value that a source makes of a text, or why it refuses it. */
const inSource = (type: string, text: string, formats: object = {}): string => {
  try {
    return converter(type, { timezone: 'Europe/Berlin', ...formats })(text, false);
  } catch (error) {
    if (error instanceof Rejection) return `refused: ${error.reason}`;
    throw error;
  }
};

const inFile = (type: string, text: string): string =>
  textFor('commandLine', valueCheck({ type, required: false }, berlin)(text) ?? 'loaded');

describe('a value of a file and of a source without formats', () => {
  test.each<[type: string, text: string, value: string | undefined]>([
    ['integer', '7', '7'],
    ['integer', '+7', '7'],
    ['integer', '0007', '7'],
    ['integer', '-12', '-12'],
    ['integer', '1.0', undefined],
    ['integer', '1e3', undefined],
    ['integer', '1_000', undefined],
    ['integer', '1.000', undefined],
    ['integer', '2147483648', undefined],
    ['bigint', '9223372036854775807', '9223372036854775807'],
    ['bigint', '9223372036854775808', undefined],
    ['numeric(10,2)', '1234.56', '1234.56'],
    ['numeric(10,2)', '.5', '0.5'],
    ['numeric(10,2)', '5.', '5'],
    ['numeric(10,2)', '.', undefined],
    ['numeric(10,2)', '', undefined],
    ['numeric(10,2)', '1e2', undefined],
    ['numeric(10,2)', '1E-3', undefined],
    ['numeric(10,2)', '1.234', undefined],
    ['numeric(10,2)', '1.230', undefined],
    ['numeric(10,2)', '1,5', undefined],
    ['numeric(10,2)', '1.234,56', undefined],
    ['numeric(10,2)', '12.50-', undefined],
    ['numeric(10,2)', '(12.50)', undefined],
    ['numeric(10,2)', '12.50 €', undefined],
    ['numeric(10,2)', 'NaN', undefined],
    ['numeric(10,2)', 'Infinity', undefined],
    ['numeric(10,2)', '123456789', undefined],
    ['numeric(10,2)', '0x10', undefined],
    ['date', '2024-12-31', '2024-12-31'],
    ['date', '2024-02-29', '2024-02-29'],
    ['date', '2023-02-29', undefined],
    ['date', '2024-2-3', undefined],
    ['date', '20241231', undefined],
    ['date', '31.12.2024', undefined],
    ['date', '2024-12-31 00:00:00', undefined],
    ['date', '2024-12-31T00:00:00Z', undefined],
    ['date', '0000-01-01', undefined],
    ['date', '10000-01-01', undefined],
    ['date', 'today', undefined],
    ['timestamptz', '2024-12-31T23:59:59Z', '2024-12-31T23:59:59Z'],
    ['timestamptz', '2024-12-31T23:59:59\ufeffZ', undefined],
    ['timestamptz', '2024-12-31T23:59:59\u00a0Z', undefined],
    ['timestamptz', '2024-12-31 23:59:59.123456+01', '2024-12-31T23:59:59.123456+01:00'],
    ['timestamptz', '2024-12-31T23:59:59.1234567Z', undefined],
    ['timestamptz', '2024-12-31T24:00:00Z', undefined],
    ['timestamptz', '2024-12-31T23:59:60Z', undefined],
    ['timestamptz', '2024-12-31T23:59:59+16', undefined],
    ['timestamptz', '2024-12-31', '2024-12-31T00:00:00+01:00'],
    ['timestamptz', '2024-07-01T12:00', '2024-07-01T12:00:00+02:00'],
    ['timestamptz', '2024-03-31T02:30:00', undefined],
    ['timestamptz', '2024-10-27T02:30:00', undefined],
    ['timestamptz', '2024-10-27T02:30:00+02:00', '2024-10-27T02:30:00+02:00'],
    ['timestamptz', '2024-10-27T03:00:00', '2024-10-27T03:00:00+01:00'],
    ['timestamptz', '0001-01-01T00:00:00+01', undefined],
    ['timestamptz', 'now', undefined],
    ['boolean', 'true', 'true'],
    ['boolean', 'F', 'false'],
    ['boolean', '1', 'true'],
    ['boolean', 'yes', undefined],
    ['boolean', 'on', undefined],
    ['boolean', 'n', undefined],
    ['boolean', 'ja', undefined],
  ])('%s: %s', (type, text, value) => {
    expect(inFile(type, text) === 'loaded').toBe(value !== undefined);
    if (value === undefined) expect(inSource(type, text)).toMatch(/^refused: /);
    else expect(inSource(type, text)).toBe(value);
  });

  test('a source declares what is otherwise', () => {
    expect(inSource('boolean', 'Ja', { trueValues: ['ja'] })).toBe('true');
    expect(inSource('date', '31.12.2024 00:00', { dateFormats: ['%d.%m.%Y %H:%M'] })).toBe('2024-12-31');
    expect(inSource('date', '31.12.2024 08:00', { dateFormats: ['%d.%m.%Y %H:%M'] })).toMatch(/^refused: has a time/);
    expect(inSource('timestamptz', '27.10.2024 02:30', { dateFormats: ['%d.%m.%Y %H:%M'] })).toMatch(/^refused: occurs twice in Europe/);
    expect(inSource('numeric(10,2)', '1.234,5', { decimalChar: ',', groupChar: '.' })).toBe('1234.5');
    expect(inSource('numeric(10,2)', '1,2340', { decimalChar: ',' })).toBe(
      'refused: has 4 decimals, and the column has 2: apply [{ round: 2 }]',
    );
  });
});

/** `read`, or the message of the refusal: by a plain file, and by a source. */
const outcomesOf = async (name: string, bytes: Buffer | string): Promise<readonly [string, string]> => {
  const path = join(mkdtempSync(join(folder, 'file-')), name);
  writeFileSync(path, bytes);
  const outcome = (work: () => Promise<void>) =>
    work().then(
      () => 'read',
      (error: unknown) => {
        if (error instanceof OperatorError) return error.message;
        throw error;
      },
    );
  return [
    await outcome(async () => {
      const [file] = findSourceFiles([path], 'rows');
      const rows = fileRows(file!);
      await rows.readColumns();
      const rejections = new Rejections('each');
      for await (const _ of rows.read(rejections));
      rejections.throwIfAny();
    }),
    await outcome(async () => {
      for await (const _ of (await openList({}, { path: name }, { path, name })).rows);
    }),
  ];
};

const csv = 'id,name\n1,a\n2,b\n';
const hasZstd = 'createZstdDecompress' in zlib;

test.each<[what: string, name: string, bytes: Buffer | string, outcome: RegExp]>([
  ['CSV', 'a.csv', csv, /^read$/],
  ['a byte order mark', 'a.csv', `\ufeff${csv}`, /^read$/],
  ['CRLF', 'a.csv', csv.replaceAll('\n', '\r\n'), /^read$/],
  ['gzip', 'a.csv.gz', gzipSync(csv), /^read$/],
  ['two gzip archives', 'a.csv.gz', Buffer.concat([gzipSync(csv), gzipSync('3,c\n')]), /^read$/],
  ['zeros after a gzip archive', 'a.csv.gz', Buffer.concat([gzipSync(csv), Buffer.alloc(512)]), /bytes follow the end of the gzip archive/],
  [
    'text after a gzip archive',
    'a.csv.gz',
    Buffer.concat([gzipSync(csv), Buffer.from('3,c\n')]),
    /the gzip archive is damaged: deliver it again/,
  ],
  ['a cut gzip archive', 'a.csv.gz', gzipSync(csv).subarray(0, 20), /the gzip archive is cut off: deliver it again/],
  ['gzip without .gz', 'a.csv', gzipSync(csv), /is a gzip archive: add \.gz to its name/],
  ['.gz without gzip', 'a.csv.gz', csv, /is no gzip archive/],
  ['zstd without .zst', 'a.csv', Buffer.from('28b52ffd0000', 'hex'), /is a zstd archive: add \.zst to its name/],
  ['zstd', 'a.csv.zst', Buffer.from('28b52ffd2000010000', 'hex'), hasZstd ? /./ : /reading zstd needs Node 22\.15 or newer/],
  ['a zip archive', 'a.csv', zipOf([{ name: 'a.csv', bytes: csv }]), /is a ZIP archive or an Excel workbook/],
  ['Parquet', 'a.csv', 'PAR1....', /is a Parquet file/],
  ['a PDF document', 'a.csv', '%PDF-1.7\n', /is a PDF document/],
  ['UTF-16', 'a.csv', Buffer.from(`\ufeff${csv}`, 'utf16le'), /UTF-16|utf-16le/],
  ['NDJSON', 'a.ndjson', '{"id":1}\n{"id":2}\n', /^read$/],
  ['NDJSON without the last line end', 'a.ndjson', '{"id":1}\n{"id":2}', /^read$/],
  ['a cut object', 'a.ndjson', '{"id":1}\n{"id":', /line 2: it is no JSON: position 7/],
  ['a member twice', 'a.ndjson', '{"id":1,"id":2}\n', /line 1, column id: the object has this member twice/],
  ['half of a surrogate pair', 'a.ndjson', '{"id":"\\ud83d"}\n', /half of a surrogate pair/],
])('%s', async (_what, name, bytes, outcome) => {
  for (const one of await outcomesOf(name, bytes)) expect(one).toMatch(outcome);
});

test.each<[what: string, text: string, outcome: RegExp]>([
  ['both line ends', 'id,name\r\n1,a\n', /line 2: the line ends with LF, and the first line with CRLF/],
  ['no last line end', 'id,name\n1,a', /line 2: the last line has no line end/],
  ['an open quote', 'id,name\n1,"a\n', /line 2, value 2: the quote that begins here is not closed/],
  ['a quote within a value', 'id,name\n1,3/4"\n', /line 2, value 2: a quote is in a value without quotes around it/],
])('CSV of a source has the form of a plain file: %s', async (_what, text, outcome) => {
  const [, source] = await outcomesOf('a.csv', text);
  expect(source).toMatch(outcome);
});

describe('a file that changes while it is read is refused', () => {
  const large = `id,name\n${'1,a\n'.repeat(300_000)}`;
  test.each<[what: string, change: (path: string) => void]>([
    ['it is rewritten', (path) => writeFileSync(path, large.replaceAll('a', 'b'))],
    ['it grows', (path) => appendFileSync(path, '2,b\n')],
    ['its time changes', (path) => utimesSync(path, 1, 1)],
  ])('%s', async (_what, change) => {
    const path = join(folder, 'changes.csv');
    writeFileSync(path, large);
    const work = async () => {
      let isFirst = true;
      for await (const _ of openFile({ path, name: 'changes.csv' })) {
        if (isFirst) change(path);
        isFirst = false;
      }
    };
    await expect(work()).rejects.toThrow(/^changes\.csv changed while it was read/);
    const list = await openList({}, { path: 'changes.csv' }, { path, name: 'changes.csv' });
    change(path);
    appendFileSync(path, '3,c\n');
    await expect(
      (async () => {
        for await (const _ of list.rows);
      })(),
    ).rejects.toThrow(/^changes\.csv changed while it was read/);
  });
});

describe('names of files', () => {
  test.each<[pattern: string, name: string, isMatch: boolean]>([
    ['a.csv', 'a.csv', true],
    ['a?csv', 'a.csv', true],
    ['*.csv', 'a/b.csv', true],
    ['a*c*.csv', 'abc.csv', true],
    ['a*d*.csv', 'abc.csv', false],
    ['*', '', true],
    ['a.csv', 'aXcsv', false],
    ['Objekte_ü.csv', 'Objekte_u\u0308.csv', true],
  ])('%s, %s', (pattern, name, isMatch) => {
    expect(globOf(pattern)(name)).toBe(isMatch);
  });

  test('a pattern of many stars takes no exponential time', () => {
    const started = performance.now();
    expect(globOf(`${'*a'.repeat(200)}b`)('a'.repeat(4_000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
