/**
 * Answers input that never becomes a request: malformed HTTP, oversized headers, CONNECT, a connection beyond the limit. Node would close
 * the connection or send a bare status line. Here, the client gets a problem document with the rate-limit headers (contract: problem
 * documents).
 */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, METHODS, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { ApiError, type ProblemKind } from '../../errors.ts';
import type { Gate } from '../gate.ts';
import type { PublicUrl } from '../public-url.ts';
import { recordRefusal } from '../response-end.ts';
import { commonHeaders } from '../responses/headers.ts';
import { problemPathOf, problemType, serializeProblem } from '../responses/problem.ts';
import type { OpenResponses } from './open-responses.ts';

interface ClientError extends Error {
  readonly code?: string;
  /** The received part of the request, as a buffer. Fastify's types describe it differently. */
  readonly rawPacket?: unknown;
}

const kinds: Readonly<Record<string, ProblemKind>> = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'requestTimeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payloadTooLarge',
};

/** The path from the readable part of the request line. */
const instanceOf = (packet: unknown): string => {
  const target = (Buffer.isBuffer(packet) ? packet : undefined)?.toString('latin1').split('\r\n', 1)[0]?.split(' ')[1];
  return target?.startsWith('/') ? problemPathOf(target) : '/';
};

const methodNotAllowed = () => new ApiError('methodNotAllowed', '', { Allow: 'GET, HEAD' });

/** The error of a request. A method that Node's parser does not know is a wrong method, not malformed HTTP (contract: methods). */
const errorOf = ({ code = '', rawPacket }: ClientError): ApiError => {
  const [, method] =
    /^([\w!#$%&'*+.^`|~-]+) \S+ HTTP\/1\.[01]\r\n/.exec(Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '') ?? [];
  if (code === 'HPE_INVALID_METHOD' && method && !METHODS.includes(method)) return methodNotAllowed();
  return new ApiError(kinds[code] ?? 'malformedRequest');
};

/** The time for a client to read the response before the connection is destroyed. */
const graceMs = 1_000;

/** Sends these bytes and ends the connection. A client that leaves it half open is cut after the grace time. */
const endWith = (socket: Socket, bytes: string): void => {
  socket.end(bytes, () => {
    const timer = setTimeout(() => socket.destroy(), graceMs);
    socket.once('close', () => clearTimeout(timer));
  });
};

export interface NoRequestOptions {
  readonly gate: Gate;
  readonly logger: FastifyBaseLogger | false;
  readonly publicUrl: PublicUrl;
  readonly openResponses: OpenResponses;
}

/** Sends an error outside of any request, and closes the connection. */
export type CloseWith = (socket: Socket, error: ApiError, instance?: string) => void;

/** Answers each connection at most once, and closes it. */
export const createNoRequest = ({ gate, logger, publicUrl, openResponses }: NoRequestOptions) => {
  const answered = new WeakSet<Socket>();

  const sendAndClose = async (socket: Socket, error: ApiError, instance: string): Promise<void> => {
    const address = socket.remoteAddress;
    const id = randomUUID();
    const problem = error.problem(publicUrl.to(publicUrl.withoutPrefix(instance)));
    const body = serializeProblem(problem);
    const headers = {
      'Content-Type': problemType,
      'Content-Length': String(Buffer.byteLength(body)),
      ...commonHeaders(id, await gate.countAddress(address)),
      ...error.headers,
      Connection: 'close',
    };
    recordRefusal(problem.status);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    if (logger) logger.info({ reqId: id, status: problem.status, address, reason: problem.detail }, 'no request');
    endWith(socket, `HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join('')}\r\n${body}`);
  };

  const closeWith: CloseWith = (socket, error, instance = '/') => {
    if (answered.has(socket)) return;
    answered.add(socket);
    const send = () => {
      if (socket.writable) void sendAndClose(socket, error, instance).catch(() => socket.destroy());
      else socket.destroy();
    };
    const open = [...openResponses(socket)];
    // The response to a request that will never be complete. Other bytes must not be mixed into it.
    if (open.some((response) => !response.req.complete && response.headersSent)) return void socket.resetAndDestroy();
    // Responses to earlier requests come first.
    const last = open.findLast((response) => response.req.complete);
    if (last) last.once('close', send);
    else send();
  };

  return {
    closeWith,
    /** Fastify's `clientErrorHandler`. */
    clientError: (error: ClientError, socket: Socket): void => {
      if (error.code === 'ECONNRESET') socket.destroy();
      else closeWith(socket, errorOf(error), instanceOf(error.rawPacket));
    },
    /** Answers CONNECT, for which Node gives up the socket. */
    listen: (server: Server): void => {
      // Node removes its own listener from such a socket, and an error without a listener would end the process.
      server.on('connection', (socket: Socket) => socket.on('error', () => socket.destroy()));
      server.on('connect', (_request: IncomingMessage, socket: Socket) => closeWith(socket, methodNotAllowed()));
      // The gate refuses an unknown expectation.
      server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    },
  };
};
