/** Files have the values of their rows, with the digits of the database (contract: values in files). DuckDB reads them. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { encodeInThread } from '../../src/files/encoding/encode-in-thread.ts';
import { parquetColumn } from '../../src/files/encoding/parquet-columns.ts';
import { fieldMarks } from '../../src/wire/row-format.ts';

const folder = mkdtempSync(join(tmpdir(), 'estate-parquet-'));
let duck: DuckDBConnection;
beforeAll(async () => {
  duck = await (await DuckDBInstance.create(':memory:')).connect();
  await duck.run("set timezone = 'UTC'");
});
afterAll(() => rmSync(folder, { recursive: true }));

type Row = readonly (string | null)[];

/** The rows as the wire layer writes them, in pieces of a few bytes, so that fields and characters are cut. */
async function* inPieces(rows: readonly Row[], length: number): AsyncGenerator<Buffer> {
  const field = (text: string | null) => [text === null ? Buffer.of(fieldMarks.null) : Buffer.from(text), Buffer.of(fieldMarks.end)];
  const all = Buffer.concat(rows.flat().flatMap(field));
  for (let at = 0; at < all.length; at += length) yield all.subarray(at, at + length);
}

let files = 0;
const written = async (types: readonly string[], rows: readonly Row[]) => {
  const path = join(folder, `${files++}.parquet`);
  const columns = types.map((type, at) => parquetColumn(`c${at}`, type));
  const parquet = { columns, metadata: [{ key: 'description:c0', value: 'an id' }] };
  const { bytes, sha256 } = await encodeInThread(inPieces(rows, 7), { path, parquet });
  const file = readFileSync(path);
  expect([bytes, sha256]).toEqual([file.length, createHash('sha256').update(file).digest('hex')]);
  return path;
};

/** SQL type, type in DuckDB, values, and their text in DuckDB if it differs. */
const cases: readonly (readonly [string, string, readonly string[], (readonly string[])?])[] = [
  ['integer', 'INTEGER', ['-2147483648', '0', '2147483647']],
  ['smallint', 'INTEGER', ['-32768', '7']],
  ['bigint', 'BIGINT', ['-9223372036854775808', '-1', '0', '9007199254740993', '9223372036854775807']],
  ['numeric(14,2)', 'DECIMAL(14,2)', ['-123456789012.34', '-0.05', '0.00', '999999999999.99']],
  ['numeric(9,6)', 'DECIMAL(9,6)', ['-0.000001', '123.456789']],
  ['numeric(18,4)', 'DECIMAL(18,4)', ['99999999999999.9999', '-99999999999999.9999', '1.0000']],
  ['numeric', 'VARCHAR', ['1.10', '-12345678901234567890.123456789']],
  ['numeric(30,10)', 'VARCHAR', ['12345678901234567890.0123456789']],
  ['double precision', 'DOUBLE', ['1.5e+20', '-0.1']],
  ['boolean', 'BOOLEAN', ['true', 'false']],
  ['date', 'DATE', ['0001-01-01', '1900-02-28', '1969-12-31', '1970-01-01', '2000-02-29', '9999-12-31']],
  [
    'timestamp with time zone',
    'TIMESTAMP WITH TIME ZONE',
    ['1969-12-31T23:59:59Z', '2024-11-30T03:00:00.500000Z', '2000-02-29T12:34:56.000001Z', '9999-12-31T23:59:59.999999Z'],
    ['1969-12-31 23:59:59+00', '2024-11-30 03:00:00.5+00', '2000-02-29 12:34:56.000001+00', '9999-12-31 23:59:59.999999+00'],
  ],
  ['text', 'VARCHAR', ['', 'ä "b"', '日本', '\r\n', '\u0001', '=1+1']],
  ['uuid', 'VARCHAR', ['7d9f1c1e-58d0-4d0e-9f43-0d5b6c5a1a11']],
];

test.each(cases.map(([type, duckType, values, shown = values]) => ({ type, duckType, values, shown })))(
  '$type becomes $duckType',
  async ({ type, duckType, values, shown }) => {
    const path = await written([type, 'integer'], [...values.map((value, at) => [value, String(at)]), [null, String(values.length)]]);
    const described = await duck.runAndReadAll(`describe select c0 from '${path}'`);
    expect(described.getRows()[0]?.[1]).toBe(duckType);
    const read = await duck.runAndReadAll(`select c0::varchar from '${path}' order by c1`);
    expect(read.getRows().map(([value]) => value)).toEqual([...shown, null]);
  },
);

test('a table without rows', async () => {
  const path = await written(['integer', 'text'], []);
  expect((await duck.runAndReadAll(`select * from '${path}'`)).getRows()).toEqual([]);
});

test('the metadata describes the columns', async () => {
  const path = await written(['integer'], [['1']]);
  const read = await duck.runAndReadAll(`select key::varchar, value::varchar from parquet_kv_metadata('${path}')`);
  expect(read.getRows()).toEqual([['description:c0', 'an id']]);
});

test('many rows are in several row groups, in their order', async () => {
  const count = 600_000;
  const rows = Array.from({ length: count }, (_, at) => [String(at), `text ${at % 7}`]);
  const path = join(folder, 'many.parquet');
  const columns = [parquetColumn('c0', 'integer'), parquetColumn('c1', 'text')];
  await encodeInThread(inPieces(rows, 100_000), { path, parquet: { columns, metadata: [] } });
  const read = await duck.runAndReadAll(
    `select count(*)::int, sum(c0)::bigint::varchar, count(distinct c1)::int, min(c0), max(c0) from '${path}'`,
  );
  expect(read.getRows()).toEqual([[count, String((count * (count - 1)) / 2), 7, 0, count - 1]]);
  const groups = await duck.runAndReadAll(`select count(distinct row_group_id)::int from parquet_metadata('${path}')`);
  expect(groups.getRows()).toEqual([[3]]);
});

test('rows that end within a row fail, and so does a column that is not of its type', async () => {
  const columns = [parquetColumn('c0', 'integer'), parquetColumn('c1', 'date')];
  const write = (name: string, rows: readonly Row[]) =>
    encodeInThread(inPieces(rows, 100), { path: join(folder, name), parquet: { columns, metadata: [] } });
  await expect(write('cut', [['1', '2024-01-01'], ['2']])).rejects.toThrow('The rows end within a row');
  await expect(write('early', [['1', '0044-03-15 BC']])).rejects.toThrow('A date outside of the years 1 to 9999');
});

test('the file of a failing source is not completed', async () => {
  const failing = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from([0x31, fieldMarks.end]);
    throw new Error('The connection was lost');
  };
  const task = { path: join(folder, 'lost'), parquet: { columns: [parquetColumn('c0', 'integer')], metadata: [] } };
  await expect(encodeInThread(failing(), task)).rejects.toThrow('The connection was lost');
});

describe('the thread', () => {
  const threads: Worker[] = [];
  const see = (thread: Worker) => threads.push(thread);
  beforeAll(() => process.on('worker', see));
  afterAll(() => process.off('worker', see));
  const write = (name: string, rows: AsyncIterable<Buffer>) => encodeInThread(rows, { path: join(folder, name) });
  async function* oneRow(): AsyncGenerator<Buffer> {
    yield Buffer.from('1,2\r\n');
  }

  test('encodes one file after another, and files at the same time have threads of their own', async () => {
    await write('first', oneRow());
    threads.splice(0);
    const one = await write('second', oneRow());
    expect(await write('third', oneRow())).toEqual(one);
    expect(threads).toHaveLength(0);
    expect(await Promise.all([write('left', oneRow()), write('right', oneRow())])).toEqual([one, one]);
    expect(threads).toHaveLength(1);
  });

  test('ends with a file that fails, and the next file has a new one', async () => {
    const good = await write('good', oneRow());
    threads.splice(0);
    await expect(write('good', oneRow())).rejects.toThrow('EEXIST');
    expect(await write('better', oneRow())).toEqual(good);
    expect(threads).toHaveLength(1);
  });

  test('ends after five seconds without a file', async () => {
    await expect(write('second', oneRow())).rejects.toThrow('EEXIST');
    threads.splice(0);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await write('before', oneRow());
      const exit = once(threads[0]!, 'exit');
      vi.advanceTimersByTime(5_000);
      await write('after', oneRow());
      await exit;
      expect(threads).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });
});

test.each([
  ['nothing', 0, 1],
  ['one byte', 1, 1],
  ['several blocks', 1_000_000, 100_000],
  ['blocks of odd sizes', 600_001, 7_919],
])('gzip of %s is one member with its checksum, and the same each time', async (name, length, piece) => {
  const text = Buffer.from(Array.from({ length }, (_, at) => (at * at) % 251));
  const pieces = async function* (): AsyncGenerator<Buffer> {
    for (let at = 0; at < text.length; at += piece) yield text.subarray(at, at + piece);
  };
  const [one, other] = ['one', 'other'].map((each) => join(folder, `${name} ${each}`)) as [string, string];
  const written = await encodeInThread(pieces(), { path: one });
  const file = readFileSync(one);
  expect([written.bytes, gunzipSync(file).equals(text)]).toEqual([file.length, true]);
  expect(await encodeInThread(pieces(), { path: other })).toEqual(written);
});
