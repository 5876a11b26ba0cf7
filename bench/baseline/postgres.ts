/**
 * A minimal PostgreSQL client. Statements are prepared once, then bound and executed, several in one round trip. Rows are bytes. It connects
 * without a password.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A statement that each connection prepares. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A statement with its values. `row` receives the fields of each row, which are valid only during the call. */
export interface Bound {
  readonly statement: Statement;
  readonly values: readonly (string | number)[];
  readonly row: (bytes: Buffer, at: number, end: number) => void;
}

const HEADER = 5;
const [DATA_ROW, COMMAND_COMPLETE, READY, FAILED, DESCRIPTION] = ['D', 'C', 'Z', 'E', 'T'].map((letter) => letter.charCodeAt(0));

const zero = (text: string | number) => Buffer.from(`${text}\0`);
const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const message = (letter: string, ...parts: readonly Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(letter), int32(body.length + 4), body]);
};

const sync = message('S');
const execute = message('E', zero(''), int32(0));

const bind = ({ statement, values }: Bound): Buffer => {
  const texts = values.flatMap((value) => {
    const text = Buffer.from(String(value));
    return [int32(text.length), text];
  });
  return message('B', zero(''), zero(statement.name), int16(0), int16(values.length), ...texts, int16(0));
};

export interface Column {
  readonly name: string;
  readonly type: number;
}

/** The columns of a `RowDescription`. */
const columnsOf = (bytes: Buffer): Column[] => {
  const columns: Column[] = [];
  for (let at = HEADER + 2; columns.length < bytes.readInt16BE(HEADER); at += 18) {
    const end = bytes.indexOf(0, at);
    columns.push({ name: bytes.toString('utf8', at, end), type: bytes.readUInt32BE(end + 7) });
    at = end + 1;
  }
  return columns;
};

export class Postgres {
  readonly #socket: Socket;
  /** The columns of each statement. */
  readonly columns = new Map<string, readonly Column[]>();
  #partial: Buffer | undefined;
  #under: { queries: readonly Bound[]; done: (error?: Error) => void } | undefined;
  #query = 0;
  #described = '';

  private constructor(socket: Socket) {
    this.#socket = socket.setNoDelay().on('data', (bytes) => this.#receive(bytes));
  }

  /** Connects and prepares the statements. */
  static async open(url: string, statements: readonly Statement[]): Promise<Postgres> {
    const { hostname, port, username, pathname } = new URL(url);
    const socket = connect(Number(port || 5432), hostname);
    await once(socket, 'connect');
    const postgres = new Postgres(socket);
    const settings = { user: username, database: pathname.slice(1), DateStyle: 'ISO', TimeZone: 'UTC' };
    const body = Buffer.concat([int32(196_608), ...Object.entries(settings).flat().map(zero), zero('')]);
    await postgres.#send([], Buffer.concat([int32(body.length + 4), body]));
    for (const { name, text } of statements) {
      postgres.#described = name;
      await postgres.#send([], message('P', zero(name), zero(text), int16(0)), message('D', Buffer.from('S'), zero(name)), sync);
    }
    return postgres;
  }

  /** Runs several statements in one round trip. */
  run(queries: readonly Bound[]): Promise<void> {
    return this.#send(queries, ...queries.flatMap((query) => [bind(query), execute]), sync);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  #send(queries: readonly Bound[], ...messages: readonly Buffer[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#query = 0;
      this.#under = { queries, done: (error) => (error ? reject(error) : resolve()) };
      this.#socket.write(Buffer.concat(messages));
    });
  }

  #receive(received: Buffer): void {
    const bytes = this.#partial ? Buffer.concat([this.#partial, received]) : received;
    let at = 0;
    while (bytes.length - at >= HEADER) {
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) break;
      const kind = bytes[at];
      if (kind === DATA_ROW) this.#under!.queries[this.#query]!.row(bytes, at + HEADER + 2, end);
      else if (kind === COMMAND_COMPLETE) this.#query++;
      else if (kind === READY) this.#under!.done();
      else if (kind === FAILED) this.#under!.done(new Error(bytes.toString('utf8', at + HEADER, end)));
      else if (kind === DESCRIPTION) this.columns.set(this.#described, columnsOf(bytes.subarray(at, end)));
      at = end;
    }
    this.#partial = at < bytes.length ? bytes.subarray(at) : undefined;
  }
}
