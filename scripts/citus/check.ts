/**
 * The service on Citus, against plain PostgreSQL and against faults:
 *
 *   npm run citus [-- check <number of answers> [coordinator]]
 *
 * The service reads at the nodes (NODE_READS=on), with `coordinator` through the coordinator.
 * It starts a coordinator and two workers from the installed extension. It compares the answers of the service on both, loads exports with their
 * sources on both, reads beside loads, moves a customer during reads and loads, and stops, freezes and slows a worker. Ends with 1 if anything is wrong. Without the extension it does nothing.
 */
import { Agent } from 'node:http';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { poolOptions } from '../../test/support/settings.ts';
import { createClient, type Send } from '../same-answers/client.ts';
import { compare, type MoreRequests } from '../same-answers/compare.ts';
import { loadAgain } from '../same-answers/second-load.ts';
import { type Nodes, startNodes, withCitus, workerOf } from '../support/citus.ts';
import { type Cleanup, estate, fillDatabase, startVersion } from '../support/versions.ts';
import { checkExactness } from './exactness.ts';
import { checkExports } from './exports.ts';
import { checkFaults } from './faults.ts';
import { groupRequests } from './group-requests.ts';
import { checkMoves } from './moves.ts';
import { randomRequests } from './random-requests.ts';
import { report } from './report.ts';
import { checkSources, type Side } from './sources.ts';

const secret = 'a secret of both services, of 32 bytes or more';
const folder = process.cwd();
const readsNodes = process.argv[3] !== 'coordinator';

const moreRequests: MoreRequests = async (send, samples) => [...samples.flatMap(groupRequests), ...(await randomRequests(send))];

/** Both databases with the same rows, versions and times. */
const startBoth = async ({ coordinator, address, plain }: Nodes, agent: Agent, cleanup: Cleanup) => {
  const filled = [plain, address].map((url) => ({ url, ...fillDatabase(folder, url, secret) }));
  const clients: Send[] = [];
  for (const { environment, keys } of filled) {
    const url = await startVersion(folder, { ...environment, NODE_READS: readsNodes ? 'on' : 'off' }, cleanup);
    const send = createClient(url, keys, agent);
    await loadAgain(send, (...args) => estate(folder, environment, ...args));
    clients.push(send);
  }
  for (const database of ['plain', 'estate'])
    for (const slug of ['nord', 'sued'])
      await coordinator.query(
        `update customer_${slug}._datasets set synced_at = '2026-01-01', changed_at = case when version > 0 then timestamptz '2026-01-01' end`,
        database,
      );
  const sides = filled.map(({ url, environment }): Side => ({ address: url, estate: (...args) => estate(folder, environment, ...args) }));
  return { plain: clients[0]!, citus: clients[1]!, sides };
};

/** Whether requests read where they should. A session of the service on a worker has its name, one of the coordinator has not. */
const checkWhereItReads = async (nodes: Nodes): Promise<boolean> => {
  const worker = await workerOf(nodes, 'nord');
  const [row] = await worker.query("select count(*)::int as count from pg_stat_activity where application_name = 'estate'");
  const isAtNodes = Number(row?.count) > 0;
  return report(isAtNodes === readsNodes, `the service reads ${isAtNodes ? 'at the nodes' : 'through the coordinator'}`);
};

const run = async (binaries: string, answers: number, cleanup: Cleanup): Promise<boolean> => {
  const agent = new Agent({ keepAlive: true });
  cleanup.push(() => agent.destroy());
  const nodes = await startNodes(binaries, cleanup);
  const { plain, citus, sides } = await startBoth(nodes, agent, cleanup);
  let isGood = await compare(plain, citus, new AbortController().signal, moreRequests);
  isGood = (await checkWhereItReads(nodes)) && isGood;
  isGood = (await checkSources(sides[0]!, sides[1]!)) && isGood;
  const database = openPostgres(nodes.address, poolOptions);
  cleanup.push(() => database.close());
  const { loads, wrong, ...exact } = await checkExactness(database, citus, 'nord', answers);
  for (const fault of wrong.slice(0, 10)) console.log(fault);
  isGood = report(wrong.length === 0, `${exact.answers} answers beside ${loads} loads, ${wrong.length} wrong`) && isGood;
  const deployment = { nodes, database, send: citus };
  isGood = (await checkExports(deployment)) && isGood;
  isGood = (await checkMoves(deployment)) && isGood;
  return (await checkFaults(deployment)) && isGood;
};

const isGood = await withCitus((binaries, cleanup) => run(binaries, Number(process.argv[2] ?? 20_000), cleanup));
process.exitCode = isGood === false ? 1 : 0;
