/**
 * The undocumented parts of `pg` that this project uses. Its types do not describe them, and a new version may change them:
 * `test/database/pg-internals.test.ts` checks each one.
 */
import type { Socket } from 'node:net';
import pg from 'pg';

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

/** A column of a result, as the server describes it. */
export interface Field {
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
  handleRowDescription(message: { readonly fields: readonly Field[] }): void;
  handleError(error: Error, connection: ProtocolConnection): void;
}

/** The base class of queries that control the protocol themselves. */
export const Query = pg.Query as unknown as typeof InternalQuery;

export const connectionOf = (client: pg.ClientBase): ProtocolConnection =>
  (client as unknown as { readonly connection: ProtocolConnection }).connection;

export const socketOf = (client: pg.ClientBase): Socket => connectionOf(client).stream;

/** The identity of a session that a cancel request names, and its address. */
export interface Session {
  readonly processID: number;
  readonly secretKey: number;
  readonly host: string;
  readonly port: number;
  readonly ssl: unknown;
}

export const sessionOf = (client: pg.ClientBase): Session => client as unknown as Session;

export interface CancelConnection {
  readonly stream: { destroy(): void };
  once(event: 'connect' | 'sslconnect' | 'end', listener: () => void): CancelConnection;
  on(event: 'error', listener: () => void): CancelConnection;
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

/** A connection that sends one cancel request. */
export const CancelConnection = (pg as unknown as { Connection: new (options: { ssl: unknown }) => CancelConnection }).Connection;
