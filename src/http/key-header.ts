/**
 * Where a request carries its key: `X-API-Key`, and Basic authentication for programs that open an address and ask with a dialog of their
 * own (contract: basic authentication).
 */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';

const filesPath = /^(?:https?:\/\/[^/?#]*)?\/files(?:[/?]|$)/i;

/** Whether a request of this target may carry its key as a password: under `/files`, and with `format=csv`. */
export const takesBasic = (target = '/'): boolean => {
  if (filesPath.test(target)) return true;
  if (!target.includes('format=')) return false;
  return new URLSearchParams(target.slice(target.indexOf('?') + 1)).getAll('format').at(-1) === 'csv';
};

const basic = /^Basic +([A-Za-z0-9+/]+=*)$/i;

/** The password of an `Authorization` header of Basic authentication. The user name may be anything. */
const passwordOf = (header: string | undefined): string | undefined => {
  const [, encoded] = basic.exec(header ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : text.slice(colon + 1);
};

/** The text of the key; undefined if there is none. `X-API-Key` takes precedence. */
export const keyTextOf = ({ headers, url }: Pick<IncomingMessage, 'headers' | 'url'>): string | string[] | undefined => {
  const own = headers['x-api-key'];
  if (own !== undefined || headers.authorization === undefined || !takesBasic(url)) return own;
  return passwordOf(headers.authorization);
};

/** The 401. Where Basic authentication is accepted, it asks for it. */
export const unauthorized = (target: string | undefined): ApiError =>
  new ApiError('unauthorized', '', takesBasic(target) ? { 'WWW-Authenticate': 'Basic realm="Estate", charset="UTF-8"' } : {});
