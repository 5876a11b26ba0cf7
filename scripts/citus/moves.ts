/** Moves of a customer during reads and loads. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Moved, type MoveOptions, moveCustomer } from '../../src/database/cluster/move-customer.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import type { Send } from '../same-answers/client.ts';
import { type Node, type Nodes, workerOf } from '../support/citus.ts';
import { checkExactness, createLoader, read } from './exactness.ts';
import { report } from './report.ts';

/** The cluster, its database, and the service on it. */
export interface Deployment {
  readonly nodes: Nodes;
  readonly database: Database;
  readonly send: Send;
}

export const moveTo = async ({ database }: Deployment, slug: string, { port }: Node, options?: MoveOptions): Promise<Moved> =>
  moveCustomer(database, await findCustomer(database, slug), { host: '127.0.0.1', port }, options);

/** A worker that does not hold the customer. */
const otherWorker = async ({ nodes }: Deployment, slug: string): Promise<Node> => {
  const here = await workerOf(nodes, slug);
  return nodes.workers.find((worker) => worker !== here)!;
};

/** Asks one page after another during `work`. Returns the number of answers and those that failed. */
export const during = async (send: Send, path: string, work: () => Promise<unknown>): Promise<{ answers: number; failed: number[] }> => {
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

type Load = (load: number, progress?: (phase: string) => void) => Promise<unknown>;

/** Starts a move when a load has begun. The move waits for the load. */
const moveDuringLoad = async (deployment: Deployment, load: Load): Promise<boolean> => {
  const to = await otherWorker(deployment, 'nord');
  const steps: string[] = [];
  let moving: Promise<unknown> | undefined;
  await load(1, (phase) => {
    if (phase !== 'read' && phase !== 'load') return;
    moving ??= moveTo(deployment, 'nord', to, { progress: (step) => steps.push(step ? 'move' : 'wait') });
  });
  await moving;
  return steps[0] === 'wait' && steps.includes('move') && (await workerOf(deployment.nodes, 'nord')) === to;
};

/** Starts a load when a move has begun. The load waits for the move. */
const loadDuringMove = async (deployment: Deployment, load: Load): Promise<boolean> => {
  const to = await otherWorker(deployment, 'nord');
  const phases: string[] = [];
  let loading: Promise<unknown> | undefined;
  try {
    await moveTo(deployment, 'nord', to, {
      progress: (step) => {
        if (step) loading ??= load(2, (phase) => phases.push(phase));
      },
    });
  } finally {
    await loading;
  }
  return phases[0] === 'wait' && phases.length > 1 && (await workerOf(deployment.nodes, 'nord')) === to;
};

/** A move that is stopped leaves the customer where it was, and the next one succeeds. */
const stopMove = async (deployment: Deployment): Promise<boolean> => {
  const [from, to] = [await workerOf(deployment.nodes, 'nord'), await otherWorker(deployment, 'nord')];
  const stop = new AbortController();
  const stopped = await moveTo(deployment, 'nord', to, {
    signal: stop.signal,
    progress: ({ status } = { status: '', copied: 0, total: 0 }) => void (status !== 'starting' && stop.abort()),
  }).catch((error: Error) => error.message);
  const isHere = (await workerOf(deployment.nodes, 'nord')) === from;
  await moveTo(deployment, 'nord', to);
  return stopped === 'nord: stopped; the customer was not moved.' && isHere && (await workerOf(deployment.nodes, 'nord')) === to;
};

const page = '/operations/orders?limit=100';

export const checkMoves = async (deployment: Deployment): Promise<boolean> => {
  const { database, send } = deployment;
  const folder = mkdtempSync(join(tmpdir(), 'estate-moves-'));
  const outcomes: boolean[] = [];
  try {
    const to = await otherWorker(deployment, 'nord');
    const reads = await during(send, page, () => moveTo(deployment, 'nord', to));
    outcomes.push(report(reads.failed.length === 0, `a move during reads: ${reads.answers} answers, ${reads.failed.length} failed`));

    const load = await createLoader(database, 'nord', folder);
    for (const [name, work] of [
      ['a move that starts during a load', moveDuringLoad],
      ['a load that starts during a move', loadDuringMove],
    ] as const) {
      let isGood = false;
      const { answers, failed } = await during(send, page, async () => {
        isGood = await work(deployment, load).catch((error: Error) => {
          console.log(error.message);
          return false;
        });
      });
      outcomes.push(report(isGood && failed.length === 0, `${name}: one waits for the other; ${answers} answers, ${failed.length} failed`));
    }
    outcomes.push(report(await stopMove(deployment), 'a stopped move leaves the customer where it was'));

    const next = await otherWorker(deployment, 'nord');
    const [exact] = await Promise.all([checkExactness(database, send, 'nord', 300), moveTo(deployment, 'nord', next)]);
    const words = `a move between loads: ${exact.answers} answers, ${exact.loads} loads, ${exact.wrong.length} wrong`;
    outcomes.push(report(exact.wrong.length === 0, words));
    return outcomes.every(Boolean);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
