/**
 * Requests that never become one: malformed HTTP, oversized headers, CONNECT. Node would close the connection or answer with
 * a bare status line; here they are problem documents with the rate-limit headers like all others (semantics 28).
 */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, METHODS, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, type ProblemKind } from '../errors.ts';
import { type Gate, quotaHeaders } from './gate.ts';
import { pathOf, problemType, serializeProblem } from './problem.ts';

interface ClientError extends Error {
  readonly code?: string;
  /** What was received of the request, as a buffer; Fastify's types describe something else. */
  readonly rawPacket?: unknown;
}

const kinds: Readonly<Record<string, ProblemKind>> = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'requestTimeout',
};

/** The path in what could be read of the request line. */
const instanceOf = (packet: unknown): string => {
  const target = (Buffer.isBuffer(packet) ? packet : undefined)?.toString('latin1').split('\r\n', 1)[0]?.split(' ')[1];
  return target?.startsWith('/') ? pathOf(target) : '/';
};

const methodNotAllowed = () => new ApiError('methodNotAllowed', '', { Allow: 'GET, HEAD' });

/** What went wrong; a method that Node's parser does not know is a wrong method, not malformed HTTP (semantics 2). */
const errorOf = ({ code = '', rawPacket }: ClientError): ApiError => {
  const [, method] =
    /^([\w!#$%&'*+.^`|~-]+) \S+ HTTP\/1\.[01]\r\n/.exec(Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '') ?? [];
  if (code === 'HPE_INVALID_METHOD' && method && !METHODS.includes(method)) return methodNotAllowed();
  return new ApiError(kinds[code] ?? 'malformedRequest');
};

/** Writes an answer onto a connection that has no response object, and closes it. */
const answer = async (gate: Gate, socket: Duplex, error: ApiError, instance: string): Promise<void> => {
  if (!socket.writable) return;
  const quota = await gate.countAddress((socket as Duplex & { remoteAddress?: string }).remoteAddress);
  const problem = error.problem(instance);
  const body = serializeProblem(problem);
  const headers = {
    'Content-Type': problemType,
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': randomUUID(),
    'X-Content-Type-Options': 'nosniff',
    ...(quota ? quotaHeaders(quota) : {}),
    ...error.headers,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join('')}\r\n${body}`);
};

/** Fastify's `clientErrorHandler`. */
export const createClientErrorHandler = (gate: Gate) => (error: ClientError, socket: Duplex) => {
  if (error.code === 'ECONNRESET') socket.destroy();
  else void answer(gate, socket, errorOf(error), instanceOf(error.rawPacket)).catch(() => socket.destroy());
};

/** Answers what Node raises as events instead of requests: CONNECT, and an Expect header that it does not know. */
export const answerServerEvents = (server: Server, gate: Gate): void => {
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    void answer(gate, socket, methodNotAllowed(), '/').catch(() => socket.destroy());
  });
  server.on('checkExpectation', (request: IncomingMessage) => {
    void answer(gate, request.socket, new ApiError('expectationFailed'), pathOf(request.url ?? '/')).catch(() => request.socket.destroy());
  });
};
