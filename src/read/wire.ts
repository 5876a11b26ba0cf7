/**
 * Reads a statement's rows as bytes through the stock `pg` client.
 *
 * While rows flow it listens to the socket in the client's place: `DataRow` messages go to a sink undecoded, every
 * other message goes back to the client, which keeps its state as always.
 */
import type { Socket } from 'node:net';
import pg from 'pg';
import { type Field, type Prepared, touchStatement } from '../database/prepared.ts';
import type { BoundStatement } from './statement.ts';
import { traced } from './traced.ts';
import { isSpent, spend, turn } from './turns.ts';
import { valveOf } from './valve.ts';

/** Takes rows as they come. */
export interface RowSink {
  /** Takes the description that precedes the rows; the server is not asked for one that is known, or that nobody takes. */
  describe?(fields: readonly Field[]): void;
  /** Takes the body of one `DataRow` message: `bytes` from `start` to `end`, which stay as they are. */
  row(bytes: Buffer, start: number, end: number): void;
}

interface Connection {
  readonly stream: Socket;
  describe(what: { readonly type: 'P'; readonly name: string }): void;
  sync(): void;
}
interface RowDescription {
  readonly fields: readonly Field[];
}

/** The parts of `pg.Query` that this builds on; `@types/pg` does not describe them. */
declare class PgQuery {
  name: string;
  /** How many rows are handed over at a time. */
  rows: number | undefined;
  constructor(text: string, values: readonly unknown[], callback: (error: Error | null) => void);
  submit(connection: Connection): Error | null;
  prepare(connection: Connection): void;
  handleRowDescription(message: RowDescription): void;
  handleError(error: Error, connection: Connection): void;
}
const Query = pg.Query as unknown as typeof PgQuery;

const DATA_ROW = 0x44;
const READY_FOR_QUERY = 0x5a;
const HEADER = 5;

const undescribed = new WeakMap<Connection, Connection>();

/** A connection as one that asks for no description of the rows, which is as long as several of them. */
const withoutDescribe = (connection: Connection): Connection => {
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
    const { text, name, values, asked } = statement;
    // An object of settings would be copied property by property.
    super(text, values, callback);
    this.name = name;
    this.rows = batch;
    this.#prepared = prepared;
    this.#sink = sink;
    this.#owner = asked?.plan.source.customerId ?? sink;
    this.#isBatched = batch !== undefined;
  }

  override submit(connection: Connection): Error | null {
    const refused = super.submit(connection);
    if (!refused) divert(connection.stream, this.#sink, this.#owner);
    return refused;
  }

  override prepare(connection: Connection): void {
    const { fields } = this.#prepared;
    if (fields) this.#sink.describe?.(fields);
    super.prepare(fields || !this.#sink.describe ? withoutDescribe(connection) : connection);
  }

  override handleRowDescription(message: RowDescription): void {
    const fields = message.fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }));
    this.#prepared.fields = fields;
    this.#sink.describe?.(fields);
  }

  override handleError(error: Error, connection: Connection): void {
    // The client sends the closing Sync of a batched read only once it is complete; without one the server stays silent.
    if (this.#isBatched) connection.sync();
    super.handleError(error, connection);
  }
}

/** Takes over the socket until the server is ready for the next query. */
const divert = (socket: Socket, sink: RowSink, owner: unknown): void => {
  const listeners = socket.listeners('data') as ((bytes: Buffer) => void)[];
  const handBack = (bytes: Buffer) => {
    for (const listener of listeners) listener.call(socket, bytes);
  };
  /** The beginning of a message whose rest is still to come. */
  let begun: Buffer | undefined;
  let isOver = false;

  /** Takes the whole messages from `from` on; gives back where the rest begins. */
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

  /** Puts a message together from its beginning and the bytes that follow; gives back how many of them it took. */
  const takeBegun = (beginning: Buffer, received: Buffer): number => {
    const header = Buffer.concat([beginning, received.subarray(0, HEADER)]);
    const missing = header.length < HEADER ? received.length : 1 + header.readInt32BE(1) - beginning.length;
    // Only this message is copied, not all that came with its end.
    const message = Buffer.concat([beginning, received.subarray(0, missing)]);
    begun = takeMessages(message, 0) < message.length ? message : undefined;
    return Math.min(missing, received.length);
  };

  const onData = (received: Buffer) => {
    const from = begun ? takeBegun(begun, received) : 0;
    if (begun) return;
    const at = takeMessages(received, from);
    if (at === received.length) return;
    if (isOver) handBack(received.subarray(at));
    else begun = received.subarray(at);
  };
  const restore = () => {
    socket.removeListener('data', guarded);
    for (const listener of listeners) socket.on('data', listener);
  };
  // A fault of the sink must end this read, not the process.
  const take = (received: Buffer) => {
    const since = performance.now();
    try {
      onData(received);
    } catch (error) {
      socket.destroy(error as Error);
    }
    spend(performance.now() - since);
  };
  const valve = valveOf(socket);
  const guarded = (received: Buffer) => {
    if (!isSpent()) return take(received);
    // The servers have more at once than the process should do at once.
    valve.close(guarded);
    void turn(owner).then(() => {
      if (!socket.destroyed) take(received);
      valve.open(guarded);
    });
  };
  socket.removeAllListeners('data');
  socket.on('data', guarded);
};

/**
 * Runs the statement on a client and hands its rows over; resolves when the last has been taken.
 * `batch` limits how many rows the server hands over at a time, for a connection that would buffer them all.
 */
export const readRows = async (client: pg.PoolClient, statement: BoundStatement, sink: RowSink, batch?: number): Promise<void> => {
  const prepared = await touchStatement(client, statement.name);
  const run = () =>
    new Promise<void>((resolve, reject) => {
      const query = new RowQuery(statement, prepared, sink, batch, (error) => (error ? reject(error) : resolve()));
      client.query(query as unknown as pg.Submittable);
    });
  await traced(client, statement.asked, run);
};
