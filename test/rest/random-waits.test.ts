/**
 * Random loads, random waits, and clients that pass `generated_at` on: no change is skipped, and no answer is early and empty (contract:
 * waiting for changes).
 */
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Copy, keepUp } from '../../examples/keep-a-copy.mjs';
import { held } from '../../src/metrics.ts';
import { startService, type TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';
import { asCsv, Deliveries, load, readTableData, seededRandom } from '../sync/support.ts';

let service: TestService;
const deliveries = new Deliveries();
beforeAll(async () => {
  service = await startService({ environment: { RATE_LIMIT: '0' } });
});
afterAll(async () => {
  await service.stop();
  deliveries.remove();
});

interface Change {
  readonly table: string;
  readonly version: number;
}

/** The longest wait: an empty answer before it is early. */
const wait = 60;
const customers = ['nord', 'sued'] as const;
type CustomerName = (typeof customers)[number];
const keyOf = { nord: keys.nordEnterprise, sued: keys.suedEnterprise } as const;

/** What a load changes: a column of a raw table. No category table has code lists, so those are raw data alone. */
const kindsOfLoads = [
  ['catalog_value', 'label_en'],
  ['catalog_value', 'label_de'],
  ['person', 'company_name'],
  ['account', 'account_name'],
] as const;

const random = seededRandom(Number(process.env.SEED ?? 54));
const oneOf = <T>(values: readonly T[]): T => values[random(values.length)] as T;

let step = 0;
/** Loads random data. Returns the changes of category tables. */
const loadRandomly = async (customer: CustomerName): Promise<readonly Change[]> => {
  const [table, column] = oneOf(kindsOfLoads);
  const sheet = await readTableData(service.database, table, `customer_${customer}`);
  for (const row of sheet.rows) row[sheet.columns.indexOf(column)] = `load ${step}`;
  const path = deliveries.folderNamed(`${customer}-${step++}`).write(`${table}.csv`, asCsv(sheet));
  const { tables } = await load(service.database, [path], { customer });
  return tables.filter(({ kind, updated }) => kind === 'category' && updated > 0);
};

interface Heard {
  readonly changes: readonly Change[];
  readonly generated_at: string;
}
const ask = async (customer: CustomerName, since: string, seconds = wait): Promise<Heard> => {
  const answer = await service.get(`/changes?since=${since}&wait=${seconds}`, { key: keyOf[customer] });
  expect(answer.status).toBe(200);
  return answer.json;
};

/** A client that passes `generated_at` on. It remembers the newest version of each table, and counts empty answers. */
class Follower {
  readonly versions = new Map<string, number>();
  emptyAnswers = 0;
  answers = 0;
  #isStopped = false;
  readonly #customer: CustomerName;

  constructor(customer: CustomerName) {
    this.#customer = customer;
  }

  async follow(first: string): Promise<void> {
    let since = first;
    while (!this.#isStopped) {
      const { changes, generated_at } = await ask(this.#customer, since);
      this.answers++;
      if (changes.length === 0) this.emptyAnswers++;
      for (const { table, version } of changes) this.versions.set(table, version);
      since = generated_at;
    }
  }

  /** Ends after the next answer. */
  stop(): void {
    this.#isStopped = true;
  }

  hasSeen(changes: readonly Change[]): boolean {
    return changes.every(({ table, version }) => (this.versions.get(table) ?? 0) >= version);
  }
}

/** A `since` of a client: of the service, of a clock that is ahead, and one that nothing is newer than. */
const randomSince = async (customer: CustomerName): Promise<string> => {
  const { generated_at } = await ask(customer, '9999-12-31', 0);
  const ahead = new Date(Date.parse(generated_at) + random(120_000)).toISOString();
  return oneOf([generated_at, ahead, '9999-12-31']);
};

test('each follower sees each change, and no answer is early and empty', { timeout: 600_000 }, async () => {
  const followers = await Promise.all(
    customers.flatMap((customer) =>
      ['own', 'ahead', 'never'].map(async () => ({ customer, follower: new Follower(customer), since: await randomSince(customer) })),
    ),
  );
  const running = followers.map(({ follower, since }) => follower.follow(since));
  const late: Record<CustomerName, Promise<Heard> | undefined> = { nord: undefined, sued: undefined };
  for (let round = 0; round < 20; round++) {
    const customer = oneOf(customers);
    // A client that begins now, with any `since`, hears of the next change. A key may have four waits.
    if (random(3) === 0) late[customer] ??= ask(customer, await randomSince(customer));
    const waiting = followers.length + Object.values(late).filter((each) => each).length;
    await expect.poll(() => held.waiting, { interval: 5, timeout: 60_000 }).toBe(waiting);
    const changes = await loadRandomly(customer);
    for (const each of followers)
      if (each.customer === customer) await expect.poll(() => each.follower.hasSeen(changes), { timeout: 60_000 }).toBe(true);
    if (changes.length === 0) continue;
    expect((await late[customer])?.changes).not.toEqual([]);
    late[customer] = undefined;
  }
  for (const { follower } of followers) {
    expect(follower.emptyAnswers).toBe(0);
    follower.stop();
  }
  for (const customer of customers) while ((await loadRandomly(customer)).length === 0);
  await Promise.all([...running, ...Object.values(late)]);
  expect(followers.every(({ follower }) => follower.answers > 1)).toBe(true);
});

/** A proxy in front of the service whose next answers are failures. */
const startUnreliableProxy = async (failures: ((response: http.ServerResponse) => void)[]) => {
  const server = http.createServer((request, response) => {
    const fail = failures.shift();
    if (fail) return fail(response);
    const { hostname, port } = new URL(service.url);
    const onward = http.request({ hostname, port, path: request.url, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode as number, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, server };
};

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: http.ServerResponse): void =>
    void response.writeHead(code, headers).end('<html>Gateway Time-out</html>');
const reset = (response: http.ServerResponse): void => void response.destroy();

describe('the program of the guide', () => {
  const follow = async (failures: Parameters<typeof startUnreliableProxy>[0], key: string = keys.nordEnterprise) => {
    const { url, server } = await startUnreliableProxy(failures);
    const stop = new AbortController();
    const copies: Record<string, Copy> = {};
    const kept = keepUp(copies, url, key, { signal: stop.signal, refreshed: () => stop.abort() });
    return kept.finally(() => {
      server.closeAllConnections();
      server.close();
    });
  };

  test.each([
    ['502, 503 and 504 of a proxy', [status(503, { 'Retry-After': '1' }), status(504), status(502)]],
    ['a connection that is lost, and a 429', [reset, status(429, { 'Retry-After': '1' })]],
    [
      'failures during its refresh',
      [
        (response: http.ServerResponse) =>
          void response.writeHead(200, { 'content-type': 'application/json' }).end('{"generated_at":"2026-01-01T00:00:00Z","changes":[]}'),
        status(504),
        reset,
      ],
    ],
  ])('survives %s', async (_name, failures) => {
    await follow(failures);
    expect(failures).toEqual([]);
  });

  test('ends with an error that does not pass', async () => {
    await expect(follow([status(504), status(404)])).rejects.toThrow(/: 404$/);
    await expect(follow([], 'est_unknown')).rejects.toThrow(/: 401$/);
  });
});
