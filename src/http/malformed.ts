/**
 * Requests that never become one: malformed HTTP, oversized headers, CONNECT. Node would close the connection or answer with
 * a bare status line; here they are problem documents with the rate-limit headers like all others (contract: problem documents).
 */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, METHODS, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { ApiError, type ProblemKind } from '../errors.ts';
import { commonHeaders, type Gate } from './gate.ts';
import { meterRefusal } from './metering.ts';
import { pathOf, problemType, serializeProblem } from './problem.ts';

interface ClientError extends Error {
  readonly code?: string;
  /** What was received of the request, as a buffer; Fastify's types describe something else. */
  readonly rawPacket?: unknown;
}

const kinds: Readonly<Record<string, ProblemKind>> = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'requestTimeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payloadTooLarge',
};

/** The path in what could be read of the request line. */
const instanceOf = (packet: unknown): string => {
  const target = (Buffer.isBuffer(packet) ? packet : undefined)?.toString('latin1').split('\r\n', 1)[0]?.split(' ')[1];
  return target?.startsWith('/') ? pathOf(target) : '/';
};

const methodNotAllowed = () => new ApiError('methodNotAllowed', '', { Allow: 'GET, HEAD' });

/** What went wrong; a method that Node's parser does not know is a wrong method, not malformed HTTP (contract: methods). */
const errorOf = ({ code = '', rawPacket }: ClientError): ApiError => {
  const [, method] =
    /^([\w!#$%&'*+.^`|~-]+) \S+ HTTP\/1\.[01]\r\n/.exec(Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '') ?? [];
  if (code === 'HPE_INVALID_METHOD' && method && !METHODS.includes(method)) return methodNotAllowed();
  return new ApiError(kinds[code] ?? 'malformedRequest');
};

/** How long a client has to take the answer before the connection is closed on its side too. */
const graceMs = 1_000;

/** Ends the connection with these bytes; a client that leaves it half open is not waited for. */
const endWith = (socket: Socket, bytes: string): void => {
  socket.end(bytes, () => {
    const timer = setTimeout(() => socket.destroy(), graceMs);
    socket.once('close', () => clearTimeout(timer));
  });
};

/** Whether a part of an answer has gone out already; more must not be mixed into it. */
const isAnswering = (socket: Socket & { readonly _httpMessage?: { readonly headersSent: boolean } | null }): boolean =>
  socket._httpMessage?.headersSent ?? false;

export interface RefusalOptions {
  readonly gate: Gate;
  readonly logger: FastifyBaseLogger | false;
}

/** Answers on connections that have no response object, each at most once, and closes them. */
export const createRefusals = ({ gate, logger }: RefusalOptions) => {
  const refused = new WeakSet<Socket>();

  const answer = async (socket: Socket, error: ApiError, instance: string): Promise<void> => {
    const address = socket.remoteAddress;
    const id = randomUUID();
    const problem = error.problem(instance);
    const body = serializeProblem(problem);
    const headers = {
      'Content-Type': problemType,
      'Content-Length': String(Buffer.byteLength(body)),
      ...commonHeaders(id, await gate.countAddress(address)),
      ...error.headers,
      Connection: 'close',
    };
    meterRefusal(problem.status);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    if (logger) logger.info({ reqId: id, status: problem.status, address, reason: problem.detail }, 'no request');
    endWith(socket, `HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join('')}\r\n${body}`);
  };

  const refuse = (socket: Socket, error: ApiError, instance = '/'): void => {
    if (refused.has(socket)) return;
    refused.add(socket);
    if (!socket.writable) socket.destroy();
    else if (isAnswering(socket)) socket.resetAndDestroy();
    else void answer(socket, error, instance).catch(() => socket.destroy());
  };

  return {
    /** Fastify's `clientErrorHandler`. */
    clientError: (error: ClientError, socket: Socket): void => {
      if (error.code === 'ECONNRESET') socket.destroy();
      else refuse(socket, errorOf(error), instanceOf(error.rawPacket));
    },
    /** Answers what Node raises as events instead of requests: CONNECT, and an Expect header that it does not know. */
    answerEvents: (server: Server): void => {
      server.on('connect', (_request: IncomingMessage, socket: Socket) => refuse(socket, methodNotAllowed()));
      server.on('checkExpectation', ({ socket, url = '/' }: IncomingMessage) =>
        refuse(socket, new ApiError('expectationFailed'), pathOf(url)),
      );
    },
  };
};
