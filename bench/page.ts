/**
 * Compares pages, documents and small responses of this checkout with those of commits, in alternation, over one database.
 *
 *   DATABASE_URL=postgres://… npm run bench -- page <commit>[,<later commit>…] [rounds [<beginning of a workload's name>…]]
 *
 * The first commit creates and fills a temporary database, because it may not accept a control schema of later versions. Its service starts
 * first for the same reason. Each version is built and runs with its own libraries, with quota and log. Requests vary, so that no response comes
 * from the cache.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { Server } from '../scripts/support/server.ts';
import { checkOut, makeBenchDatabase, withCleanup } from '../scripts/support/versions.ts';
import { bodyOf, type HttpRequest } from './client.ts';
import { type Measured, measureInRounds } from './rounds.ts';
import { startProductionService } from './service.ts';
import { filteredWorkload, listWorkloads, pagesWorkload } from './workloads.ts';

const [commits, rounds = '21', ...beginnings] = process.argv.slice(2);
if (!commits) {
  console.error('Usage: npm run bench -- page <commit>[,<later commit>…] [rounds [<piece of work>…]]');
  process.exit(2);
}
const options = { rounds: Number(rounds), roundMs: 250 };

/** Rows of this checkout without the columns that the earlier version does not have, which are the last ones. */
const withColumnsOf = (now: string, before: string): string => {
  const [rows, earlier] = [now, before].map((text) => JSON.parse(text));
  if (!Array.isArray(rows) || !earlier[0]) return now;
  const added = Object.keys(rows[0]).slice(Object.keys(earlier[0]).length);
  const members = added.map((name) => `,"${name}":(?:null|"(?:[^"\\\\]|\\\\.)*")`);
  return added.length > 0 ? now.replaceAll(new RegExp(members.join(''), 'g'), '') : now;
};

/** `/catalog` differs on purpose: since 1.2.0 it also lists the raw tables. */
const isCompared = ({ path }: HttpRequest): boolean => path !== '/catalog';

await withCleanup(async (cleanup) => {
  const versions = commits.split(',');
  const folders = versions.map((commit) => checkOut(commit, cleanup, 'own'));
  for (const folder of folders) execFileSync('node', ['scripts/build.mjs'], { cwd: folder, stdio: 'inherit' });
  const { environment, key } = await makeBenchDatabase(folders[0]!, cleanup);
  console.log(`Medians of ${options.rounds} rounds; from one quarter of the rounds to the other in brackets`);
  const servers: Server[] = [];
  for (const from of [...folders, process.cwd()]) {
    const server = await startProductionService({ folder: from, environment });
    cleanup.push(server.stop);
    servers.push(server);
  }
  const [oldest] = servers as [Server];
  const here = servers.at(-1)!;
  const headers = { 'X-API-Key': key };
  const work = [...(await listWorkloads(oldest, headers)), await filteredWorkload(oldest, headers), pagesWorkload];
  const chosen = work.filter(({ id }) => beginnings.length === 0 || beginnings.some((beginning) => id.startsWith(beginning)));
  for (const { id, name, asks, same, before: others, connections, warmUp } of chosen) {
    for (const request of (same.service ?? []).filter(isCompared)) {
      const [now, before] = [await bodyOf(here, request), await bodyOf(oldest, request)];
      // Documents are compared by value, because 1.0.0 wrote numbers without trailing zeros.
      if (request.path === '/graphql') assert.deepEqual(JSON.parse(now).data, JSON.parse(before).data, id);
      else assert.equal(withColumnsOf(now, before), before, id);
    }
    // This checkout is the reference, so that one run has its ratio to each of the others.
    const contenders = servers.map((server) => ({ server, ask: asks.service!, before: others }));
    const results = await measureInRounds(contenders, { ...options, connections, warmUp });
    const now = results.at(-1)!;
    versions.forEach((version, index) => {
      const { time, ratio, quartiles, cpuRatio } = results[index] as Measured;
      const [high, low] = quartiles.map((theirs) => (1 / theirs).toFixed(2));
      console.log(
        `${id.padEnd(10)} ${name.padEnd(42)} ${now.time.toFixed(2)} ms here, ${time.toFixed(2)} ms at ${version}: ` +
          `${(1 / ratio).toFixed(3)} of its time (${low} to ${high}), ${(1 / cpuRatio).toFixed(3)} of CPU time (${now.cpu.toFixed(3)} ms here)`,
      );
    });
  }
});
