/**
 * Answers of the service on Citus, compared with answers of the service on plain PostgreSQL.
 *
 *   npm run bench -- citus [rounds] [connections] [kind of request]
 *
 * It starts a coordinator and two workers, and a plain database on the coordinator's server. Three services have the same rows, and take
 * turns: on Citus with reads at the nodes and through the coordinator, and on the plain database. No answer comes from the response cache. Without the extension it does nothing.
 */
import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { createClient } from '../../scripts/same-answers/client.ts';
import { loadAgain } from '../../scripts/same-answers/second-load.ts';
import { startNodes, withCitus } from '../../scripts/support/citus.ts';
import type { Server } from '../../scripts/support/server.ts';
import { type Cleanup, estate, fillDatabase } from '../../scripts/support/versions.ts';
import { bodyOf, type HttpRequest } from '../client.ts';
import { measureInRounds } from '../rounds.ts';
import { startProductionService } from '../service.ts';

const rounds = Number(process.argv[2] ?? 15);
const connections = Number(process.argv[3] ?? 1);
const only = process.argv[4];

const graphql = (query: string): HttpRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ query }),
});

/** The kinds of requests. `n` is different for each request of a kind. */
const kinds: Readonly<Record<string, (n: number) => HttpRequest>> = {
  'page of 100 rows': (n) => ({ path: `/operations/orders?limit=100&offset=${n}` }),
  'filtered page': (n) => ({ path: `/operations/orders?property_id=${1_001 + n}&limit=100` }),
  '1,000 raw rows': (n) => ({ path: `/raw/person?limit=${1_000 - n}` }),
  groups: (n) => ({ path: `/operations/orders/groups?by=status,order_type&sum=total_net&limit=${100 + n}` }),
  'nested GraphQL': (n) =>
    graphql(`{ properties(first: ${10 + n}) { nodes { propertyId orders(first: 10) { nodes { orderId creditor { name } } } } } }`),
  'large page': (n) => ({ path: `/operations/orders?limit=${3_000 - n}` }),
  delta: (n) => ({ path: `/raw/person/deltas?since_version=1&limit=${100 + n}` }),
};
const variants = 20;

interface Contender {
  readonly server: Server;
  readonly key: string;
}

/** Fills a database, and starts a service on it for each of the given settings. */
const start = async (url: string, settings: readonly object[], agent: Agent, cleanup: Cleanup): Promise<readonly Contender[]> => {
  const { environment, keys } = fillDatabase(process.cwd(), url, 'a secret of both services, of 32 bytes or more');
  const contenders: Contender[] = [];
  for (const more of settings) {
    const server = await startProductionService({
      environment: { ...environment, RATE_LIMIT: '1000000000', RESPONSE_CACHE_MB: '0', ...more },
    });
    cleanup.push(server.stop);
    contenders.push({ server, key: keys.enterprise });
  }
  const [first] = contenders;
  await loadAgain(createClient(first!.server.url, keys, agent), (...args) => estate(process.cwd(), environment, ...args));
  return contenders;
};

/** Values that differ between two databases with the same rows. */
const withoutTimes = (body: string): string => body.replaceAll(/"(?:synced_at|generated_at)":"[^"]*"/g, '');

const run = async (binaries: string, cleanup: Cleanup): Promise<void> => {
  const agent = new Agent({ keepAlive: true });
  cleanup.push(() => agent.destroy());
  const nodes = await startNodes(binaries, cleanup);
  const all = [
    ...(await start(nodes.address, [{ NODE_READS: 'on' }, { NODE_READS: 'off' }], agent, cleanup)),
    ...(await start(nodes.plain, [{}], agent, cleanup)),
  ];
  for (const [name, requestOf] of Object.entries(kinds)) {
    if (only && only !== name) continue;
    const requests = all.map(({ key }) =>
      Array.from({ length: variants }, (_, n) => {
        const { headers, ...request } = requestOf(n);
        return { ...request, headers: { ...headers, 'X-API-Key': key } };
      }),
    );
    const bodies = await Promise.all(all.map(({ server }, at) => bodyOf(server, requests[at]![0]!)));
    for (const body of bodies) assert.equal(withoutTimes(body), withoutTimes(bodies[0]!), name);
    const measured = await measureInRounds(
      all.map(({ server }, at) => ({ server, ask: (client, turn) => client.ask(requests[at]![turn % variants]!) })),
      { rounds, connections, roundMs: 500, warmUp: 300 },
    );
    const cells = measured
      .slice(0, 2)
      .map(({ time, ratio, quartiles: [low, high], cpuRatio }) =>
        [`${time.toFixed(2)} ms`, `${ratio.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`, cpuRatio.toFixed(2)].join(' | '),
      );
    console.log(`| ${name} | ${measured.at(-1)!.time.toFixed(2)} ms | ${cells.join(' | ')} |`);
  }
};

await withCitus(run);
