/** DuckDB reads every file of a customer, and finds the rows of REST to the digit (contract: files; values in files). */
import { rmSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { kinds } from '../../src/catalogue/kinds.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import { partsOf, type RawTable } from '../../src/catalogue/raw-table.ts';
import { partOf } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { latest, stored } from './support.ts';

let service: TestService;
let duck: DuckDBConnection;
beforeAll(async () => {
  service = await startService();
  duck = await (await DuckDBInstance.create(':memory:')).connect();
  await duck.run("set timezone = 'UTC'");
});
afterAll(() => service.stop());

/** The type that DuckDB must see for each SQL type. */
const duckTypes: Readonly<Record<string, string>> = {
  text: 'VARCHAR',
  integer: 'INTEGER',
  bigint: 'BIGINT',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamptz: 'TIMESTAMP WITH TIME ZONE',
};
const duckType = (sql: string): string => duckTypes[sql.replace(' collate "C"', '')] ?? sql.replace('numeric', 'DECIMAL').replace(',', ',');

/** The types of a table's columns in SQL. */
const columnsOf = (kind: string, name: string): readonly (readonly [string, string])[] => {
  if (kind === 'category') {
    const { columns } = catalogue.tables.get(name)!;
    return Object.entries(columns).map(([column, { kind: of, digits }]) => [column, kinds[of].ddl(digits)]);
  }
  const { columns } = (rawTables as Readonly<Record<string, RawTable>>)[name]!;
  return Object.entries(columns).map(([column, declared]) => [column, partsOf(declared).type]);
};

/** Every row of a table as text, with the digits of the database. */
const rowsOfTable = async (name: string, columns: readonly string[]): Promise<(string | null)[][]> => {
  const { rows } = await service.database.pool.query<{ row: (string | null)[] }>(
    `select array[${columns.map((column) => `"${column}"::text`).join()}] as row from customer_nord."${name}"`,
  );
  return rows.map(({ row }) => row);
};

const sorted = (rows: readonly (readonly (string | null)[])[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

/** Text of a time in the form of the database and of DuckDB: without the zone, and without zeros at the end of the fraction. */
const timeText = (text: string | null, sql: string): string | null =>
  text !== null && sql.startsWith('timestamp') ? text.replace(/(\.\d*?)0*(\+00)$/, '$1$2').replace(/\.?\+00$/, '') : text;

const tables = [
  ...[...catalogue.tables.keys()].map((name) => ['category', name, `/files/${name}`] as const),
  ...Object.keys(rawTables).map((name) => ['raw', name, `/files/raw/${name}`] as const),
];

test('the files of the tables', { timeout: 600_000 }, async () => {
  for (const [kind, name, path] of partOf(tables)) {
    const columns = columnsOf(kind, name);
    const names = columns.map(([column]) => column);
    const expected = sorted((await rowsOfTable(name, names)).map((row) => row.map((text, at) => timeText(text, columns[at]![1]))));

    const parquet = await stored(await latest(service, `${path}/latest.parquet`), 'parquet');
    const described = await duck.runAndReadAll(`describe select * from '${parquet}'`);
    expect([name, described.getRows().map(([column, type]) => [column, type])]).toEqual([
      name,
      columns.map(([column, sql]) => [column, duckType(sql)]),
    ]);
    const select = names.map((column) => `"${column}"::varchar`).join();
    const read = await duck.runAndReadAll(`select ${select} from '${parquet}'`);
    const found = read.getRows().map((row) => row.map((value, at) => timeText(value as string | null, columns[at]![1])));
    expect([name, sorted(found as (string | null)[][])]).toEqual([name, expected]);
    rmSync(parquet);

    const csv = await stored(await latest(service, `${path}/latest.csv.gz`), 'csv.gz');
    const types = columns.map(([column]) => `'${column}': 'varchar'`).join();
    // DuckDB cannot tell an empty text from a null here, and both APIs can.
    const blank = (row: readonly (string | null)[]) => row.map((value) => value ?? '');
    const fromCsv = await duck.runAndReadAll(
      `select * from read_csv('${csv}', header = true, columns = {${types}}, quote = '"', escape = '"')`,
    );
    const restTime = (text: string | null, sql: string) =>
      text !== null && sql.startsWith('timestamp') ? timeText(text.replace('T', ' ').replace('Z', '+00'), sql) : text;
    const boolean = (text: string | null, sql: string) =>
      sql === 'boolean' && text !== null ? (text[0] === 't' ? 'true' : 'false') : text;
    const csvRows = fromCsv.getRows().map((row) => row.map((value, at) => restTime(value as string | null, columns[at]![1])));
    const asBlank = expected.map((row) =>
      JSON.stringify(blank((JSON.parse(row) as (string | null)[]).map((text, at) => boolean(text, columns[at]![1])))),
    );
    expect([name, csvRows.map((row) => JSON.stringify(blank(row as (string | null)[]))).sort()]).toEqual([name, asBlank.sort()]);
    rmSync(csv);

    const ndjson = gunzipSync(Buffer.from(await (await latest(service, `${path}/latest.ndjson.gz`)).arrayBuffer())).toString();
    const lines = ndjson.split('\n');
    expect(lines.pop()).toBe('');
    expect([name, lines.length]).toEqual([name, expected.length]);
    const { text } = await service.get(
      kind === 'raw' ? `/raw/${name}?limit=100000` : `/${catalogue.tables.get(name)!.category}/${name}?limit=100000${required(name)}`,
    );
    const rows = kind === 'raw' ? text.slice('{"data":['.length, text.lastIndexOf('],"count":')) : text.slice(1, -1);
    // With required filters, REST shows a part of the rows.
    if (required(name) === '' || kind === 'raw') expect([name, lines.join(',')]).toEqual([name, rows]);
    else for (const row of rows.split(/(?<=\}),(?=\{)/)) if (row !== '') expect(lines).toContain(row);
  }
});

/** The required filters of a table with values that demo rows have. */
const required = (name: string): string =>
  (catalogue.tables.get(name)?.requiredFilters ?? [])
    .map((filter) => `&${filter}=${catalogue.tables.get(name)!.columns[filter]!.example}`)
    .join('');
