/**
 * The checks of every request before its route: host, caller, quota, method, key (contract: order of checks).
 *
 * REST and GraphQL share this gate. A refused request is counted too, and its response has the rate-limit headers.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../access/authenticate.ts';
import type { Caller } from '../access/caller.ts';
import type { OwnCaller } from '../access/own-caller.ts';
import type { Quota, RateLimit } from '../access/rate-limit/rate-limit.ts';
import { ApiError } from '../errors.ts';
import { addressOf, networkOf } from './client-address.ts';
import { checkHeldBytes, RequestsInFlight } from './connections/load-limits.ts';
import { keyTextOf, takesBasic, unauthorized } from './key-header.ts';
import { countsAsPage, wantsPage } from './page-request.ts';
import { addVary, commonHeaders } from './responses/headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address, also behind trusted proxies. */
    address: string;
    /** Undefined on public routes without a key. */
    caller: Caller | undefined;
    /** Whether the request arrived after the service had begun to stop. */
    isLate: boolean;
    /** The quota after this request; undefined if the request is not counted. */
    quota: Quota | undefined;
    /** Whether the request counts among the key's requests in flight. */
    isInFlight: true | undefined;
  }
  interface FastifyContextConfig {
    /** Whether the route answers without a key. */
    isPublic?: true;
    /** Whether the route answers everybody at any rate, also while the service stops (contract: health). */
    isUncounted?: true;
    /** The allowed methods. The default is GET and HEAD. */
    methods?: readonly string[];
  }
}

const readMethods = ['GET', 'HEAD'];

/** The retry time while the service stops. Another instance may be ready at once. */
const restartSeconds = 5;

/** The error for an exhausted quota. */
const quotaExceeded = ({ limit, resetSeconds }: Quota): ApiError =>
  new ApiError('rateLimitExceeded', String(limit), { 'Retry-After': String(resetSeconds) });

const keyBucket = ({ keyFamily }: Caller): string => `key ${keyFamily}`;

/** The bucket of requests without a valid key. It never blocks a valid key (contract: requests without a key). */
const addressBucket = (address: string | undefined): string => `address ${networkOf(address)}`;

/** The bucket of page requests. An exhausted API quota of the address does not block it (contract: page limit). */
const pageBucket = (address: string | undefined): string => `page ${networkOf(address)}`;

/** HTTP/1.1 requires exactly one Host header. Node's own refusal would not be a problem document. */
const hasOneHost = ({ rawHeaders, httpVersion }: FastifyRequest['raw']): boolean => {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
};

/** Whether a browser asks for permission to send a cross-origin request. It cannot send a key with a preflight. */
const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

export interface Gate {
  /** Identifies the caller, counts the request for its quota, and sets the headers of every response. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Admits an identified request or throws the reason for the refusal. Answers preflights. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>;
  /** The caller of a request if it is cached, without a database query. */
  recall(request: IncomingMessage): Caller | undefined;
  /** Counts a request that is refused before the gate, for its caller or for its connection's address. */
  countRefused(caller: Caller | undefined, address: string | undefined): Promise<Quota | undefined>;
  /** Removes a request from those in flight after its response. */
  leave(request: FastifyRequest): void;
  /** Counts a connection that never became a request. */
  countAddress(address: string | undefined): Promise<Quota | undefined>;
}

export interface GateOptions {
  readonly authenticator: Authenticator;
  readonly rateLimit: RateLimit;
  /** The service itself as a caller. Its requests are not counted. */
  readonly own?: OwnCaller | undefined;
  /** The maximum number of requests in flight for one key; 0 for no limit. */
  readonly requestsPerKey: number;
  /** Whether preflights are answered without a key (contract: cross-origin requests). */
  readonly allowsPreflight: boolean;
  /** Whether a request proves its caller in another way than by a key. Such a request does not belong to the API and is not counted. */
  readonly isSignedIn?: ((request: FastifyRequest) => Promise<boolean>) | undefined;
}

export const createGate = (options: GateOptions): Gate => {
  const { authenticator, rateLimit, own, requestsPerKey, allowsPreflight, isSignedIn = async () => false } = options;
  const inFlight = new RequestsInFlight(requestsPerKey);

  const identifyCaller = async (request: FastifyRequest): Promise<void> => {
    const keyText = keyTextOf(request.raw);
    request.caller = own?.find(keyText);
    if (request.caller) return;
    // The request is counted and gets the headers even if the caller cannot be identified.
    let failure: unknown;
    const orFailure = (error: unknown): undefined => {
      failure = error;
    };
    request.caller = await authenticator.authenticate(keyText).catch(orFailure);
    const isOperator = await isSignedIn(request).catch(orFailure);
    if (request.caller) request.quota = await rateLimit.count(keyBucket(request.caller));
    else if (!isOperator)
      request.quota = await rateLimit.count(countsAsPage(request) ? pageBucket(request.address) : addressBucket(request.address));
    if (failure) throw failure;
  };

  return {
    identify: async (request, reply) => {
      request.address = addressOf(request);
      try {
        if (!request.routeOptions.config?.isUncounted) await identifyCaller(request);
      } finally {
        reply.headers(commonHeaders(request.id, request.quota));
        if (takesBasic(request.raw.url)) addVary(reply, 'Authorization');
      }
    },
    admit: async (request, reply) => {
      const { isPublic, isUncounted, methods = readMethods } = request.routeOptions.config ?? {};
      if (!hasOneHost(request.raw)) throw new ApiError('malformedRequest');
      if (request.isLate && !isUncounted) throw new ApiError('closing', '', { 'Retry-After': String(restartSeconds) });
      // Without the length, Safari waits for a body.
      if (allowsPreflight && isPreflight(request)) return reply.code(204).header('content-length', '0').send();
      if (!methods.includes(request.method)) throw new ApiError('methodNotAllowed', '', { Allow: methods.join(', ') });
      if (isUncounted) return undefined;
      if (request.quota?.isExceeded) throw quotaExceeded(request.quota);
      if (request.caller?.isSuspended) throw new ApiError('forbidden');
      // A browser without a key gets "not found" for an unknown page, not "unauthorized".
      const isOpen = () => request.headers['x-api-key'] === undefined && (isPublic || wantsPage(request));
      if (!request.caller && !isOpen()) throw unauthorized(request.raw.url);
      if (request.caller && !own?.is(request.caller)) {
        checkHeldBytes(request.caller.customer.id);
        inFlight.enter(request.caller.keyFamily);
        request.isInFlight = true;
      }
      return undefined;
    },
    recall: (request) => {
      const keyText = keyTextOf(request);
      return own?.find(keyText) ?? authenticator.recall(keyText);
    },
    countRefused: (caller, address) => rateLimit.count(caller ? keyBucket(caller) : addressBucket(address)),
    leave: ({ caller, isInFlight }) => {
      if (caller && isInFlight) inFlight.leave(caller.keyFamily);
    },
    countAddress: (address) => rateLimit.count(addressBucket(address)),
  };
};

/** The caller of a route that needs a key. The gate has already checked the key. */
export const callerOf = (request: FastifyRequest): Caller => {
  if (!request.caller) throw unauthorized(request.raw.url);
  return request.caller;
};
