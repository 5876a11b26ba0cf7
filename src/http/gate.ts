/**
 * What every request passes before its route: host, caller, quota, method, key (contract: order of checks).
 *
 * REST and GraphQL stand behind the same gate. Whatever it refuses has been counted and carries the rate-limit headers.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator, Caller } from '../access/authenticate.ts';
import type { OwnCaller } from '../access/own-caller.ts';
import { type Quota, type RateLimit, windowSeconds } from '../access/rate-limit.ts';
import { ApiError } from '../errors.ts';
import { unkept, vary } from './caching.ts';
import { addressOf, networkOf } from './client-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the request comes from, behind trusted proxies too. */
    address: string;
    /** Who is calling; undefined on public routes that were called without a key. */
    caller: Caller | undefined;
    /** Whether it came when the service was being stopped already. */
    isLate: boolean;
    /** What is left after this request; undefined where it is not counted. */
    quota: Quota | undefined;
  }
  interface FastifyContextConfig {
    /** Answers without a key too. */
    isPublic?: true;
    /** Answers whoever asks, however often, and while the service is being stopped (contract: health). */
    isUncounted?: true;
    /** Methods that the route takes; GET and HEAD unless it says otherwise. */
    methods?: readonly string[];
  }
}

const readMethods = ['GET', 'HEAD'];

/** When to come back after a service has been stopped: another instance may be there at once. */
const restartSeconds = 5;

/** The quota as response headers: the contract's, and the IETF draft's beside them (contract: quota headers). */
const quotaHeaders = ({ limit, remaining, resetSeconds }: Quota): Record<string, string> => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(resetSeconds),
  'ratelimit-policy': `${limit};w=${windowSeconds}`,
});

/**
 * What every answer carries; routes of data replace the caching. In lower case, as Fastify keeps names: it need not make them so for each
 * answer, which took a twentieth of a small one's time.
 */
export const commonHeaders = (id: string, quota: Quota | undefined): Record<string, string> => ({
  'x-request-id': id,
  'x-content-type-options': 'nosniff',
  'cache-control': unkept,
  vary,
  ...(quota && quotaHeaders(quota)),
});

/** The failure that an exhausted quota stands for. */
const quotaExceeded = ({ limit, resetSeconds }: Quota): ApiError =>
  new ApiError('rateLimitExceeded', String(limit), { 'Retry-After': String(resetSeconds) });

/** The bucket of requests without a valid key; it never blocks a valid one (contract: requests without a key). */
const addressBucket = (address: string | undefined): string => `address ${networkOf(address)}`;

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
  count(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Lets a counted request through or throws why not; answers preflights. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>;
  /** Counts a connection that never became a request. */
  countAddress(address: string | undefined): Promise<Quota | undefined>;
}

export interface GateOptions {
  readonly authenticator: Authenticator;
  readonly rateLimit: RateLimit;
  /** The service itself, which is let in without being counted. */
  readonly own?: OwnCaller | undefined;
  /** Preflights are answered without a key (contract: cross-origin requests). */
  readonly allowsPreflight: boolean;
  /** Whether a request proves in another way than by a key whose it is; such a request is not the API's and is not counted. */
  readonly isSignedIn?: ((request: FastifyRequest) => Promise<boolean>) | undefined;
}

export const createGate = (options: GateOptions): Gate => {
  const { authenticator, rateLimit, own, allowsPreflight, isSignedIn = async () => false } = options;

  const countCaller = async (request: FastifyRequest): Promise<void> => {
    request.caller = own?.find(request.headers['x-api-key']);
    if (request.caller) return;
    // Counted and answered with the headers even when nobody can say who is calling.
    let failure: unknown;
    const orFailure = (error: unknown): undefined => {
      failure = error;
    };
    request.caller = await authenticator.authenticate(request.headers['x-api-key']).catch(orFailure);
    const isOperator = await isSignedIn(request).catch(orFailure);
    if (request.caller) request.quota = await rateLimit.count(`key ${request.caller.lineage}`);
    else if (!isOperator) request.quota = await rateLimit.count(addressBucket(request.address));
    if (failure) throw failure;
  };

  return {
    count: async (request, reply) => {
      request.address = addressOf(request);
      try {
        if (!request.routeOptions.config?.isUncounted) await countCaller(request);
      } finally {
        reply.headers(commonHeaders(request.id, request.quota));
      }
    },
    admit: async (request, reply) => {
      const { isPublic, isUncounted, methods = readMethods } = request.routeOptions.config ?? {};
      if (!hasOneHost(request.raw)) throw new ApiError('malformedRequest');
      if (request.isLate && !isUncounted) throw new ApiError('closing', '', { 'Retry-After': String(restartSeconds) });
      // Safari waits for a body without the length.
      if (allowsPreflight && isPreflight(request)) return reply.code(204).header('content-length', '0').send();
      if (!methods.includes(request.method)) throw new ApiError('methodNotAllowed', '', { Allow: methods.join(', ') });
      if (isUncounted) return undefined;
      if (request.quota?.isExceeded) throw quotaExceeded(request.quota);
      if (request.caller?.isSuspended) throw new ApiError('forbidden');
      if (!request.caller && !(isPublic && request.headers['x-api-key'] === undefined)) throw new ApiError('unauthorized');
      return undefined;
    },
    countAddress: (address) => rateLimit.count(addressBucket(address)),
  };
};

/** The caller of a route that needs a key; the gate has made sure that there is one. */
export const callerOf = (request: FastifyRequest): Caller => {
  if (!request.caller) throw new ApiError('unauthorized');
  return request.caller;
};
