/**
 * The way to Postgres: two pools (pages, and large pages apart so that exports never starve short reads), Kysely over the
 * first for control data, and COPY. The embedded database offers the same over its single connection.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type ControlTables, controlSchema } from './control.ts';
import { quote } from './identifier.ts';

export interface Database {
  /** Control data only; customers' tables are read through `read/`. */
  readonly control: Kysely<ControlTables>;
  readonly pool: pg.Pool;
  /** For pages too large to hold in memory. */
  readonly bulk: pg.Pool;
  readonly embedded: boolean;
  /** Sends the input of a COPY … FROM STDIN, inside the client's transaction. */
  copy(client: pg.PoolClient, statement: string, chunks: CopyInput): Promise<void>;
  /** Hears what is notified on a channel, over a connection of its own; absent where there is only one process. */
  listen?(channel: string, heard: (payload: string) => void, lost: (error: Error) => void): Promise<Listening>;
  close(): Promise<void>;
}

export type CopyInput = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

export interface Listening {
  close(): Promise<void>;
}

export interface PoolOptions {
  /** Connections for short reads. */
  readonly poolSize: number;
  /** Connections for large pages. */
  readonly bulkPoolSize: number;
  readonly statementTimeoutMs: number;
  /** Called when an idle connection breaks. */
  readonly onError: (error: Error) => void;
}

const int8 = pg.types.builtins.INT8;

/** Session settings that the row writer relies on: values as ISO text in UTC, floats with all their digits. */
export const sessionSettings =
  "set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'iso_8601'; set extra_float_digits = 1";

/** Versions and counts come as numbers, not as text: they stay below 2^53. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') => (oid === int8 ? Number : pg.types.getTypeParser(oid, format))) as never,
};

export const controlOver = (pool: pg.Pool) =>
  new Kysely<ControlTables>({ dialect: new PostgresDialect({ pool }) }).withSchema(controlSchema);

/** Opens a PostgreSQL server. Nothing is connected before the first query. */
export const openPostgres = (url: string, options: PoolOptions): Database => {
  const open = (max: number) => {
    const pool = new pg.Pool({
      connectionString: url,
      max,
      application_name: 'estate',
      statement_timeout: options.statementTimeoutMs,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: 60_000,
      types: typeParsers,
      // Awaited by the pool, whatever its types say: nobody gets a connection without its settings.
      onConnect: async (client) => {
        await client.query(sessionSettings);
      },
    });
    pool.on('error', options.onError);
    return pool;
  };
  const pool = open(options.poolSize);
  const bulk = open(options.bulkPoolSize);
  return {
    control: controlOver(pool),
    pool,
    bulk,
    embedded: false,
    copy: async (client, statement, chunks) => {
      const settled = idle(client);
      await pipeline(Readable.from(chunks), client.query(copyFrom(statement))).finally(() => settled);
    },
    listen: async (channel, heard, lost) => {
      const client = new pg.Client({ connectionString: url, application_name: 'estate versions', keepAlive: true });
      client.on('error', lost);
      client.on('end', () => lost(new Error('The connection for notifications ended')));
      client.on('notification', ({ payload }) => heard(payload ?? ''));
      await client.connect();
      await client.query(`listen ${quote(channel)}`);
      return { close: () => client.removeAllListeners('end').end() };
    },
    close: async () => {
      await Promise.all([pool.end(), bulk.end()]);
    },
  };
};

/** Resolves when the client's query is over or its connection is: a COPY that fails says so before it is. */
const idle = (client: pg.ClientBase): Promise<void> =>
  new Promise((resolve) => {
    const events = ['drain', 'end', 'error'];
    const done = () => {
      for (const event of events) (client as pg.Client).removeListener(event, done);
      resolve();
    };
    for (const event of events) (client as pg.Client).on(event as 'drain', done);
  });

/** Runs `work` in one transaction on one connection; rolls back when it throws. */
export const inTransaction = async <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    const broken = await client.query('rollback').then(
      () => false,
      () => true,
    );
    client.release(broken);
    throw error;
  }
};

/** Runs `work` on one connection, which is dropped when `work` fails because the connection did. */
export const withClient = async <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let broken = false;
  const onError = () => {
    broken = true;
  };
  // A backend that dies would otherwise end the process; the query under way rejects as well.
  client.on('error', onError);
  try {
    return await work(client);
  } finally {
    client.removeListener('error', onError);
    client.release(broken);
  }
};

/** Runs `work` in one read-only snapshot on one connection. */
export const inSnapshot = <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  withClient(pool, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    try {
      return await work(client);
    } finally {
      await client.query('commit').catch(() => {});
    }
  });
