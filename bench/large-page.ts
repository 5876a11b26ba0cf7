/**
 * A page of 100,000 orders over HTTP against the same rows through `psql \copy`, in turn, on one machine.
 *
 *   DATABASE_URL=postgres://… KEY_SECRET=… npm run bench:large-page
 *
 * The database needs a customer `bench` (`estate demo --customer bench --scale bench`) and nobody else on it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { KeyStore } from '../src/access/keys.ts';
import { readConfig } from '../src/config.ts';
import { migrate } from '../src/database/control.ts';
import { findCustomer } from '../src/database/customers.ts';
import { keySecret, openDatabase } from '../src/service.ts';

const rows = 100_000;
const runs = 7;
const config = readConfig();

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const issueKey = async (): Promise<{ key: string; schema: string; revoke: () => Promise<void> }> => {
  const database = await openDatabase(config);
  await migrate(database.control);
  const customer = await findCustomer(database, 'bench');
  const store = new KeyStore(database, keySecret(config));
  const { id, key } = await store.create({ customer, tier: 'enterprise', name: 'large-page benchmark' });
  return {
    key,
    schema: customer.schema_name,
    revoke: async () => {
      await store.revoke(id);
      await database.close();
    },
  };
};

const startService = async () => {
  const service = spawn('node', ['dist/main.js', 'serve'], {
    env: { ...process.env, PORT: '0', RATE_LIMIT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: service.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url) return { service, url };
  }
  throw new Error('The service did not start');
};

/** Milliseconds to the first byte and to the last, and the bytes between. */
const readPage = (url: string, key: string) => {
  const output = execFileSync('curl', [
    ...['-s', '-o', '/dev/null', '-w', '%{time_starttransfer} %{time_total} %{size_download}'],
    ...['-H', `X-API-Key: ${key}`, `${url}/operations/orders?limit=${rows}`],
  ]);
  const [first = 0, total = 0, size = 0] = String(output).split(' ').map(Number);
  return { first: first * 1000, total: total * 1000, megabytes: size / 1e6 };
};

const copy = (schema: string): number => {
  const started = performance.now();
  execFileSync('psql', [config.DATABASE_URL, '-qc', `\\copy (select * from ${schema}.orders limit ${rows}) to /dev/null`]);
  return performance.now() - started;
};

const { key, schema, revoke } = await issueKey();
const { service, url } = await startService();
const pages: ReturnType<typeof readPage>[] = [];
const copies: number[] = [];
for (let run = 0; run <= runs; run++) {
  const page = readPage(url, key);
  const reference = copy(schema);
  // The first of each warms caches.
  if (run > 0) {
    pages.push(page);
    copies.push(reference);
  }
}
const [peak = '?'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.slice(1) ?? [];
service.kill();
await once(service, 'exit');
await revoke();

const ratios = pages.map((page, run) => page.total / (copies[run] ?? Number.NaN));
console.log(`page of ${rows} orders, ${median(pages.map((page) => page.megabytes)).toFixed(0)} MB, medians of ${runs} runs`);
console.log(`first byte      ${median(pages.map((page) => page.first)).toFixed(0)} ms`);
console.log(`whole page      ${median(pages.map((page) => page.total)).toFixed(0)} ms`);
console.log(`psql \\copy      ${median(copies).toFixed(0)} ms`);
console.log(`ratio           ${median(ratios).toFixed(2)} (from ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`);
console.log(`peak memory     ${(Number(peak) / 1024).toFixed(0)} MB`);
