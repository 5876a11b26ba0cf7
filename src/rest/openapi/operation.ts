/** What all operations have in common, and the parameters that pages share (contract: the interface). */
import { contentTypes } from '../../http/responses/headers.ts';
import { parameterMeanings } from '../../plan/vocabulary/descriptions.ts';
import { pageLimits, rowFormats } from '../../query/parameters.ts';
import { type OpenApiOperation, type ParameterObject, type ReferenceObject, type Response, ref, type Schema } from './document.ts';
import type { ProblemName } from './problems.ts';

interface Described extends Pick<OpenApiOperation, 'operationId' | 'summary' | 'description' | 'parameters' | 'requestBody' | 'security'> {
  readonly tag: string;
  /** The answer when all is well. */
  readonly ok: Response | ReferenceObject;
  /** The status of this answer; 200 by default. */
  readonly status?: number;
  /** Answers beside 401, 403, 429 and 500, by status. */
  readonly problems?: Readonly<Record<number, ProblemName | Response>>;
}

/** An operation with the error answers that every operation has, and its own. */
export const operation = ({ tag, ok, status = 200, problems = {}, ...described }: Described): OpenApiOperation => ({
  tags: [tag],
  ...described,
  responses: {
    [status]: ok,
    ...Object.fromEntries(
      Object.entries<ProblemName | Response>({
        401: 'Unauthorized',
        403: 'Forbidden',
        429: 'RateLimited',
        500: 'InternalError',
        ...problems,
      }).map(([each, problem]) => [each, typeof problem === 'string' ? ref('responses', problem) : problem]),
    ),
  },
});

const bounded = (name: keyof typeof pageLimits, meaning: string): ParameterObject => ({
  name,
  in: 'query',
  description: meaning,
  schema: { type: 'integer', minimum: pageLimits[name].min, maximum: pageLimits[name].max, default: pageLimits[name].defaultValue },
});

/** The content of rows in each format other than JSON. */
export const textContent: Readonly<Record<string, { readonly schema: Schema }>> = Object.fromEntries(
  rowFormats
    .filter((format) => format !== 'json')
    .map((format) => [contentTypes[format].split(';', 1)[0] as string, { schema: { type: 'string' } }]),
);

/** A list in a query string. */
export const listParameter = (
  name: keyof typeof parameterMeanings,
  description: string = parameterMeanings[name],
  items: Schema = {},
): ParameterObject => ({
  name: name === 'rowOrder' ? 'order' : name,
  in: 'query',
  description,
  schema: { type: 'array', items: { type: 'string', ...items } },
  style: 'form',
  explode: false,
});

export const pageParameters: Record<string, ParameterObject> = {
  where: listParameter('where'),
  order: listParameter('rowOrder'),
  columns: listParameter('columns'),
  limit: bounded('limit', 'Maximum rows returned.'),
  offset: bounded('offset', 'Rows to skip. For exports beyond the maximum, use a cursor, filters or a raw endpoint.'),
  cursor: {
    name: 'cursor',
    in: 'query',
    description:
      'Cursor taken from the X-Next-Cursor header of the previous page; holds for the same table, filters, conditions and order, and cannot be combined with an offset greater than 0.',
    schema: { type: 'string' },
  },
  format: {
    name: 'format',
    in: 'query',
    description: 'The format of the response. It overrides `Accept`. `csv` returns the rows as a file to download.',
    schema: { type: 'string', enum: rowFormats },
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier response to the same request. Unchanged data returns 304 without a body.',
    schema: { type: 'string' },
  },
  prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`handling=strict` refuses names in the query that are neither parameters nor columns (RFC 7240).',
    schema: { type: 'string', enum: ['handling=strict'] },
  },
  rawCursor: {
    name: 'cursor',
    in: 'query',
    description: 'Value of `next_cursor` from the previous response.',
    schema: { type: 'string' },
  },
};

/** `booking_header` as `BookingHeader`. */
export const pascalCase = (name: string): string => name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
