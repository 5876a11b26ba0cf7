/** The other customer: small pages at a fixed rate over persistent connections. Each time starts when the request was due. */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { memoryOf } from '../../scripts/support/process.ts';
import { quantile } from '../service.ts';

/** Requests per second. */
const rate = 20;
/** A request that takes longer counts as slow, in milliseconds. */
const slowMs = 250;

export interface Measured {
  readonly requests: number;
  readonly slow: number;
  /** 99th percentile, in milliseconds. */
  readonly p99: number;
  /** Requests without status 200. */
  readonly failed: number;
  /** Peak memory of the service so far, in megabytes. */
  readonly memory: number;
}

export interface VictimOptions {
  readonly url: string;
  /** Used in turn, so that no quota is used up. */
  readonly keys: readonly string[];
  readonly pid: number | undefined;
  readonly seconds: number;
}

/** Sends requests for some seconds. A request without a response ten seconds after the end counts with its time until then. */
export const measureVictim = async ({ url, keys, pid, seconds }: VictimOptions): Promise<Measured> => {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  let failed = 0;
  const ask = (turn: number): Promise<void> =>
    new Promise((resolve) => {
      const due = performance.now();
      const done = (status: number) => {
        if (status !== 200) failed++;
        times.push(performance.now() - due);
        resolve();
      };
      const path = `/operations/orders?limit=10&offset=${(turn * 37) % 400}`;
      const options = { headers: { 'X-API-Key': keys[turn % keys.length] }, timeout: (seconds + 10) * 1_000, agent };
      const call = request(url + path, options, (response) => {
        response
          .resume()
          .on('end', () => done(response.statusCode ?? 0))
          .on('error', () => done(0));
      });
      call
        .on('timeout', () => call.destroy())
        .on('error', () => done(0))
        .end();
    });
  const begun = performance.now();
  const answers: Promise<void>[] = [];
  for (let turn = 0; turn < seconds * rate; turn++) {
    await pause(Math.max(0, begun + (turn * 1_000) / rate - performance.now()));
    answers.push(ask(turn));
  }
  await Promise.all(answers);
  agent.destroy();
  return {
    requests: times.length,
    slow: times.filter((time) => time > slowMs).length,
    p99: quantile(times, 0.99),
    failed,
    memory: memoryOf(pid, 'VmHWM'),
  };
};
