/** Traces each request with its route, its status and the tier of its key. A trace never contains the path, the query or the key. */
import type { FastifyRequest } from 'fastify';
import type { Tracer } from '../../timing.ts';
import { type FinishedResponse, routeOf, tierLabel } from './answered.ts';

/**
 * Begins a trace as soon as the caller is known. Only a valid key may continue a `traceparent`, because otherwise anybody could join any
 * trace.
 */
export const beginTrace = (tracer: Tracer, request: FastifyRequest): void => {
  const { caller, headers, method, routeOptions, timing } = request;
  // Balancers send health checks every few seconds.
  if (routeOptions.config?.isUncounted) return;
  const { traceparent } = headers;
  const parent = caller && typeof traceparent === 'string' ? traceparent : undefined;
  timing.trace = tracer.begin(`${method} ${routeOf(request)}`, timing.startedAt, parent);
};

export const endTrace = ({ request, status, bytes, isComplete }: FinishedResponse): void => {
  const attributes = {
    'http.request.method': request.method,
    'http.route': routeOf(request),
    'http.response.status_code': status,
    'estate.class': tierLabel(request),
    'estate.request_id': request.id,
    'estate.rows': request.rowsSent?.() ?? 0,
    'estate.bytes': bytes,
    'estate.is_whole': isComplete,
  };
  // Reads that continue after an aborted request are not traced.
  request.timing?.trace?.end(attributes, status >= 500 || !isComplete);
};
