/** Overload: four times as many requests as the service can answer, over 4,000 connections. */
import { spawn } from 'node:child_process';
import { memoryOf } from '../../scripts/support/process.ts';
import type { Server } from '../../scripts/support/server.ts';
import { measureVictim } from './victim.ts';

/** HAProxy allows 4,000. The other customer has some of them. */
const connections = 3_900;
const times = 4;
/** The shipped HAProxy limits connections and requests of one address, so the clients have many. */
const addresses = 100;
const targets = { milliseconds: 1_500, share: 0.5 } as const;

interface Load {
  readonly counts: Readonly<Record<string, number>>;
  /** 99th percentile in milliseconds, by status. */
  readonly p99s: Readonly<Record<string, number>>;
  readonly sent: number;
  /** Requests that found no idle connection. */
  readonly unsent: number;
  readonly withoutRetryAfter: number;
  readonly closed: number;
  readonly elapsed: number;
}

const load = async (url: string, key: string, count: number, rate: number, seconds: number): Promise<Load> => {
  const script = new URL('load.ts', import.meta.url).pathname;
  const child = spawn('node', ['--import', 'tsx', script, url, key, `${count}`, `${rate}`, `${seconds}`, `${addresses}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  return JSON.parse(output);
};

const perSecond = ({ counts, elapsed }: Load): number => (counts['200'] ?? 0) / elapsed;

/** The keys of the customer that sends too much, and of another one. */
interface Keys {
  readonly loading: string;
  readonly other: string;
}

/** Prints the result of an overload. Returns whether the targets are met. They do not include the times of the other customer. */
export const measureOverload = async (service: Server, { loading: key, other }: Keys, seconds: number): Promise<boolean> => {
  await load(service.url, key, 64, 0, 2);
  const capacity = perSecond(await load(service.url, key, 64, 0, seconds));
  const [overload, victim] = await Promise.all([
    load(service.url, key, connections, Math.round(times * capacity), seconds),
    measureVictim({ url: service.url, keys: [other], pid: service.process.pid, seconds }),
  ]);
  const served = perSecond(overload);
  const p99 = overload.p99s['200'] ?? Number.NaN;
  const unexpected = Object.keys(overload.counts).filter((status) => status !== '200' && status !== '503');
  const isMet =
    p99 <= targets.milliseconds && served >= targets.share * capacity && overload.withoutRetryAfter === 0 && unexpected.length === 0;
  console.log(
    `\nOverload: ${connections} connections, ${times} times the capacity of ${capacity.toFixed(0)} requests a second (${overload.sent} sent, ${overload.unsent} found no idle connection).`,
  );
  console.log(
    `Accepted ${served.toFixed(0)} a second (${((100 * served) / capacity).toFixed(0)} % of capacity; target ${100 * targets.share} %), p99 ${p99.toFixed(0)} ms (target ${targets.milliseconds} ms). Refused: ${JSON.stringify(overload.counts)}, p99 ${(overload.p99s['503'] ?? Number.NaN).toFixed(0)} ms, ${overload.withoutRetryAfter} without Retry-After, ${overload.closed} connections closed. Peak ${memoryOf(service.process.pid, 'VmHWM').toFixed(0)} MB. ${isMet ? 'met' : 'MISSED'}`,
  );
  console.log(`Another customer: p99 ${victim.p99.toFixed(0)} ms, ${victim.failed} of ${victim.requests} failed.`);
  return isMet;
};
