/**
 * Starts requests. A connection has one request in flight, and a limited number of pipelined requests wait behind it. A turn of the event
 * loop starts a few requests; customers and addresses take turns. When the process is saturated, requests that waited too long are refused
 * before they cost much (contract: overload).
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../errors.ts';
import { Rotation } from '../../scheduling/rotation.ts';
import { inNextRound, isAccepting } from '../../scheduling/time-slices.ts';
import { pathOf } from '../responses/problem.ts';
import type { ConnectionPace } from './connection-pace.ts';
import { stopParsing } from './socket-internals.ts';

/** The maximum number of pipelined requests that wait on a connection (contract: connection limits). */
export const maxPipelined = 20;
/**
 * A turn of the event loop starts as many waiting requests as take this many milliseconds on average, and at least one. After a turn that was
 * long for another reason, they may take half of its time.
 */
const startMsPerRound = 1;
const startShareOfTurn = 0.5;
const maxStartsPerRound = 16;
/** The maximum number of requests that start in a turn without waiting. */
const maxStartsAtOnce = 4;
/** The weight of earlier requests in the average. */
const weightOfEarlier = 0.9;
/** A request that waited longer is refused if more than `fewWaiting` requests wait. */
const refusedAfterMs = 300;
const fewWaiting = 64;
const maxWaiting = 2_000;
/** A refused connection is not read for this time, so that an immediate retry costs little. */
const mutedMs = 500;
export const overloadRetrySeconds = 1;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly cameAt: number;
}

interface Connection {
  readonly socket: Socket;
  /** Whether a request is in flight or waits to start. */
  isBusy: boolean;
  readonly pipelined: Exchange[];
  /** Whether the connection has sent no request yet. */
  isNew: boolean;
  /** Set while the connection is muted, or while its first request is paced. */
  timer: NodeJS.Timeout | undefined;
  /** The path of the first request beyond the limit. Later requests of the connection get no response. */
  overflow: string | undefined;
}

export interface AdmissionOptions {
  readonly pace: ConnectionPace;
  /** The owner of a request. Requests of one owner wait behind each other. */
  readonly ownerOf: (request: IncomingMessage) => number | string;
  /** Refuses a request at low cost, without the database. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse, error: ApiError) => void;
  /** Sends an error outside of any request, and closes the connection. */
  readonly close: (socket: Socket, error: ApiError, instance: string) => void;
  /** Whether a connection was refused and closed. Its further requests get no response. */
  readonly isRefused: (socket: Socket) => boolean;
  /** Whether a request never waits and is never refused. */
  readonly isExempt: (request: IncomingMessage) => boolean;
}

/** Calls back after the current job and all microtasks that follow from it. */
const afterMicrotasks = (callback: () => void): void => queueMicrotask(() => process.nextTick(callback));

const overloaded = () => new ApiError('overloaded', '', { 'Retry-After': String(overloadRetrySeconds) });
const tooManyPipelined = () => new ApiError('tooManyPipelined', String(maxPipelined), { 'Retry-After': String(overloadRetrySeconds) });

export interface Admission {
  /** The arrival time of a request that had to wait; undefined for others. */
  cameAt(request: IncomingMessage): number | undefined;
}

/** Inserts the admission between the server and its request listener. */
export const admitRequests = (server: Server, { pace, ownerOf, refuse, close, isRefused, isExempt }: AdmissionOptions): Admission => {
  const [listener] = server.listeners('request') as RequestListener[];
  if (!listener) throw new Error('A server without a listener for requests');
  const connections = new WeakMap<Socket, Connection>();
  const waiting = new Rotation<Exchange>();
  const arrivals = new WeakMap<IncomingMessage, number>();
  let started = 0;
  /** The average milliseconds of work on a request before it waits for something. */
  let averageMs = 0;

  const connectionOf = (socket: Socket): Connection => {
    const known = connections.get(socket);
    if (known) return known;
    const connection: Connection = { socket, isBusy: false, pipelined: [], isNew: true, timer: undefined, overflow: undefined };
    connections.set(socket, connection);
    socket.once('close', () => {
      connection.pipelined.splice(0);
      clearTimeout(connection.timer);
    });
    return connection;
  };

  /** Starts a request of an idle connection. The first request of a connection is paced. */
  const begin = (connection: Connection, exchange: Exchange): void => {
    connection.isBusy = true;
    exchange.response.once('close', () => next(connection));
    const { isNew } = connection;
    connection.isNew = false;
    const { delayMs, isRefused: isTooLate } =
      isNew && !isExempt(exchange.request) ? pace.delay(ownerOf(exchange.request)) : { delayMs: 0, isRefused: false };
    if (delayMs === 0) enter(exchange);
    else connection.timer = setTimeout(() => (isTooLate ? shed(exchange) : enter(exchange)), delayMs);
  };

  /** Continues with the connection's next request after the previous one has ended. */
  const next = (connection: Connection): void => {
    connection.isBusy = false;
    const exchange = connection.pipelined.shift();
    if (exchange) begin(connection, exchange);
    else if (connection.overflow !== undefined) close(connection.socket, tooManyPipelined(), connection.overflow);
  };

  const start = ({ request, response }: Exchange): void => {
    if (request.socket.destroyed) return void response.emit('close');
    listener(request, response);
  };

  /** Adds the requests that were started since `begun` to the average. */
  const measureStarts = (begun: number, count: number): void =>
    afterMicrotasks(() => {
      averageMs = averageMs * weightOfEarlier + ((performance.now() - begun) / count) * (1 - weightOfEarlier);
    });

  /** The number of requests that take this many milliseconds on average: at least one, at most `max`. */
  const startsWithin = (milliseconds: number, max: number): number => Math.min(max, Math.max(1, Math.floor(milliseconds / averageMs)));

  const mute = (socket: Socket): void => {
    socket.pause();
    connectionOf(socket).timer = setTimeout(() => socket.resume(), mutedMs);
  };

  const shed = ({ request, response }: Exchange): void => {
    if (request.socket.destroyed) return void response.emit('close');
    response.once('finish', () => mute(request.socket));
    refuse(request, response, overloaded());
  };

  const round = (sinceLast: number): boolean => {
    started = 0;
    const max = startsWithin(Math.max(startMsPerRound, sinceLast * startShareOfTurn), maxStartsPerRound);
    const oldest = performance.now() - refusedAfterMs;
    const starting: Exchange[] = [];
    while (starting.length < max) {
      const exchange = waiting.next();
      if (!exchange) break;
      if (exchange.cameAt < oldest && waiting.size >= fewWaiting) shed(exchange);
      else starting.push(exchange);
    }
    if (starting.length === 0) return false;
    measureStarts(performance.now(), starting.length);
    for (const exchange of starting) start(exchange);
    return true;
  };

  const enter = (exchange: Exchange): void => {
    inNextRound(round);
    if ((waiting.size === 0 && started < startsWithin(startMsPerRound, maxStartsAtOnce) && !isAccepting()) || isExempt(exchange.request)) {
      started++;
      measureStarts(performance.now(), 1);
      start(exchange);
      return;
    }
    arrivals.set(exchange.request, exchange.cameAt);
    const owner = ownerOf(exchange.request);
    pace.see(owner);
    waiting.push(owner, exchange);
    if (waiting.size > maxWaiting) shed(waiting.dropLast() as Exchange);
  };

  server.removeListener('request', listener);
  server.on('request', (request, response) => {
    const connection = connectionOf(request.socket);
    if (connection.overflow !== undefined || isRefused(request.socket)) return;
    const exchange = { request, response, cameAt: performance.now() };
    if (!connection.isBusy) begin(connection, exchange);
    else if (connection.pipelined.length < maxPipelined) {
      arrivals.set(request, exchange.cameAt);
      connection.pipelined.push(exchange);
    } else {
      connection.overflow = pathOf(request.url ?? '/');
      // The rest of the chunk can contain thousands of requests. Parsing them would hold the event loop.
      stopParsing(request.socket);
    }
  });
  return { cameAt: (request) => arrivals.get(request) };
};
