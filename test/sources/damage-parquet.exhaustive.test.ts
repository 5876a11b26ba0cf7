/**
 * Randomly damaged Parquet files are refused, or read as another reader reads them (contract: files in loads). The format has no checksum
 * that must be written, so a changed value can be a right one.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OperatorError } from '../../src/errors.ts';
import { readParquet } from '../../src/sources/readers/parquet.ts';
import { rounds, seedOf } from '../support/rounds.ts';
import { seededRandom } from '../sync/support.ts';

const cases = rounds(2_500);
const names = ['no', 'name', 'yes', 'day', 'price'] as const;
const types = [
  { type: 'INT32' },
  { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  { type: 'BOOLEAN' },
  { type: 'INT32', converted_type: 'DATE' },
  { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 2 },
];
const list = <T>(value: (index: number) => T): T[] => Array.from({ length: 40 }, (_, index) => value(index));
const bytesOf = (codec: string): Buffer =>
  Buffer.from(
    parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: names.length },
        ...names.map((name, index) => ({ name, repetition_type: 'OPTIONAL', ...types[index] })),
      ],
      columnData: [
        { name: 'no', data: list((index) => index + 1) },
        { name: 'name', data: list((index) => (index % 7 === 0 ? null : `Haus ${index * 37} Größe`)) },
        { name: 'yes', data: list((index) => (index % 11 === 3 ? null : index % 2 === 0)) },
        { name: 'day', data: list((index) => new Date(Date.UTC(2017, index, 1))) },
        { name: 'price', data: list((index) => BigInt(index * 12_345)) },
      ],
      codec,
      rowGroupSize: 15,
    } as unknown as Parameters<typeof parquetWriteBuffer>[0]),
  );

type Row = readonly (string | null)[];

const folder = mkdtempSync(join(tmpdir(), 'estate-damage-'));
let other: DuckDBConnection;
beforeAll(async () => {
  other = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The readers write years of other than four digits in different ways. No load accepts them. */
const withNear = (value: string): string => (/^(?:[+-]\d{6}|\d{5,})-\d\d-\d\d|\(BC\)$/.test(value) ? 'another year' : value);

/** The rows as the service reads them; undefined if they are refused. */
const rowsOf = async (path: string): Promise<readonly Row[] | undefined> => {
  try {
    const { columns, rows } = await readParquet({ path, name: 'a.parquet' });
    if (columns.join() !== names.join()) return undefined;
    const read: Row[] = [];
    for await (const batch of rows)
      for (const { cells } of batch) read.push(cells.map((cell) => (cell === null ? null : withNear(String(cell)))));
    return read;
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
};

/** DuckDB shows bytes that are not marked as text as `\\xC3`. */
const textOf = (shown: string): string =>
  Buffer.from(
    shown.replaceAll(/\\x([0-9A-F]{2})|./gsu, (each, hex) => hex ?? Buffer.from(each).toString('hex')),
    'hex',
  ).toString();

/** The rows as DuckDB reads them; undefined if it refuses the file. */
const rowsOfOther = async (path: string): Promise<readonly Row[] | undefined> => {
  try {
    const result = await other.runAndReadAll(`select ${names.map((name) => `${name}::varchar`).join()} from read_parquet('${path}')`);
    return (result.getRows() as (string | null)[][]).map((row) => row.map((value) => value && withNear(textOf(value))));
  } catch {
    return undefined;
  }
};

test.each(['SNAPPY', 'UNCOMPRESSED'])('damaged files with the codec %s', async (codec) => {
  const whole = bytesOf(codec);
  const path = join(folder, 'whole.parquet');
  writeFileSync(path, whole);
  const undamaged = await rowsOf(path);
  expect(undamaged).toEqual(await rowsOfOther(path));
  expect(undamaged).toHaveLength(40);
  let read = 0;
  for (let round = 1; round <= cases; round++) {
    const pick = seededRandom(seedOf(round));
    const at = pick(whole.length);
    const [before, after] = [whole.subarray(0, at), whole.subarray(at + 1 + pick(3))];
    const bytes = [
      () => Buffer.concat([before, Buffer.from([pick(256)]), whole.subarray(at + 1)]),
      () => Buffer.concat([before, after]),
      () => Buffer.concat([before, Buffer.from([pick(256)]), whole.subarray(at)]),
      () => before,
    ][Math.max(0, pick(7) - 3)]!();
    // The other reader keeps what it has read of a path.
    const damaged = join(folder, `${codec}-${round}.parquet`);
    writeFileSync(damaged, bytes);
    const rows = await rowsOf(damaged);
    if (rows) {
      read++;
      if (JSON.stringify(rows) !== JSON.stringify(undamaged))
        expect(rows, `round ${round}, byte ${at}`).toEqual(await rowsOfOther(damaged));
    }
    rmSync(damaged);
  }
  expect(read).toBeGreaterThan(0);
});
