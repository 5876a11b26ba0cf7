/** A trace of each request: its route, its status and the tier of its key, never its path, its query or the key. */
import type { FastifyRequest } from 'fastify';
import type { Tracer } from '../timing.ts';
import { type Answered, classOf, routeOf } from './answered.ts';

/** Begins it as soon as it is known who asks: `traceparent` is followed for those with a valid key, others could join any trace. */
export const beginTrace = (tracer: Tracer, request: FastifyRequest): void => {
  const { caller, headers, method, routeOptions, timing } = request;
  // Balancers ask every few seconds.
  if (routeOptions.config?.isUncounted) return;
  const { traceparent } = headers;
  const parent = caller && typeof traceparent === 'string' ? traceparent : undefined;
  timing.trace = tracer.begin(`${method} ${routeOf(request)}`, timing.startedAt, parent);
};

export const endTrace = ({ request, status, bytes, isWhole }: Answered): void => {
  const attributes = {
    'http.request.method': request.method,
    'http.route': routeOf(request),
    'http.response.status_code': status,
    'estate.class': classOf(request),
    'estate.request_id': request.id,
    'estate.rows': request.rowsSent?.() ?? 0,
    'estate.bytes': bytes,
    'estate.is_whole': isWhole,
  };
  // After a request under way has been broken off, what it still reads is told of no more.
  request.timing?.trace?.end(attributes, status >= 500 || !isWhole);
};
