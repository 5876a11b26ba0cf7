/** The recipes, run as they are against a service: a first copy, a delta after a load, and a report. Absent tools are skipped. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { asCsv, Deliveries, load, readTableData } from '../sync/support.ts';

interface Row {
  readonly [column: string]: unknown;
}

let service: TestService;
const root = mkdtempSync(join(tmpdir(), 'estate-recipes-'));
const deliveries = new Deliveries();

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  deliveries.remove();
  rmSync(root, { recursive: true });
});

const works = (program: string, ...parameters: readonly string[]): boolean => spawnSync(program, parameters).status === 0;

/** A recipe with three tasks, and how to read the copy that it keeps. */
interface Recipe {
  readonly command: readonly [program: string, ...parameters: string[]];
  readonly isInstalled: boolean;
  /** The rows of the copy as JSON. The default is orders.json. */
  readonly readCopy?: readonly [program: string, ...parameters: string[]];
}

const recipe = (name: string) => resolve('examples/recipes', name);

/** The first Python with pandas. A package of Debian belongs to Debian's Python. */
const pandasPython = ['python3', '/usr/bin/python3'].find((program) => works(program, '-c', 'import pandas'));

const recipes: Readonly<Record<string, Recipe>> = {
  'curl and jq': { command: [recipe('orders.sh')], isInstalled: works('curl', '--version') && works('jq', '--version') },
  'the standard library of Python': { command: ['python3', recipe('orders.py')], isInstalled: works('python3', '--version') },
  pandas: {
    command: [pandasPython ?? '', recipe('orders_pandas.py')],
    isInstalled: pandasPython !== undefined,
    readCopy: [
      pandasPython ?? '',
      '-c',
      "import pandas; print(pandas.read_pickle('orders.pickle').reset_index().to_json(orient='records', double_precision=15))",
    ],
  },
  R: {
    command: ['Rscript', recipe('orders.R')],
    isInstalled: works('Rscript', '-e', 'library(httr2); library(jsonlite); library(vctrs)'),
    readCopy: ['Rscript', '-e', "cat(jsonlite::toJSON(readRDS('orders.rds')$rows, na = 'null', digits = NA))"],
  },
  'TypeScript with openapi-fetch': {
    command: [process.execPath, '--import', import.meta.resolve('tsx'), recipe('orders.mts')],
    isInstalled: true,
  },
};

const current = async (): Promise<Row[]> => (await service.get('/operations/orders?limit=100000')).json;

const reportQuery =
  'where=order_date%3E%3D2025-01-01,status:in(executed,approved)&by=trade&count&sum=total_net&order=-sum_total_net&format=csv';

const yearQuery =
  'where=order_date%3E%3D2025-01-01,order_date%3C2026-01-01&columns=order_id,order_date,property.city,total_net,days:days(order_date,closed_date)&limit=100000&format=csv';

/** The orders of 2025, as an independent statement finds them. */
const ordersOfYear = async (): Promise<unknown[][]> => {
  const { rows } = await service.database.pool.query({
    text: `select o.order_id, o.order_date::text, h.city, o.total_net::float8, o.closed_date - o.order_date
      from customer_nord.orders o join customer_nord.property_hdr h using (property_id) where extract(year from o.order_date) = 2025 order by 1`,
    rowMode: 'array',
  });
  return rows.map((row: unknown[]) => row.map((value) => value ?? ''));
};

/** CSV with numbers as numbers, so that the writing of numbers does not matter. */
const parsed = (csv: string): unknown =>
  parse(csv, { relax_column_count: false }).map((row: readonly string[]) =>
    row.map((text) => (text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text)),
  );

/** Changes, deletes and inserts orders. */
const change = async (): Promise<void> => {
  const sheet = await readTableData(service.database, 'order_hdr');
  const [subject, id] = ['subject', 'order_hdr_id'].map((name) => sheet.columns.indexOf(name)) as [number, number];
  const added = [...sheet.rows[0]!];
  const largest = Math.max(...sheet.rows.map((row) => Number(row[id])));
  added[id] = String(largest + 1);
  for (const row of sheet.rows.slice(0, 3)) row[subject] = `${row[subject]} again`;
  sheet.rows.splice(5, 1);
  sheet.rows.push(added);
  await load(service.database, [deliveries.write('order_hdr.csv', asCsv(sheet))]);
};

describe.each(Object.entries(recipes))('%s', (_, { command, isInstalled, readCopy }) => {
  test.skipIf(!isInstalled)('copies the orders, follows a load, and reports', { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(root, 'run-'));
    const env = { ...process.env, ESTATE_URL: service.url, ESTATE_KEY: keys.nordEnterprise };
    const run = async ([program, ...before]: readonly [string, ...string[]], ...parameters: readonly string[]) =>
      (await promisify(execFile)(program, [...before, ...parameters], { cwd: folder, env, maxBuffer: 2 ** 26 })).stdout;
    const copied = async (): Promise<unknown> =>
      JSON.parse(readCopy ? await run(readCopy) : readFileSync(join(folder, 'orders.json'), 'utf8'));

    await run(command, 'copy');
    expect(await copied()).toEqual(await current());
    await change();
    await run(command, 'delta');
    expect(await copied()).toEqual(await current());
    await run(command, 'delta');
    expect(await copied()).toEqual(await current());
    const { text } = await service.get(`/operations/orders/groups?${reportQuery}`);
    expect(text.split('\r\n').length).toBeGreaterThan(3);
    expect(parsed(await run(command, 'report'))).toEqual(parsed(text));
    const [names, ...year] = parsed(await run(command, 'year')) as unknown[][];
    expect(names).toEqual(['order_id', 'order_date', 'property.city', 'total_net', 'days']);
    expect(year.length).toBeGreaterThan(10);
    expect(year).toEqual(await ordersOfYear());
  });
});

test('DuckDB copies the orders, follows a load, and reports', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(root, 'duckdb-'));
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`set file_search_path = '${folder}'; set timezone = 'UTC'`);
  /** Runs a file of SQL and returns the rows of its last statement. */
  const run = async (name: string): Promise<Row[]> => {
    const statements = await connection.extractStatements(readFileSync(recipe(`duckdb/${name}`), 'utf8'));
    let rows: Row[] = [];
    for (let at = 0; at < statements.count; at++) {
      const statement = await statements.prepare(at);
      rows = (await statement.runAndReadAll()).getRowObjectsJson() as Row[];
    }
    return rows;
  };
  const query = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson() as Row[];
  /** Whole numbers of 64 bits are texts in the rows of DuckDB. */
  const plain = (value: unknown): string => {
    const text = String(value).replace(/^"|"$/g, '');
    // A decimal has the zeros at its end.
    return /^-?\d+\.\d+$/.test(text) ? String(Number(text)) : text;
  };
  const comparable = (rows: readonly Row[]) => rows.map((row) => Object.values(row).map((value) => (value === null ? null : plain(value))));
  const expectCopy = async () => {
    const wanted = await current();
    const names = Object.keys(wanted[0]!);
    const times = new Set(
      (await query('describe orders')).flatMap(({ column_name, column_type }) =>
        String(column_type).startsWith('TIMESTAMP') ? [column_name] : [],
      ),
    );
    const own = await query(
      `select ${names.map((name) => (times.has(name) ? `strftime(${name}, '%Y-%m-%dT%H:%M:%SZ') as ${name}` : name)).join()} from orders order by order_id`,
    );
    expect(comparable(own)).toEqual(comparable(wanted));
  };

  const first = await fetch(`${service.url}/files/orders/latest.parquet`, { headers: { 'X-API-Key': keys.nordEnterprise } });
  writeFileSync(join(folder, 'orders.parquet'), Buffer.from(await first.arrayBuffer()));
  writeFileSync(join(folder, 'orders.version'), first.headers.get('x-data-version')!);
  await run('copy.sql');
  await expectCopy();
  await change();
  for (let n = 0; n < 2; n++) {
    const [{ version } = {}] = await query("select version from copies where name = 'orders'");
    writeFileSync(join(folder, 'delta.json'), (await service.get(`/operations/orders/deltas?since_version=${version}&limit=100000`)).text);
    await run('delta.sql');
    await expectCopy();
  }
  const [names, ...groups] = parsed((await service.get(`/operations/orders/groups?${reportQuery}`)).text) as unknown[][];
  const report = await run('report.sql');
  expect(Object.keys(report[0]!)).toEqual(names);
  expect(
    report.map((row) =>
      Object.values(row).map((value) => (value === null ? '' : Number.isNaN(Number(value)) ? value : Number(Number(value).toFixed(2)))),
    ),
  ).toEqual(groups);
  writeFileSync(join(folder, 'year.csv'), (await service.get(`/operations/orders?${yearQuery}`)).text);
  const year = await run('year.sql');
  expect(comparable(year)).toEqual((await ordersOfYear()).map((row) => row.map((value) => (value === '' ? null : String(value)))));
  connection.closeSync();
  instance.closeSync();
});
