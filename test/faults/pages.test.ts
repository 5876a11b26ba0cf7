import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { createService } from '../../src/service.ts';
import { onServer, openTestDatabase } from '../support/database.ts';
import { lockWaits } from '../support/locks.ts';
import { keys, poolOptions, testSecret } from '../support/settings.ts';

const config = (environment: Record<string, string>) =>
  readConfig({ RATE_LIMIT: '100000', KEY_SECRET: testSecret, LOG_LEVEL: 'silent', ...environment });

const serve = async (database: ReturnType<typeof openPostgres>, environment: Record<string, string> = {}) => {
  const app = createService(config(environment), { database, secret: testSecret, logger: false });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'X-API-Key': keys.nordEnterprise } });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { port, get, stop: () => app.close() };
};
type Served = Awaited<ReturnType<typeof serve>>;

const problem = (status: number, title: string, detail: string, instance: string) => ({
  type: 'about:blank',
  title,
  status,
  detail,
  instance,
});
const path = '/accounting/budgets';
const waiting = { interval: 20 };

describe('an unreachable database', () => {
  test('is a 503 with Retry-After and without details, and is counted', async () => {
    const database = openPostgres('postgres://secret:secret@127.0.0.1:1/nowhere', poolOptions);
    const service = await serve(database);
    try {
      for (const target of ['/catalog', `${path}?limit=5`, '/nothing']) {
        const { status, headers, text } = await service.get(target);
        expect([status, headers.get('retry-after')]).toEqual([503, '5']);
        const detail = 'The database is not available; try again later';
        expect(JSON.parse(text)).toEqual(problem(503, 'Service Unavailable', detail, target.split('?')[0] as string));
        expect(headers.get('content-type')).toContain('application/problem+json');
        expect(headers.get('x-ratelimit-limit')).toBe('100000');
        expect(headers.get('x-request-id')).not.toBeNull();
      }
      // Errors that need no database do not change.
      expect(await service.get('/operations/%zz')).toMatchObject({ status: 400 });
    } finally {
      await service.stop();
      await database.close();
    }
  });
});

describe.runIf(onServer)('a connection whose process has died', () => {
  test('the server ends its statement', async () => {
    const database = await openTestDatabase();
    const client = await database.shares.pages.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const statement = client.query('select pg_sleep(50)').catch(() => {});
    (client as unknown as { readonly connection: { readonly stream: net.Socket } }).connection.stream.destroy();
    await statement;
    client.release(true);
    const isAlive = async () => (await database.pool.query('select from pg_stat_activity where pid = $1', [rows[0]?.pid])).rowCount;
    await expect.poll(isAlive, waiting).toBe(0);
    await database.close();
  });
});

describe.runIf(onServer)('faults during a page', () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let service: Served;
  /** Blocks the backend in the middle of the page, as long as it has the lock. */
  let gate: pg.Client;
  const pages = 1;
  const limit = 60_000;
  /** The row whose reading waits for the gate. */
  const held = 30_000;

  beforeAll(async () => {
    // A page waits at the gate longer than the default time limit.
    database = await openTestDatabase({ statementTimeoutMs: 300_000 });
    const sql = (text: string) => database.pool.query(text);
    await sql('alter table customer_nord.budgets rename to budgets_held');
    const { rows } = await sql(
      "select attname from pg_attribute where attrelid = 'customer_nord.budgets_held'::regclass and attnum > 0 order by attnum",
    );
    const columns: string[] = rows.map(({ attname }) => attname);
    const with_ = (column: string, expression: string) => columns.map((name) => (name === column ? expression : `"${name}"`)).join(', ');
    await sql(
      `insert into customer_nord.budgets_held (${columns.map((name) => `"${name}"`).join(', ')})
       select ${with_('budget_id', 'n')} from (select * from customer_nord.budgets_held limit 1) b, generate_series(10000000, ${10_000_000 + limit}) n`,
    );
    await sql('delete from customer_nord.budgets_held where budget_id < 10000000');
    // The function is not declared volatile, so that only a statement that selects the column calls it for each row. The sessions of readers wait
    // for a lock for half a second, which a busy machine needs for the rows before it.
    await sql(`create function customer_nord.pass(note text) returns text stable language plpgsql set lock_timeout = 0 as
      $$ begin perform pg_advisory_xact_lock_shared(42); return note; end $$`);
    const at = `case when budget_id = ${10_000_000 + held} then customer_nord.pass(comment) else comment end as comment`;
    await sql(`create view customer_nord.budgets as select ${with_('comment', at)} from customer_nord.budgets_held`);
    // Rows have the order of the index, so that the rows before the gate are sent before it.
    const name = new URL(database.address as string).pathname.slice(1);
    for (const setting of ['enable_sort', 'enable_seqscan']) await sql(`alter database ${name} set ${setting} = off`);
    await sql(`update customer_nord._datasets set row_count = ${limit + 1} where name = 'budgets'`);
    service = await serve(database, { LARGE_PAGES: String(pages), QUEUE_WAIT_MS: '500' });
  });
  afterAll(async () => {
    await service.stop();
    await database.close();
  });
  beforeEach(async () => {
    gate = new pg.Client({ connectionString: database.address });
    await gate.connect();
  });
  afterEach(() => gate.end());

  const close = () => gate.query('select pg_advisory_lock(42)');
  const open = () => gate.query('select pg_advisory_unlock(42)');

  /** Backends of the service that read a page or are in a transaction. */
  const busy = async (): Promise<number[]> => {
    const { rows } = await gate.query(
      `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and (state like 'idle in%' or query like '%budgets%' and state = 'active')`,
    );
    return rows.map(({ pid }) => pid);
  };
  const atTheGate = async (): Promise<number[]> => (await lockWaits(gate)).filter(({ table }) => table === null).map(({ pid }) => pid);

  /** Requests a page over a bare socket. Nothing is read before `rest` is called. */
  const start = async (version = '1.1', query = `limit=${limit}`) => {
    const socket = net.connect(service.port, '127.0.0.1');
    const errors: string[] = [];
    socket.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code ?? error.message));
    socket.write(`GET ${path}?${query} HTTP/${version}\r\nHost: x\r\nX-API-Key: ${keys.nordEnterprise}\r\nConnection: close\r\n\r\n`);
    await once(socket, 'readable');
    const rest = async () => {
      let length = 0;
      let tail = '';
      socket.on('data', (chunk) => {
        length += chunk.length;
        tail = (tail + chunk.toString('latin1')).slice(-200);
      });
      await new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));
      return { length, tail, errors };
    };
    return { socket, rest };
  };

  /** Requests a page and reads everything before the gate. Then the service waits for the database. */
  const readToTheGate = async (version?: string) => {
    // All rows have the same length.
    const row = (await service.get(`${path}?limit=1`)).text.length - 1;
    await close();
    const { socket, rest } = await start(version);
    const end = rest();
    await expect.poll(atTheGate, waiting).toHaveLength(1);
    await expect.poll(() => socket.bytesRead, waiting).toBeGreaterThan(held * row - 200_000);
    return { socket, end };
  };

  test.each(['1.1', '1.0'])('a backend that dies in the middle of a page: the client notices over HTTP/%s', async (version) => {
    // Everything that was delivered has been read. Node's sockets report a reset after unread bytes as a plain end.
    const { end } = await readToTheGate(version);
    await gate.query('select pg_terminate_backend($1)', [(await atTheGate())[0]]);
    const { errors, tail } = await end;
    expect(errors).toEqual(['ECONNRESET']);
    expect(tail).not.toMatch(/\]\s*(0\s*)?$/);
    await open();
    expect((await service.get(`${path}?limit=5`)).status).toBe(200);
  });

  test('fetch fails too, and never returns a partial page as complete', async () => {
    await close();
    const answer = service.get(`${path}?limit=${limit}`).then(
      () => 'a whole page',
      () => 'failed',
    );
    await expect.poll(atTheGate, waiting).toHaveLength(1);
    await gate.query('select pg_terminate_backend($1)', [(await atTheGate())[0]]);
    expect(await answer).toBe('failed');
    await open();
  });

  test('a slow client holds no connection, and still gets the complete page', async () => {
    const { rest } = await start();
    await expect.poll(busy, waiting).toEqual([]);
    const { errors, tail, length } = await rest();
    expect(errors).toEqual([]);
    expect(length).toBeGreaterThan(10_000_000);
    expect(tail).toMatch(/\}\]\r\n0\r\n\r\n$/);
  });

  test('a client that disconnects releases its slot and its connection, even if the database is busy', async () => {
    const { socket } = await readToTheGate();
    socket.destroy();
    // The only slot for large pages and its connection are free, while the gate is still closed.
    await expect.poll(async () => (await service.get(`${path}?limit=2000`)).status, waiting).toBe(200);
    // The statement of the disconnected client was cancelled.
    expect(await atTheGate()).toHaveLength(0);
    await expect.poll(busy, waiting).toEqual([]);
    await open();
  });

  test('too many concurrent large pages: 503 with Retry-After; short pages and empty ones still work', async () => {
    await close();
    const { socket } = await start();
    await expect.poll(atTheGate, waiting).toHaveLength(1);
    const { status, headers, text } = await service.get(`${path}?limit=2000`);
    expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)]);
    expect(JSON.parse(text)).toEqual(
      problem(503, 'Service Unavailable', 'Too many requests of this customer are in flight; try again later', path),
    );
    expect((await service.get(`${path}?limit=5`)).status).toBe(200);
    const empty = await service.get(`${path}?property_id=abc`);
    expect([empty.status, empty.text]).toEqual([200, '[]']);
    socket.destroy();
    await open();
    await expect.poll(async () => (await service.get(`${path}?limit=1001`)).status, waiting).toBe(200);
  });

  test('a statement that takes too long is a 503 without SQL, and the connection can be used again', async () => {
    const impatient = openPostgres(database.address as string, { ...poolOptions, poolSize: 4, statementTimeoutMs: 2_000 });
    const other = await serve(impatient);
    try {
      await close();
      for (let i = 0; i < 2; i++) {
        const { status, headers, text } = await other.get(`${path}?limit=5&offset=${held - 2}`);
        const tooLong = 'The database took too long to answer; ask for less, or try again later';
        expect([status, JSON.parse(text)]).toEqual([503, problem(503, 'Service Unavailable', tooLong, path)]);
        expect(headers.get('retry-after')).toBe('30');
      }
      await open();
      await expect.poll(async () => (await other.get(`${path}?limit=5&offset=${held - 2}`)).status, waiting).toBe(200);
    } finally {
      await other.stop();
      await impatient.close();
    }
  });

  test('connections that the server closes while idle are replaced', async () => {
    await gate.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'estate' and datname = current_database()",
    );
    await expect.poll(async () => (await service.get(`${path}?limit=5`)).status, waiting).toBe(200);
    expect((await service.get(`${path}?limit=1001`)).status).toBe(200);
  });
});
