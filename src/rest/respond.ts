/**
 * The steps of every REST response with data: 304, cached, read, store, send (contract: conditional requests).
 *
 * Each kind of response says what differs: pages (`page.ts`), deltas (`deltas.ts`) and small JSON values (below).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lengthOf } from '../body.ts';
import type { TableName } from '../cache/response-cache.ts';
import type { States } from '../cache/versions.ts';
import { callerOf } from '../http/gate.ts';
import { etagAtVersions, hasTag, sendNotModified } from '../http/responses/headers.ts';
import { contentTypes } from '../http/responses/negotiation.ts';
import { type Rows, sendBuffered, sendRows } from '../http/responses/send.ts';
import type { RestContext } from './context.ts';

export const jsonType = contentTypes.json;

/** The version and the time of the data of a response. */
export interface DataState {
  readonly version: number;
  readonly syncedAt?: string | undefined;
  readonly joinedVersions?: Readonly<Record<string, number>> | undefined;
}

/** What was read: a body, the state of its data, and the values of its headers. */
export type ReadResponse<S extends DataState> = S & Rows & { readonly count: number };

/** A response that depends on data. `S` holds the values of its headers. */
export interface DataResponse<S extends DataState> {
  /**
   * Everything except the data that determines the response, as a JSON array. The tag is made from it. A response without a cache key has
   * no tag and is never cached.
   */
  readonly cacheKey: string | undefined;
  /** The tables that the response uses. The data version is that of the first one. */
  readonly tables: readonly TableName[];
  /** Sets the headers of a 304. */
  setStateHeaders(reply: FastifyReply, state: DataState): void;
  /** Sets the headers of a 200, except the tag. */
  setHeaders(reply: FastifyReply, summary: S): void;
  read(): Promise<ReadResponse<S>>;
  /** The body to send, if it is not the one that was read. */
  bodyOf?(page: ReadResponse<S>): Rows['body'];
  /** Reads only the values of the headers, for HEAD. Without this method, HEAD reads the body. */
  summary?(): Promise<S>;
}

/** The source of the headers of a cached response. */
interface CachedHeaders<S> {
  readonly summary: S;
  readonly etag: string;
}

const noStates: States = { get: () => undefined };

/** A response belongs to one key. Caches may store it, but must revalidate it each time. */
export const setCaching = (reply: FastifyReply): FastifyReply => reply.header('cache-control', 'private, no-cache');

/** The state of the tables' data according to the known states. */
const stateIn = (states: States, [table, ...joined]: readonly TableName[]): DataState => {
  const { version = 0, synced_at } = (table && states.get(table.kind, table.name)) ?? {};
  if (joined.length === 0) return { version, syncedAt: synced_at?.toISOString(), joinedVersions: undefined };
  const joinedVersions = Object.fromEntries(joined.map(({ kind, name }) => [name, states.get(kind, name)?.version ?? 0]));
  return { version, syncedAt: synced_at?.toISOString(), joinedVersions };
};

/** The versions of the tables, in their order. */
const versionsOf = ({ version, joinedVersions = {} }: DataState, tables: readonly TableName[]): number[] =>
  tables.map(({ name }, index) => (index === 0 ? version : (joinedVersions[name] ?? 0)));

/** Responds in order: 304 if the client has the data, the cached response, or a new one that is stored. */
export const respond = async <S extends DataState>(
  { responseCache, versions }: RestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  response: DataResponse<S>,
): Promise<FastifyReply> => {
  const { cacheKey, tables } = response;
  const { id: customerId } = callerOf(request).customer;
  const isHead = request.method === 'HEAD' && response.summary !== undefined;

  // 304: the client has the current response. The tables are not read.
  const isConditional = cacheKey !== undefined && request.headers['if-none-match'] !== undefined;
  const states = isConditional ? (tables.length > 0 ? await versions.of(customerId) : noStates) : undefined;
  if (states) {
    const state = stateIn(states, tables);
    const etag = etagAtVersions(cacheKey!, versionsOf(state, tables));
    if (hasTag(request, etag)) {
      response.setStateHeaders(reply, state);
      return sendNotModified(reply, etag);
    }
  }

  // Cached: the response cache has the response with the current versions.
  const cached = cacheKey === undefined ? undefined : await responseCache.find<CachedHeaders<S>>(customerId, cacheKey, states);
  if (cached) {
    const { about, rows, release } = cached;
    // Without tables there is no state to merge, and the merge takes longer than all other headers.
    response.setHeaders(reply, tables.length === 0 ? about.summary : { ...about.summary, ...stateIn(cached.states, tables) });
    reply.header('etag', about.etag);
    if (isHead) {
      release();
      return reply.send();
    }
    request.rowsSent = () => rows;
    return sendBuffered(reply, cached);
  }

  // Read: HEAD needs only the headers.
  const page = isHead ? undefined : await response.read();
  const read: S = page ?? (await response.summary!());
  const versionsRead = versionsOf(read, tables);
  const etag = cacheKey === undefined ? undefined : etagAtVersions(cacheKey, versionsRead);
  response.setHeaders(reply, read);
  if (etag !== undefined) reply.header('etag', etag);
  if (!page) return reply.send();
  request.rowsSent = () => page.count;

  // Store: a stream, or a body that the cache refuses, is only sent.
  const body = response.bodyOf?.(page) ?? page.body;
  const { body: _read, release, cancel, ...summary } = page;
  if (etag === undefined || Symbol.asyncIterator in body || !responseCache.shouldStore(customerId, cacheKey!, lengthOf(body)))
    return sendRows(reply, { body, cancel, release });
  const stored = { chunks: body, about: { summary, etag }, rows: page.count };
  const madeOf = tables.map((table, index) => ({ ...table, version: versionsRead[index]! }));
  const forms = responseCache.store(customerId, cacheKey!, stored, madeOf);
  return sendBuffered(reply, { chunks: body, release, forms });
};

/** A small JSON value, such as the codes of a column. */
export class JsonResponse implements DataResponse<DataState> {
  readonly cacheKey: string;
  readonly tables: readonly TableName[];
  readonly #read: () => unknown;
  readonly #version: () => Promise<number>;

  /** `read` returns the value. `version` returns the data version of its table, and is called first. */
  constructor(
    cacheKey: string,
    read: () => unknown,
    { tables = [], version = async () => 0 }: { readonly tables?: readonly TableName[]; readonly version?: () => Promise<number> } = {},
  ) {
    this.cacheKey = cacheKey;
    this.tables = tables;
    this.#read = read;
    this.#version = version;
  }

  setStateHeaders(reply: FastifyReply): void {
    setCaching(reply);
  }

  setHeaders(reply: FastifyReply): void {
    setCaching(reply).type(jsonType);
  }

  /** If the data changes between the version and the value, the entry is never used, and the client revalidates once more. */
  async read(): Promise<ReadResponse<DataState>> {
    const version = await this.#version();
    const body = [Buffer.from(JSON.stringify(await this.#read()))];
    return { version, count: 0, body };
  }
}
