/** Support for fault tests: enough rows, clients that check every response, and checks for leaks. */
import { readdirSync, readlinkSync } from 'node:fs';
import net from 'node:net';
import type pg from 'pg';
import { register } from 'prom-client';
import { expect } from 'vitest';
import { quote } from '../../src/database/identifier.ts';
import type { TestService } from '../support/service.ts';
import { keys } from '../support/settings.ts';

/** Adds rows to a table of a demo customer, as copies of one of its rows. */
export const growTable = async (pool: pg.Pool, { name, key, rows }: { name: string; key: string; rows: number }): Promise<void> => {
  const { rows: columns } = await pool.query<{ attname: string }>(
    `select attname from pg_attribute where attrelid = 'customer_nord.${name}'::regclass and attnum > 0 and not attisdropped order by attnum`,
  );
  const values = columns.map(({ attname }) => (attname === key ? '10000000 + n' : quote(attname)));
  // Loading takes long on a busy machine.
  await pool.query(
    `begin; set local statement_timeout = 0;
     insert into customer_nord.${name} (${columns.map(({ attname }) => quote(attname)).join(', ')})
     select ${values.join(', ')} from (select * from customer_nord.${name} limit 1) r, generate_series(1, ${rows}) n;
     update customer_nord._datasets set row_count = (select count(*) from customer_nord.${name}), version = version + 1
     where kind = 'category' and name = '${name}';
     commit`,
  );
};

export interface Read {
  readonly status: number;
  readonly body: string;
  /** Whether an HTTP client takes the body for complete. */
  readonly isWhole: boolean;
}

/** Joins the chunks of a body. `isWhole` says whether the last chunk is present. */
const unchunked = (text: string): { readonly body: string; readonly isWhole: boolean } => {
  const parts: string[] = [];
  for (let at = 0; ; ) {
    const end = text.indexOf('\r\n', at);
    const length = end < 0 ? Number.NaN : Number.parseInt(text.slice(at, end), 16);
    if (length === 0) return { body: parts.join(''), isWhole: text.startsWith('\r\n', end + 2) };
    if (Number.isNaN(length) || end + 2 + length + 2 > text.length) return { body: parts.join(''), isWhole: false };
    parts.push(text.slice(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
};

/** Reads one response to its end over a bare socket. */
export const readRaw = (port: number, path: string, version: '1.0' | '1.1' = '1.1', key: string = keys.nordEnterprise): Promise<Read> =>
  new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const pieces: Buffer[] = [];
    let hasFailed = false;
    socket.on('data', (piece) => pieces.push(piece));
    socket.on('error', () => {
      hasFailed = true;
    });
    // Node 20 reports a reset after a short piece as an end. A write distinguishes them, because it fails after a reset.
    socket.on('end', () =>
      socket.write('\n', (error) => {
        hasFailed ||= Boolean(error);
        socket.destroy();
      }),
    );
    socket.on('close', () => {
      const text = Buffer.concat(pieces).toString('latin1');
      const endOfHead = text.indexOf('\r\n\r\n');
      const head = text.slice(0, Math.max(0, endOfHead)).toLowerCase();
      const rest = text.slice(endOfHead + 4);
      const status = Number(head.split(' ')[1] ?? 0);
      const length = /content-length: (\d+)/.exec(head)?.[1];
      if (endOfHead < 0) resolve({ status: 0, body: '', isWhole: false });
      else if (head.includes('transfer-encoding: chunked')) resolve({ status, ...unchunked(rest) });
      else if (length !== undefined) resolve({ status, body: rest, isWhole: rest.length === Number(length) });
      else resolve({ status, body: rest, isWhole: !hasFailed });
    });
    socket.write(`GET ${path} HTTP/${version}\r\nHost: x\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`);
  });

const document = `/graphql?query=${encodeURIComponent('{ orders(first: 50) { totalCount nodes { orderId subject property { propertyId } } } }')}`;
export const large = '/accounting/budgets?limit=20000';
/** One request for each kind of work. */
export const requestPaths = [
  large,
  document,
  '/operations/orders?limit=100',
  '/operations/orders?limit=7&offset=3',
  '/stakeholder/tenants?limit=50',
];

export type Expected = ReadonlyMap<string, string>;

/** The response to each request without faults. */
export const readExpected = async ({ port }: Pick<TestService, 'port'>): Promise<Expected> => {
  const answers = await Promise.all(requestPaths.map(async (path) => [path, await readRaw(port, path)] as const));
  for (const [path, { status, isWhole }] of answers) expect([path, status, isWhole]).toEqual([path, 200, true]);
  return new Map(answers.map(([path, { body }]) => [path, body]));
};

/** Faults of other components may cause more statuses than faults of the service, but never a wrong answer. */
const allowed = new Set([0, 200, 500, 503]);

/** The error of a response in words; undefined if there is none. */
export const errorOf = (path: string, { status, body, isWhole }: Read, expected: Expected): string | undefined => {
  if (!allowed.has(status)) return `${path}: ${status}`;
  // A failed document reports the error in its body. A refused document has no data.
  if (status === 200 && isWhole && path === document) {
    const { data = null, errors = [] } = JSON.parse(body);
    if (data === null && errors.length > 0) return undefined;
  }
  if (status === 200 && isWhole && body !== expected.get(path)) return `${path}: a whole answer that is another: ${body.slice(0, 300)}`;
  if (status >= 500 && !body.startsWith('{"type":"about:blank"')) return `${path}: ${status} ${body.slice(0, 100)}`;
  return undefined;
};

/** Repeats all requests until it is stopped. */
export const startCallers = (port: number, expected: Expected) => {
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  let isOver = false;
  let answers = 0;
  const caller = async (first: number, version: '1.0' | '1.1') => {
    for (let turn = first; !isOver; turn++) {
      const path = requestPaths[turn % requestPaths.length] as string;
      const read = await readRaw(port, path, version);
      const fault = errorOf(path, read, expected);
      if (fault) faults.push(fault);
      statuses.set(read.status, (statuses.get(read.status) ?? 0) + 1);
      answers++;
    }
  };
  const all = [0, 1, 2, 3].map((first) => caller(first, first % 2 ? '1.0' : '1.1'));
  return {
    statuses,
    /** Resolves after the given number of further responses. */
    awaitResponses: async (more: number) => {
      const goal = answers + more;
      await expect.poll(() => answers).toBeGreaterThanOrEqual(goal);
    },
    stop: async () => {
      isOver = true;
      await Promise.all(all);
      expect(faults).toEqual([]);
    },
  };
};

const backWithinMs = 5_000;

/** Every request has its normal response within five seconds. */
export const expectRecovery = async ({ port }: Pick<TestService, 'port'>, expected: Expected): Promise<void> => {
  const deadline = performance.now() + backWithinMs;
  for (const path of requestPaths)
    await expect
      .poll(async () => (await readRaw(port, path)).body === expected.get(path), { timeout: Math.max(1, deadline - performance.now()) })
      .toBe(true);
};

const spools = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes('.spool');
    } catch {
      return false;
    }
  });

/** No connection, slot, spool file or socket is in use. */
export const expectNoLeftovers = async ({ database, app }: TestService): Promise<void> => {
  const held = async () => {
    const queues = (await register.getSingleMetric('estate_queue_work')?.get())?.values ?? [];
    const pools = [database, ...database.replicas].flatMap(({ pool, shares }) => [pool, ...Object.values(shares)]);
    return {
      places: queues
        .filter(({ labels, value }) => ['running', 'waiting'].includes(String(labels.state)) && value !== 0)
        .map(({ labels }) => labels),
      connections: pools.reduce((sum, pool) => sum + pool.totalCount - pool.idleCount + pool.waitingCount, 0),
      spools: spools(),
      sockets: await new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count))),
    };
  };
  await expect.poll(held).toEqual({ places: [], connections: 0, spools: [], sockets: 0 });
};
