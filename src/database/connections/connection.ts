/** The database as the service uses it: PostgreSQL servers, or the embedded database with the same interface. */
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { ControlTables } from '../control-tables.ts';

/** `pages`: pages that fit into memory. `documents`: GraphQL documents. `large`: pages that do not fit into memory. */
export const workClasses = ['pages', 'documents', 'large'] as const;
export type WorkClass = (typeof workClasses)[number];

/** A PostgreSQL server with its connection pools. */
export interface Server {
  /** The pool of control queries and loads. */
  readonly pool: pg.Pool;
  /** The pools of callers' requests, by work class. Only `execute/connections.ts` uses these pools. */
  readonly shares: Readonly<Record<WorkClass, pg.Pool>>;
}

export interface Database extends Server {
  /** Control data only. Customers' tables are read through `execute/`. */
  readonly control: Kysely<ControlTables>;
  /** The pool of the portal. Its connections are separate, so that an expensive portal page or a load delays no caller. */
  readonly operators: Pick<Database, 'control' | 'pool'> & {
    /** The pool of loads, which need a session of their own: without a transaction pooler. */
    readonly loads: pg.Pool;
  };
  /** Read replicas. `execute/replicas.ts` decides when they may answer. */
  readonly replicas: readonly Server[];
  /** The pool of states in customers' schemas, if they may be on nodes of Citus. A node that hangs must not block control queries. */
  readonly states?: pg.Pool;
  /** The pool of questions about the nodes of Citus, one connection for each node. Absent on the embedded database. */
  readonly nodeQuestions?: pg.Pool;
  /** Pools for a node of Citus, opened when they are needed. Absent if requests read through the coordinator only. */
  readonly nodeServer?: (host: string, port: number) => Server;
  readonly embedded: boolean;
  /** Cancels the running statement of a client. Resolves to whether the server received the request. */
  cancel(client: pg.ClientBase): Promise<boolean>;
  /** Sends the input of a COPY … FROM STDIN in the client's transaction. */
  copy(client: pg.PoolClient, statement: string, chunks: CopyInput): Promise<void>;
  /** Listens to a notification channel over a separate connection. Absent on the embedded database, which has one process. */
  listen?(channel: string, heard: (payload: string) => void, lost: (error: Error) => void): Promise<Listening>;
  close(): Promise<void>;
}

export type CopyInput = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

export interface Listening {
  close(): Promise<void>;
}
