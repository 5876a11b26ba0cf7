/**
 * Sends rows as a response. A client that has the current data gets 304, before the table is read (contract: conditional requests).
 * Otherwise the response comes from the response cache or from the database.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lengthOf } from '../body.ts';
import type { CacheHit } from '../cache/response-cache.ts';
import type { States } from '../cache/versions.ts';
import { Reader } from '../execute/reader.ts';
import type { Page, Summary } from '../execute/summary.ts';
import { prefersCsv } from '../http/responses/accept.ts';
import { addVary } from '../http/responses/caching.ts';
import { etagAtVersions, hasTag, sendNotModified } from '../http/responses/etag.ts';
import { type Rows, sendBuffered, sendRows } from '../http/responses/send.ts';
import { joinedTables } from '../plan/groups.ts';
import type { Format, ReadableTable } from '../plan/parameters.ts';
import type { Plan, Source } from '../plan/plan.ts';
import { csvOf, json, type RowForm } from '../wire/row-format.ts';
import { queryOf, type RestContext, requestContextOf } from './context.ts';
import { type Headers, setCaching, versionHeaders } from './headers.ts';
import { cacheKeyOf, type PagePlan } from './page-plans.ts';

type Body = Rows & Pick<Page, 'count'>;
type Stated = Pick<Summary, 'version' | 'syncedAt' | 'joinedVersions'>;

/** JSON text before and after the rows. */
export interface Envelope<S> {
  readonly begin: (summary: S) => string;
  readonly end: (page: S & Body) => string;
}

export interface RowsAnswer<S extends Stated> {
  readonly source: Source;
  /** Names of further tables that the rows use. */
  readonly joinedVersions?: readonly string[];
  readonly type?: string;
  readonly read: { readonly summary: () => Promise<S>; readonly page: () => Promise<S & Body> };
  /**
   * Everything except the data that determines the response, as a JSON array. The tag is made from it. A response without a cache key is
   * never cached.
   */
  readonly cacheKey?: string;
  /** Additional headers of this kind of response. */
  readonly headers?: (summary: S) => Headers;
  readonly envelope?: Envelope<S> | undefined;
}

/** The source of the headers of a cached page. */
interface CachedPage<S> {
  readonly summary: S;
  readonly etag: string;
}

export const jsonType = 'application/json; charset=utf-8';
const csvType = 'text/csv; charset=utf-8; header=present';

async function* enveloping<S>(page: S & Body, { begin, end }: Envelope<S>): AsyncGenerator<Buffer> {
  yield Buffer.from(begin(page));
  yield* page.body;
  yield Buffer.from(end(page));
}

/** The end is built after the rows are written. */
const enveloped = <S>(page: S & Body, envelope: Envelope<S>): Rows['body'] => {
  const { body } = page;
  if (Symbol.asyncIterator in body) return enveloping(page, envelope);
  return [Buffer.from(envelope.begin(page)), ...body, Buffer.from(envelope.end(page))];
};

/** The versions of the tables according to the known states. */
const stateIn = (states: States, { kind, name }: Source, joinedVersions: readonly string[]): Stated => {
  const { version = 0, synced_at } = states.get(kind, name) ?? {};
  const others = joinedVersions.map((other) => [other, states.get(kind, other)?.version ?? 0] as const);
  return { version, syncedAt: synced_at?.toISOString(), joinedVersions: others.length > 0 ? Object.fromEntries(others) : undefined };
};

/** Sends rows in three steps: 304 if the client has them, the cached page, or a page that is read and stored. HEAD sends only the headers. */
export const answerRows = async <S extends Stated>(
  { responseCache, versions }: RestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { source, joinedVersions = [], type = jsonType, read, cacheKey, headers, envelope }: RowsAnswer<S>,
): Promise<FastifyReply> => {
  const { customerId, kind, name } = source;
  const isHead = request.method === 'HEAD';
  const etagAt = ({ version, joinedVersions: versions = {} }: Stated) =>
    cacheKey ? etagAtVersions(cacheKey, [version, ...joinedVersions.map((other) => versions[other] ?? 0)]) : undefined;
  const setHeaders = (summary: S, etag = etagAt(summary)) => {
    reply.headers(versionHeaders(summary));
    if (etag) reply.header('etag', etag);
    return headers ? reply.headers(headers(summary)) : reply;
  };
  setCaching(reply).type(type);
  const states = cacheKey && request.headers['if-none-match'] !== undefined ? await versions.of(customerId) : undefined;

  const sendIfUnchanged = (): FastifyReply | undefined => {
    if (!states) return undefined;
    const state = stateIn(states, source, joinedVersions);
    const etag = etagAt(state)!;
    return hasTag(request, etag) ? sendNotModified(reply.headers(versionHeaders(state)), etag) : undefined;
  };

  const sendCached = (cached: CacheHit<CachedPage<S>>): FastifyReply | Promise<FastifyReply> => {
    const { about, rows, states, release } = cached;
    setHeaders({ ...about.summary, ...stateIn(states, source, joinedVersions) }, about.etag);
    if (isHead) {
      release();
      return reply.send();
    }
    request.rowsSent = () => rows;
    return sendBuffered(reply, cached);
  };

  const sendRead = async (): Promise<FastifyReply> => {
    if (isHead) return setHeaders(await read.summary()).send();
    const page = await read.page();
    request.rowsSent = () => page.count;
    const etag = etagAt(page);
    setHeaders(page, etag);
    const body = envelope ? enveloped(page, envelope) : page.body;
    if (!cacheKey || !etag || Symbol.asyncIterator in body || !responseCache.shouldStore(customerId, cacheKey, lengthOf(body)))
      return sendRows(reply, { body, cancel: page.cancel, release: page.release });
    const { body: _written, release, ...summary } = page;
    const response = { chunks: body, about: { summary, etag }, rows: page.count };
    const joined = joinedVersions.map((other) => ({ kind, name: other, version: page.joinedVersions?.[other] ?? 0 }));
    const forms = responseCache.store(customerId, cacheKey, response, [{ kind, name, version: page.version }, ...joined]);
    return sendBuffered(reply, { chunks: body, release, forms });
  };

  const unchanged = sendIfUnchanged();
  if (unchanged) return unchanged;
  const cached = cacheKey && (await responseCache.find<CachedPage<S>>(customerId, cacheKey, states));
  return cached ? sendCached(cached) : sendRead();
};

/** Headers and envelope of a table's pages. */
export interface PageForm {
  readonly headers: (request: FastifyRequest, plan: Plan, summary: Summary, format: Format) => Headers;
  /** The envelope of JSON rows. */
  readonly envelope?: Envelope<Summary>;
  /** Where the query does not name a format, `Accept` decides. */
  readonly isNegotiated: boolean;
}

interface PlanAnswer extends Pick<PagePlan, 'plan' | 'format'>, Partial<Pick<PagePlan, 'cacheKey'>> {
  /** Column names for CSV. */
  readonly names: readonly string[];
  readonly form: PageForm;
}

/** A link to CSV downloads a file (contract: format). */
const downloadHeaders = ({ source: { name }, groups }: Plan): Headers => ({
  'content-disposition': `attachment; filename=${name.replaceAll(/[^\w.-]/g, '_')}${groups ? '_groups' : ''}.csv`,
});

/** Sends the page of a plan. The query names the format; otherwise `Accept` decides. */
export const answerPlan = (
  context: RestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { plan, cacheKey = cacheKeyOf(plan), format: named, names, form }: PlanAnswer,
): Promise<FastifyReply> => {
  const isNegotiated = form.isNegotiated && named === undefined;
  const format = named ?? (isNegotiated && prefersCsv(request.headers.accept) ? 'csv' : 'json');
  const isCsv = format === 'csv';
  if (isNegotiated) addVary(reply, 'Accept');
  const reader = () => new Reader(context.reading, requestContextOf(request, reply));
  const rows: RowForm = { format: isCsv ? csvOf(names) : json, names };
  return answerRows<Summary>(context, request, reply, {
    source: plan.source,
    joinedVersions: joinedTables(plan.groups),
    type: isCsv ? csvType : jsonType,
    read: { summary: () => reader().summary(plan), page: () => reader().page(plan, rows) },
    cacheKey: isCsv ? `${cacheKey.slice(0, -1)},"csv"]` : cacheKey,
    headers: (summary) => ({
      ...form.headers(request, plan, summary, format),
      ...(named === 'csv' && downloadHeaders(plan)),
    }),
    envelope: isCsv ? undefined : form.envelope,
  });
};

/** Sends the page of a table that the query string describes. */
export const answerPage = (
  context: RestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { table, form }: { readonly table: ReadableTable; readonly form: PageForm },
): Promise<FastifyReply> => {
  const asked = context.pages.of(request.raw.url ?? '/', queryOf(request), table);
  return answerPlan(context, request, reply, { ...asked, names: table.columns, form });
};
