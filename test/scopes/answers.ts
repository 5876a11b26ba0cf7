/** Answers as text that can be compared: without what differs between any two answers, and with the rows of files. */
import { gunzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { untilBuilt } from '../files/support.ts';
import type { TestService } from '../support/service.ts';
import type { Question } from './requests.ts';

export interface Answered {
  readonly status: number;
  /** Status, headers and body without what differs between any two answers. */
  readonly told: string;
  readonly cursors: readonly string[];
  readonly etag: string | null;
}

const volatile = ['date', 'x-request-id', 'server-timing', 'connection', 'keep-alive', 'x-snapshot-at'];
/** Results of agents are JSON in JSON. */
const times = /\\?"(?:generated_at|synced_at|changed_at|saved_at|snapshot_at|age_seconds|instance)\\?":(?:\\?"[^"\\]*\\?"|\d+|null)/g;
const cursorsIn = /(?:next_cursor|endCursor|startCursor)\\?":\\?"([^"\\]+)\\?"/g;

const send = async (url: string, key: string, { method, path, body, headers, isBasic }: Question): Promise<Response> => {
  const own: Record<string, string> = isBasic
    ? { Authorization: `Basic ${Buffer.from(`anyone:${key}`).toString('base64')}` }
    : { 'X-API-Key': key };
  const options = { method, headers: { ...headers, ...own }, redirect: 'manual', ...(body !== undefined && { body }) } as const;
  return untilBuilt(() => fetch(`${url}${path}`, options));
};

/** The body as text. Files are unpacked; parts of them are shown as bytes. */
const textOf = async (response: Response, { path, method }: Question): Promise<string> => {
  const file = /^\/files\/.*\.(parquet|csv\.gz|ndjson\.gz)$/.exec(path)?.[1];
  if (!file || method === 'HEAD' || ![200, 206].includes(response.status)) return response.text();
  const bytes = await response.arrayBuffer();
  if (response.status === 206) return Buffer.from(bytes).toString('latin1');
  if (file !== 'parquet') return gunzipSync(Buffer.from(bytes)).toString();
  const rows = await parquetReadObjects({ file: bytes });
  return JSON.stringify(rows, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
};

export const ask = async ({ url }: Pick<TestService, 'url'>, key: string, question: Question): Promise<Answered> => {
  const { path } = question;
  const response = await send(url, key, question);
  const text = await textOf(response, question);
  // Documents about the service have times and the address of the server.
  const isTimed = /\/questions(?:\?|$)/.test(path) || /^\/(?:me|changes|docs|raw\/tables|mcp)/.test(path);
  const left = isTimed ? [...volatile, 'etag', 'content-length'] : volatile;
  const heads = [...response.headers].filter(([name]) => !left.includes(name)).map(([name, value]) => `${name}: ${value}`);
  const shown = isTimed ? text.replaceAll(times, '').replaceAll(new URL(url).host, 'host') : text;
  const inBody = [...text.matchAll(cursorsIn)].map(([, cursor = '']) => cursor);
  const next = response.headers.get('x-next-cursor');
  return {
    status: response.status,
    told: `${response.status}\n${heads.join('\n')}\n${shown}`,
    cursors: next ? [next, ...inBody] : inBody,
    etag: response.headers.get('etag'),
  };
};
