/** The log: one JSON document for each line, or readable lines on a terminal. The secrets of keys are removed from every line. */
import pino, { type Logger, type LoggerOptions } from 'pino';
import { redactKeys } from '../access/key-text.ts';
import { printableLines } from '../printable.ts';

export interface LogDestination {
  write(line: string): unknown;
}

type Line = Readonly<Record<string, unknown>>;

/** Fields that a readable line shows at a fixed place or omits. */
const framing = 'level time pid hostname msg reqId err'.split(' ');
const inRequest = 'method path status ms bytes'.split(' ');

/** Warnings and errors are bold. */
const emphasize = (text: string, level: number): string => (level >= 40 ? `\x1b[1m${text}\x1b[22m` : text);

const requestOf = ({ method, path, status, ms, bytes }: Line): string => `${status} ${method} ${path} ${ms} ms ${bytes} B`;

/** Converts a JSON line to a readable line: `14:03:11 WARN 401 GET /catalog 0.8 ms 512 B address=127.0.0.1 (request id)`. */
export const readableLine = (json: string): string => {
  const line = JSON.parse(json) as Line;
  const level = Number(line.level);
  const isRequest = line.msg === 'request' && 'path' in line;
  const placed = isRequest ? [...framing, ...inRequest] : framing;
  const more = Object.entries(line)
    .filter(([name]) => !placed.includes(name))
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`);
  const id = line.reqId === undefined ? [] : [`(${line.reqId})`];
  const { stack, message } = (line.err ?? {}) as { readonly stack?: string; readonly message?: string };
  const time = new Date(Number(line.time)).toISOString().slice(11, 19);
  const headline = printableLines(`${pino.levels.labels[level]?.toUpperCase()} ${isRequest ? requestOf(line) : line.msg}`);
  const words = [time, emphasize(headline, level), ...[...more, ...id].map(printableLines)].join(' ');
  return `${words}\n${line.err ? `${printableLines(stack ?? message ?? '')}\n` : ''}`;
};

/** The maximum time in milliseconds that a line waits in the buffer. */
const longestWait = 100;

/** Writes several lines together, because each write is a round trip to another thread. The rest is written when the process ends. */
const standardError = (): LogDestination => {
  const lines = pino.destination({ dest: 2, sync: false, minLength: 8192 });
  let isDue = false;
  const flush = () => {
    isDue = false;
    lines.flush();
  };
  return {
    write: (line) => {
      lines.write(line);
      if (isDue) return;
      isDue = true;
      setTimeout(flush, longestWait).unref();
    },
  };
};

/** The fields of an error that the log has. Errors of drivers have others: their client with its secrets, statements, values. */
const loggedFields = ['code', 'routine', 'syscall', 'address', 'port'] as const;

const describeError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const fields = Object.fromEntries(loggedFields.filter((field) => field in error).map((field) => [field, Reflect.get(error, field)]));
  const causes = error instanceof AggregateError ? error.errors : cause === undefined ? [] : [cause];
  return { type: name, message, stack, ...fields, ...(causes.length > 0 && { causes: causes.map(describeError) }) };
};

export const createLogger = (level: string, destination: LogDestination = standardError(), isTerminal = process.stderr.isTTY): Logger => {
  const options: LoggerOptions = { level, serializers: { err: describeError }, hooks: { streamWrite: redactKeys } };
  return pino(options, isTerminal ? { write: (line: string) => void destination.write(readableLine(line)) } : (destination as never));
};
