/**
 * Loads a million orders into a customer of its own on the server that DATABASE_URL names, then the same file with a few
 * rows changed, and says how long each took and how much memory the loader needed.
 *
 *   DATABASE_URL=postgres://… npx tsx bench/sync/million-orders.ts [rows]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import { temporaryDatabase } from './temporary-database.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
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

/** A CSV file of orders; every `changedEach`-th subject is another one. */
const writeOrders = (path: string, changedEach?: number): Promise<void> => {
  function* lines() {
    yield `${columns.map(([name]) => name).join()}\n`;
    let chunk = '';
    for (let row = 0; row < rows; row++) {
      const values = columns.map(([name, type]) => sampleValue(name, type, row) || (type.endsWith('not null') ? 'x' : ''));
      if (changedEach && row % changedEach === 0) values[columns.findIndex(([name]) => name === 'subject')] = 'changed';
      chunk += `${values.join()}\n`;
      if (chunk.length < 1 << 20) continue;
      yield chunk;
      chunk = '';
    }
    yield chunk;
  }
  return pipeline(lines(), createWriteStream(path));
};

/** Runs the command line; gives back its JSON, its seconds and its peak memory in MB. */
const run = async (url: string, ...parameters: readonly string[]) => {
  const started = performance.now();
  const child = spawn(process.execPath, ['bin/estate.js', ...parameters, '--json'], {
    env: { ...process.env, DATABASE_URL: url, KEY_SECRET: 'a secret for the benchmark' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let peak = 0;
  const watch = setInterval(() => {
    try {
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0));
    } catch {
      // It has just ended.
    }
  }, 100);
  const output = await text(child.stdout);
  if (child.exitCode === null) await once(child, 'exit');
  clearInterval(watch);
  if (child.exitCode !== 0) throw new Error(`estate ${parameters[0]} failed`);
  return { result: JSON.parse(output), seconds: (performance.now() - started) / 1000, memory: peak / 1024 };
};

const folder = mkdtempSync(join(tmpdir(), 'estate-bench-'));
const { url, drop } = await temporaryDatabase();
try {
  const file = join(folder, 'order_hdr.csv');
  await run(url, 'customer', 'add', 'bench', '--name', 'Bench', '--tier', 'enterprise');
  for (const [what, changedEach] of [
    ['first load', undefined],
    ['the same again', undefined],
    ['every 100th row changed', 100],
  ] as const) {
    await writeOrders(file, changedEach);
    const { seconds, memory, result } = await run(url, 'sync', 'bench', file);
    const [raw] = result.tables;
    process.stdout.write(
      `${what}: ${seconds.toFixed(1)} s, ${Math.round(rows / seconds).toLocaleString('en')} rows/s, ${memory.toFixed(0)} MB, ` +
        `${raw.inserted} inserted, ${raw.updated} updated, ${raw.deleted} deleted\n`,
    );
  }
} finally {
  await drop();
  rmSync(folder, { recursive: true });
}
