/** Error answers: every failure becomes one problem document here, whatever raised it (contract: problem documents). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type Problem, type ProblemKind } from '../errors.ts';
import { unkept } from './caching.ts';

export const problemType = 'application/problem+json';

/** The path of a request target, without its query; also of what could not be parsed as a URL. */
export const pathOf = (target: string): string => target.split('?', 1)[0] || '/';

/** Statuses that Fastify's own checks raise, as kinds of the table of problems. */
const frameworkProblems: Readonly<Record<number, ProblemKind>> = {
  400: 'malformedRequest',
  408: 'requestTimeout',
  413: 'payloadTooLarge',
  414: 'uriTooLong',
  415: 'malformedRequest',
  431: 'headersTooLarge',
};

/** Any thrown value as an `ApiError`; what is not foreseen is `internal` and says nothing about its cause. */
export const asApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  const kind = typeof status === 'number' ? frameworkProblems[status] : undefined;
  return new ApiError(kind ?? 'internal');
};

export const serializeProblem = (problem: Problem): string => JSON.stringify(problem);

/** What was said of the page that was under way when it failed, its tag included; none of it is true of the problem. */
const answerHeaders = [
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
];

/** Answers a request with the problem that `error` stands for. */
export const sendProblem = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const problem = asApiError(error);
  if (problem.kind === 'internal') request.failure = error;
  // Looking is faster than deleting what is not there.
  for (const name of answerHeaders) if (reply.hasHeader(name)) reply.removeHeader(name);
  return reply
    .code(problem.status)
    .header('cache-control', unkept)
    .headers(problem.headers)
    .type(problemType)
    .send(serializeProblem(problem.problem(pathOf(request.raw.url ?? '/'))));
};
