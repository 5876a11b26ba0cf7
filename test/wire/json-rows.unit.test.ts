import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { csvFormat, fieldMarks, fields, ndjson } from '../../src/wire/row-format.ts';
import { everyByteAtEveryPlace } from '../support/bytes.ts';
import { writeRows } from '../support/json-rows.ts';

const {
  BOOL,
  DATE,
  FLOAT4,
  FLOAT8,
  INT2,
  INT4,
  INT8,
  JSON: JSON_TYPE,
  JSONB,
  NUMERIC,
  OID,
  TEXT,
  TIMESTAMP,
  TIMESTAMPTZ,
  UUID,
} = pg.types.builtins;

/** One row of one column named `v`, without the surrounding brackets. */
const written = (dataTypeID: number, value: string | null) =>
  writeRows([{ name: 'v', dataTypeID }], [[value]]).text.slice('[{"v":'.length, -2);

const text = fc.string({ unit: 'binary', maxLength: 400 }).map((any) => Buffer.from(any).toString().replaceAll('\0', ''));

describe('values are written as JSON (contract: row values)', () => {
  test.each<readonly [number, string | null, string]>([
    [INT4, '-2147483648', '-2147483648'],
    [INT2, '-32768', '-32768'],
    [OID, '4294967295', '4294967295'],
    [FLOAT4, '1.5', '1.5'],
    [INT4, '0', '0'],
    [INT4, '9', '9'],
    [INT8, '9007199254740993', '9007199254740993'],
    [NUMERIC, '1.10', '1.10'],
    [NUMERIC, '0.00', '0.00'],
    [NUMERIC, '-12345678901234567890.123456789', '-12345678901234567890.123456789'],
    [NUMERIC, 'NaN', 'null'],
    [NUMERIC, 'Infinity', 'null'],
    [NUMERIC, '-Infinity', 'null'],
    [FLOAT8, '1e+20', '1e+20'],
    [FLOAT8, '-Infinity', 'null'],
    [BOOL, 't', 'true'],
    [BOOL, 'f', 'false'],
    [DATE, '2024-02-29', '"2024-02-29"'],
    [DATE, 'infinity', 'null'],
    [DATE, '-infinity', 'null'],
    [TIMESTAMPTZ, '2024-11-30 03:00:00+00', '"2024-11-30T03:00:00Z"'],
    [TIMESTAMPTZ, '2024-11-30 03:00:00.5+00', '"2024-11-30T03:00:00.500000Z"'],
    [TIMESTAMPTZ, '2024-11-30 03:00:00.000001+00', '"2024-11-30T03:00:00.000001Z"'],
    [TIMESTAMPTZ, '-infinity', 'null'],
    [TIMESTAMP, '2024-11-30 03:00:00.25', '"2024-11-30T03:00:00.250000Z"'],
    [JSONB, '{"a": [1.10, "b"]}', '{"a": [1.10, "b"]}'],
    [JSON_TYPE, '{"a": [1.10, "b"]}', '{"a": [1.10, "b"]}'],
    [TIMESTAMP, '2024-11-30 03:00:00', '"2024-11-30T03:00:00Z"'],
    [TIMESTAMP, '2024-11-30 03:00:00.123456', '"2024-11-30T03:00:00.123456Z"'],
    [TIMESTAMPTZ, '2024-11-30 03:00:00.123456+00', '"2024-11-30T03:00:00.123456Z"'],
    [TIMESTAMPTZ, 'infinity', 'null'],
    [UUID, '7f0c', '"7f0c"'],
    [TEXT, '', '""'],
    [TEXT, 'Straße 😀', '"Straße 😀"'],
    ...[INT4, NUMERIC, TEXT, BOOL, DATE, TIMESTAMPTZ, JSONB].map((oid) => [oid, null, 'null'] as const),
  ])('type %i: %j is %s', (oid, value, json) => {
    expect(written(oid, value)).toBe(json);
  });

  test('every control character, quote and backslash is escaped like by JSON.stringify', () => {
    for (let code = 1; code < 0x80; code++) {
      const value = `a${String.fromCharCode(code)}b`;
      expect(written(TEXT, value)).toBe(JSON.stringify(value));
    }
  });

  test('every byte is escaped like by JSON.stringify, at every position of a text and next to every special byte', () => {
    const values = everyByteAtEveryPlace();
    const bytes = new Set(values.flatMap((value) => [...Buffer.from(value)]));
    // UTF-8 contains neither C0, C1 nor F5 to FF.
    expect(bytes.size).toBe(256 - 2 - 11);
    const text = writeRows(
      [{ name: 'v', dataTypeID: TEXT }],
      values.map((value) => [value]),
    ).text.slice('['.length, -']'.length);
    expect(text.split(/(?<=\}),(?=\{"v":)/)).toEqual(values.map((v) => JSON.stringify({ v })));
  });

  test('any text survives a round trip', () => {
    fc.assert(
      fc.property(text, (value) => JSON.parse(written(TEXT, value)) === value),
      { numRuns: 500 },
    );
  });

  test('any number keeps its digits', () => {
    fc.assert(fc.property(fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,20})?$/), (digits) => written(NUMERIC, digits) === digits));
  });

  test('column names are escaped too', () => {
    expect(writeRows([{ name: 'a"\n', dataTypeID: INT4 }], [['1']]).text).toBe('[{"a\\"\\n":1}]');
  });
});

describe('rows are one array, whatever their size', () => {
  const fields = [
    { name: 'a', dataTypeID: TEXT },
    { name: 'b', dataTypeID: INT4 },
  ];

  test('none, one, several', () => {
    expect(writeRows(fields, []).text).toBe('[]');
    expect(writeRows(fields, [['x', '1']]).text).toBe('[{"a":"x","b":1}]');
    expect(
      writeRows(fields, [
        ['x', '1'],
        [null, null],
      ]).text,
    ).toBe('[{"a":"x","b":1},{"a":null,"b":null}]');
  });

  test('any rows equal those of JSON.stringify', () => {
    const rows = fc.array(fc.tuple(fc.option(text), fc.option(fc.integer().map(String))), { maxLength: 20 });
    fc.assert(
      fc.property(rows, (all) => {
        const expected = JSON.stringify(all.map(([a, b]) => ({ a, b: b === null ? null : Number(b) })));
        expect(writeRows(fields, all).text).toBe(expected);
      }),
    );
  });

  test("chunks end anywhere, and rows around a chunk's size are complete", () => {
    const chunk = 128 * 1024;
    for (const length of [...Array.from({ length: 40 }, (_, i) => chunk / 6 - 30 + i), chunk - 20, chunk, 3 * chunk]) {
      const rows = [
        ['\u0001'.repeat(length), '1'],
        ['b'.repeat(length), '2'],
        ['c', null],
      ];
      const { text, chunks } = writeRows(fields, rows);
      expect(text === JSON.stringify(rows.map(([a, b]) => ({ a, b: b === null ? null : Number(b) })))).toBe(true);
      expect(chunks.every((bytes) => bytes.length > 0)).toBe(true);
    }
  });

  test('chunks are not written to after they were returned', () => {
    const seen: string[] = [];
    const rows = Array.from({ length: 3000 }, (_, i) => ['x'.repeat(i % 300), String(i)]);
    const { chunks, text } = writeRows(fields, rows);
    for (const chunk of chunks) seen.push(chunk.toString());
    expect(chunks.length).toBeGreaterThan(2);
    expect(seen.join('')).toBe(text);
    expect(JSON.parse(text)).toHaveLength(3000);
  });
});

describe('leading columns contain the summary and are not written', () => {
  const fields = [
    { name: 'total', dataTypeID: INT8 },
    { name: 'key', dataTypeID: TEXT },
    { name: 'a', dataTypeID: TEXT },
  ];

  test('the first row and the row at the limit are kept, rows beyond the limit are only counted', () => {
    const { rows, text } = writeRows(
      fields,
      [
        ['9', 'k1', 'x'],
        ['8', null, 'y'],
        ['7', 'k3', 'z'],
      ],
      { hidden: 2, limit: 2 },
    );
    expect(text).toBe('[{"a":"x"},{"a":"y"}]');
    expect([rows.count, rows.first, rows.boundary]).toEqual([3, ['9', 'k1'], ['8', null]]);
  });

  test('an empty text is distinguished from null', () => {
    expect(writeRows(fields, [['9', '', 'x']], { hidden: 2 }).rows.first).toEqual(['9', '']);
  });

  test('without rows there is no summary', () => {
    const { rows, text } = writeRows(fields, [], { hidden: 2 });
    expect([text, rows.count, rows.first]).toEqual(['[]', 0, undefined]);
  });
});

describe('CSV fields are quoted as in RFC 4180 (contract: CSV)', () => {
  const field = (value: string) => (value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

  test('every byte, at every position of a text and next to every special byte', () => {
    const values = ['', ...everyByteAtEveryPlace()];
    const { text } = writeRows(
      [{ name: 'v', dataTypeID: TEXT }],
      values.map((value) => [value]),
      { form: { format: csvFormat(['v']), names: ['v'] } },
    );
    const expected = `v\r\n${values.map((value) => `${field(value)}\r\n`).join('')}`;
    expect(text.split(/(?<=a)(?=\r\n)/)).toEqual(expected.split(/(?<=a)(?=\r\n)/));
  });
});

describe('rows of files (contract: values in files)', () => {
  const columns = [
    { name: 'a', dataTypeID: INT4 },
    { name: 'b', dataTypeID: TEXT },
    { name: 'c', dataTypeID: TIMESTAMPTZ },
    { name: 'd', dataTypeID: NUMERIC },
    { name: 'e', dataTypeID: BOOL },
  ];
  const rows = [
    ['1', 'x "y"\n', '2024-11-30 03:00:00.5+00', 'NaN', 't'],
    [null, '', null, '1.10', 'f'],
  ];

  test('NDJSON has one object in each line, without a line end after the last one', () => {
    const { text } = writeRows(columns, rows, { form: { format: ndjson } });
    expect(text.split('\n')).toEqual([
      String.raw`{"a":1,"b":"x \"y\"\n","c":"2024-11-30T03:00:00.500000Z","d":null,"e":true}`,
      '{"a":null,"b":"","c":null,"d":1.10,"e":false}',
    ]);
    expect(writeRows(columns, [], { form: { format: ndjson } }).text).toBe('');
  });

  test('fields have marks that UTF-8 never contains, and no quotes or escapes', () => {
    const { chunks } = writeRows(columns, rows, { form: { format: fields } });
    const found: (string | null)[] = [];
    for (let rest = Buffer.concat(chunks); rest.length > 0; ) {
      const end = rest.indexOf(fieldMarks.end);
      const field = rest.subarray(0, end);
      found.push(field.length === 1 && field[0] === fieldMarks.null ? null : field.toString());
      rest = rest.subarray(end + 1);
    }
    expect(found).toEqual(['1', 'x "y"\n', '2024-11-30T03:00:00.500000Z', null, 'true', null, '', null, '1.10', 'false']);
  });
});
