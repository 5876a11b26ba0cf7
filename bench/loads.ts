/**
 * The cost of checks in loads: a million clean rows of persons through the checks into a staging table, against `\copy` of the same file.
 * Usage: DATABASE_URL=… npm run bench -- loads. The ratio is of one run; the memory is the largest of this process.
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { rawTables } from '../src/catalogue/raw/index.ts';
import { partsOf } from '../src/catalogue/raw-table.ts';
import { plainFile } from '../src/sync/staging/plain-file.ts';

const address = process.env.DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/postgres';
const rowCount = Number(process.env.ROWS ?? 1_000_000);
const rounds = 3;
const path = `/tmp/estate-bench-${process.pid}.csv`;
const table = 'estate_bench_loads';
const raw = rawTables.person;
const columns = Object.entries(raw.columns).map(([name, column]) => [name, partsOf(column)] as const);

const values: Readonly<Record<string, (row: number) => string>> = {
  integer: String,
  text: (row) => (row % 3 === 0 ? `"Straße ""${row}"""` : `Musterweg ${row % 100}`),
  date: (row) => `19${50 + (row % 50)}-0${1 + (row % 9)}-1${row % 10}`,
  timestamptz: (row) => `2024-0${1 + (row % 9)}-1${row % 10} 12:34:56+00`,
  boolean: (row) => (row % 2 === 0 ? 't' : 'f'),
};

function* lines() {
  let chunk = `${columns.map(([name]) => name).join()}\n`;
  for (let row = 1; row <= rowCount; row++) {
    chunk += `${columns.map(([, { type }]) => (values[type] ?? values.integer!)(row)).join()}\n`;
    if (chunk.length < 1e6) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

const client = new pg.Client(address);
await client.connect();
const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  await client.query(`drop table if exists ${table}`);
  await client.query(`create unlogged table ${table} (${columns.map(([name, { type }]) => `${name} ${type}`).join()})`);
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
};

const checked = async () => {
  const rows = plainFile({ path, name: 'person.csv', table: 'person', format: 'csv', compression: undefined, purpose: 'rows' });
  const names = await rows.readColumns();
  const target = { table: 'person', key: raw.key, tier: raw.tier, columns: new Map(columns), unique: [], isNew: false };
  const input = rows.copyText(names, { target, timeZone: undefined, read: () => {}, seen: () => {} });
  await pipeline(Readable.from(input), client.query(copyFrom(`copy ${table} (${names.join()}) from stdin (format csv, header true)`)));
};
const plain = async () => {
  const { status, stderr } = spawnSync('psql', ['-qX', address, '-c', `\\copy ${table} from '${path}' (format csv, header true)`]);
  if (status !== 0) throw new Error(String(stderr));
};

try {
  await pipeline(Readable.from(lines()), createWriteStream(path));
  for (let round = 1; round <= rounds; round++) {
    const [copy, load] = [await seconds(plain), await seconds(checked)];
    const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
    console.log(`\\copy ${copy.toFixed(2)} s, checked ${load.toFixed(2)} s, ratio ${(load / copy).toFixed(2)}, memory ${megabytes} MB`);
  }
} finally {
  rmSync(path, { force: true });
  await client.query(`drop table if exists ${table}`);
  await client.end();
}
