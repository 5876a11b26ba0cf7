/** Error responses: every failure becomes one problem document here (contract: problem documents). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, loggedKinds, type Problem, type ProblemKind, toApiError } from '../../errors.ts';
import { noStore } from './headers.ts';

export const problemType = 'application/problem+json';

/** The path of a request target without its query. It also works for a target that is not a valid URL. */
export const problemPathOf = (target: string): string => target.split('?', 1)[0] || '/';

/** Maps the statuses of Fastify's own checks to kinds of problems. */
const frameworkProblems: Readonly<Record<number, ProblemKind>> = {
  400: 'malformedRequest',
  408: 'requestTimeout',
  413: 'payloadTooLarge',
  414: 'uriTooLong',
  415: 'malformedRequest',
  431: 'headersTooLarge',
};

/** Converts any thrown value, also of the framework, to an `ApiError`. */
export const asApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  const kind = typeof status === 'number' ? frameworkProblems[status] : undefined;
  return kind ? new ApiError(kind) : toApiError(error);
};

export const serializeProblem = (problem: Problem): string => JSON.stringify(problem);

/** Headers of the failed response, such as its tag. They do not apply to the problem document. */
const bodyHeaders = [
  'content-encoding',
  'content-length',
  'etag',
  'link',
  'x-total-count',
  'x-has-more',
  'x-next-offset',
  'x-next-cursor',
  'x-data-version',
  'x-snapshot-at',
  'x-unknown-values',
];

/** Node reads the rest of a refused request's body to use the connection again. A longer body costs more than a connection. */
const maxDrained = 256 * 1024;

/** Closes the connection after the answer if the body has not arrived and is long, or has no length. */
const closeUnlessShort = ({ headers, raw }: FastifyRequest, reply: FastifyReply): void => {
  if (raw.complete) return;
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.POSITIVE_INFINITY;
  if (!(length <= maxDrained)) reply.header('connection', 'close');
};

/** Sets the status and headers of a failed request. Returns the error; the caller sends its body. */
export const failWith = (error: unknown, request: FastifyRequest, reply: FastifyReply): ApiError => {
  const problem = asApiError(error);
  closeUnlessShort(request, reply);
  if (loggedKinds.has(problem.kind)) request.failure = error;
  // The check is faster than deleting an absent header.
  for (const name of bodyHeaders) if (reply.hasHeader(name)) reply.removeHeader(name);
  reply.code(problem.status).header('cache-control', noStore).headers(problem.headers);
  return problem;
};

/** Sends the problem document for `error`. */
export const sendProblem = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const problem = failWith(error, request, reply).problem(request.server.publicUrl.to(problemPathOf(request.raw.url ?? '/')));
  return reply.type(problemType).send(serializeProblem(problem));
};
