/**
 * The checks of every request before its route: host, caller, quota, method, key (contract: order of checks).
 *
 * REST and GraphQL share this gate. A refused request is counted too, and its response has the rate-limit headers. Its body is not read.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../access/authenticate.ts';
import type { Caller } from '../access/caller.ts';
import type { OwnCaller } from '../access/own-caller.ts';
import type { Quota, RateLimit, SentFile } from '../access/rate-limit/rate-limit.ts';
import { type InFlight, RequestsInFlight } from '../access/requests-in-flight.ts';
import { ApiError } from '../errors.ts';
import { clientAddressOf, networkOf } from './client-address.ts';
import { addVary, commonHeaders, prefersHtml, quotaHeaders } from './responses/headers.ts';
import { problemPathOf } from './responses/problem.ts';
import { afterResponse } from './responses/send.ts';

/** What a route sends of a file, whose address is that of a version. */
interface SentCount {
  readonly file: string;
  readonly sent: SentFile;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address, also behind trusted proxies. */
    address: string;
    /** Undefined on public routes without a key. */
    caller: Caller | undefined;
    /** The count of the request; undefined without a key. */
    inFlight: InFlight | undefined;
    /** Whether the request arrived after the service had begun to stop. */
    isLate: boolean;
    /** The quota after this request; undefined if the request is not counted. */
    quota: Quota | undefined;
    /** Counts a request that its route counts; without an argument as one request. Undefined on other routes, and after it was called. */
    countSent: ((file?: SentCount) => Promise<Quota | undefined>) | undefined;
  }
  interface FastifyContextConfig {
    /** Whether the route answers without a key. */
    isPublic?: true;
    /** Whether the route answers everybody at any rate, also while the service stops (contract: health). */
    isUncounted?: true;
    /** Whether the route counts its requests itself, by `countAsSent` (contract: parts of files). */
    hasParts?: true;
    /** Whether the route is that of delivery keys, which get 403 everywhere else (contract: delivery keys). */
    isDelivery?: true;
    /** False: scripts of other origins get no answer (contract: operator view). */
    cors?: false;
    /** The allowed methods. The default is GET and HEAD. */
    methods?: readonly string[];
  }
}

const readMethods = ['GET', 'HEAD'];

/** The error for an exhausted quota. */
const quotaExceeded = ({ limit, resetSeconds }: Quota): ApiError =>
  new ApiError('rateLimitExceeded', String(limit), { 'Retry-After': String(resetSeconds) });

const [passwordPath, tokenPath] = ['files|questions', 'graphql|mcp'].map(
  (names) => new RegExp(`^(?:https?://[^/?#]*)?/(?:${names})(?:[/?]|$)`, 'i'),
) as [RegExp, RegExp];

/** Whether a request of this target may carry its key as a password: under `/files` and `/questions`, and with `format=csv`. */
const takesBasic = (target = '/'): boolean => {
  if (passwordPath.test(target)) return true;
  if (!target.includes('format=')) return false;
  return new URLSearchParams(target.slice(target.indexOf('?') + 1)).getAll('format').at(-1) === 'csv';
};

/** The schemes of `Authorization` that a request of this target may use (contract: basic authentication). */
const schemesOf = (target: string | undefined): readonly string[] => {
  if (takesBasic(target)) return ['Basic realm="Estate", charset="UTF-8"', 'Bearer realm="Estate"'];
  return tokenPath.test(target ?? '/') ? ['Bearer realm="Estate"'] : [];
};

const authorization = /^(Basic|Bearer) +([\w+/.~-]+=*)$/i;

/** The key in an `Authorization` header: the token, or the password of any user. */
const keyInAuthorization = (header: string, schemes: readonly string[]): string | undefined => {
  const [, scheme = '', text = ''] = authorization.exec(header) ?? [];
  if (!schemes.some((each) => each.toLowerCase().startsWith(`${scheme.toLowerCase()} `))) return undefined;
  if (scheme.toLowerCase() === 'bearer') return text;
  const credentials = Buffer.from(text, 'base64').toString();
  const colon = credentials.indexOf(':');
  return colon < 0 ? undefined : credentials.slice(colon + 1);
};

/** The text of the key; undefined if there is none. `X-API-Key` takes precedence. */
const keyTextOf = ({ headers, url }: Pick<IncomingMessage, 'headers' | 'url'>): string | string[] | undefined => {
  const own = headers['x-api-key'];
  if (own !== undefined || headers.authorization === undefined) return own;
  return keyInAuthorization(headers.authorization, schemesOf(url));
};

/** The 401. Where `Authorization` is accepted, it asks for it. */
const unauthorized = (target: string | undefined): ApiError => {
  const schemes = schemesOf(target).join(', ');
  return new ApiError('unauthorized', '', schemes === '' ? {} : { 'WWW-Authenticate': schemes });
};

const pagePath = /^\/(?:$|explore$|llms\.txt$|\.well-known\/api-catalog$|(?:docs|portal|assets)(?:\/|$))/;
/** The endpoint reference loads this file without a key. */
const interfaceDescription = '/openapi.json';

type PageRequest = Pick<FastifyRequest, 'method' | 'headers' | 'raw' | 'query'>;

/** Whether the path belongs to a page or to a file that pages load. GraphiQL does not count (contract: pages in a browser). */
export const isPagePath = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean => pagePath.test(problemPathOf(raw.url ?? '/'));

/** Whether a browser opens GraphiQL. A client that sends a query uses the API. */
export const opensGraphiql = ({ method, headers, raw, query }: PageRequest): boolean =>
  method === 'GET' &&
  problemPathOf(raw.url ?? '/') === '/graphql' &&
  (headers.accept ?? '').toLowerCase().includes('text/html') &&
  !(query as URLSearchParams).has('query');

/** Whether to answer with HTML, also for errors. */
export const wantsPage = (request: PageRequest): boolean =>
  (isPagePath(request) && prefersHtml(request.headers.accept)) || opensGraphiql(request);

/** Whether the request counts toward the page limit. With a key, valid or not, it counts as a request to the API (contract: page limit). */
const countsAsPage = (request: PageRequest): boolean =>
  request.headers['x-api-key'] === undefined &&
  (isPagePath(request) || opensGraphiql(request) || problemPathOf(request.raw.url ?? '/') === interfaceDescription);

/** The header by which the pages of the service mark their requests. */
const pageMark = 'x-page-request';

/** The bucket of a key family. Marked requests have one of their own, of the same size (contract: requests of pages). */
const keyBucket = ({ headers }: FastifyRequest, { keyFamily }: Caller): string =>
  headers[pageMark] === undefined ? `key ${keyFamily}` : `key pages ${keyFamily}`;

/** Whether the route counts the request when it knows what it sends. */
const countsItself = ({ method, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config?.hasParts === true && readMethods.includes(method);

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

const hasUnknownExpectation = ({ headers: { expect } }: FastifyRequest): boolean =>
  expect !== undefined && expect.toLowerCase() !== '100-continue';

export interface Gate {
  /** Identifies the caller, counts the request for its quota, and sets the headers of every response. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Admits an identified request or throws the reason for the refusal. Answers preflights. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>;
  /** Checks the key of an admitted request again. The caller may then have other rights. Throws the reason for a refusal. */
  admitAgain(request: FastifyRequest): Promise<void>;
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

  /** Counts a request with a key. A route may count it later. Then the request counts once at its end, unless the route has counted it. */
  const countKey = (request: FastifyRequest, { raw }: FastifyReply, bucket: string): Promise<Quota | undefined> => {
    if (!countsItself(request)) return rateLimit.count(bucket);
    request.countSent = (counted) => {
      request.countSent = undefined;
      return counted ? rateLimit.countFile(bucket, counted.file, counted.sent) : rateLimit.count(bucket);
    };
    afterResponse(raw, () => void request.countSent?.());
    return rateLimit.read(bucket);
  };

  const identifyCaller = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const keyText = keyTextOf(request.raw);
    request.caller = own?.find(keyText);
    if (request.caller?.isWarmUp) return;
    // The request is counted and gets the headers even if the caller cannot be identified.
    let failure: unknown;
    const orFailure = (error: unknown): undefined => {
      failure = error;
    };
    request.caller = await authenticator.authenticate(keyText).catch(orFailure);
    const isOperator = await isSignedIn(request).catch(orFailure);
    if (request.caller) request.quota = await countKey(request, reply, keyBucket(request, request.caller));
    else if (!isOperator)
      request.quota = await rateLimit.count(countsAsPage(request) ? pageBucket(request.address) : addressBucket(request.address));
    if (failure) throw failure;
  };

  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const { isPublic, isUncounted, isDelivery, methods = readMethods } = request.routeOptions.config ?? {};
    if (!hasOneHost(request.raw)) throw new ApiError('malformedRequest');
    if (hasUnknownExpectation(request)) throw new ApiError('expectationFailed');
    if (request.isLate && !isUncounted) throw new ApiError('closing');
    // Without the length, Safari waits for a body.
    if (allowsPreflight && isPreflight(request)) return reply.code(204).header('content-length', '0').send();
    if (!methods.includes(request.method)) throw new ApiError('methodNotAllowed', '', { Allow: methods.join(', ') });
    if (isUncounted) return undefined;
    if (request.quota?.isExceeded) throw quotaExceeded(request.quota);
    if (request.caller?.isSuspended) throw new ApiError('forbidden');
    if (request.caller && !request.caller.isWarmUp && (request.caller.isDelivery ?? false) !== (isDelivery ?? false))
      throw new ApiError('forbidden');
    // A browser without a key gets "not found" for an unknown page, not "unauthorized".
    const isOpen = () => request.headers['x-api-key'] === undefined && (isPublic || wantsPage(request));
    if (!request.caller && !isOpen()) throw unauthorized(request.raw.url);
    if (request.caller && !request.caller.isWarmUp) {
      request.inFlight = inFlight.enter(request.caller.keyFamily);
      afterResponse(reply.raw, request.inFlight.leave);
    }
    return undefined;
  };

  const admitAgain = async (request: FastifyRequest): Promise<void> => {
    if (request.caller?.isWarmUp) return;
    request.caller = await authenticator.authenticate(keyTextOf(request.raw));
    if (!request.caller) throw unauthorized(request.raw.url);
    if (request.caller.isSuspended) throw new ApiError('forbidden');
  };

  return {
    identify: async (request, reply) => {
      request.address = clientAddressOf(request);
      try {
        if (!request.routeOptions.config?.isUncounted) await identifyCaller(request, reply);
      } finally {
        reply.headers(commonHeaders(request.id, request.quota));
        if (schemesOf(request.raw.url).length > 0) addVary(reply, 'Authorization');
      }
    },
    admit,
    admitAgain,
    countAddress: (address) => rateLimit.count(addressBucket(address)),
  };
};

/**
 * Counts a request of a route that counts its requests: what is sent of a file, or one request. The response gets the headers of the
 * quota. Throws `rateLimitExceeded`.
 */
export const countAsSent = async (request: FastifyRequest, reply: FastifyReply, counted?: SentCount): Promise<void> => {
  if (!request.countSent) return;
  request.quota = await request.countSent(counted);
  if (request.quota) reply.headers(quotaHeaders(request.quota));
  if (request.quota?.isExceeded) throw quotaExceeded(request.quota);
};

/** The caller of a route that needs a key. The gate has already checked the key. */
export const callerOf = (request: FastifyRequest): Caller => {
  if (!request.caller) throw unauthorized(request.raw.url);
  return request.caller;
};
