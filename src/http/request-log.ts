/**
 * One line of the log for each request, written when the connection is done with the answer. It names the key by its public id;
 * the log leaves secrets out of whatever else may hold them (`logger.ts`).
 */
import type { Answered } from './answered.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request failed, where the client is not told; part of the request's line. */
    failure: unknown;
    /** What the operator should notice about the request; it makes a warning of the line. */
    remark: string | undefined;
  }
}

/** Of a request target; longer ones are cut. */
const longestTarget = 1_000;

type Level = 'debug' | 'info' | 'warn' | 'error';

/** What callers bring upon themselves: no valid key, too many requests, too many at once. */
const warned: ReadonlySet<number> = new Set([401, 429, 503]);

const levelOf = ({ status, request: { failure, remark, routeOptions } }: Answered): Level => {
  // Balancers ask every few seconds.
  if (routeOptions?.config?.isUncounted) return 'debug';
  if (failure !== undefined) return 'error';
  if (warned.has(status) || remark !== undefined) return 'warn';
  return status >= 500 ? 'error' : 'info';
};

export const logAnswer = (answered: Answered): void => {
  const { request, status, bytes, milliseconds, isWhole } = answered;
  const { caller, failure, remark } = request;
  request.log[levelOf(answered)](
    {
      reqId: request.id,
      method: request.method,
      path: (request.raw.url ?? '/').slice(0, longestTarget),
      status,
      ms: Math.round(milliseconds * 10) / 10,
      bytes,
      address: request.address,
      // What is undefined does not stand in the line.
      key: caller?.keyId,
      customer: caller?.customer.slug,
      brokenOff: isWhole ? undefined : true,
      remark,
      err: failure,
    },
    'request',
  );
};
