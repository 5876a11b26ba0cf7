/**
 * Compares pages, documents and small responses of this checkout with those of a commit, in alternation, over one database.
 *
 *   DATABASE_URL=postgres://… npm run bench:page -- <commit> [rounds [<beginning of a workload's name>…]]
 *
 * The commit creates and fills a temporary database, because it may not accept a control schema of later versions. Its service starts first
 * for the same reason. Both versions are built and run with the libraries of this checkout, with quota and log. Requests vary, so that no
 * response comes from the cache.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { Server } from '../tools/server.ts';
import { checkOut, makeBenchDatabase, withCleanup } from '../tools/versions.ts';
import { bodyOf, type HttpRequest } from './client.ts';
import { type Measured, measureInRounds } from './rounds.ts';
import { startProductionService } from './service.ts';
import { filteredWorkload, listWorkloads } from './workloads.ts';

const [commit, rounds = '21', ...beginnings] = process.argv.slice(2);
if (!commit) {
  console.error('Usage: npm run bench:page -- <commit> [rounds [<piece of work>…]]');
  process.exit(2);
}
const options = { rounds: Number(rounds), roundMs: 250 };

/** `/catalog` differs on purpose: since 1.2.0 it also lists the raw tables. */
const isCompared = ({ path }: HttpRequest): boolean => path !== '/catalog';

await withCleanup(async (cleanup) => {
  const folder = checkOut(commit, cleanup);
  execFileSync('node', ['scripts/build.mjs'], { cwd: folder, stdio: 'inherit' });
  const { environment, key } = await makeBenchDatabase(folder, cleanup);
  console.log(`Medians of ${options.rounds} rounds; from one quarter of the rounds to the other in brackets`);
  const servers: Server[] = [];
  for (const from of [folder, process.cwd()]) {
    const server = await startProductionService({ folder: from, environment });
    cleanup.push(server.stop);
    servers.push(server);
  }
  const [there, here] = servers as [Server, Server];
  const headers = { 'X-API-Key': key };
  const work = [...(await listWorkloads(there, headers)), await filteredWorkload(there, headers)];
  const chosen = work.filter(({ id }) => beginnings.length === 0 || beginnings.some((beginning) => id.startsWith(beginning)));
  for (const { id, name, asks, same, before: others, connections, warmUp } of chosen) {
    for (const request of (same.service ?? []).filter(isCompared)) {
      const [now, before] = [await bodyOf(here, request), await bodyOf(there, request)];
      // Documents are compared by value, because 1.0.0 wrote numbers without trailing zeros.
      if (request.path === '/graphql') assert.deepEqual(JSON.parse(now).data, JSON.parse(before).data, id);
      else assert.equal(now, before, id);
    }
    const contenders = [here, there].map((server) => ({ server, ask: asks.service!, before: others }));
    const [now, before] = (await measureInRounds(contenders, { ...options, connections, warmUp })) as [Measured, Measured];
    const [low, high] = now.quartiles.map((ratio) => ratio.toFixed(2));
    console.log(
      `${id.padEnd(10)} ${name.padEnd(42)} ${now.time.toFixed(2)} ms here, ${before.time.toFixed(2)} ms there: ` +
        `${now.ratio.toFixed(3)} of its time (${low} to ${high}), ${now.cpuRatio.toFixed(3)} of CPU time`,
    );
  }
});
