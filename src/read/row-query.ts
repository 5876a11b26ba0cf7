/**
 * Reads a statement's rows as bytes through the stock `pg` client.
 *
 * While rows flow it listens to the socket in the client's place: `DataRow` messages go to a sink undecoded, every
 * other message goes back to the client, which keeps its state as always. The embedded database has no socket; there the
 * client's decoded fields are put back into the same form.
 */
import type { Socket } from 'node:net';
import pg from 'pg';
import { touchStatement } from '../database/prepared.ts';
import type { BoundStatement } from './statement.ts';
import { sliceMs, turn } from './turns.ts';
import { valveOf } from './valve.ts';

/** A column of a result, as the server describes it. */
export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Takes rows as they come. */
export interface RowSink {
  /** Takes the description that precedes the rows. */
  describe(fields: readonly Field[]): void;
  /** Takes the body of one `DataRow` message: `bytes` from `start` to `end`, valid during the call only. */
  row(bytes: Buffer, start: number, end: number): void;
}

interface Connection {
  readonly stream: Socket | { readonly on?: undefined };
  sync(): void;
}
interface DataRowMessage {
  readonly fields: readonly (string | null)[];
}
interface RowDescription {
  readonly fields: readonly Field[];
}

/** The parts of `pg.Query` that this builds on; `@types/pg` does not describe them. */
declare class PgQuery {
  constructor(config: { text: string; name: string; values: readonly unknown[]; rows?: number }, callback: (error: Error | null) => void);
  submit(connection: Connection): Error | null;
  handleRowDescription(message: RowDescription): void;
  handleDataRow(message: DataRowMessage): void;
  handleError(error: Error, connection: Connection): void;
}
const Query = pg.Query as unknown as typeof PgQuery;

const DATA_ROW = 0x44;
const READY_FOR_QUERY = 0x5a;
const HEADER = 5;

class RowQuery extends Query {
  readonly #sink: RowSink;
  readonly #isBatched: boolean;

  constructor(statement: BoundStatement, sink: RowSink, batch: number | undefined, callback: (error: Error | null) => void) {
    super({ ...statement, ...(batch ? { rows: batch } : {}) }, callback);
    this.#sink = sink;
    this.#isBatched = batch !== undefined;
  }

  override submit(connection: Connection): Error | null {
    const refused = super.submit(connection);
    if (!refused && connection.stream.on) divert(connection.stream, this.#sink);
    return refused;
  }

  override handleRowDescription(message: RowDescription): void {
    this.#sink.describe(message.fields);
  }

  override handleDataRow(message: DataRowMessage): void {
    const body = encodeRow(message.fields);
    this.#sink.row(body, 0, body.length);
  }

  override handleError(error: Error, connection: Connection): void {
    // The client sends the closing Sync of a batched read only once it is complete; without one the server stays silent.
    if (this.#isBatched) connection.sync();
    super.handleError(error, connection);
  }
}

/** Takes over the socket until the server is ready for the next query. */
const divert = (socket: Socket, sink: RowSink): void => {
  const listeners = socket.listeners('data') as ((bytes: Buffer) => void)[];
  const handBack = (bytes: Buffer) => {
    for (const listener of listeners) listener.call(socket, bytes);
  };
  let partial: Buffer | undefined;

  const onData = (received: Buffer) => {
    const bytes = partial ? Buffer.concat([partial, received]) : received;
    let at = 0;
    while (bytes.length - at >= HEADER) {
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) break;
      if (bytes[at] === DATA_ROW) {
        sink.row(bytes, at + HEADER, end);
      } else if (bytes[at] === READY_FOR_QUERY) {
        restore();
        handBack(bytes.subarray(at));
        return;
      } else {
        handBack(bytes.subarray(at, end));
      }
      at = end;
    }
    partial = at < bytes.length ? bytes.subarray(at) : undefined;
  };
  const restore = () => {
    socket.removeListener('data', guarded);
    for (const listener of listeners) socket.on('data', listener);
  };
  const valve = valveOf(socket);
  let worked = 0;
  // A fault of the sink must end this read, not the process.
  const guarded = (received: Buffer) => {
    const begun = performance.now();
    try {
      onData(received);
    } catch (error) {
      socket.destroy(error as Error);
    }
    worked += performance.now() - begun;
    if (worked < sliceMs) return;
    // The server has more at once than the process should do at once.
    worked = 0;
    valve.close(guarded);
    void turn(socket).then(() => valve.open(guarded));
  };
  socket.removeAllListeners('data');
  socket.on('data', guarded);
};

/** Fields as the body of a `DataRow` message. */
const encodeRow = (fields: readonly (string | null)[]): Buffer => {
  const count = Buffer.alloc(2);
  count.writeInt16BE(fields.length);
  const parts = [count];
  for (const field of fields) {
    const value = field === null ? undefined : Buffer.from(field);
    const length = Buffer.alloc(4);
    length.writeInt32BE(value ? value.length : -1);
    parts.push(length);
    if (value) parts.push(value);
  }
  return Buffer.concat(parts);
};

/**
 * Runs the statement on a client and hands its rows over; resolves when the last has been taken.
 * `batch` limits how many rows the server hands over at a time, for a connection that would buffer them all.
 */
export const readRows = async (client: pg.PoolClient, statement: BoundStatement, sink: RowSink, batch?: number): Promise<void> => {
  await touchStatement(client, statement.name);
  await new Promise<void>((resolve, reject) => {
    client.query(new RowQuery(statement, sink, batch, (error) => (error ? reject(error) : resolve())) as unknown as pg.Submittable);
  });
};
