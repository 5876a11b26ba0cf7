/**
 * Compares the answers of this checkout with those of a commit, byte for byte, after a change that should change none.
 *
 *   DATABASE_URL=postgres://… npm run same-answers -- <commit>
 *
 * The commit creates and fills a temporary database, because it may not accept a control schema of later versions. Both versions run as
 * processes over it. The requests follow from the catalogue, and from rows, cursors and versions that the commit's service returns. This
 * checkout gets each request twice, because responses are cached. Prints the differences. Exits with 1 if there is one, or if a request
 * does not have its expected kind of answer.
 */
import { Agent } from 'node:http';
import { type Cleanup, checkOut, estate, makeDatabase, startVersion } from '../tools/versions.ts';
import { type ApiRequest, createClient, describe, differences, isExpected, mapConcurrently, type Send } from './same-answers/client.ts';
import { graphqlRequests } from './same-answers/graphql.ts';
import { rawRequests, serviceRequests, tableRequests } from './same-answers/rest.ts';
import { readRawSamples, readSamples } from './same-answers/samples.ts';
import { loadAgain } from './same-answers/second-load.ts';

const listQuestions = async (send: Send): Promise<readonly ApiRequest[]> => {
  const samples = await readSamples(send);
  const raw = await readRawSamples(send);
  return [...samples.flatMap(tableRequests), ...raw.flatMap(rawRequests), ...serviceRequests(), ...(await graphqlRequests(send, samples))];
};

const compare = async (first: Send, second: Send, stop: AbortSignal): Promise<boolean> => {
  const requests = await listQuestions(first);
  const statuses = new Map<number, number>();
  let differ = 0;
  let notMeant = 0;
  await mapConcurrently(requests, async (request) => {
    stop.throwIfAborted();
    const [before, after, again] = [await first(request), await second(request), await second(request)];
    statuses.set(before.status, (statuses.get(before.status) ?? 0) + 1);
    if (!isExpected(request, before)) {
      notMeant++;
      console.log(`${describe(request)}: answered ${before.status}, which is not what it asks for: ${before.body.subarray(0, 300)}`);
    }
    // The second answer may come from the response cache.
    const found = [...differences(before, after), ...differences(before, again).map((difference) => `again: ${difference}`)];
    if (found.length === 0) return;
    differ++;
    console.log(`${describe(request)}: ${found.join('; ')}`);
  });
  const sorted = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status} × ${count}`);
  console.log(`Answers: ${sorted.join(', ')}`);
  console.log(`${requests.length} requests, ${differ} differ`);
  return differ === 0 && notMeant === 0;
};

const run = async (commit: string, stop: AbortSignal, cleanup: Cleanup): Promise<boolean> => {
  const agent = new Agent({ keepAlive: true });
  cleanup.push(() => agent.destroy());
  const folder = checkOut(commit, cleanup);
  const { environment, keys } = await makeDatabase(folder, cleanup);
  const first = await startVersion(folder, environment, cleanup);
  const send = createClient(first, keys, agent);
  await loadAgain(send, (...args) => estate(folder, environment, ...args));
  const second = await startVersion(process.cwd(), environment, cleanup);
  stop.throwIfAborted();
  return compare(send, createClient(second, keys, agent), stop);
};

const [commit, ...rest] = process.argv.slice(2);
if (!commit || commit.startsWith('-') || rest.length > 0) {
  console.error('Usage: npm run same-answers -- <commit>');
  process.exit(2);
}
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort(new Error(`Stopped by ${signal}`)));
const cleanup: Cleanup = [];
try {
  process.exitCode = (await run(commit, stopping.signal, cleanup)) ? 0 : 1;
} finally {
  for (const step of cleanup.reverse()) await step();
}
