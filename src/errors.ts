/**
 * All errors of requests in one table: status, detail text, and the seconds of `Retry-After` (contract: problem documents).
 *
 * The title is the standard phrase of the status. `{}` in a detail is replaced by the subject of the error.
 */
import { STATUS_CODES } from 'node:http';
import { failureOf } from './database-failures.ts';

export const problems = {
  malformedRequest: [400, 'Malformed request'],
  missingFilters: [400, 'Missing required filter(s): {}'],
  limitExceeded: [400, '{}'],
  unauthorized: [401, 'API key required'],
  signedOut: [401, 'The session has ended: sign in to the portal again'],
  forbidden: [403, 'Invalid or disabled API key'],
  suspended: [403, 'The customer is suspended'],
  otherSite: [403, 'Only pages of this service may send this request'],
  deltasOfPart: [403, 'A key with a property set reads no deltas of {}: download the table again'],
  operatorsQuestion: [403, 'Only the operator saves {}'],
  filesOfPart: [403, 'A key with a property set reads no files of {}: read its pages'],
  notFound: [404, 'Category or table not found'],
  noQuestion: [404, 'There is no question of this name'],
  noFile: [404, 'No file of version {}: the last three versions that were built are kept'],
  noDelivery: [404, 'There is no such delivery of this key'],
  noLookupValues: [404, 'No lookup values configured for {}'],
  methodNotAllowed: [405, 'Method not allowed'],
  notAcceptable: [406, 'The answer can be one of these types: {}'],
  requestTimeout: [408, 'The request was not received in time'],
  tooManyQuestions: [409, 'The customer has {} questions of keys, which is the maximum: remove one first'],
  deliveryConflict: [409, '{}'],
  deltasGone: [410, 'Changes since version {} are no longer kept: download the table again and continue from its version'],
  preconditionFailed: [412, 'The file has none of the tags in If-Match'],
  questionExists: [412, 'There is a question of this name'],
  questionChanged: [412, 'The question has none of the tags in If-Match'],
  payloadTooLarge: [413, 'The request body is too large'],
  uriTooLong: [414, 'The request path is too long'],
  unsupportedMediaType: [415, 'The request body must be application/json'],
  deliveryType: [415, 'Send the bytes of one file as they are: no form, and no Content-Encoding'],
  rangeNotSatisfiable: [416, 'The file has {} bytes, so the range is beyond its end'],
  expectationFailed: [417, 'The expectation of the Expect header cannot be met'],
  invalidParameter: [422, '{}'],
  matchRequired: [428, 'There is a question of this name: send its etag in If-Match to replace it'],
  rateLimitExceeded: [429, 'Rate limit exceeded: {} per 1 hour'],
  tooManyDeliveries: [429, '{}', 30],
  tooManyConnections: [429, 'Too many connections from this address; the most is {}', 5],
  headersTooLarge: [431, 'The request headers are too large'],
  /** The client disconnected. The status is for the log only. */
  abandoned: [499, 'The client went away'],
  internal: [500, 'Internal server error'],
  closing: [503, 'The service is being stopped; try again later', 5],
  busy: [503, 'Too many requests of this customer are in flight; try again later', 5],
  unavailable: [503, 'The database is not available; try again later', 5],
  filesUnavailable: [503, 'The store of files is not available; try again later', 5],
  timeout: [503, 'The database took too long to answer; ask for less, or try again later', 30],
} as const satisfies Record<string, readonly [status: number, detail: string, retryAfterSeconds?: number]>;

export type ProblemKind = keyof typeof problems;

/** The RFC 7807 problem document of an error response. */
export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The path of the request, without its query. */
  readonly instance: string;
}

/** Creates an error without a stack trace, which is expensive and retains the objects of its frames. */
export const withoutStack = <E extends Error>(create: () => E): E => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return create();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};

/** The error of a request; `about` names its subject, `headers` are added to the response. */
export class ApiError extends Error {
  readonly kind: ProblemKind;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: ProblemKind, about = '', headers: Readonly<Record<string, string>> = {}) {
    // A stack trace would not help, because the client is the cause, and it is the most expensive part.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(problems[kind][1].replace('{}', () => about));
    Error.stackTraceLimit = stackTraceLimit;
    this.kind = kind;
    const [status, , retryAfter]: readonly [number, string, number?] = problems[kind];
    this.status = status;
    this.headers = retryAfter === undefined ? headers : { 'Retry-After': String(retryAfter), ...headers };
  }

  /** The problem document for the client. */
  problem(instance: string): Problem {
    return { type: 'about:blank', title: STATUS_CODES[this.status] ?? 'Error', status: this.status, detail: this.message, instance };
  }
}

/** Whether the database is unavailable, as opposed to a failed statement. */
export const isUnavailable = (error: unknown): boolean => failureOf(error) === 'unavailable';

/** Whether the same read may succeed at once if it is repeated. */
export const isTransient = (error: unknown): boolean => {
  const failure = failureOf(error);
  return failure === 'lost' || failure === 'locked' || failure === 'stale';
};

/** How often a read is repeated after a transient error. */
export const maxRetries = 2;

/** Repeats a read that fails with a transient error. Do not use it within a transaction. */
export const retryRead = async <T>(read: () => Promise<T>, retries = maxRetries): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (retries === 0 || !isTransient(error)) throw error;
  }
  return retryRead(read, retries - 1);
};

/** Problems whose cause belongs into the log. */
export const loggedKinds: ReadonlySet<ProblemKind> = new Set(['internal', 'unavailable', 'filesUnavailable']);

/** Any thrown value as an `ApiError`. An unexpected one is `internal` and does not reveal its cause. */
export const toApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  const failure = failureOf(error);
  if (failure === 'timeout' || failure === 'locked') return new ApiError('timeout');
  return new ApiError(failure ? 'unavailable' : 'internal');
};

/** Where a person reads an error. */
export type Surface = 'commandLine' | 'portal';

/** The text of an error. It differs by surface where the remedy does. */
export type ErrorText = string | Readonly<Record<Surface, string>>;

export const textFor = (surface: Surface, text: ErrorText): string => (typeof text === 'string' ? text : text[surface]);

/** A text that is composed of others. */
export const onEachSurface = (write: (surface: Surface) => string): ErrorText => {
  const [commandLine, portal] = [write('commandLine'), write('portal')];
  return commandLine === portal ? commandLine : { commandLine, portal };
};

/** An error of the operator, in one clear line. API clients never see it. The message is that of the command line. */
export class OperatorError extends Error {
  readonly #text: ErrorText;

  constructor(text: ErrorText) {
    super(textFor('commandLine', text));
    this.#text = text;
  }

  get text(): ErrorText {
    return this.#text;
  }

  get inPortal(): string {
    return textFor('portal', this.#text);
  }
}
