/** Content that is made to take long: patterns, globs and source files answer in linear time, or refuse the text. */
import { expect, test } from 'vitest';
import { csvField, withoutFormula } from '../../src/csv.ts';
import { columnValue } from '../../src/sources/columns/column-value.ts';
import { dateParser } from '../../src/sources/columns/dates.ts';
import { functionsOf } from '../../src/sources/columns/functions.ts';
import { multiplyDecimal, numberParser, plainNumber, roundDecimal } from '../../src/sources/columns/numbers.ts';
import { partOf } from '../../src/sources/columns/parts.ts';
import { RowColumns, RowKeys } from '../../src/sources/columns/row-columns.ts';
import { textReader } from '../../src/sources/columns/values.ts';
import { globOf } from '../../src/sources/files/glob.ts';
import { queryOf, watermarkBefore } from '../../src/sources/readers/database.ts';
import { withExactText } from '../../src/sources/readers/databases/sql-server.ts';
import { columnNames } from '../../src/sources/readers/headed.ts';
import { parseSource } from '../../src/sources/source-file.ts';
import { PlainText } from '../../src/sources/source-rows.ts';
import { written } from '../../src/sync/files/file-rows.ts';
import { encodingDefect } from '../../src/sync/files/formats.ts';
import { withoutExponent } from '../../src/sync/files/json/decimal-text.ts';
import { JsonReader } from '../../src/sync/files/json/json-values.ts';
import { valueCheck } from '../../src/sync/values/check-value.ts';
import { ZonedDays } from '../../src/sync/values/zoned-days.ts';

/** Texts of a length that patterns with two ways to share a text take long for. */
const hostile: Readonly<Record<string, (length: number) => string>> = {
  blanks: (length) => `a${' '.repeat(length)}!`,
  zeros: (length) => `0.${'0'.repeat(length)}1x`,
  nines: (length) => '9'.repeat(length),
  'nines and a letter': (length) => `${'9'.repeat(length)}x`,
  dots: (length) => '.'.repeat(length),
  groups: (length) => `1${'.000'.repeat(length / 4)}x`,
  'digits and blanks': (length) => `a${' 1234 b'.repeat(length / 7)},`,
  particles: (length) => `${'von '.repeat(length / 4)},`,
  'days and blanks': (length) => `2024-01-01T00:00${' '.repeat(length)}x`,
  quotes: (length) => '"'.repeat(length),
  backslashes: (length) => `"${'\\\\'.repeat(length / 2)}`,
};

const formats = { decimalChar: ',', groupChar: '.', bareNumber: false, trailingMinus: true, dateFormats: ['%d.%m.%Y %H:%M', '%b %d %y'] };
const columns = new RowColumns({ name: 'x', columns: ['a'], rows: (async function* () {})() }, new RowKeys());
const converted = ['integer', 'bigint', 'numeric(14,2)', 'date', 'timestamptz', 'boolean', 'text'].map((type) => {
  const [asText, asPlain] = [
    columnValue({ from: 'a' }, type, columns, formats),
    columnValue({ from: 'a', part: 'street' }, type, columns, {}),
  ];
  return [
    type,
    (text: string) => [
      asText({ line: 1, cells: [text] }),
      asText({ line: 1, cells: [new PlainText(text)] }),
      asPlain({ line: 1, cells: [text] }),
    ],
  ] as const;
});
const checked = [
  'smallint',
  'bigint',
  'numeric(14,2)',
  'real',
  'boolean',
  'date',
  'timestamptz',
  'timestamp without time zone',
  'character varying(9)',
];

/** Everything that reads content of a file. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  ...Object.fromEntries(converted),
  ...Object.fromEntries(checked.map((type) => [`check ${type}`, valueCheck({ type, required: true }, new ZonedDays('Europe/Berlin'))])),
  ...Object.fromEntries(
    (['street', 'houseNumber', 'postalCode', 'city', 'salutation', 'firstName', 'lastName'] as const).map((part) => [
      `part ${part}`,
      (text: string) => partOf(part, text),
    ]),
  ),
  ...Object.fromEntries(
    (['upper', 'digits', 'absolute', 'negate', 'date', 'unaccent', { round: 2 }, { multiply: 3 }, { left: 2 }] as const).map((step) => [
      `apply ${JSON.stringify(step)}`,
      (text: string) => functionsOf([step], formats)({ text, isPlain: true }),
    ]),
  ),
  number: numberParser(formats),
  moment: dateParser(formats),
  text: (text) => textReader({})(text),
  header: (text) => columnNames([text, text]),
  json: (text) => new JsonReader(text).object(),
  'flat JSON': (text) => new JsonReader(text, true).object(),
  key: written,
  encoding: (text) => encodingDefect(Buffer.from(`${text}\xe4`, 'latin1')),
  exponent: withoutExponent,
  csv: (text) => csvField(withoutFormula(text)),
};

/** In milliseconds of CPU time, so that other processes do not count. */
const timeOf = (work: () => unknown): number => {
  const start = process.cpuUsage();
  try {
    work();
  } catch {
    // A refusal is an answer.
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
};

test.each(Object.entries(readers))('%s takes time in proportion to the text', (_, read) => {
  for (const [name, textOf] of Object.entries(hostile)) {
    const [short, long] = [textOf(250_000), textOf(1_000_000)];
    timeOf(() => read(short));
    const [quarter, whole] = [timeOf(() => read(short)), timeOf(() => read(long))];
    // The square of the length would be 16 times, and minutes.
    expect(whole, name).toBeLessThan(Math.max(12 * quarter, 2_000));
  }
});

test('numbers of an unusual size keep their digits, or are refused', () => {
  expect(withoutExponent('1e999999999')).toBe('1e999999999');
  expect(plainNumber(1e21)).toBe('1000000000000000000000');
  expect([roundDecimal('1.005', 2), multiplyDecimal('1.10', 3)]).toEqual(['1.01', '3.3']);
  expect(() => numberParser({})('1'.repeat(1_001))).toThrow('more than 1000 characters');
});

test('a glob with stars takes at most the product of both lengths', () => {
  const stars = globOf(`${'*a'.repeat(200)}*b`);
  expect(timeOf(() => stars('a'.repeat(5_000)))).toBeLessThan(2_000);
  expect(() => globOf('*'.repeat(501))).toThrow('at most 500 characters');
  for (const [pattern, name, fits] of [
    ['*.csv', 'a.csv', true],
    ['*.csv', 'folder/a.csv', true],
    ['a?c*', 'abc', true],
    ['a?c', 'ac', false],
    ['*ab*ab', 'abxab', true],
    ['*ab*ab', 'abxa', false],
    ['[a].csv', 'a.csv', false],
    ['', 'a', false],
    ['**', '', true],
  ] as const)
    expect([pattern, name, globOf(pattern)(name)]).toEqual([pattern, name, fits]);
});

const valid = 'name: erp\ntables: [{ table: person_hdr, path: a.csv, columns: {} }]\n';

test('a source file is bounded in bytes, levels and aliases', () => {
  expect(parseSource(valid, 'erp.yml')).toMatchObject({ name: 'erp' });
  const laughs = Array.from(
    { length: 12 },
    (_, index) => `a${index}: &a${index} [${index === 0 ? 'x' : `*a${index - 1}, `.repeat(9)}]`,
  ).join('\n');
  for (const [text, reason] of [
    [`${valid}#${' '.repeat(256 * 1024)}`, 'more than 256 KB'],
    ['['.repeat(200_000), 'too many levels'],
    [`${'- '.repeat(100_000)}a`, 'too many levels'],
    [`${'? '.repeat(100_000)}a`, 'too many levels'],
    [Array.from({ length: 300 }, (_, index) => `${' '.repeat(index)}a:`).join('\n'), 'too many levels'],
    [laughs, 'Excessive alias count'],
    ['a: 1\nb: 2\na: 3\n', 'Map keys must be unique at line 3, column 1'],
    ['a: [1, 2\nb: 3\n', 'at line'],
  ] as const)
    expect(() => parseSource(text, 'erp.yml')).toThrow(new RegExp(`^erp\\.yml.*${reason}`));
});

test('many keys and many errors take time in proportion to the file', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}: 1`).join('\n');
  const quotes = (count: number) => '"'.repeat(count);
  for (const textOf of [keys, quotes]) {
    timeOf(() => parseSource(textOf(3_000), 'erp.yml'));
    const [quarter, whole] = [timeOf(() => parseSource(textOf(3_000), 'erp.yml')), timeOf(() => parseSource(textOf(12_000), 'erp.yml'))];
    expect(whole).toBeLessThan(Math.max(12 * quarter, 5_000));
  }
});

test('a watermark is read from before the last one if the source has a lookback', () => {
  for (const [since, lookback, before] of [
    ['2024-03-01T00:10:00Z', '15 minutes', '2024-02-29T23:55:00.000Z'],
    ['2024-03-01 00:10:00+01', '1 hour', '2024-02-29T23:10:00.000+01'],
    ['2024-03-01', '2 days', '2024-02-28T00:00:00.000'],
    ['100', '30', '70'],
    ['100', undefined, '100'],
  ] as const)
    expect(watermarkBefore(since, lookback)).toBe(before);
  expect(() => watermarkBefore('100', '1 day')).toThrow('state a number');
  expect(() => watermarkBefore('2024-03-01', '5')).toThrow('state a duration');
  expect(queryOf('postgres', { dbtable: 't', watermark: 'id', lookback: '5' }, '12').values).toEqual(['7']);
  expect(queryOf('postgres', { query: `select 1${' ;'.repeat(100_000)}` }, undefined).text).toBe('select 1');
});

test('SQL Server gives decimals and money as text', () => {
  const described = [
    { name: 'id', type: 'int' },
    { name: 'rent]', type: 'decimal(38,20)' },
    { name: 'price', type: 'money' },
  ];
  expect(withExactText('select * from t', described)).toBe(
    'select [id], convert(varchar(60), [rent]]]) as [rent]]], convert(varchar(60), [price], 2) as [price] from (select * from t\n) as exported',
  );
  expect(withExactText('with a as (select 1 as b) select b from a', [{ name: 'b', type: 'int' }])).toMatch(/^with/);
  expect(() => withExactText('select 1.0', [{ name: '', type: 'numeric(2,1)' }])).toThrow('has no name');
});
