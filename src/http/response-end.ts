/**
 * Observes the end of every response. Subscribers get the facts about it: one stops the reads of a client that has disconnected, the others
 * record usage of the key, metrics, the request log and traces.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UsageCounter } from '../access/usage.ts';
import { responses } from '../metrics.ts';
import type { Tracer } from '../timing.ts';
import { afterResponse } from './responses/send.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Returns the number of sent rows after the response has ended. Handlers that send rows set it. */
    rowsSent: (() => number) | undefined;
    /** The cause of a failure, for the log line only. The client does not see it. */
    failure: unknown;
    /** A note for the operator. It turns the log line into a warning. */
    note: string | undefined;
  }
}

export interface FinishedResponse {
  readonly request: FastifyRequest;
  readonly status: number;
  /** The transferred bytes of head and body. */
  readonly bytes: number;
  readonly milliseconds: number;
  /** Whether the client received the complete response. */
  readonly isComplete: boolean;
}

export type ResponseSubscriber = (response: FinishedResponse) => void;

/** Reports a response to the subscribers, in their order, after it has ended. This includes aborted responses. */
export const observeResponse = (request: FastifyRequest, { raw }: FastifyReply, subscribers: readonly ResponseSubscriber[]): void => {
  const { socket } = request.raw;
  let bytesBefore = socket.bytesWritten;
  // A response that waits behind another one gets the socket later.
  raw.once('socket', () => {
    bytesBefore = socket.bytesWritten;
  });
  const startedAt = performance.now();
  responses.inFlight.inc();
  afterResponse(raw, () => {
    responses.inFlight.dec();
    const response = {
      request,
      status: raw.statusCode,
      bytes: Math.max(0, socket.bytesWritten - bytesBefore),
      milliseconds: performance.now() - startedAt,
      isComplete: raw.writableFinished,
    };
    for (const subscriber of subscribers) subscriber(response);
  });
};

/** The first subscriber: stops the reads of a client that has disconnected. */
export const abortReads: ResponseSubscriber = ({ request, isComplete }) => {
  if (!isComplete) request.disconnect?.abort();
};

/** The label for requests to unknown routes, and for requests without a key. */
const noLabel = 'none';

/** The route in metrics and traces. */
const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions?.url ?? noLabel;

/** The tier of a request's key. */
const tierOf = ({ caller }: FastifyRequest): string => caller?.tier ?? noLabel;

export const countUsage =
  (usage: UsageCounter): ResponseSubscriber =>
  ({ request: { caller, rowsSent }, status, bytes }) => {
    if (caller && !caller.isOperator) usage.count({ keyId: caller.keyId, status, rows: rowsSent?.() ?? 0, bytes });
  };

export const recordMetrics: ResponseSubscriber = ({ request, status, bytes, milliseconds, isComplete }) => {
  const route = routeOf(request);
  responses.count.inc({ route, status, class: tierOf(request) });
  responses.seconds.observe({ route }, milliseconds / 1_000);
  responses.bytes.inc({ route }, bytes);
  const rows = request.rowsSent?.() ?? 0;
  if (rows > 0) responses.rows.inc({ route }, rows);
  if (!isComplete) responses.incomplete.inc({ route });
};

/** Counts a refusal that never became a request. */
export const recordRefusal = (status: number): void => responses.count.inc({ route: noLabel, status, class: noLabel });

/** A longer request target is cut. */
const longestTarget = 1_000;

type Level = 'debug' | 'info' | 'warn' | 'error';

/** Refusals that the caller causes: no valid key, or too many requests. */
const warned: ReadonlySet<number> = new Set([401, 429, 503]);

const levelOf = ({ status, request: { failure, note, routeOptions } }: FinishedResponse): Level => {
  // Balancers send health checks every few seconds.
  if (routeOptions?.config?.isUncounted) return 'debug';
  if (failure !== undefined) return 'error';
  if (warned.has(status) || note !== undefined) return 'warn';
  return status >= 500 ? 'error' : 'info';
};

/** Writes one log line with the public id of the key. `logger.ts` removes secrets from all other fields. */
export const logRequest: ResponseSubscriber = (response) => {
  const { request, status, bytes, milliseconds, isComplete } = response;
  const { caller, failure, note } = request;
  request.log[levelOf(response)](
    {
      reqId: request.id,
      method: request.method,
      path: (request.raw.url ?? '/').slice(0, longestTarget),
      status,
      ms: Math.round(milliseconds * 10) / 10,
      bytes,
      address: request.address,
      // The line omits undefined fields. An operator has no key.
      key: caller?.keyId || undefined,
      customer: caller?.customer.slug,
      incomplete: isComplete ? undefined : true,
      note,
      err: failure,
    },
    'request',
  );
};

/**
 * Begins a trace as soon as the caller is known. Only a valid key may continue a `traceparent`, because otherwise anybody could join any
 * trace. A trace never contains the path, the query or the key.
 */
export const beginTrace = (tracer: Tracer, request: FastifyRequest): void => {
  const { caller, headers, method, routeOptions, timing } = request;
  // Balancers send health checks every few seconds.
  if (caller?.isWarmUp || routeOptions.config?.isUncounted) return;
  const { traceparent } = headers;
  const parent = caller && typeof traceparent === 'string' ? traceparent : undefined;
  timing.trace = tracer.begin(`${method} ${routeOf(request)}`, timing.startedAt, parent);
};

export const endTrace: ResponseSubscriber = ({ request, status, bytes, isComplete }) => {
  const attributes = {
    'http.request.method': request.method,
    'http.route': routeOf(request),
    'http.response.status_code': status,
    'estate.class': tierOf(request),
    'estate.request_id': request.id,
    'estate.rows': request.rowsSent?.() ?? 0,
    'estate.bytes': bytes,
    'estate.is_whole': isComplete,
  };
  // Reads that continue after an aborted request are not traced.
  request.timing?.trace?.end(attributes, status >= 500 || !isComplete);
};
