/** Opens PostgreSQL servers: one pool for the service itself and one for each work class. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { watchPool } from '../../metrics.ts';
import { controlOver } from '../control-tables.ts';
import { quote } from '../identifier.ts';
import type { Database, Server } from './connection.ts';
import { ReusingSocket, sessionOf } from './pg-session.ts';
import {
  callerSettings,
  compileSettings,
  lockSettings,
  lostClientSettings,
  rowSettings,
  setting,
  typeParsers,
} from './session-settings.ts';

export interface PoolOptions {
  /** Connections for pages, documents and control queries; at least 4. */
  readonly poolSize: number;
  /** Connections for large pages. */
  readonly bulkPoolSize: number;
  readonly statementTimeoutMs: number;
  /** The statement timeout of GraphQL documents. */
  readonly documentTimeoutMs: number;
  /** Addresses of read replicas. */
  readonly replicas?: readonly string[];
  /** The address of the server itself, if the main address is a transaction pooler. */
  readonly directUrl?: string | undefined;
  /** False behind a pooler that does not support named statements. */
  readonly namesStatements?: boolean;
  /** Whether requests read at the nodes of Citus that hold their customers. */
  readonly readsNodes?: boolean;
  /** Called when an idle connection fails. */
  readonly onError: (error: Error) => void;
}

/** Connections for control queries. These are short, and their results are cached. */
const ownConnections = 2;

const connectsWithinMs = 10_000;
/** A server that hangs does not end a statement at its time limit. The client waits this much longer. */
const silenceMs = 2_000;
/** A slow replica or node is skipped, because the primary can answer. */
const replicaConnectsWithinMs = 1_000;

/** Connections for states on Citus. */
const stateConnections = 4;

/** Questions to nodes of Citus at once. Connections open for the first question only. */
const nodeConnections = 16;

/** Connections of the portal. */
const operatorConnections = 2;

/** Loads through the portal at once. More wait for a connection, and are refused after its time limit. */
const portalLoads = 2;

/** Divides the general pool: 10 connections become 2 for control queries, 3 for documents and 5 for pages. */
const sharesOf = (poolSize: number) => {
  const documents = Math.max(1, Math.floor((poolSize - ownConnections) * 0.4));
  return { documents, pages: Math.max(1, poolSize - ownConnections - documents) };
};

/** A client that removes statement names, for a pooler that does not support them. */
class NamelessClient extends pg.Client {
  override query(...[config, ...rest]: readonly unknown[]): never {
    if (typeof config === 'object' && config !== null && 'name' in config) config.name = undefined;
    return (super.query as (...all: unknown[]) => never)(config, ...rest);
  }
}

/** A client class with a connect timeout of its own. */
const clientWithin = (Client: typeof pg.Client, ms: number) =>
  class extends Client {
    constructor(options?: pg.ClientConfig) {
      super({ ...options, connectionTimeoutMillis: ms });
    }
  };

interface Share {
  readonly max: number;
  /** Whether callers wait for a free connection. Behind a queue with as many slots they never wait. */
  readonly isAwaited: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  readonly statementTimeoutMs?: number;
  /** Whether a server that does not answer at all ends a statement. Not for statements that pause or have no time limit. */
  readonly endsSilence?: boolean;
  /** Whether each connection reads into one buffer. For rows that are written at once, not kept. */
  readonly reusesBuffers?: boolean;
}

/** Creates pools for one server. No connection opens before the first query. */
const poolsOf =
  (url: string, options: PoolOptions, connectsWithinMs: number) =>
  ({
    max,
    isAwaited,
    settings = rowSettings,
    statementTimeoutMs = options.statementTimeoutMs,
    endsSilence = false,
    reusesBuffers = false,
  }: Share): pg.Pool => {
    const Client = options.namesStatements === false ? (NamelessClient as unknown as typeof pg.Client) : pg.Client;
    const pool = new pg.Pool({
      connectionString: url,
      max,
      application_name: 'estate',
      idleTimeoutMillis: 60_000,
      types: typeParsers,
      ...(endsSilence && { query_timeout: statementTimeoutMs + silenceMs }),
      ...(reusesBuffers && { stream: () => new ReusingSocket() }),
      // With a pool timeout, the pool would set a timer for each request, even if a connection is idle.
      ...(isAwaited ? { Client, connectionTimeoutMillis: connectsWithinMs } : { Client: clientWithin(Client, connectsWithinMs) }),
      // Behind a pooler, the role has the settings, because each transaction may get another session (`pooled.ts`).
      ...(!options.directUrl && {
        statement_timeout: statementTimeoutMs,
        // The pool awaits this function, although its types do not say so. No connection is used without its settings.
        onConnect: async (client) => {
          await client.query(setting({ ...settings, ...lostClientSettings }));
        },
      }),
    });
    pool.on('error', options.onError);
    // Without a listener, a failing connection would end the process. Its statements report the failure.
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  };

const openServer = (url: string, options: PoolOptions, own: number, connectsWithinMs: number): Server => {
  const open = poolsOf(url, options, connectsWithinMs);
  const { pages, documents } = sharesOf(options.poolSize);
  const share = { isAwaited: false, settings: { ...callerSettings, ...compileSettings, ...lockSettings } };
  return {
    pool: open({ max: own, isAwaited: true }),
    shares: {
      pages: open({ ...share, max: pages, endsSilence: true, reusesBuffers: true }),
      documents: open({
        ...share,
        max: documents,
        endsSilence: true,
        statementTimeoutMs: Math.min(options.documentTimeoutMs, options.statementTimeoutMs),
      }),
      large: open({ ...share, max: options.bulkPoolSize, reusesBuffers: true }),
    },
  };
};

/** The address of a node: that of the coordinator, with another host and port. */
const addressOfNode = (url: string, host: string, port: number): string => {
  const address = new URL(url);
  address.hostname = host.includes(':') ? `[${host}]` : host;
  address.port = String(port);
  return address.href;
};

/** Opens a PostgreSQL server and its replicas. */
export const openPostgres = (url: string, options: PoolOptions): Database => {
  const primary = openServer(url, options, ownConnections, connectsWithinMs);
  const operators = poolsOf(url, options, connectsWithinMs)({ max: operatorConnections, isAwaited: true });
  const loads = poolsOf(options.directUrl || url, { ...options, directUrl: '' }, connectsWithinMs)({ max: portalLoads, isAwaited: true });
  const states = poolsOf(url, options, connectsWithinMs)({ max: stateConnections, isAwaited: true });
  const nodeQuestions = poolsOf(url, options, connectsWithinMs)({ max: nodeConnections, isAwaited: true });
  const replicas = (options.replicas ?? []).map((address) => openServer(address, options, 1, replicaConnectsWithinMs));
  const named = (prefix: string, { pool, shares }: Server) =>
    Object.entries({ service: pool, ...shares }).map(([name, each]) => [`${prefix}${name}`, each] as const);
  const pools = [named('', primary), ...replicas.map((replica, index) => named(`replica ${index + 1} `, replica))].flat();
  for (const [name, pool] of pools) watchPool(name, pool);
  const nodes = new Map<string, Server>();
  const nodeServer = (host: string, port: number): Server => {
    const name = `${host}:${port}`;
    const known = nodes.get(name);
    if (known) return known;
    // Nodes are reached without the pooler.
    const server = openServer(
      addressOfNode(options.directUrl || url, host, port),
      { ...options, directUrl: '' },
      1,
      replicaConnectsWithinMs,
    );
    nodes.set(name, server);
    for (const [pool, each] of Object.entries(server.shares)) watchPool(`node ${name} ${pool}`, each);
    return server;
  };
  return {
    control: controlOver(primary.pool),
    operators: { control: controlOver(operators), pool: operators, loads },
    ...primary,
    replicas,
    states,
    nodeQuestions,
    ...(options.readsNodes && { nodeServer }),
    embedded: false,
    cancel: (client) => sessionOf(client).cancel(),
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
      const ofNodes = [...nodes.values()].flatMap(({ pool, shares }) => [pool, ...Object.values(shares)]);
      await Promise.all([...pools.map(([, pool]) => pool), ...ofNodes, operators, loads, states, nodeQuestions].map((pool) => pool.end()));
    },
  };
};

/** Resolves when the client is idle or its connection ended. A failing COPY reports its error earlier than that. */
const idle = (client: pg.ClientBase): Promise<void> =>
  new Promise((resolve) => {
    const events = ['drain', 'end', 'error'];
    const done = () => {
      for (const event of events) (client as pg.Client).removeListener(event, done);
      resolve();
    };
    for (const event of events) (client as pg.Client).on(event as 'drain', done);
  });
