/**
 * Compares the service with the baseline (`baseline.ts`), a straightforward server, and resolvers with DataLoader. All run the same
 * workloads in alternation. Their responses are compared first. The service checks keys and quotas and writes its log.
 *
 *   DATABASE_URL=postgres://… KEY_SECRET=… npm run bench -- workloads [<beginning of a workload's name>…]
 *
 * The database needs a customer `bench` (`estate demo --customer bench --scale bench`) and no other clients. The results of all workloads
 * are written to `docs/performance.md`. `ROUNDS` is the number of rounds.
 */
import assert from 'node:assert/strict';
import { issueKey } from '../scripts/support/key.ts';
import { memoryOf } from '../scripts/support/process.ts';
import { type Server, startServer } from '../scripts/support/server.ts';
import { bodyOf, Client } from './client.ts';
import { line, type Result, writeResults } from './report.ts';
import { type Contender, measureInRounds } from './rounds.ts';
import { median, startProductionService } from './service.ts';
import { listWorkloads, type Peer, type Workload } from './workloads.ts';

const rounds = Number(process.env.ROUNDS ?? 7);
const roundMs = 1_000;
const coldRequests = 100;
const coldStarts = 3;

const { key, schema, revoke } = await issueKey('bench');
const start = (peer: Peer): Promise<Server> => {
  if (peer === 'service') return startProductionService();
  const scripts = { baseline: 'baseline.ts', straightforward: 'straightforward.ts', resolvers: 'resolvers.ts' };
  const environment = { CUSTOMER_SCHEMA: schema, NODE_ENV: 'production' };
  return startServer(peer, ['--import', 'tsx', `bench/${scripts[peer]}`], { environment });
};

/** Pages of the baseline are equal byte for byte. The other servers return the same values. */
const assertSame = async (work: Workload, servers: ReadonlyMap<Peer, Server>): Promise<void> => {
  for (const [at, request] of (work.same.service ?? []).entries()) {
    const ours = await bodyOf(servers.get('service')!, request);
    const isGraphql = request.path === '/graphql';
    for (const [peer, server] of servers) {
      const theirs = await bodyOf(server, work.same[peer]![at]!);
      if (theirs === ours) continue;
      if (isGraphql) assert.deepEqual(JSON.parse(theirs).data, JSON.parse(ours).data, `${work.id} of ${peer}`);
      else if (peer === 'baseline') assert.fail(`${work.id} of ${peer}`);
      else assert.deepEqual(JSON.parse(theirs), JSON.parse(ours), `${work.id} of ${peer}`);
    }
  }
};

/** Milliseconds per response among the first responses of a process. */
const coldTime = async ({ asks, connections }: Workload): Promise<number> => {
  const server = await start('service');
  const clients = await Promise.all(Array.from({ length: connections }, () => Client.to(server.url)));
  const begun = performance.now();
  let turn = 0;
  const lane = async (client: Client) => {
    while (turn < coldRequests) await asks.service!(client, turn++);
  };
  await Promise.all(clients.map(lane));
  const time = (performance.now() - begun) / coldRequests;
  for (const client of clients) client.close();
  await server.stop();
  return time;
};

const measure = async (work: Workload): Promise<Result> => {
  const { id, name, connections, asks, before, warmUp, isLarge } = work;
  const peers = Object.keys(asks) as Peer[];
  const servers = new Map<Peer, Server>();
  try {
    for (const peer of peers) servers.set(peer, await start(peer));
    await assertSame(work, servers);
    const firstBytes = new Map<Peer, number[]>();
    const contenders = peers.map((peer): Contender => {
      const ask = asks[peer]!;
      const seen: number[] = [];
      const noted: Contender['ask'] = async (client, turn) => {
        const answer = await ask(client, turn);
        if (!answer) return;
        seen.push(answer.firstByte);
        firstBytes.set(peer, seen);
      };
      return { server: servers.get(peer)!, ask: isLarge ? noted : ask, before: peer === 'service' ? before : undefined };
    });
    const firstByteOf = (peer: Peer) => median(firstBytes.get(peer) ?? []);
    const measured = await measureInRounds(contenders, { rounds, roundMs, connections, warmUp });
    const memory = Object.fromEntries(peers.map((peer) => [peer, memoryOf(servers.get(peer)!.process.pid, 'VmHWM')]));
    const times = Object.fromEntries(peers.map((peer, at) => [peer, measured[at]!]));
    const cold: number[] = [];
    if (!isLarge) for (let turn = 0; turn < coldStarts; turn++) cold.push(await coldTime(work));
    return {
      id,
      name,
      connections,
      times,
      memory,
      ...(cold.length > 0 && { cold: median(cold) / times.service!.time }),
      ...(firstBytes.size > 0 && { firstByte: { service: firstByteOf('service'), baseline: firstByteOf('baseline') } }),
    };
  } finally {
    for (const server of servers.values()) await server.stop();
  }
};

try {
  const asked = process.argv.slice(2);
  const probe = await start('service');
  const list = await listWorkloads(probe, { 'X-API-Key': key });
  await probe.stop();
  const chosen = asked.length === 0 ? list : list.filter(({ id }) => asked.some((beginning) => id.startsWith(beginning)));
  const results: Result[] = [];
  for (const work of chosen) {
    const result = await measure(work);
    results.push(result);
    console.log(line(result));
  }
  if (asked.length === 0) writeResults(results, rounds);
} finally {
  await revoke();
}
