/**
 * What every request passes before its route: host, caller, quota, method, key (semantics 1).
 *
 * REST and GraphQL stand behind the same gate. Whatever it refuses has been counted and carries the rate-limit headers.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator, Caller } from '../access/authenticate.ts';
import { type Quota, type RateLimit, windowSeconds } from '../access/rate-limit.ts';
import { ApiError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; undefined on public routes that were called without a key. */
    caller: Caller | undefined;
  }
  interface FastifyContextConfig {
    /** Answers without a key too. */
    isPublic?: true;
    /** Methods that the route takes; GET and HEAD unless it says otherwise. */
    methods?: readonly string[];
  }
}

const readMethods = ['GET', 'HEAD'];

/** The quota as response headers: the specification's, and the IETF draft's beside them (semantics 21). */
export const quotaHeaders = ({ limit, remaining, resetSeconds }: Quota): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(resetSeconds),
  'RateLimit-Policy': `${limit};w=${windowSeconds}`,
});

/** The failure that an exhausted quota stands for. */
export const quotaExceeded = ({ limit, resetSeconds }: Quota): ApiError =>
  new ApiError('rateLimitExceeded', String(limit), { 'Retry-After': String(resetSeconds) });

/** The bucket of requests without a valid key; it never blocks a valid one (semantics 10). */
export const addressBucket = (address: string | undefined): string => `address ${address ?? 'unknown'}`;

/** HTTP/1.1 asks for exactly one Host header; Node's own answer to that would not be a problem document. */
const hasOneHost = ({ rawHeaders, httpVersion }: FastifyRequest['raw']): boolean => {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
};

/** A browser asking whether it may send the request that it has in mind; it cannot send a key with that. */
const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

export interface Gate {
  /** Finds out who is calling and counts the request; every answer carries the headers that this sets. */
  count(request: FastifyRequest, reply: FastifyReply): Promise<Quota | undefined>;
  /** Counts a request, then lets it through or throws why not. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Counts a connection that never became a request. */
  countAddress(address: string | undefined): Promise<Quota | undefined>;
}

export interface GateOptions {
  readonly authenticator: Authenticator;
  readonly rateLimit: RateLimit;
  /** Preflights are let through without a key (semantics 2). */
  readonly allowsPreflight: boolean;
  /** A bucket of its own for a request that proves in another way than by a key whose it is. */
  readonly bucketOf?: ((request: FastifyRequest) => string | undefined) | undefined;
}

export const createGate = ({ authenticator, rateLimit, allowsPreflight, bucketOf = () => undefined }: GateOptions): Gate => {
  const count: Gate['count'] = async (request, reply) => {
    reply.header('X-Request-Id', request.id).header('X-Content-Type-Options', 'nosniff');
    // Counted and answered with the headers even when nobody can say who is calling.
    let failure: unknown;
    request.caller = await authenticator.authenticate(request.headers['x-api-key']).catch((error: unknown) => {
      failure = error;
      return undefined;
    });
    const quota = await rateLimit.count(
      request.caller ? `key ${request.caller.lineage}` : (bucketOf(request) ?? addressBucket(request.ip)),
    );
    if (quota) reply.headers(quotaHeaders(quota));
    if (failure) throw failure;
    return quota;
  };
  return {
    count,
    countAddress: (address) => rateLimit.count(addressBucket(address)),
    admit: async (request, reply) => {
      const { isPublic, methods = readMethods } = request.routeOptions.config ?? {};
      const quota = await count(request, reply);
      if (!hasOneHost(request.raw)) throw new ApiError('malformedRequest');
      if (allowsPreflight && isPreflight(request)) return;
      if (!methods.includes(request.method)) throw new ApiError('methodNotAllowed', '', { Allow: methods.join(', ') });
      if (quota?.isExceeded) throw quotaExceeded(quota);
      if (!request.caller && !(isPublic && request.headers['x-api-key'] === undefined)) throw new ApiError('unauthorized');
    },
  };
};

/** The caller of a route that needs a key; the gate has made sure that there is one. */
export const callerOf = (request: FastifyRequest): Caller => {
  if (!request.caller) throw new ApiError('unauthorized');
  return request.caller;
};
