/**
 * A page of 100,000 orders over HTTP compared with the same rows through `psql \copy`, in alternation, on one machine.
 *
 *   DATABASE_URL=postgres://… KEY_SECRET=… npm run bench -- large-page
 *
 * The database needs a customer `bench` (`estate demo --customer bench --scale bench`) and no other clients.
 */
import { execFileSync } from 'node:child_process';
import { config, issueKey } from '../scripts/support/key.ts';
import { memoryOf } from '../scripts/support/process.ts';
import { median, startService } from './service.ts';

const rows = 100_000;
const runs = 7;

/** Milliseconds to the first and the last byte, and the size. */
const readPage = (url: string, key: string) => {
  const output = execFileSync('curl', [
    ...['-sS', '--fail', '-o', '/dev/null', '-w', '%{time_starttransfer} %{time_total} %{size_download}'],
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

const { key, schema, revoke } = await issueKey('bench');
const service = await startService();
const { url } = service;
const pages: ReturnType<typeof readPage>[] = [];
const copies: number[] = [];
for (let run = 0; run <= runs; run++) {
  const page = readPage(url, key);
  const reference = copy(schema);
  // The first run warms up caches.
  if (run > 0) {
    pages.push(page);
    copies.push(reference);
  }
}
const peak = memoryOf(service.process.pid, 'VmHWM');
await service.stop();
await revoke();

const ratios = pages.map((page, run) => page.total / (copies[run] ?? Number.NaN));
console.log(`page of ${rows} orders, ${median(pages.map((page) => page.megabytes)).toFixed(0)} MB, medians of ${runs} runs`);
console.log(`first byte      ${median(pages.map((page) => page.first)).toFixed(0)} ms`);
console.log(`whole page      ${median(pages.map((page) => page.total)).toFixed(0)} ms`);
console.log(`psql \\copy      ${median(copies).toFixed(0)} ms`);
console.log(`ratio           ${median(ratios).toFixed(2)} (from ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`);
console.log(`peak memory     ${peak.toFixed(0)} MB`);
