/**
 * The way to Postgres: a pool for the service's own questions, with Kysely over it for control data, one for each class of
 * what callers ask, and COPY. The embedded database offers the same over its single connection.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Kysely } from 'kysely';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { watchPool } from '../metrics.ts';
import { type ControlTables, controlOver } from './control.ts';
import { quote } from './identifier.ts';

/** What callers ask: pages that fit in memory, GraphQL documents, and pages that do not fit. */
export const workClasses = ['pages', 'documents', 'large'] as const;
export type WorkClass = (typeof workClasses)[number];

/** A PostgreSQL server as the service uses it. */
export interface Server {
  /** The service's own questions, and loads. */
  readonly pool: pg.Pool;
  /** Connections for what callers ask; `read/connections.ts` is the only way to them. */
  readonly shares: Readonly<Record<WorkClass, pg.Pool>>;
}

export interface Database extends Server {
  /** Control data only; customers' tables are read through `read/`. */
  readonly control: Kysely<ControlTables>;
  /** Control data and pool for the operator's pages, over connections of their own: however much they count, no caller waits for them. */
  readonly operators: Pick<Database, 'control' | 'pool'>;
  /** Servers that follow this one; `read/replicas.ts` says when they may answer. */
  readonly replicas: readonly Server[];
  readonly embedded: boolean;
  /** Ends the statement that a client is running; tells whether the server has been asked to. */
  cancel(client: pg.ClientBase): Promise<boolean>;
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
  /** Connections for everything but large pages, at least 4. */
  readonly poolSize: number;
  /** Connections for large pages. */
  readonly bulkPoolSize: number;
  readonly statementTimeoutMs: number;
  /** The same for the statements of GraphQL documents. */
  readonly documentTimeoutMs: number;
  /** Addresses of servers that follow the first. */
  readonly replicas?: readonly string[];
  /** Where the server itself is, if the address is that of a transaction pooler. */
  readonly directUrl?: string | undefined;
  /** False behind a pooler that does not know of named statements. */
  readonly namesStatements?: boolean;
  /** Called when an idle connection breaks. */
  readonly onError: (error: Error) => void;
}

const int8 = pg.types.builtins.INT8;

/** What the row writer relies on in each session: values as ISO text in UTC, floats with all their digits. */
export const rowSettings = { timezone: 'UTC', datestyle: 'ISO, YMD', intervalstyle: 'iso_8601', extra_float_digits: '1' } as const;
/** What a caller asks uses one core of the server, so that it leaves the others to others. */
export const callerSettings = { ...rowSettings, max_parallel_workers_per_gather: '0' } as const;

const setting = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ');
export const sessionSettings = setting(rowSettings);

/** Versions and counts come as numbers, not as text: they stay below 2^53. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') => (oid === int8 ? Number : pg.types.getTypeParser(oid, format))) as never,
};

/** Connections for the service's own questions: they are short, and what they tell is remembered. */
const ownConnections = 2;

const connectsWithinMs = 10_000;
/** A replica that takes longer is not waited for: the primary is there. */
const replicaConnectsWithinMs = 1_000;

/** Connections that the operator's pages open while they are visited. */
const operatorConnections = 2;

/** How the connections of the general pool are shared out: 10 become 2 of the service, 3 for documents and 5 for pages. */
const sharesOf = (poolSize: number) => {
  const documents = Math.max(1, Math.floor((poolSize - ownConnections) * 0.4));
  return { documents, pages: Math.max(1, poolSize - ownConnections - documents) };
};

/** What `pg` knows of a client and its connection; its types do not show it. */
interface RunningClient {
  readonly processID: number;
  readonly secretKey: number;
  readonly host: string;
  readonly port: number;
  readonly ssl: unknown;
}
interface CancelConnection {
  readonly stream: { destroy(): void };
  once(event: 'connect' | 'sslconnect' | 'end', heard: () => void): CancelConnection;
  on(event: 'error', heard: () => void): CancelConnection;
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}
const Connection = (pg as unknown as { Connection: new (options: { ssl: unknown }) => CancelConnection }).Connection;

const cancelWithinMs = 5_000;

/** Asks the server to end what a client is running, over a connection of its own as the protocol wants it. */
const cancelOf = (client: pg.ClientBase): Promise<boolean> => {
  const { processID, secretKey, host, port, ssl } = client as unknown as RunningClient;
  const connection = new Connection({ ssl });
  return new Promise((resolve) => {
    let isSent = false;
    const settle = () => {
      clearTimeout(timer);
      connection.stream.destroy();
      resolve(isSent);
    };
    const timer = setTimeout(settle, cancelWithinMs);
    const send = () => {
      isSent = true;
      connection.cancel(processID, secretKey);
    };
    // The server closes the connection once it has passed the request on.
    connection.once('connect', () => (ssl ? connection.requestSsl() : send())).once('sslconnect', send);
    connection.once('end', settle).on('error', settle);
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
};

/** A client whose statements have no names: a pooler that does not know of names would send them to servers that do not either. */
class NamelessClient extends pg.Client {
  override query(...[config, ...rest]: readonly unknown[]): never {
    if (typeof config === 'object' && config !== null && 'name' in config) config.name = undefined;
    return (super.query as (...all: unknown[]) => never)(config, ...rest);
  }
}

/** Clients that give up connecting by themselves. */
const clientWithin = (Client: typeof pg.Client, ms: number) =>
  class extends Client {
    constructor(options?: pg.ClientConfig) {
      super({ ...options, connectionTimeoutMillis: ms });
    }
  };

interface Share {
  readonly max: number;
  /** Whoever asks for a connection waits for others to give theirs back; not so behind a queue with as many places. */
  readonly isAwaited: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  readonly statementTimeoutMs?: number;
}

/** Opens pools of one server. Nothing is connected before the first query. */
const poolsOf =
  (url: string, options: PoolOptions, connectsWithinMs: number) =>
  ({ max, isAwaited, settings = rowSettings, statementTimeoutMs = options.statementTimeoutMs }: Share): pg.Pool => {
    const Client = options.namesStatements === false ? (NamelessClient as unknown as typeof pg.Client) : pg.Client;
    const pool = new pg.Pool({
      connectionString: url,
      max,
      application_name: 'estate',
      idleTimeoutMillis: 60_000,
      types: typeParsers,
      // The pool sets a timer for each request, whether or not it has a connection at hand.
      ...(isAwaited ? { Client, connectionTimeoutMillis: connectsWithinMs } : { Client: clientWithin(Client, connectsWithinMs) }),
      // Behind a pooler a connection is whatever server's comes next: the role has the settings (`pooled.ts`).
      ...(!options.directUrl && {
        statement_timeout: statementTimeoutMs,
        // Awaited by the pool, whatever its types say: nobody gets a connection without its settings.
        onConnect: async (client) => {
          await client.query(setting(settings));
        },
      }),
    });
    pool.on('error', options.onError);
    // Whoever has a connection need not listen to it (Kysely does not): one that breaks is told of by its statements, and must not end the process.
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  };

const openServer = (url: string, options: PoolOptions, own: number, connectsWithinMs: number): Server => {
  const open = poolsOf(url, options, connectsWithinMs);
  const { pages, documents } = sharesOf(options.poolSize);
  const share = { isAwaited: false, settings: callerSettings };
  return {
    pool: open({ max: own, isAwaited: true }),
    shares: {
      pages: open({ ...share, max: pages }),
      documents: open({ ...share, max: documents, statementTimeoutMs: Math.min(options.documentTimeoutMs, options.statementTimeoutMs) }),
      large: open({ ...share, max: options.bulkPoolSize }),
    },
  };
};

/** Opens a PostgreSQL server, and its replicas. */
export const openPostgres = (url: string, options: PoolOptions): Database => {
  const primary = openServer(url, options, ownConnections, connectsWithinMs);
  const operators = poolsOf(url, options, connectsWithinMs)({ max: operatorConnections, isAwaited: true });
  const replicas = (options.replicas ?? []).map((address) => openServer(address, options, 1, replicaConnectsWithinMs));
  const named = (prefix: string, { pool, shares }: Server) =>
    Object.entries({ service: pool, ...shares }).map(([name, each]) => [`${prefix}${name}`, each] as const);
  const pools = [named('', primary), ...replicas.map((replica, index) => named(`replica ${index + 1} `, replica))].flat();
  for (const [name, pool] of pools) watchPool(name, pool);
  return {
    control: controlOver(primary.pool),
    operators: { control: controlOver(operators), pool: operators },
    ...primary,
    replicas,
    embedded: false,
    cancel: cancelOf,
    copy: async (client, statement, chunks) => {
      const settled = idle(client);
      await pipeline(Readable.from(chunks), client.query(copyFrom(statement))).finally(() => settled);
    },
    listen: async (channel, heard, lost) => {
      const connectionString = options.directUrl || url;
      const client = new pg.Client({ connectionString, application_name: 'estate versions', keepAlive: true });
      client.on('error', lost);
      client.on('end', () => lost(new Error('The connection for notifications ended')));
      client.on('notification', ({ payload }) => heard(payload ?? ''));
      await client.connect();
      await client.query(`listen ${quote(channel)}`);
      return { close: () => client.removeAllListeners('end').end() };
    },
    close: async () => {
      await Promise.all([...pools.map(([, pool]) => pool), operators].map((pool) => pool.end()));
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
