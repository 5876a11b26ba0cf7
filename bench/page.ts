/**
 * Compares pages, documents and small responses of this checkout with those of a commit, in turn, over one database.
 *
 *   DATABASE_URL=postgres://… npm run bench:page -- <commit> [rounds [<beginning of a piece's name>…]]
 *
 * The database is made for the purpose and filled by the commit, which may not know what a later one makes of the control schema; its
 * service starts first for the same reason. Both are built and run with this checkout's libraries, with quota and log. No page is asked
 * for again soon, so that none comes from what an instance keeps.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { Server } from '../tools/server.ts';
import { type Cleanup, checkOut, makeBenchDatabase } from '../tools/versions.ts';
import { bodyOf } from './client.ts';
import { type Measured, measureInRounds } from './rounds.ts';
import { startProductionService } from './service.ts';
import { filteredWorkload, listWorkloads } from './workloads.ts';

const [commit, rounds = '21', ...beginnings] = process.argv.slice(2);
if (!commit) {
  console.error('Usage: npm run bench:page -- <commit> [rounds [<piece of work>…]]');
  process.exit(2);
}
const options = { rounds: Number(rounds), roundMs: 250 };

const cleanup: Cleanup = [];
try {
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
    for (const request of same.service ?? []) {
      const [now, before] = [await bodyOf(here, request), await bodyOf(there, request)];
      // Of documents the values: 1.0.0 wrote numbers without the zeros that they end in.
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
} finally {
  for (const step of cleanup.reverse()) await step();
}
