/** Bodies of JSON that a route reads as text. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';

const longest = 256 * 1_024;

/** JSON in UTF-8, which is the default. A form on another website can send some other types, but not this one. */
const isJson = (contentType = ''): boolean =>
  /^\s*application\/json\s*(?:;|$)/i.test(contentType) && !/;\s*charset\s*=\s*(?!"?utf-?8"?\s*(?:;|$))/i.test(contentType);

/** Makes the bodies of all routes of a scope texts of at most 256 KB. */
export const takeText = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: longest }, (_request, body, done) => done(null, body));
};

/** Throws `unsupportedMediaType`, before the body is read. */
export const requireJson = ({ headers }: FastifyRequest): void => {
  if (!isJson(headers['content-type'])) throw new ApiError('unsupportedMediaType');
};
