/** Error answers, described with the documents that `errors.ts` really makes (contract: problem documents; lookup values). */
import { questionLimits } from '../../access/questions.ts';
import { ApiError, type Problem, type ProblemKind } from '../../errors.ts';
import { problemType } from '../../http/responses/problem.ts';
import { validationMessage, validationTexts } from '../../plan/validation-errors.ts';
import { identifierPattern, pageLimits, waitLimit } from '../../query/parameters.ts';
import { type Response, ref, type Schema } from './document.ts';
import { type HeaderName, headersOf } from './headers.ts';
import { type DescribedScope, examplePath } from './scope.ts';

/** The quota that the contract names; a service may be set up with another. */
export const standardQuota = 500;

const example = (kind: ProblemKind, instance: string, about?: string): Problem => new ApiError(kind, about).problem(instance);

/** An answer with a problem document; the examples are named for what they show. */
const problemResponse = (description: string, examples: Record<string, Problem>, ...own: HeaderName[]): Response => ({
  description,
  headers: headersOf(...own),
  content: {
    [problemType]: {
      schema: ref('schemas', 'Problem'),
      examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
    },
  },
});

/** 400 of a table that requires filters. */
export const missingFiltersResponse = (instance: string, names: readonly string[]): Response =>
  problemResponse('A required filter is missing.', { missingFilters: example('missingFilters', instance, names.join(', ')) });

const offsetProblem = validationMessage('offset', validationTexts.below(pageLimits.offset.min));
const limitProblem = validationMessage('limit', validationTexts.above(pageLimits.limit.max));

/** Answers that operations share; the examples name paths that the document describes. */
export const problemResponses = (scope: DescribedScope) => {
  const path = examplePath(scope);
  const column = scope.tables[0]?.key ?? 'column';
  const table = scope.tables[0]?.name ?? 'table';
  return {
    Malformed: problemResponse('The request is not HTTP as it should be.', { malformed: example('malformedRequest', path) }),
    Unauthorized: problemResponse('No valid API key, or the key is disabled.', { unauthorized: example('unauthorized', path) }),
    Forbidden: problemResponse('The key does not include the endpoint or the access tier, or its customer is suspended.', {
      forbidden: example('forbidden', path),
    }),
    NotFound: problemResponse('Unknown category or table.', { notFound: example('notFound', path) }),
    NotModified: { description: 'The client has the current response.', headers: headersOf('ETag', 'X-Snapshot-At', 'X-Data-Version') },
    NoQuestion: problemResponse('There is no question of this name for the customer.', {
      noQuestion: example('noQuestion', '/questions/arrears'),
    }),
    NoOwnQuestion: problemResponse('There is no question of this name that a key saved.', {
      noQuestion: example('noQuestion', '/questions/arrears'),
    }),
    QuestionForbidden: problemResponse('The key may not save questions, or the operator saved the question.', {
      forbidden: example('forbidden', '/questions/arrears'),
      operatorsQuestion: example('operatorsQuestion', '/questions/arrears', 'this question'),
    }),
    TooManyQuestions: problemResponse('The customer has as many questions of keys as it may have.', {
      tooManyQuestions: example('tooManyQuestions', '/questions/arrears', String(questionLimits.ofCustomer)),
    }),
    QuestionConflict: problemResponse('The question exists, against `If-None-Match`, or has none of the tags in `If-Match`.', {
      questionExists: example('questionExists', '/questions/arrears'),
      questionChanged: example('questionChanged', '/questions/arrears'),
    }),
    MatchRequired: problemResponse('There is a question of this name, and the request has no `If-Match`.', {
      matchRequired: example('matchRequired', '/questions/arrears'),
    }),
    InvalidQuestion: problemResponse('A member of the body is not valid, or the key cannot ask the document.', {
      invalidDocument: example('invalidParameter', '/questions/arrears', 'body -> document: Field required'),
    }),
    InvalidBody: problemResponse('The body is no JSON object.', { malformedBody: example('malformedRequest', '/questions/arrears') }),
    NoJson: problemResponse('The body is not `application/json`.', {
      unsupportedMediaType: example('unsupportedMediaType', '/questions/arrears'),
    }),
    NoLookupValues: problemResponse('No lookup values are configured for the table and column.', {
      noLookupValues: example('noLookupValues', `/meta/${table}/values/${column}`, `${table}.${column}`),
    }),
    InvalidParameter: problemResponse('A query parameter violates its bounds; the detail names each one that does.', {
      offset: example('invalidParameter', path, offsetProblem),
      several: example('invalidParameter', path, `${limitProblem}; ${offsetProblem}`),
    }),
    InvalidRawParameter: problemResponse('A query parameter violates its bounds; the detail names each one that does.', {
      limit: example('invalidParameter', `/raw/${[...scope.rawTables.keys()][0] ?? 'table'}`, limitProblem),
    }),
    InvalidSince: problemResponse('`since` is missing or no point in time, or `wait` violates its bounds.', {
      missing: example('invalidParameter', '/changes', validationMessage('since', validationTexts.missing)),
      malformed: example('invalidParameter', '/changes', validationMessage('since', validationTexts.noInstant)),
      wait: example('invalidParameter', '/changes', validationMessage('wait', validationTexts.above(waitLimit.max))),
    }),
    InvalidVersion: problemResponse(
      '`since_version` is missing, no integer, or newer than the data; or another parameter violates its bounds.',
      {
        missing: example('invalidParameter', `${path}/deltas`, validationMessage('since_version', validationTexts.missing)),
      },
    ),
    Gone: problemResponse('Deltas since this version are no longer kept: download the table again.', {
      deltasGone: example('deltasGone', `${path}/deltas`, '17'),
    }),
    InvalidPath: {
      description: 'A path parameter is not an identifier. This response is not a problem document.',
      headers: headersOf(),
      content: { 'application/json': { schema: ref('schemas', 'ValidationError') } },
    },
    PreconditionFailed: problemResponse('The file has none of the tags in `If-Match`.', {
      preconditionFailed: example('preconditionFailed', '/files/properties/12.parquet'),
    }),
    RangeNotSatisfiable: problemResponse(
      'The range is beyond the end of the file.',
      { rangeNotSatisfiable: example('rangeNotSatisfiable', '/files/properties/12.parquet', '4096') },
      'Content-Range',
    ),
    RateLimited: problemResponse(
      'Rate limit exceeded. Stop at once, wait at least for Retry-After, and double the wait on every further 429.',
      { rateLimitExceeded: example('rateLimitExceeded', path, String(standardQuota)) },
      'Retry-After',
    ),
    InternalError: problemResponse('Internal failure.', { internal: example('internal', path) }),
    Busy: problemResponse(
      'Too many requests are in flight, or the database or the store of files took too long or is not available.',
      {
        busy: example('busy', path),
        timeout: example('timeout', path),
        unavailable: example('unavailable', path),
        filesUnavailable: example('filesUnavailable', '/files'),
      },
      'Retry-After',
    ),
  } satisfies Record<string, Response>;
};
export type ProblemName = keyof ReturnType<typeof problemResponses>;

const string: Schema = { type: 'string' };

export const problemSchemas: Record<string, Schema> = {
  Problem: {
    type: 'object',
    description: 'RFC 7807 problem document.',
    required: ['type', 'title', 'status', 'detail', 'instance'],
    properties: {
      type: { type: 'string', const: 'about:blank' },
      title: { type: 'string', description: 'standard phrase of the status' },
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: { type: 'string', description: 'what is wrong' },
      instance: { type: 'string', description: 'path of the request, without its query' },
    },
  },
  ValidationError: {
    type: 'object',
    description: 'The invalid path parameters, one entry for each.',
    required: ['detail'],
    properties: {
      detail: {
        type: 'array',
        items: {
          type: 'object',
          required: ['loc', 'msg', 'type'],
          properties: { loc: { type: 'array', items: string }, msg: string, type: string },
        },
      },
    },
    examples: [
      {
        detail: [
          { loc: ['path', 'column'], msg: `String should match pattern '${identifierPattern.source}'`, type: 'string_pattern_mismatch' },
        ],
      },
    ],
  },
};
