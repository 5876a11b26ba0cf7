/** Measures servers in alternation, so that other load affects all of them. */
import { cpuOf } from '../scripts/support/process.ts';
import type { Server } from '../scripts/support/server.ts';
import { Client, type HttpRequest, type HttpResponse } from './client.ts';
import { median, quantile } from './service.ts';

export interface Contender {
  readonly server: Server;
  /** Runs the workload once. `turn` counts the calls. Returns the response, if there is one. */
  readonly ask: (client: Client, turn: number) => Promise<HttpResponse | undefined>;
  /** Requests that are sent once before the measurement. */
  readonly before?: readonly HttpRequest[] | undefined;
}

export interface RoundOptions {
  readonly rounds: number;
  readonly connections: number;
  /** The time of each server in a round. Each connection sends at least one request. */
  readonly roundMs: number;
  /** The number of responses before the measurement, until the code is compiled and every connection has planned its statements. */
  readonly warmUp: number;
}

interface Round {
  readonly answers: number;
  /** Milliseconds per response over all connections. */
  readonly time: number;
  /** CPU time of the server's process in milliseconds. */
  readonly cpu: number;
}

/** The result of a contender, also as a ratio to the last contender, which is the reference. */
export interface Measured {
  /** Milliseconds per response over all connections: the median of the rounds. */
  readonly time: number;
  /** CPU time per response in milliseconds. */
  readonly cpu: number;
  /** The ratio to the last contender's time in the same round: median and quartiles. */
  readonly ratio: number;
  readonly quartiles: readonly [number, number];
  readonly cpuRatio: number;
}

/** A contender, and its number of requests. */
class ContenderRun {
  #turn = 0;
  readonly #contender: Contender;
  readonly #connections: number;

  constructor(contender: Contender, connections: number) {
    this.#contender = contender;
    this.#connections = connections;
  }

  /** Sends requests for `duration` over new connections, because servers close connections that are idle during other turns. */
  async round(duration: number, atLeast = 0): Promise<Round> {
    const { server, ask } = this.#contender;
    const clients = await Promise.all(Array.from({ length: this.#connections }, () => Client.to(server.url)));
    const begun = performance.now();
    const cpu = cpuOf(server.process.pid);
    let answers = 0;
    const lane = async (client: Client) => {
      do {
        await ask(client, this.#turn++);
        answers++;
      } while (performance.now() - begun < duration || answers < atLeast);
    };
    try {
      await Promise.all(clients.map(lane));
      return { answers, time: (performance.now() - begun) / answers, cpu: cpuOf(server.process.pid) - cpu };
    } finally {
      for (const client of clients) client.close();
    }
  }
}

/** CPU time per response over all rounds, because the system's clock is too coarse for one round. */
const cpuPerResponse = (rounds: readonly Round[]): number =>
  rounds.reduce((sum, { cpu }) => sum + cpu, 0) / rounds.reduce((sum, { answers }) => sum + answers, 0);

const measured = (rounds: readonly Round[], reference: readonly Round[]): Measured => {
  const ratios = rounds.map(({ time }, round) => time / reference[round]!.time);
  return {
    time: median(rounds.map(({ time }) => time)),
    cpu: cpuPerResponse(rounds),
    ratio: median(ratios),
    quartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    cpuRatio: cpuPerResponse(rounds) / cpuPerResponse(reference),
  };
};

const askOnce = async ({ server, before = [] }: Contender): Promise<void> => {
  const client = await Client.to(server.url);
  for (const request of before) await client.ask(request);
  client.close();
};

/** Measures a workload with alternating contenders, in changing order. Results have the order of the contenders. */
export const measureInRounds = async (
  contenders: readonly Contender[],
  { rounds, connections, roundMs, warmUp }: RoundOptions,
): Promise<Measured[]> => {
  const all = contenders.map((contender) => new ContenderRun(contender, connections));
  for (const contender of contenders) await askOnce(contender);
  for (const each of all) await each.round(0, warmUp);
  const seen: Round[][] = all.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? [...all.keys()] : [...all.keys()].reverse();
    for (const at of order) seen[at]!.push(await all[at]!.round(roundMs));
  }
  return seen.map((each) => measured(each, seen.at(-1)!));
};
