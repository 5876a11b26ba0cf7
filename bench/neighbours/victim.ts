/** The other customer: small pages at a fixed rate over persistent and new connections. Each time starts when the request was due. */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { memoryOf } from '../../tools/process.ts';
import { quantile } from '../service.ts';

/** Requests per second. */
const rates = { persistent: 20, new: 5 } as const;

export interface Measured {
  /** 99th percentile, in milliseconds. */
  readonly persistent: number;
  readonly new: number;
  readonly requests: number;
  /** Requests without status 200. */
  readonly failed: number;
  /** Peak memory of the service so far, in megabytes. */
  readonly memory: number;
}

export interface VictimOptions {
  readonly url: string;
  readonly key: string;
  readonly pid: number | undefined;
  readonly seconds: number;
}

/** Sends requests for some seconds. A request without a response ten seconds after the end counts with its time until then. */
export const measureVictim = async ({ url, key, pid, seconds }: VictimOptions): Promise<Measured> => {
  const agent = new Agent({ keepAlive: true });
  const times = { persistent: [] as number[], new: [] as number[] };
  let failed = 0;
  const ask = (kind: keyof typeof rates, turn: number): Promise<void> =>
    new Promise((resolve) => {
      const due = performance.now();
      const done = (status: number) => {
        if (status !== 200) failed++;
        times[kind].push(performance.now() - due);
        resolve();
      };
      const path = `/operations/orders?limit=10&offset=${(turn * 37) % 400}`;
      const options = {
        headers: { 'X-API-Key': key },
        timeout: (seconds + 10) * 1_000,
        agent: kind === 'persistent' ? agent : (false as const),
      };
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
  const stream = async (kind: keyof typeof rates) => {
    const answers: Promise<void>[] = [];
    for (let turn = 0; turn < seconds * rates[kind]; turn++) {
      const due = begun + (turn * 1_000) / rates[kind];
      await pause(Math.max(0, due - performance.now()));
      answers.push(ask(kind, turn));
    }
    await Promise.all(answers);
  };
  await Promise.all([stream('persistent'), stream('new')]);
  agent.destroy();
  const p99 = (values: readonly number[]) => quantile(values, 0.99);
  return {
    persistent: p99(times.persistent),
    new: p99(times.new),
    requests: times.persistent.length + times.new.length,
    failed,
    memory: memoryOf(pid, 'VmHWM'),
  };
};
