/** What is asked of a version of the service, and what of its answer belongs to the contract. */
import { type Agent, type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { KeyName, Keys } from '../../tools/versions.ts';

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  /** Null sends none. */
  readonly key: KeyName | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What it is there for: data, a refusal, or an error that comes under either status. */
  readonly expects: 'data' | 'refusal' | 'error';
}

export interface ApiResponse {
  readonly status: number;
  /** Those of `contractHeaders` that it has. */
  readonly headers: ReadonlyMap<string, string>;
  /** Decompressed, without what is a time by nature. */
  readonly body: Buffer;
}

export type Send = (request: ApiRequest) => Promise<ApiResponse>;

/** Whether a request is answered in the way that it is there for; else it would compare less than it seems to. */
export const isExpected = ({ path, expects }: ApiRequest, { status, body }: ApiResponse): boolean => {
  const isRefused = status >= 400;
  const hasErrors = isRefused || (path.startsWith('/graphql') && 'errors' in JSON.parse(body.toString()));
  return { data: !hasErrors, refusal: isRefused, error: hasErrors }[expects];
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

/** How many seconds it is depends on the moment. */
const shownAs = (name: string, value: string): string => (name === 'retry-after' ? 'present' : value);

const generatedAt = /"generated_at":"[^"]*"/;

const readBody = async (response: IncomingMessage): Promise<Buffer> => {
  const body = Buffer.concat(await response.toArray());
  const plain = response.headers['content-encoding'] === 'gzip' && body.length > 0 ? gunzipSync(body) : body;
  return generatedAt.test(plain.subarray(0, 200).toString('latin1'))
    ? Buffer.from(plain.toString().replace(generatedAt, '"generated_at":""'))
    : plain;
};

/** Asks the service at an address; by one name whatever its port, so that answers that repeat the name are alike. */
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

/** A request on one line, as it can be asked again. */
export const describe = ({ method, path, key, headers, body }: ApiRequest): string =>
  [method, path, `[${key ?? 'no key'}]`, ...(headers && !body ? [JSON.stringify(headers)] : []), ...(body ? [body] : [])].join(' ');

const firstDifference = (one: Buffer, other: Buffer): number => {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
};

const excerptBytes = 30;

/** What the second answer has otherwise than the first, in words; empty if nothing. */
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

/** Works through a list, so many at once; results in the order of the list. */
export const mapConcurrently = async <T, R>(list: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = new Array(list.length);
  const waiting = list.entries();
  const lane = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
};
