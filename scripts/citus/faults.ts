/** A worker that is down, hangs or is slow. Only its customers notice. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { TcpProxy } from '../../test/support/tcp-proxy.ts';
import type { Send } from '../same-answers/client.ts';
import { type Node, workerOf } from '../support/citus.ts';
import { createLoader, read } from './exactness.ts';
import { type Deployment, moveTo } from './moves.ts';
import { report } from './report.ts';

/** A node that hangs is noticed within about three seconds. The rest is for a busy machine. */
const longestMs = 15_000;

/** Long enough for a p99 of some hundred answers. */
const quietMs = 10_000;

const paths = [
  '/operations/orders?limit=7',
  '/operations/orders?limit=5000',
  '/raw/person/deltas?since_version=1',
  '/operations/orders/groups?by=status',
];

/** The worker of `nord`, after a move if `sued` is there, too. */
const separate = async (deployment: Deployment): Promise<Node> => {
  const { nodes } = deployment;
  const [nords, sueds] = [await workerOf(nodes, 'nord'), await workerOf(nodes, 'sued')];
  if (nords === sueds) await moveTo(deployment, 'nord', nodes.workers.find((worker) => worker !== sueds)!);
  return workerOf(nodes, 'nord');
};

/** With a worker down, its customers get 503 and others are served. */
const checkLostWorker = async (lost: Node, send: Send): Promise<boolean> => {
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

/** The times of answers to another customer, in milliseconds, and those that were not 200. */
interface Others {
  readonly times: readonly number[];
  readonly failed: readonly number[];
}

/** Asks for pages of another customer, each for the first time, until `work` ends. */
const askOthers = async (send: Send, work: () => Promise<unknown>): Promise<Others> => {
  const [times, failed]: [number[], number[]] = [[], []];
  let isDone = false;
  const lane = async (number: number) => {
    for (let n = number; !isDone; n += 4) {
      const started = performance.now();
      const path = n % 3 === 0 ? `/operations/orders?limit=${1_001 + n}` : `/operations/orders?limit=${1 + (n % 50)}&offset=${n}`;
      const { status } = await read(send, path, 'other');
      times.push(performance.now() - started);
      if (status !== 200) failed.push(status);
    }
  };
  const lanes = Promise.all([0, 1, 2, 3].map(lane));
  try {
    await work();
  } finally {
    isDone = true;
    await lanes;
  }
  return { times: times.sort((a, b) => a - b), failed };
};

const inWords = ({ times, failed }: Others): string => {
  const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0);
  return `others: ${times.length} answers, ${failed.length} failed, ms: ${at(0.5)} median, ${at(0.99)} p99, ${at(1)} slowest`;
};

let unique = 0;
/** One request of each kind from the customer, none of them answered before. */
const askOwn = (send: Send) => {
  unique += 1;
  return Promise.all(
    [`?limit=${8 + unique}`, `?limit=${5_000 + unique}`, `?limit=3&offset=${unique}`, `/groups?by=status&limit=${unique}`].map((query) =>
      read(send, `/operations/orders${query}`),
    ),
  );
};

/** With a worker that hangs, its customers get 503 within seconds, and others are served. */
const checkFrozenWorker = async (frozen: Node, send: Send): Promise<boolean> => {
  const own: number[] = [];
  let slowest = 0;
  const quiet = await askOthers(send, () => pause(quietMs));
  frozen.signal('SIGSTOP');
  let others: Others;
  try {
    others = await askOthers(send, async () => {
      for (const end = performance.now() + 15_000; performance.now() < end; await pause(100)) {
        const started = performance.now();
        const answers = await Promise.all([1, 2, 3, 4].map(() => askOwn(send)));
        slowest = Math.max(slowest, performance.now() - started);
        own.push(...answers.flat().map(({ status, headers }) => (headers.has('retry-after') ? status : 0)));
      }
    });
  } finally {
    frozen.signal('SIGCONT');
  }
  const isAnswered = await until(async () => (await askOwn(send)).every(({ status }) => status === 200));
  console.log(`before: ${inWords(quiet)}`);
  const isGood = others.failed.length === 0 && own.every((status) => status === 503) && slowest < longestMs && isAnswered;
  return report(isGood, `worker frozen: ${own.length} own answers are 503, the slowest after ${slowest.toFixed(0)} ms; ${inWords(others)}`);
};

/** With a worker behind a slow network, its customers wait, and others do not. */
const checkSlowWorker = async ({ nodes: { coordinator }, database, send }: Deployment, slow: Node): Promise<boolean> => {
  const proxy = await new TcpProxy(slow.port).listen();
  const useAddress = (from: number, to: number) =>
    coordinator.query(`select citus_update_node(nodeid, nodename, ${to}) from pg_dist_node where nodeport = ${from}`, 'estate');
  await useAddress(slow.port, proxy.port);
  const folder = mkdtempSync(join(tmpdir(), 'estate-slow-'));
  try {
    // Citus copies the address to the nodes in the background. Loads need it there.
    await until(async () => {
      const [row] = await coordinator.query('select bool_and(metadatasynced) as synced from pg_dist_node', 'estate');
      return row?.synced === true;
    });
    // After a load, the service looks up the address of the node again.
    const load = await createLoader(database, 'nord', folder);
    await load(0);
    await askOwn(send);
    const own: number[] = [];
    let slowest = 0;
    // Also beside a fast worker, so that both samples have the same requests.
    const askInTurn = async () => {
      for (const end = performance.now() + quietMs; performance.now() < end; await pause(2_000)) {
        const started = performance.now();
        const answers = await askOwn(send);
        slowest = Math.max(slowest, performance.now() - started);
        own.push(...answers.map(({ status }) => status));
      }
    };
    console.log(`before: ${inWords(await askOthers(send, askInTurn))}`);
    proxy.slowTo(100_000);
    const others = await askOthers(send, askInTurn);
    const isGood = others.failed.length === 0 && own.every((status) => status === 200);
    return report(isGood, `worker slow: ${own.length} own answers, the slowest after ${slowest.toFixed(0)} ms; ${inWords(others)}`);
  } finally {
    await useAddress(proxy.port, slow.port);
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Whether the condition holds within 30 seconds. */
const until = async (holds: () => Promise<boolean>): Promise<boolean> => {
  for (const end = performance.now() + 30_000; performance.now() < end; await pause(200)) if (await holds()) return true;
  return false;
};

export const checkFaults = async (deployment: Deployment): Promise<boolean> => {
  const worker = await separate(deployment);
  const { send } = deployment;
  const isLost = await checkLostWorker(worker, send);
  const isBack = await until(async () => (await askOwn(send)).every(({ status }) => status === 200));
  const outcomes = [isLost, report(isBack, 'the worker is back, and so are its customers')];
  outcomes.push(await checkFrozenWorker(worker, send), await checkSlowWorker(deployment, worker));
  return outcomes.every(Boolean);
};
