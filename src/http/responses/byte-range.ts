/** Byte ranges of a file (RFC 9110, section 14): one range for each request. A request of several gets the whole file. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';

export interface ByteRange {
  /** The first and the last byte. */
  readonly first: number;
  readonly last: number;
}

const rangePattern = /^bytes=(\d*)-(\d*)$/;

/**
 * The requested range of a file with this length and strong tag; undefined for the whole file. Throws `rangeNotSatisfiable` for a range
 * beyond the end.
 */
export const rangeOf = ({ headers }: Pick<FastifyRequest, 'headers'>, length: number, etag: string): ByteRange | undefined => {
  const [, from, to] = rangePattern.exec(headers.range?.replaceAll(' ', '') ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  // The client has a part of another file.
  if (headers['if-range'] !== undefined && headers['if-range'] !== etag) return undefined;
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from);
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  if (first >= length || last < first) throw new ApiError('rangeNotSatisfiable', String(length), { 'Content-Range': `bytes */${length}` });
  return { first, last };
};
