/**
 * Handles input that never becomes a request: malformed HTTP, oversized headers, CONNECT. Node would close the connection or send a bare
 * status line. Here, the client gets a problem document with the rate-limit headers (contract: problem documents).
 */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, METHODS, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { UsageCounter } from '../../access/usage.ts';
import { ApiError, type ProblemKind } from '../../errors.ts';
import { networkOf } from '../client-address.ts';
import type { Gate } from '../gate.ts';
import { recordRefusal } from '../response-end.ts';
import { commonHeaders } from '../responses/headers.ts';
import { pathOf, problemType, serializeProblem } from '../responses/problem.ts';
import type { ConnectionPace } from './connection-pace.ts';
import { isParsingStopped, isResponding } from './socket-internals.ts';

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
  return target?.startsWith('/') ? pathOf(target) : '/';
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

export interface RefusalOptions {
  readonly gate: Gate;
  readonly usage: UsageCounter;
  readonly logger: FastifyBaseLogger | false;
  readonly pace: ConnectionPace;
}

/** The log has one line in this time for refusals under overload. */
const loggedEveryMs = 1_000;

export type Refusals = ReturnType<typeof createRefusals>;

/** Refuses connections without a response object, each at most once, and closes them. */
export const createRefusals = ({ gate, usage, logger, pace }: RefusalOptions) => {
  const refused = new WeakSet<Socket>();
  let unlogged = 0;

  const logRefused = (): void => {
    if (!logger || unlogged++ > 0) return;
    const write = () => {
      logger.warn({ requests: unlogged }, 'overloaded: requests were refused');
      unlogged = 0;
    };
    setTimeout(write, loggedEveryMs).unref();
  };

  const sendRefusal = async (request: IncomingMessage, response: ServerResponse, error: ApiError): Promise<void> => {
    const caller = gate.recall(request);
    const quota = await gate.countRefused(caller, request.socket.remoteAddress);
    const body = serializeProblem(error.problem(pathOf(request.url ?? '/')));
    const bytes = Buffer.byteLength(body);
    recordRefusal(error.status);
    if (caller) usage.count({ keyId: caller.keyId, status: error.status, rows: 0, bytes });
    logRefused();
    response
      .writeHead(error.status, {
        'content-type': problemType,
        'content-length': bytes,
        ...commonHeaders(randomUUID(), quota),
        ...error.headers,
      })
      .end(body);
  };

  const sendAndClose = async (socket: Socket, error: ApiError, instance: string): Promise<void> => {
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
    recordRefusal(problem.status);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    if (logger) logger.info({ reqId: id, status: problem.status, address, reason: problem.detail }, 'no request');
    endWith(socket, `HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join('')}\r\n${body}`);
  };

  const refuse = (socket: Socket, error: ApiError, instance = '/'): void => {
    if (refused.has(socket)) return;
    refused.add(socket);
    if (!socket.writable) socket.destroy();
    else if (isResponding(socket)) socket.resetAndDestroy();
    else void sendAndClose(socket, error, instance).catch(() => socket.destroy());
  };

  return {
    refuse,
    /** Whether a connection was refused. Its further requests get no response. */
    isRefused: (socket: Socket): boolean => refused.has(socket),
    /** Refuses a request before the gate, at low cost and without the database. */
    refuseRequest: (request: IncomingMessage, response: ServerResponse, error: ApiError): void =>
      void sendRefusal(request, response, error).catch(() => request.socket.destroy()),
    /** Fastify's `clientErrorHandler`. */
    clientError: (error: ClientError, socket: Socket): void => {
      if (error.code === 'ECONNRESET') socket.destroy();
      else if (!isParsingStopped(socket)) {
        // An address that sends only malformed data is paced like one that opens many connections.
        const { delayMs } = pace.delay(networkOf(socket.remoteAddress));
        const refuseLater = () => refuse(socket, errorOf(error), instanceOf(error.rawPacket));
        if (delayMs === 0) refuseLater();
        else setTimeout(refuseLater, delayMs).unref();
      }
    },
    /** Refuses the input that Node raises as events: CONNECT, and an unknown Expect header. */
    refuseEvents: (server: Server): void => {
      server.on('connect', (_request: IncomingMessage, socket: Socket) => refuse(socket, methodNotAllowed()));
      server.on('checkExpectation', ({ socket, url = '/' }: IncomingMessage) =>
        refuse(socket, new ApiError('expectationFailed'), pathOf(url)),
      );
    },
  };
};
