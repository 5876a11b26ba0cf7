/**
 * The answers of GraphQL over HTTP: media types, statuses and the text around `data` (contract: GraphQL requests).
 *
 * `data` is bytes, so an answer is the text before them, the bytes, and the text after them.
 */
import { ApiError } from '../errors.ts';
import { preferredType } from '../http/responses/headers.ts';
import type { Result } from './context.ts';
import { type ErrorHttp, shownErrors } from './errors.ts';

/** A media type of answers, with the text around the JSON of an answer. */
export interface MediaType {
  readonly name: string;
  readonly contentType: string;
  /** Whether an error before execution has a status of its own. Otherwise it is a 200, because older clients ignore the body of other statuses. */
  readonly hasStatuses: boolean;
  readonly before: string;
  readonly after: string;
}

/** In the order of preference for a client that accepts anything. An event stream has one event, because no answer has several parts. */
const mediaTypes: Readonly<Record<string, MediaType>> = {
  'application/json': {
    name: 'json',
    contentType: 'application/json; charset=utf-8',
    hasStatuses: false,
    before: '',
    after: '',
  },
  'application/graphql-response+json': {
    name: 'graphql',
    contentType: 'application/graphql-response+json; charset=utf-8',
    hasStatuses: true,
    before: '',
    after: '',
  },
  'text/event-stream': {
    name: 'events',
    contentType: 'text/event-stream',
    hasStatuses: false,
    before: 'event: next\ndata: ',
    after: '\n\nevent: complete\ndata:\n\n',
  },
};
const offered = Object.keys(mediaTypes);

/** The media type that a client prefers. Throws `notAcceptable` if it accepts none. */
export const mediaTypeOf = (accept: string | undefined): MediaType => {
  const type = preferredType(offered, accept);
  if (type === undefined) throw new ApiError('notAcceptable', offered.join(', '));
  return mediaTypes[type]!;
};

/** A response. `after` follows the bytes of `data`; without them the body is `before`. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly before: string;
  readonly after: string;
}

/** Writes members that follow another member. */
const furtherMembers = (members: object): string => {
  const text = JSON.stringify(members).slice(1);
  return text === '}' ? text : `,${text}`;
};

/** The answer for a result. The status is the highest of its errors. */
export const httpAnswerOf = ({ data, errors = [], extensions }: Result, type: MediaType): HttpAnswer => {
  let status = 200;
  const headers: Record<string, string> = { 'content-type': type.contentType };
  for (const error of errors) {
    const http = (error.extensions.http ?? {}) as ErrorHttp;
    Object.assign(headers, http.headers);
    if (http.status !== undefined && (type.hasStatuses || !http.spec)) status = Math.max(status, http.status);
  }
  if (status === 200) headers['cache-control'] = 'private, no-cache';
  const shown = errors.length > 0 ? shownErrors(errors) : undefined;
  if (data)
    return { status, headers, before: `${type.before}{"data":`, after: `${furtherMembers({ errors: shown, extensions })}${type.after}` };
  return { status, headers, before: `${type.before}${JSON.stringify({ errors: shown, data, extensions })}${type.after}`, after: '' };
};
