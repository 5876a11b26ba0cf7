/**
 * Runs the statements of plans, and reads their rows as bytes through an unmodified `pg` client.
 *
 * While rows arrive, it listens to the socket instead of the client. `DataRow` messages go to a sink undecoded. All other messages go to
 * the client, so its state stays correct.
 */
import type pg from 'pg';
import {
  type PgSession,
  type PreparedStatement,
  type ProtocolConnection,
  type ProtocolField,
  ProtocolQuery,
  sessionOf,
} from '../database/connections/pg-session.ts';
import { shapeOfCondition } from '../plan/condition.ts';
import type { PlanQuery } from '../plan/plan-query.ts';
import { isSliceUsedUp, nextSlice, useSlice } from '../scheduling/time-slices.ts';
import { type BoundStatement, statementFor } from '../sql/statement.ts';
import type { Attributes } from '../timing.ts';

/** Receives rows as they arrive. */
export interface RowSink {
  /** Receives the column descriptions before the rows. No request is sent for descriptions that are known or not needed. */
  describe?(fields: readonly ProtocolField[]): void;
  /** Whether the sink needs the bytes after `row` has returned. Otherwise, the next read may overwrite them. */
  readonly keepsBytes?: boolean;
  /** Receives the body of one `DataRow` message: `bytes` from `start` to `end`. */
  row(bytes: Buffer, start: number, end: number): void;
}

const DATA_ROW = 0x44;
const READY_FOR_QUERY = 0x5a;
const HEADER = 5;

interface Reading {
  readonly prepared: PreparedStatement;
  readonly sink: RowSink;
  readonly batch: number | undefined;
}

class RowQuery extends ProtocolQuery {
  readonly #session: PgSession;
  readonly #prepared: PreparedStatement;
  readonly #sink: RowSink;
  readonly #owner: unknown;
  readonly #isBatched: boolean;

  constructor(
    session: PgSession,
    { text, name, values, planQuery }: BoundStatement,
    { prepared, sink, batch }: Reading,
    callback: (error: Error | null) => void,
  ) {
    // `pg` would copy a configuration object property by property.
    super(text, values, callback);
    this.name = name;
    this.rows = batch;
    this.#session = session;
    this.#prepared = prepared;
    this.#sink = sink;
    this.#owner = planQuery?.plan.source.customerId ?? sink;
    this.#isBatched = batch !== undefined;
  }

  override submit(connection: ProtocolConnection): Error | null {
    const refused = super.submit(connection);
    if (!refused) divert(this.#session, this.#sink, this.#owner);
    return refused;
  }

  override prepare(connection: ProtocolConnection): void {
    const { fields } = this.#prepared;
    if (fields) this.#sink.describe?.(fields);
    super.prepare(fields || !this.#sink.describe ? this.#session.undescribed : connection);
  }

  override handleRowDescription(message: { readonly fields: readonly ProtocolField[] }): void {
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
const divert = (session: PgSession, sink: RowSink, owner: unknown): void => {
  const { socket } = session;
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
    session.borrowReads(undefined);
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
  const guarded = (received: Buffer) => {
    if (!isSliceUsedUp()) return take(received);
    // The time slice of this turn is used up, so the socket pauses.
    session.pause(guarded);
    void nextSlice(owner).then(() => {
      if (!socket.destroyed) take(received);
      session.resume(guarded);
    });
  };
  socket.removeAllListeners('data');
  const isBorrowed = !sink.keepsBytes && session.borrowReads(guarded);
  if (!isBorrowed) socket.on('data', guarded);
};

/** Limits the shape of a filter with a thousand terms. */
const longestShape = 1_000;

const attributesOf = ({ queryKind, plan, limit, parents }: PlanQuery): Attributes => ({
  'db.system.name': 'postgresql',
  'db.operation.name': queryKind,
  'db.collection.name': plan.source.name,
  'estate.columns': plan.columns.length,
  'estate.limit': limit,
  'estate.order': plan.order.map(({ column, isDescending }) => (isDescending ? `${column} desc` : column)).join(', '),
  'estate.position': plan.after ? 'cursor' : plan.offset > 0 ? 'offset' : 'first',
  ...(plan.where && { 'estate.filter': JSON.stringify(shapeOfCondition(plan.where)).slice(0, longestShape) }),
  ...(plan.joinedRows.length > 0 && { 'estate.along': plan.joinedRows.map((joinedRows) => joinedRows.plan.source.name).join(', ') }),
  ...(parents && { 'estate.parents': parents.link.column }),
});

/** Runs a statement and records it in the trace of the session, if there is one. */
const traceStatement = async <T>({ trace }: PgSession, planQuery: PlanQuery | undefined, run: () => Promise<T>): Promise<T> => {
  if (!trace || !planQuery) return run();
  const since = performance.now();
  const record = (failure?: unknown) =>
    trace.add(`${planQuery.queryKind} ${planQuery.plan.source.name}`, since, attributesOf(planQuery), failure);
  try {
    const result = await run();
    record();
    return result;
  } catch (error) {
    record(error);
    throw error;
  }
};

/**
 * Runs a statement and passes its rows to the sink. Resolves after the last row. `batch` limits the rows per round trip, for a connection
 * that would buffer all of them.
 */
export const readRows = async (client: pg.PoolClient, statement: BoundStatement, sink: RowSink, batch?: number): Promise<void> => {
  const session = sessionOf(client);
  const placed = session.translate(statement);
  const prepared = await session.touch(placed.name);
  await traceStatement(session, statement.planQuery, () =>
    session.submit((ended) => new RowQuery(session, placed, { prepared, sink, batch }, ended)),
  );
};

/** Runs a statement that returns few rows, which the client decodes. */
export const runStatement = async <Row extends object>(client: pg.ClientBase, planQuery: PlanQuery): Promise<Row[]> => {
  const session = sessionOf(client);
  const { text, name, values } = session.translate(statementFor(planQuery));
  await session.touch(name);
  const { rows } = await traceStatement(session, planQuery, () => client.query<Row>({ text, name, values: [...values] }));
  return rows;
};
