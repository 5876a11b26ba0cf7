/** Requests to a version of the service, and the parts of its answer that belong to the contract. */
import { type Agent, type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { KeyName, Keys } from '../support/versions.ts';

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  /** Null sends no key. */
  readonly key: KeyName | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The expected kind of answer: data, a refusal, an error that either status can carry, or any of these. */
  readonly expects: 'data' | 'refusal' | 'error' | 'any';
}

export interface ApiResponse {
  readonly status: number;
  /** The headers of `contractHeaders` that the answer has. */
  readonly headers: ReadonlyMap<string, string>;
  /** Decompressed, without values that depend on the time. */
  readonly body: Buffer;
}

export type Send = (request: ApiRequest) => Promise<ApiResponse>;

/** Whether the answer has the expected kind. Otherwise the request would compare less than intended. */
export const isExpected = ({ path, expects }: ApiRequest, { status, body }: ApiResponse): boolean => {
  const isRefused = status >= 400;
  const hasErrors = isRefused || (path.startsWith('/graphql') && 'errors' in JSON.parse(body.toString()));
  return { data: !hasErrors, refusal: isRefused, error: hasErrors, any: true }[expects];
};

const contractHeaders = [
  'content-type',
  'content-encoding',
  'etag',
  'x-total-count',
  'x-has-more',
  'x-next-offset',
  'x-next-cursor',
  'link',
  'x-data-version',
  'x-snapshot-at',
  'x-content-type-options',
  'vary',
  'cache-control',
  'allow',
  'retry-after',
] as const;

/** The number of seconds depends on the time of the request. */
const shownAs = (name: string, value: string): string => (name === 'retry-after' ? 'present' : value);

const generatedAt = /"generated_at":"[^"]*"/;

const readBody = async (response: IncomingMessage): Promise<Buffer> => {
  const body = Buffer.concat(await response.toArray());
  const plain = response.headers['content-encoding'] === 'gzip' && body.length > 0 ? gunzipSync(body) : body;
  return generatedAt.test(plain.subarray(0, 200).toString('latin1'))
    ? Buffer.from(plain.toString().replace(generatedAt, '"generated_at":""'))
    : plain;
};

/** Sends requests to an address. The `Host` is constant, so that answers which repeat it are equal. */
export const createClient = (url: string, keys: Keys, agent: Agent): Send => {
  const { hostname, port } = new URL(url);
  return ({ method, path, key, headers, body }) =>
    new Promise((resolve, reject) => {
      const sent = { Host: 'estate.test', ...(key !== null && { 'X-API-Key': keys[key] }), ...headers };
      const call = request({ hostname, port, path, method, agent, headers: sent }, (response) => {
        const kept = contractHeaders.flatMap((name): [string, string][] => {
          const value = response.headers[name];
          return value === undefined ? [] : [[name, shownAs(name, String(value))]];
        });
        readBody(response).then((read) => resolve({ status: response.statusCode ?? 0, headers: new Map(kept), body: read }), reject);
      });
      call.on('error', reject).end(body);
    });
};

/** A request on one line, in a form that can be repeated. */
export const describe = ({ method, path, key, headers, body }: ApiRequest): string =>
  [method, path, `[${key ?? 'no key'}]`, ...(headers && !body ? [JSON.stringify(headers)] : []), ...(body ? [body] : [])].join(' ');

const firstDifference = (one: Buffer, other: Buffer): number => {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
};

const excerptBytes = 30;

/** The differences of the second answer in words; empty if there are none. */
export const differences = (first: ApiResponse, second: ApiResponse): readonly string[] => {
  const status = first.status === second.status ? [] : [`status ${first.status} -> ${second.status}`];
  const headers = contractHeaders
    .filter((name) => first.headers.get(name) !== second.headers.get(name))
    .map((name) => `${name} ${first.headers.get(name) ?? '(none)'} -> ${second.headers.get(name) ?? '(none)'}`);
  if (first.body.equals(second.body)) return [...status, ...headers];
  const at = firstDifference(first.body, second.body);
  const around = ({ body }: ApiResponse) => JSON.stringify(body.subarray(Math.max(0, at - excerptBytes), at + excerptBytes).toString());
  const body = `body of ${first.body.length} -> ${second.body.length} bytes, at ${at} ${around(first)} -> ${around(second)}`;
  return [...status, ...headers, body];
};

const lanes = 4;

/** Processes a list with a fixed concurrency. Results have the order of the list. */
export const mapConcurrently = async <T, R>(list: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = new Array(list.length);
  const waiting = list.entries();
  const lane = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
};
