/**
 * Reads the rows of a statement as bytes through an unmodified `pg` client.
 *
 * While rows arrive, it listens to the socket instead of the client. `DataRow` messages go to a sink undecoded. All other messages go to
 * the client, so its state stays correct.
 */
import type { Socket } from 'node:net';
import type pg from 'pg';
import { type Field, type ProtocolConnection, Query } from '../database/connections/pg-internals.ts';
import { type Prepared, touchStatement } from '../database/connections/prepared.ts';
import { borrowReads, endBorrowing } from '../database/connections/reused-reads.ts';
import { translatedFor } from '../database/connections/table-names.ts';
import { isSliceUsedUp, nextSlice, useSlice } from '../scheduling/time-slices.ts';
import type { BoundStatement } from '../sql/statement.ts';
import { traceStatement } from './statements.ts';

/** Receives rows as they arrive. */
export interface RowSink {
  /** Receives the column descriptions before the rows. No request is sent for descriptions that are known or not needed. */
  describe?(fields: readonly Field[]): void;
  /** Whether the sink needs the bytes after `row` has returned. Otherwise, the next read may overwrite them. */
  readonly keepsBytes?: boolean;
  /** Receives the body of one `DataRow` message: `bytes` from `start` to `end`. */
  row(bytes: Buffer, start: number, end: number): void;
}

/** Pauses a socket for several reasons. It flows again when the last reason ends. */
class SocketPause {
  readonly #socket: Socket;
  readonly #reasons = new Set<unknown>();

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  close(reason: unknown): void {
    this.#reasons.add(reason);
    this.#socket.pause();
  }

  open(reason: unknown): void {
    if (this.#reasons.delete(reason) && this.#reasons.size === 0) this.#socket.resume();
  }
}

const pauses = new WeakMap<Socket, SocketPause>();

export const socketPauseOf = (socket: Socket): SocketPause => {
  const pause = pauses.get(socket) ?? new SocketPause(socket);
  pauses.set(socket, pause);
  return pause;
};

const DATA_ROW = 0x44;
const READY_FOR_QUERY = 0x5a;
const HEADER = 5;

const undescribed = new WeakMap<ProtocolConnection, ProtocolConnection>();

/** A connection that requests no column descriptions. These are as long as several rows. */
const withoutDescribe = (connection: ProtocolConnection): ProtocolConnection => {
  const known = undescribed.get(connection) ?? Object.create(connection, { describe: { value: () => {} } });
  undescribed.set(connection, known);
  return known;
};

class RowQuery extends Query {
  readonly #prepared: Prepared;
  readonly #sink: RowSink;
  readonly #owner: unknown;
  readonly #isBatched: boolean;

  constructor(
    statement: BoundStatement,
    prepared: Prepared,
    sink: RowSink,
    batch: number | undefined,
    callback: (error: Error | null) => void,
  ) {
    const { text, name, values, planQuery } = statement;
    // `pg` would copy a configuration object property by property.
    super(text, values, callback);
    this.name = name;
    this.rows = batch;
    this.#prepared = prepared;
    this.#sink = sink;
    this.#owner = planQuery?.plan.source.customerId ?? sink;
    this.#isBatched = batch !== undefined;
  }

  override submit(connection: ProtocolConnection): Error | null {
    const refused = super.submit(connection);
    if (!refused) divert(connection.stream, this.#sink, this.#owner);
    return refused;
  }

  override prepare(connection: ProtocolConnection): void {
    const { fields } = this.#prepared;
    if (fields) this.#sink.describe?.(fields);
    super.prepare(fields || !this.#sink.describe ? withoutDescribe(connection) : connection);
  }

  override handleRowDescription(message: { readonly fields: readonly Field[] }): void {
    const fields = message.fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }));
    this.#prepared.fields = fields;
    this.#sink.describe?.(fields);
  }

  override handleError(error: Error, connection: ProtocolConnection): void {
    // The client sends Sync only after a complete batched read. Without Sync, the server does not continue.
    if (this.#isBatched) connection.sync();
    super.handleError(error, connection);
  }
}

/** Receives the socket's data until the server is ready for the next query. */
const divert = (socket: Socket, sink: RowSink, owner: unknown): void => {
  const listeners = socket.listeners('data') as ((bytes: Buffer) => void)[];
  const handBack = (bytes: Buffer) => {
    for (const listener of listeners) listener.call(socket, bytes);
  };
  /** The first part of an incomplete message. */
  let begun: Buffer | undefined;
  let isOver = false;

  /** Handles complete messages from `from` on. Returns the start of the rest. */
  const takeMessages = (bytes: Buffer, from: number): number => {
    let at = from;
    while (!isOver && bytes.length - at >= HEADER) {
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) break;
      if (bytes[at] === DATA_ROW) sink.row(bytes, at + HEADER, end);
      else {
        isOver = bytes[at] === READY_FOR_QUERY;
        if (isOver) restore();
        handBack(bytes.subarray(at, end));
      }
      at = end;
    }
    return at;
  };

  /** Completes a message with the bytes that follow. Returns the number of bytes used. */
  const takeBegun = (beginning: Buffer, received: Buffer): number => {
    const header = Buffer.concat([beginning, received.subarray(0, HEADER)]);
    const missing = header.length < HEADER ? received.length : 1 + header.readInt32BE(1) - beginning.length;
    // Copies this message only, not the whole chunk.
    const message = Buffer.concat([beginning, received.subarray(0, missing)]);
    begun = takeMessages(message, 0) < message.length ? message : undefined;
    return Math.min(missing, received.length);
  };

  const onData = (received: Buffer) => {
    const from = begun ? takeBegun(begun, received) : 0;
    if (begun) return;
    const at = takeMessages(received, from);
    if (at === received.length) return;
    // The socket may reuse its buffer for the next read.
    const rest = Buffer.from(received.subarray(at));
    if (isOver) handBack(rest);
    else begun = rest;
  };
  const restore = () => {
    endBorrowing(socket);
    socket.removeListener('data', guarded);
    for (const listener of listeners) socket.on('data', listener);
  };
  // An error of the sink must fail this read, not the process.
  const take = (received: Buffer) => {
    const since = performance.now();
    try {
      onData(received);
    } catch (error) {
      socket.destroy(error as Error);
    }
    useSlice(performance.now() - since);
  };
  const valve = socketPauseOf(socket);
  const guarded = (received: Buffer) => {
    if (!isSliceUsedUp()) return take(received);
    // The time slice of this turn is used up, so the socket pauses.
    valve.close(guarded);
    void nextSlice(owner).then(() => {
      if (!socket.destroyed) take(received);
      valve.open(guarded);
    });
  };
  socket.removeAllListeners('data');
  const isBorrowed = !sink.keepsBytes && borrowReads(socket, guarded);
  if (!isBorrowed) socket.on('data', guarded);
};

/**
 * Runs a statement and passes its rows to the sink. Resolves after the last row. `batch` limits the rows per round trip, for a connection
 * that would buffer all of them.
 */
export const readRows = async (client: pg.PoolClient, statement: BoundStatement, sink: RowSink, batch?: number): Promise<void> => {
  const placed = translatedFor(client, statement);
  const prepared = await touchStatement(client, placed.name);
  const run = () =>
    new Promise<void>((resolve, reject) => {
      const query = new RowQuery(placed, prepared, sink, batch, (error) => (error ? reject(error) : resolve()));
      client.query(query as unknown as pg.Submittable);
    });
  await traceStatement(client, statement.planQuery, run);
};
