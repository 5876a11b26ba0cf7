/**
 * The service on Citus, against plain PostgreSQL and against faults:
 *
 *   npm run citus [-- <number of answers>]
 *
 * It starts a coordinator and two workers from the installed extension. It compares the answers of the service on both, reads beside loads,
 * moves a customer during reads and loads, and stops a worker. Ends with 1 if anything is wrong. Without the extension it does nothing.
 */
import { Agent } from 'node:http';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { poolOptions } from '../../test/support/settings.ts';
import { type Cleanup, estate, fillDatabase, startVersion } from '../../tools/versions.ts';
import { createClient, type Send } from '../same-answers/client.ts';
import { compare } from '../same-answers/compare.ts';
import { loadAgain } from '../same-answers/second-load.ts';
import { findBinaries, moveTo, type Nodes, startNodes, workerOf } from './cluster.ts';
import { checkExactness, read } from './exactness.ts';

const secret = 'a secret of both services, of 32 bytes or more';
const folder = process.cwd();

const report = (isGood: boolean, words: string): boolean => {
  console.log(`${isGood ? 'ok' : 'WRONG'}: ${words}`);
  return isGood;
};

/** Both databases with the same rows, versions and times. */
const startBoth = async ({ coordinator, address, plain }: Nodes, agent: Agent, cleanup: Cleanup) => {
  const filled = [plain, address].map((url) => fillDatabase(folder, url, secret));
  const clients: Send[] = [];
  for (const { environment, keys } of filled) {
    const url = await startVersion(folder, environment, cleanup);
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
  return { plain: clients[0]!, citus: clients[1]! };
};

/** Asks one page after another during `work`. Returns the number of answers and those that failed. */
const during = async (send: Send, path: string, work: () => Promise<unknown>): Promise<{ answers: number; failed: number[] }> => {
  const state = { answers: 0, failed: [] as number[] };
  let isDone = false;
  const reading = (async () => {
    while (!isDone) {
      const { status } = await read(send, path);
      state.answers++;
      if (status !== 200) state.failed.push(status);
    }
  })();
  try {
    await work();
  } finally {
    isDone = true;
    await reading;
  }
  return state;
};

const checkMoves = async (nodes: Nodes, send: Send): Promise<boolean> => {
  const target = async () => {
    const here = await workerOf(nodes, 'nord');
    return nodes.workers.find((worker) => worker !== here)!;
  };
  const moving = await target();
  const reads = await during(send, '/operations/orders?limit=100', () => moveTo(nodes, 'nord', moving));
  const isGood = report(reads.failed.length === 0, `a move during reads: ${reads.answers} answers, ${reads.failed.length} failed`);
  const database = openPostgres(nodes.address, poolOptions);
  try {
    const next = await target();
    const [exact] = await Promise.all([checkExactness(database, send, 'nord', 300), moveTo(nodes, 'nord', next)]);
    return (
      report(
        exact.wrong.length === 0,
        `a move between loads: ${exact.answers} answers, ${exact.loads} loads, ${exact.wrong.length} wrong`,
      ) && isGood
    );
  } finally {
    await database.close();
  }
};

/** With a worker down, its customers get 503 and others are served. */
const checkLostWorker = async (nodes: Nodes, send: Send): Promise<boolean> => {
  const [nords, sueds] = [await workerOf(nodes, 'nord'), await workerOf(nodes, 'sued')];
  if (nords === sueds) await moveTo(nodes, 'nord', nodes.workers.find((worker) => worker !== sueds)!);
  const lost = await workerOf(nodes, 'nord');
  const paths = [
    '/operations/orders?limit=7',
    '/operations/orders?limit=5000',
    '/raw/person/deltas?since_version=1',
    '/operations/orders/groups?by=status',
  ];
  lost.stop();
  try {
    let isGood = true;
    for (const path of paths) {
      const [own, other] = [await read(send, path), await read(send, path, 'other')];
      isGood =
        report(
          own.status === 503 && own.headers.has('retry-after') && other.status === 200,
          `worker down, ${path}: ${own.status} and ${other.status}`,
        ) && isGood;
    }
    return isGood;
  } finally {
    lost.start();
  }
};

const run = async (binaries: string, answers: number, cleanup: Cleanup): Promise<boolean> => {
  const agent = new Agent({ keepAlive: true });
  cleanup.push(() => agent.destroy());
  const nodes = await startNodes(binaries, cleanup);
  const { plain, citus } = await startBoth(nodes, agent, cleanup);
  let isGood = await compare(plain, citus, new AbortController().signal);
  const database = openPostgres(nodes.address, poolOptions);
  cleanup.push(() => database.close());
  const { loads, wrong, ...exact } = await checkExactness(database, citus, 'nord', answers);
  for (const fault of wrong.slice(0, 10)) console.log(fault);
  isGood = report(wrong.length === 0, `${exact.answers} answers beside ${loads} loads, ${wrong.length} wrong`) && isGood;
  isGood = (await checkMoves(nodes, citus)) && isGood;
  return (await checkLostWorker(nodes, citus)) && isGood;
};

const binaries = findBinaries();
if (!binaries) {
  console.log(
    'skipped: PostgreSQL has no extension "citus" here. Install it as https://docs.citusdata.com describes, or build a release branch.',
  );
} else {
  const cleanup: Cleanup = [];
  try {
    process.exitCode = (await run(binaries, Number(process.argv[2] ?? 20_000), cleanup)) ? 0 : 1;
  } finally {
    for (const step of cleanup.reverse()) await step();
  }
}
