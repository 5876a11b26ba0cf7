/**
 * The steps of every REST response with data: 304, then those of `http/cacheable.ts` (contract: conditional requests).
 *
 * Each kind of response says what differs: pages (`page.ts`), deltas (`deltas.ts`) and small JSON values (below).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TableKey } from '../cache/response-cache.ts';
import type { States } from '../cache/states.ts';
import { sendCacheable } from '../http/cacheable.ts';
import { callerOf } from '../http/gate.ts';
import { contentTypes, etagAtVersions, hasTag, noStore, sendNotModified } from '../http/responses/headers.ts';
import type { Rows } from '../http/responses/send.ts';
import type { RestContext } from './context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Records which tables the response is made of, before they are read. Undefined if nobody needs a record. */
    recordTables: ((tables: readonly TableKey[]) => Promise<void>) | undefined;
  }
}

export const jsonType = contentTypes.json;

/** The version and the time of the data of a response. */
export interface DataState {
  readonly version: number;
  readonly syncedAt?: string | undefined;
  readonly joinedVersions?: Readonly<Record<string, number>> | undefined;
  /** False for a response whose headers are incomplete, so that it is not stored. */
  readonly isCacheable?: boolean | undefined;
}

/** What was read: a body, the state of its data, and the values of its headers. */
export type ReadResponse<S extends DataState> = S & Rows & { readonly count: number };

/** A response that depends on data. `S` holds the values of its headers. */
export interface DataResponse<S extends DataState> {
  /**
   * Everything except the data that determines the response, as the items of a JSON array. The tag is made from it. A response without a cache key has
   * no tag and is never cached.
   */
  readonly cacheKey: string | undefined;
  /** The tables that the response uses. The data version is that of the first one. */
  readonly tables: readonly TableKey[];
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

/** What the headers of a 200 are made from. */
interface CachedHeaders<S> {
  readonly summary: S;
  readonly etag: string | undefined;
}

const noStates: States = { get: () => undefined };

/** A response belongs to one key. Caches may store it, but must revalidate it each time. That of an operator ends with the session. */
export const setCaching = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', reply.request.caller?.isOperator ? noStore : 'private, no-cache');

/** The state of the tables' data according to the known states. */
const stateIn = (states: States, [table, ...joined]: readonly TableKey[]): DataState => {
  const { version = 0, synced_at } = (table && states.get(table.kind, table.name)) ?? {};
  if (joined.length === 0) return { version, syncedAt: synced_at?.toISOString(), joinedVersions: undefined };
  const joinedVersions = Object.fromEntries(joined.map(({ kind, name }) => [name, states.get(kind, name)?.version ?? 0]));
  return { version, syncedAt: synced_at?.toISOString(), joinedVersions };
};

/** The versions of the tables, in their order. */
const versionsOf = ({ version, joinedVersions = {} }: DataState, tables: readonly TableKey[]): number[] =>
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
  await request.recordTables?.(tables);

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

  return sendCacheable<CachedHeaders<S>>(responseCache, request, reply, {
    key: cacheKey,
    states,
    isHead,
    headers: ({ summary, etag }, current) => {
      // Without tables there is no state to merge, and the merge takes longer than all other headers.
      response.setHeaders(reply, !current || tables.length === 0 ? summary : { ...summary, ...stateIn(current, tables) });
      if (etag !== undefined) reply.header('etag', etag);
    },
    read: async () => {
      const page = isHead ? undefined : await response.read();
      const { body: _read, release, cancel, ...summary }: S & Partial<Rows> = page ?? (await response.summary!());
      const versionsRead = versionsOf(summary, tables);
      return {
        about: { summary: summary as unknown as S, etag: cacheKey === undefined ? undefined : etagAtVersions(cacheKey, versionsRead) },
        body: page && (response.bodyOf?.(page) ?? page.body),
        rows: () => page?.count ?? 0,
        madeOf: summary.isCacheable === false ? undefined : tables.map((table, index) => ({ ...table, version: versionsRead[index]! })),
        release,
        cancel,
      };
    },
  });
};

/** A small JSON value, such as the codes of a column. */
export class JsonResponse implements DataResponse<DataState> {
  readonly cacheKey: string;
  readonly tables: readonly TableKey[];
  readonly #read: () => unknown;
  readonly #states: () => Promise<States>;

  /** `read` returns the value. `states` returns the states of its tables, and is called first. */
  constructor(
    cacheKey: string,
    read: () => unknown,
    { tables = [], states = async () => noStates }: { readonly tables?: readonly TableKey[]; readonly states?: () => Promise<States> } = {},
  ) {
    this.cacheKey = cacheKey;
    this.tables = tables;
    this.#read = read;
    this.#states = states;
  }

  setStateHeaders(reply: FastifyReply): void {
    setCaching(reply);
  }

  setHeaders(reply: FastifyReply): void {
    setCaching(reply).type(jsonType);
  }

  /** If the data changes between the states and the value, the entry is never used, and the client revalidates once more. */
  async read(): Promise<ReadResponse<DataState>> {
    const state = stateIn(await this.#states(), this.tables);
    const body = [Buffer.from(JSON.stringify(await this.#read()))];
    return { ...state, count: 0, body };
  }
}
