/**
 * What belongs to a connection, and the undocumented parts of `pg` that this project uses. Its types do not describe them, and a new version
 * may change them: `test/database/pg-session.test.ts` checks each one.
 */
import { Socket, type SocketConstructorOpts } from 'node:net';
import pg from 'pg';
import type { Trace } from '../../timing.ts';
import type { NamedText, TableNames } from './table-names.ts';

/** The protocol connection of a client. */
export interface ProtocolConnection {
  readonly stream: Socket;
  /** Texts of the named statements that the server has parsed. */
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements?: Record<string, string>;
  describe(what: { readonly type: 'P'; readonly name: string }): void;
  close(what: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
}

/** The properties of a client that its types do not have. A cancel request names the process and its secret. */
interface InternalClient {
  readonly connection: ProtocolConnection;
  readonly processID: number;
  readonly secretKey: number;
  readonly host: string;
  readonly port: number;
  readonly ssl: unknown;
}

/** A column of a result, as the server describes it. */
export interface ProtocolField {
  readonly name: string;
  readonly dataTypeID: number;
}

declare class InternalQuery {
  name: string;
  /** Rows per batch; undefined for all rows at once. */
  rows: number | undefined;
  constructor(query: string | { text: string }, values: readonly unknown[], callback: (error: Error | null) => void);
  submit(connection: ProtocolConnection): Error | null;
  prepare(connection: ProtocolConnection): void;
  handleRowDescription(message: { readonly fields: readonly ProtocolField[] }): void;
  handleError(error: Error, connection: ProtocolConnection): void;
}

/** The base class of queries that control the protocol themselves. */
export const ProtocolQuery = pg.Query as unknown as typeof InternalQuery;

interface CancelConnection {
  readonly stream: { destroy(): void };
  once(event: 'connect' | 'sslconnect' | 'end', listener: () => void): CancelConnection;
  on(event: 'error', listener: () => void): CancelConnection;
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

/** A connection that sends one cancel request. */
export const CancelConnection = (pg as unknown as { Connection: new (options: { ssl: unknown }) => CancelConnection }).Connection;

/** Receives bytes that are valid until it returns. If it pauses the socket, they are valid until the socket resumes. */
export type Borrower = (bytes: Buffer) => void;

/** The bytes that Node reads at once. */
const bufferSize = 64 * 1024;

/** Node has this option of `net.connect` in the constructor, too, but its types do not. */
interface ReadingOptions extends SocketConstructorOpts {
  readonly onread: { readonly buffer: Uint8Array; readonly callback: (length: number) => boolean };
}

/**
 * A socket with one buffer for all reads. Node would allocate a buffer outside the heap for each read, and 64 MB of them start a full garbage
 * collection. The borrower receives the bytes, or listeners of `data` receive copies, because they may keep them.
 */
export class ReusingSocket extends Socket {
  borrower: Borrower | undefined;

  constructor() {
    const buffer = Buffer.allocUnsafeSlow(bufferSize);
    const callback = (length: number): boolean => {
      const bytes = buffer.subarray(0, length);
      if (this.borrower) this.borrower(bytes);
      else this.emit('data', Buffer.from(bytes));
      return true;
    };
    const options: ReadingOptions = { onread: { buffer, callback } };
    super(options);
  }
}

/** Closes a statement by a protocol message, which poolers follow. A pooler may send `deallocate` to another server. */
class CloseStatement extends ProtocolQuery {
  readonly #name: string;

  constructor(name: string, callback: (error: Error | null) => void) {
    super({ text: '' }, [], callback);
    this.#name = name;
  }

  override submit(connection: ProtocolConnection): Error | null {
    connection.close({ type: 'S', name: this.#name });
    connection.sync();
    return null;
  }
}

/** A named statement of a connection. */
export interface PreparedStatement {
  /** The columns of the result, after the server has described them. They do not change for a named statement. */
  fields?: readonly ProtocolField[];
}

/** Each named statement takes tens of kilobytes in its backend, and filters create many shapes. */
const maxStatements = 200;
const cancelWithinMs = 5_000;

/** The state of one connection. */
export class PgSession {
  /** The names of tables on its server, while a lease says so; undefined if they are those of the catalogue. */
  tableNames: TableNames | undefined;
  /** The trace of the request that holds the connection. */
  trace: Trace | undefined;
  readonly #client: pg.ClientBase;
  /** Named statements. The least recently used comes first. */
  readonly #statements = new Map<string, PreparedStatement>();
  readonly #pauses = new Set<unknown>();
  #undescribed: ProtocolConnection | undefined;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  get #internals(): InternalClient {
    return this.#client as unknown as InternalClient;
  }

  get connection(): ProtocolConnection {
    return this.#internals.connection;
  }

  /** The connection without requests for column descriptions. These are as long as several rows. */
  get undescribed(): ProtocolConnection {
    this.#undescribed ??= Object.create(this.connection, { describe: { value: () => {} } }) as ProtocolConnection;
    return this.#undescribed;
  }

  get socket(): Socket {
    return this.connection.stream;
  }

  /** The number of the server's process. */
  get processId(): number {
    return this.#internals.processID;
  }

  /** Runs a query that controls the protocol itself; `create` receives the callback of its end. */
  submit(create: (ended: (error: Error | null) => void) => InternalQuery): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#client.query(create((error) => (error ? reject(error) : resolve())) as unknown as pg.Submittable);
    });
  }

  /** A statement as the connection's server needs it. */
  translate<S extends NamedText>(statement: S): S {
    return this.tableNames ? { ...statement, ...this.tableNames.statement(statement) } : statement;
  }

  /** Registers the use of a named statement. Closes the least recently used one if there are too many. */
  async touch(name: string): Promise<PreparedStatement> {
    if (name === '') return {};
    const prepared = this.#statements.get(name) ?? {};
    this.#statements.delete(name);
    this.#statements.set(name, prepared);
    if (this.#statements.size > maxStatements) await this.#forgetOldest();
    return prepared;
  }

  async #forgetOldest(): Promise<void> {
    const { parsedStatements, submittedNamedStatements } = this.connection;
    const [oldest = ''] = this.#statements.keys();
    this.#statements.delete(oldest);
    if (parsedStatements[oldest] === undefined) return;
    delete parsedStatements[oldest];
    delete submittedNamedStatements?.[oldest];
    await this.submit((ended) => new CloseStatement(oldest, ended));
  }

  /** Pauses the socket. There may be several reasons. It flows again when the last one ends. */
  pause(reason: unknown): void {
    this.#pauses.add(reason);
    this.socket.pause();
  }

  resume(reason: unknown): void {
    if (this.#pauses.delete(reason) && this.#pauses.size === 0) this.socket.resume();
  }

  /** Passes the bytes of the socket to `borrow` instead of its listeners. Returns false if it has no buffer of its own, as with TLS. */
  borrowReads(borrow: Borrower | undefined): boolean {
    const { socket } = this;
    if (!(socket instanceof ReusingSocket)) return false;
    socket.borrower = borrow;
    return true;
  }

  /** Sends a cancel request over a new connection, as the protocol demands. Resolves to whether the request was sent. */
  cancel(): Promise<boolean> {
    const { processID, secretKey, host, port, ssl } = this.#internals;
    const connection = new CancelConnection({ ssl });
    return new Promise((resolve) => {
      let isSent = false;
      const end = () => {
        clearTimeout(timer);
        connection.stream.destroy();
        resolve(isSent);
      };
      const timer = setTimeout(end, cancelWithinMs);
      const send = () => {
        isSent = true;
        connection.cancel(processID, secretKey);
      };
      // The server closes the connection once it has passed the request on.
      connection.once('connect', () => (ssl ? connection.requestSsl() : send())).once('sslconnect', send);
      connection.once('end', end).on('error', end);
      if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
      else connection.connect(port, host);
    });
  }
}

const sessions = new WeakMap<pg.ClientBase, PgSession>();

/** The session of a client. */
export const sessionOf = (client: pg.ClientBase): PgSession => {
  const session = sessions.get(client) ?? new PgSession(client);
  sessions.set(client, session);
  return session;
};
