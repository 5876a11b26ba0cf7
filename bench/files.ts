/**
 * Builds the files of a table while small requests are sent at a fixed rate: the memory of the service, and the times of the
 * requests compared with those without a build.
 *
 *   DATABASE_URL=postgres://… KEY_SECRET=… npm run bench -- files bench booking_positions
 *
 * The arguments are a customer, one of its category tables, and formats (default: all). The database needs no other clients.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueKey } from '../scripts/support/key.ts';
import { memoryOf } from '../scripts/support/process.ts';
import { fileFormats } from '../src/files/formats.ts';
import { fetchAnswer } from './client.ts';
import { quantile, startService } from './service.ts';

const [customer = 'bench', table = 'booking_positions', ...formats] = process.argv.slice(2);
const requestsPerSecond = 40;
const warmSeconds = 5;
const quietSeconds = 25;
const memoryEveryMs = 50;

const folder = mkdtempSync(join(tmpdir(), 'estate-bench-files-'));
const { key, revoke } = await issueKey(customer);
const service = await startService({ environment: { FILES_DIR: folder }, ...(process.env.FOLDER && { folder: process.env.FOLDER }) });
const headers = { 'X-API-Key': key };

/** Sends small requests until `isOver`, each at its time. Returns their times in milliseconds. */
const sendUntil = async (isOver: () => boolean): Promise<number[]> => {
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const begun = performance.now();
  for (let at = 0; !isOver(); at++) {
    await sleep(Math.max(0, begun + (at * 1_000) / requestsPerSecond - performance.now()));
    const started = performance.now();
    // No offset repeats soon, so the response cache does not answer.
    const answer = fetchAnswer(`${service.url}/property/property_structure?limit=20&offset=${(at * 7) % 5_000}`, { headers });
    pending.push(
      answer
        .then((response) => response.text())
        .then(() => {
          times.push(performance.now() - started);
        }),
    );
  }
  await Promise.all(pending);
  return times;
};

const build = async (format: string) => {
  const started = performance.now();
  const { url } = await fetchAnswer(`${service.url}/files/${table}/latest.${format}`, { headers }, 200, 202);
  const ask = () => fetchAnswer(url, { headers, method: 'HEAD' }, 200, 202);
  let response = await ask();
  while (response.status === 202) {
    await sleep(200);
    response = await ask();
  }
  return { seconds: (performance.now() - started) / 1_000, megabytes: Number(response.headers.get('Content-Length')) / 1e6 };
};

const p99 = (times: readonly number[]): number => quantile(times, 0.99);
const describeTimes = (times: readonly number[]): string =>
  `p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${p99(times).toFixed(1)} ms of ${times.length} requests`;

const quietFor = (seconds: number) => {
  const end = performance.now() + seconds * 1_000;
  return sendUntil(() => performance.now() > end);
};

/** Samples the memory of the service in megabytes. Returns the peak since the last call. */
let highest = 0;
const sampling = setInterval(() => {
  highest = Math.max(highest, memoryOf(service.process.pid, 'VmRSS'));
}, memoryEveryMs);
const peak = (): number => {
  const megabytes = highest;
  highest = 0;
  return megabytes;
};

await quietFor(warmSeconds);
peak();
const quiet = await quietFor(quietSeconds);
console.log(`without a build    ${describeTimes(quiet)}; memory ${peak().toFixed(0)} MB`);
for (const format of formats.length > 0 ? formats : fileFormats) {
  let isBuilt = false;
  const [times, { seconds, megabytes }] = await Promise.all([sendUntil(() => isBuilt), build(format).finally(() => (isBuilt = true))]);
  const ratio = (p99(times) / p99(quiet)).toFixed(2);
  console.log(
    `${format.padEnd(18)} ${seconds.toFixed(1)} s, ${megabytes.toFixed(1)} MB; ${describeTimes(times)}, ${ratio} × quiet; peak ${peak().toFixed(0)} MB`,
  );
}
clearInterval(sampling);
await service.stop();
await revoke();
rmSync(folder, { recursive: true });
