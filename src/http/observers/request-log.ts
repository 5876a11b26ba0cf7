/**
 * Writes one log line for each request, after its response has ended. The line has the public id of the key. `logger.ts` removes secrets
 * from all other fields.
 */
import type { FinishedResponse } from './answered.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The cause of a failure, for the log line only. The client does not see it. */
    failure: unknown;
    /** A note for the operator. It turns the log line into a warning. */
    remark: string | undefined;
  }
}

/** A longer request target is cut. */
const longestTarget = 1_000;

type Level = 'debug' | 'info' | 'warn' | 'error';

/** Refusals that the caller causes: no valid key, or too many requests. */
const warned: ReadonlySet<number> = new Set([401, 429, 503]);

const levelOf = ({ status, request: { failure, remark, routeOptions } }: FinishedResponse): Level => {
  // Balancers send health checks every few seconds.
  if (routeOptions?.config?.isUncounted) return 'debug';
  if (failure !== undefined) return 'error';
  if (warned.has(status) || remark !== undefined) return 'warn';
  return status >= 500 ? 'error' : 'info';
};

export const logAnswer = (answered: FinishedResponse): void => {
  const { request, status, bytes, milliseconds, isComplete } = answered;
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
      // The line omits undefined fields.
      key: caller?.keyId,
      customer: caller?.customer.slug,
      incomplete: isComplete ? undefined : true,
      // The name before version 1.2, which stays until version 1.3.
      brokenOff: isComplete ? undefined : true,
      remark,
      err: failure,
    },
    'request',
  );
};
