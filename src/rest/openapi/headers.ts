/**
 * Response headers, described (contract: page headers; quota headers; conditional requests; snapshot time; request ids; data
 * versions).
 */
import { windowSeconds } from '../../access/rate-limit/rate-limit.ts';
import { pageLimits } from '../../query/parameters.ts';
import { type Header, type ReferenceObject, ref } from './document.ts';

const count = (description: string, maximum?: number): Header => ({
  description,
  schema: { type: 'integer', minimum: 0, ...(maximum === undefined ? {} : { maximum }) },
});
const text = (description: string, schema: Record<string, unknown> = {}): Header => ({
  description,
  schema: { type: 'string', ...schema },
});

export const headers = {
  'X-Total-Count': count('Total rows matching the query, ignoring limit and offset.'),
  'X-Has-More': text('Whether more rows exist beyond the current page.', { enum: ['true', 'false'] }),
  'X-Next-Offset': count(
    'Offset for the next page; present only when X-Has-More is `true` and the request has no cursor.',
    pageLimits.offset.max,
  ),
  'X-Next-Cursor': text('Opaque cursor for the next page; present only when a full page was returned (row count equals limit).'),
  'X-Snapshot-At': text('Time of the last successful sync of this table; absent before the first.', { format: 'date-time' }),
  'X-Data-Version': count('Version of the data shown; it grows whenever the data of this table changes.'),
  ETag: text('Weak tag of the answer; send it back as `If-None-Match` to get a 304 when nothing has changed.'),
  Link: text('Address of the next page, with `rel="next"`; absent on the last page, and if the address is longer than 2,000 characters.', {
    examples: ['</path?limit=1000&offset=1000>; rel="next"'],
  }),
  'X-Ignored-Parameters': text(
    'Names in the query that are neither parameters nor columns, percent-encoded; present if there are any. With `Prefer: handling=strict` they are a 422.',
    { examples: ['staus'] },
  ),
  'X-Unknown-Values': text(
    'Values in conditions that are no codes of their column and that no row has, percent-encoded; present if there are any.',
    { examples: ['status=opne'] },
  ),
  'Preference-Applied': text('What the service does of the preferences of the request (RFC 7240).', {
    examples: ['handling=strict', 'wait=60'],
  }),
  'Content-Disposition': text('File name of a download; present where the query has `format=csv`.', {
    examples: ['attachment; filename=orders.csv'],
  }),
  Location: text('Path of the current version of a file, or of a new question.', { examples: ['/files/orders/12.parquet'] }),
  'Accept-Ranges': text('`bytes`: parts of the file can be requested.', { enum: ['bytes'] }),
  'Content-Range': text('The bytes of the part, and the length of the file.', { examples: ['bytes 0-65535/1048576'] }),
  'Repr-Digest': text('SHA-256 of the whole file (RFC 9530).', { examples: ['sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:'] }),
  'X-RateLimit-Limit': count('Requests allowed in the window.'),
  'X-RateLimit-Remaining': count('Requests left in the current window.'),
  'RateLimit-Limit': count('Requests allowed in the window.'),
  'RateLimit-Remaining': count('Requests left in the current window.'),
  'RateLimit-Reset': count('Seconds until the current window ends.', windowSeconds),
  'RateLimit-Policy': text('Limit and window in seconds.', { examples: [`500;w=${windowSeconds}`] }),
  'Retry-After': count('Seconds to wait before the next request.'),
  'Server-Timing': text(
    'Milliseconds until the head of the response is sent: in the queue, with a database connection, in total. Only for valid keys.',
    {
      examples: ['queue;dur=0.0, database;dur=1.9, total;dur=2.4'],
    },
  ),
  'X-Request-Id': text('Names this request in the logs of the service.'),
} as const satisfies Record<string, Header>;
export type HeaderName = keyof typeof headers;

/** What a browser's script may read of an answer from another origin (contract: cross-origin requests): all that is described, and what refusals ask for. */
export const exposedHeaders = [...Object.keys(headers), 'Allow', 'WWW-Authenticate'];

/** What every answer carries. */
const general: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'Server-Timing',
  'X-Request-Id',
];

/** References to the headers of an answer: its own first, then the general ones. */
export const headersOf = (...own: readonly HeaderName[]): Record<string, ReferenceObject> =>
  Object.fromEntries([...own, ...general].map((name) => [name, ref('headers', name)]));

/** The headers of a page of rows or groups (contract: page headers). */
export const pageHeaderDescriptions = ({ hasOffset, hasCursor }: { readonly hasOffset: boolean; readonly hasCursor: boolean }) =>
  headersOf(
    'X-Total-Count',
    'X-Has-More',
    ...(hasOffset ? (['X-Next-Offset', 'X-Ignored-Parameters', 'Preference-Applied'] as const) : []),
    ...(hasCursor ? (['X-Next-Cursor'] as const) : []),
    'X-Unknown-Values',
    'X-Snapshot-At',
    'X-Data-Version',
    'ETag',
    'Link',
    'Content-Disposition',
  );
