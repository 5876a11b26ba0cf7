/** Loads of a million orders: the first, the same file again, half of it changed; compared with plain SQL. */
import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import { estate, type Figure, megabytes, seconds, timeOf, withCustomer } from './estate.ts';

const rows = 1_000_000;
const columns = Object.entries(rawTables.order_hdr.columns);

const sampleValue = (column: string, type: string, row: number): string => {
  if (column === 'order_hdr_id') return String(row + 1);
  if (column === 'property_id') return String(1001 + (row % 500));
  if (type.startsWith('integer')) return String((row * 7) % 9973);
  if (type.startsWith('numeric(5')) return String(row % 100);
  if (type.startsWith('numeric')) return `${(row * 13) % 100_000}.${10 + (row % 90)}`;
  if (type.startsWith('boolean')) return row % 9 === 0 ? 'true' : 'false';
  if (type.startsWith('date')) return `2024-${String(1 + (row % 12)).padStart(2, '0')}-15`;
  if (type.startsWith('timestamptz')) return '2024-11-30T03:00:00Z';
  return row % 5 === 0 ? '' : `${column.slice(0, 6)} ${row % 1000}`;
};

/** A CSV file of orders. Every `changedEach`-th subject differs from the previous delivery. */
const writeOrders = (path: string, changedEach?: number): Promise<void> => {
  const subject = columns.findIndex(([name]) => name === 'subject');
  function* lines() {
    yield `${columns.map(([name]) => name).join()}\n`;
    let chunk = '';
    for (let row = 0; row < rows; row++) {
      const values = columns.map(([name, type]) => sampleValue(name, type, row) || (type.endsWith('not null') ? 'x' : ''));
      if (changedEach && row % changedEach === 0) values[subject] = 'changed';
      chunk += `${values.join()}\n`;
      if (chunk.length < 1 << 20) continue;
      yield chunk;
      chunk = '';
    }
    yield chunk;
  }
  return pipeline(lines(), createWriteStream(path));
};

const psql = (url: string, ...commands: readonly string[]): string =>
  execFileSync('psql', [url, '-qAtX', '-v', 'ON_ERROR_STOP=1', ...commands.flatMap((command) => ['-c', command])], {
    encoding: 'utf8',
    env: { ...process.env, PGOPTIONS: '-c client_min_messages=warning' },
  });

/** Seconds to copy the file into a new raw table, and to fill a new category table, both with all indexes. */
export const copySeconds = async (url: string, file: string, raw: string, category: string): Promise<number> => {
  const tables = [raw, category];
  const definitions = psql(
    url,
    `select indexdef from pg_indexes where schemaname = 'customer_bench' and tablename in ('${raw}', '${category}') order by tablename, indexname`,
  );
  const indexes = definitions.trim().split('\n');
  const time = await timeOf(async () =>
    psql(
      url,
      'create schema copied',
      ...tables.map((table) => `create table copied.${table} (like customer_bench.${table} including defaults)`),
      `\\copy copied.${raw} from '${file}' with (format csv, header)`,
      `insert into copied.${category} select * from customer_bench.${category}`,
      ...indexes.map((index) => index.replace(' ON customer_bench.', ' ON copied.')),
    ),
  );
  psql(url, 'drop schema copied cascade');
  return time / 1000;
};

const loads = [
  ['first load', undefined],
  ['the same file again', undefined],
  ['every 100th row changed', 100],
  ['half of the rows changed', 2],
] as const;

export const measure = (): Promise<Figure[]> =>
  withCustomer(async (location, url) => {
    const folder = mkdtempSync(join(tmpdir(), 'estate-bench-'));
    const file = join(folder, 'order_hdr.csv');
    const figures: Figure[] = [];
    try {
      for (const [what, changedEach] of loads) {
        await writeOrders(file, changedEach);
        const { seconds: time, memory } = await estate(location, 'sync', 'bench', file);
        const copied = await copySeconds(url, file, 'order_hdr', 'orders');
        const against = `${(time / copied).toFixed(2)} of \`\\copy\` into new tables with their indexes (${seconds(copied)})`;
        figures.push([`1,000,000 orders: ${what}`, `${seconds(time)}, ${against}, peak ${megabytes(memory)}`]);
      }
      return figures;
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
