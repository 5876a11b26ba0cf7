/**
 * Every way in which a request can fail, in one table: status and detail text (contract: problem documents).
 *
 * The title is the standard phrase of the status. `{}` in a detail takes what the failure names.
 */
import { STATUS_CODES } from 'node:http';

export const problems = {
  malformedRequest: [400, 'Malformed request'],
  missingFilters: [400, 'Missing required filter(s): {}'],
  limitExceeded: [400, '{}'],
  unauthorized: [401, 'API key required'],
  forbidden: [403, 'Invalid or disabled API key'],
  notFound: [404, 'Category or table not found'],
  noLookupValues: [404, 'No lookup values configured for {}'],
  methodNotAllowed: [405, 'Method not allowed'],
  requestTimeout: [408, 'The request was not received in time'],
  deltasGone: [410, 'Changes since version {} are no longer kept: download the table again and continue from its version'],
  payloadTooLarge: [413, 'The request body is too large'],
  uriTooLong: [414, 'The request path is too long'],
  unsupportedMediaType: [415, 'The request body must be application/json'],
  expectationFailed: [417, 'The expectation of the Expect header cannot be met'],
  invalidParameter: [422, '{}'],
  rateLimitExceeded: [429, 'Rate limit exceeded: {} per 1 hour'],
  headersTooLarge: [431, 'The request headers are too large'],
  /** Nobody waits for this answer; the status is for the log. */
  abandoned: [499, 'The client went away'],
  internal: [500, 'Internal server error'],
  closing: [503, 'The service is being stopped; try again later'],
  busy: [503, 'Too many requests of this customer are under way; try again later'],
  timeout: [503, 'The database took too long to answer; ask for less, or try again later'],
} as const satisfies Record<string, readonly [status: number, detail: string]>;

export type ProblemKind = keyof typeof problems;

/** RFC 7807 problem document, as every error answer carries it. */
export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The request's path, without its query. */
  readonly instance: string;
}

/** Why a request fails; `about` names what is wrong with it, `headers` go with the answer. */
export class ApiError extends Error {
  readonly kind: ProblemKind;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: ProblemKind, about = '', headers: Readonly<Record<string, string>> = {}) {
    // It says what the client did; where that was noticed is of no use, and finding out is most of its cost.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(problems[kind][1].replace('{}', () => about));
    Error.stackTraceLimit = stackTraceLimit;
    this.kind = kind;
    this.status = problems[kind][0];
    this.headers = headers;
  }

  /** The problem document that the client is sent. */
  problem(instance: string): Problem {
    return { type: 'about:blank', title: STATUS_CODES[this.status] ?? 'Error', status: this.status, detail: this.message, instance };
  }
}

/** What the operator or the command line did wrong, in one clear line; never shown to API clients. */
export class OperatorError extends Error {}
