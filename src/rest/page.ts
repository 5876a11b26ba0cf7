/** Sends a page of rows as JSON or CSV, with its headers (contract: page headers; CSV; snapshot time; data versions). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TableName } from '../cache/response-cache.ts';
import { Reader } from '../execute/reader.ts';
import type { Page, Summary } from '../execute/summary.ts';
import { requestContextOf } from '../http/request-context.ts';
import { addVary, downloadAs } from '../http/responses/headers.ts';
import { contentTypes, prefersCsv } from '../http/responses/negotiation.ts';
import { pathOf } from '../http/responses/problem.ts';
import { enclose } from '../http/responses/send.ts';
import { type Format, limits, type ReadableTable } from '../plan/parameters.ts';
import { otherTablesOf, type Plan } from '../plan/plan.ts';
import { csvOf, json, type RowFormat } from '../wire/row-format.ts';
import { queryOf, type RestContext } from './context.ts';
import { cacheKeyOf, type PagePlan } from './page-plans.ts';
import { type DataResponse, type DataState, type ReadResponse, respond, setCaching } from './respond.ts';

export type Headers = Readonly<Record<string, string>>;

/** JSON text before and after the rows. */
export interface Envelope<S> {
  readonly begin: (summary: S) => string;
  readonly end: (page: ReadResponse<S & DataState>) => string;
}

/** Puts rows into their envelope. Its end may contain the number of rows, so it is made after them. */
export const enveloped = <S extends DataState>(page: ReadResponse<S>, { begin, end }: Envelope<S>): Page['body'] =>
  enclose(Buffer.from(begin(page)), page.body, () => Buffer.from(end(page)));

/** The version and the time of the data. */
export const versionHeaders = ({ version, syncedAt }: Pick<DataState, 'version' | 'syncedAt'>): Headers => {
  const headers: Record<string, string> = { 'x-data-version': String(version) };
  if (syncedAt !== undefined) headers['x-snapshot-at'] = syncedAt;
  return headers;
};

/** The request's own address with another cursor or offset, as a `Link` target. */
const nextLink = (request: FastifyRequest, change: Readonly<Record<string, string>>): string => {
  const target = request.raw.url ?? '/';
  const path = pathOf(target);
  const parameters = new URLSearchParams(target.slice(path.length));
  parameters.delete('cursor');
  parameters.delete('offset');
  for (const [name, value] of Object.entries(change)) parameters.set(name, value);
  return `<${path}?${parameters}>; rel="next"`;
};

/** The position of a category page among the rows. */
export const pageHeaders = (request: FastifyRequest, { after, offset, limit, groups }: Plan, summary: Summary): Headers => {
  const { total, hasMore, nextCursor } = summary;
  const nextOffset = offset + limit;
  const byOffset = hasMore && !groups && after === undefined && nextOffset <= limits.offset.max;
  const next = hasMore && nextCursor ? { cursor: nextCursor } : byOffset && { offset: String(nextOffset) };
  const headers: Record<string, string> = { 'x-total-count': String(total), 'x-has-more': String(hasMore) };
  if (byOffset) headers['x-next-offset'] = String(nextOffset);
  if (nextCursor) headers['x-next-cursor'] = nextCursor;
  if (next) headers.link = nextLink(request, next);
  return headers;
};

/** The position of a raw page. The envelope of JSON contains more; CSV has no envelope (contract: raw pages as CSV). */
export const rawHeaders = (request: FastifyRequest, _plan: Plan, { total, hasMore, nextCursor }: Summary, format: Format): Headers => {
  const headers: Record<string, string> = {};
  if (hasMore && nextCursor) headers.link = nextLink(request, { cursor: nextCursor });
  if (format === 'json') return headers;
  if (hasMore && nextCursor) headers['x-next-cursor'] = nextCursor;
  return { ...headers, 'x-total-count': String(total), 'x-has-more': String(hasMore) };
};

/** Headers and envelope of a table's pages. */
export interface PageForm {
  readonly headers: (request: FastifyRequest, plan: Plan, summary: Summary, format: Format) => Headers;
  /** The envelope of JSON rows. */
  readonly envelope?: Envelope<Summary>;
  /** Where the query does not name a format, `Accept` decides. */
  readonly isNegotiated: boolean;
}

interface PlannedPage extends Pick<PagePlan, 'plan' | 'format'>, Partial<Pick<PagePlan, 'cacheKey'>> {
  /** Column names for CSV. */
  readonly names: readonly string[];
  readonly form: PageForm;
}

/** The bytes of rows in each format, by the names of the columns. */
const rowFormats: Readonly<Record<Format, (names: readonly string[]) => RowFormat>> = { json: () => json, csv: csvOf };

const tablesOf = (plan: Plan): TableName[] => {
  const { kind, name } = plan.source;
  const others = otherTablesOf(plan);
  return others.length === 0 ? [{ kind, name }] : [{ kind, name }, ...others.map((other) => ({ kind, name: other }))];
};

class PageResponse implements DataResponse<Summary> {
  readonly cacheKey: string;
  readonly tables: readonly TableName[];
  readonly #context: RestContext;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #page: PlannedPage;
  readonly #format: Format;

  constructor(context: RestContext, request: FastifyRequest, reply: FastifyReply, page: PlannedPage, format: Format) {
    const { plan, names, cacheKey = cacheKeyOf(plan, names) } = page;
    this.cacheKey = format === 'json' ? cacheKey : `${cacheKey.slice(0, -1)},"${format}"]`;
    this.tables = tablesOf(plan);
    this.#context = context;
    this.#request = request;
    this.#reply = reply;
    this.#page = page;
    this.#format = format;
  }

  setStateHeaders(reply: FastifyReply, state: DataState): void {
    setCaching(reply).type(contentTypes[this.#format]).headers(versionHeaders(state));
  }

  setHeaders(reply: FastifyReply, summary: Summary): void {
    const { plan, format, form } = this.#page;
    this.setStateHeaders(reply, summary);
    reply.headers(form.headers(this.#request, plan, summary, this.#format));
    // A link to another format than JSON downloads a file (contract: format).
    if (format && format !== 'json') reply.headers(downloadAs(`${plan.source.name}${plan.groups ? '_groups' : ''}.${format}`));
  }

  summary(): Promise<Summary> {
    return this.#reader().summary(this.#page.plan);
  }

  read(): Promise<Page> {
    const { plan, names } = this.#page;
    return this.#reader().page(plan, { format: rowFormats[this.#format](names), names });
  }

  bodyOf(page: Page): Page['body'] {
    const { envelope } = this.#page.form;
    return envelope && this.#format === 'json' ? enveloped(page, envelope) : page.body;
  }

  #reader(): Reader {
    return new Reader(this.#context.reading, requestContextOf(this.#request, this.#reply));
  }
}

/** Sends the page of a plan. The query names the format; otherwise `Accept` decides. */
export const sendPage = (context: RestContext, request: FastifyRequest, reply: FastifyReply, page: PlannedPage): Promise<FastifyReply> => {
  const isNegotiated = page.form.isNegotiated && page.format === undefined;
  if (isNegotiated) addVary(reply, 'Accept');
  const format = page.format ?? (isNegotiated && prefersCsv(request.headers.accept) ? 'csv' : 'json');
  return respond(context, request, reply, new PageResponse(context, request, reply, page, format));
};

/** Sends the page of a table that the query string describes. */
export const sendTablePage = (
  context: RestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { table, form }: { readonly table: ReadableTable; readonly form: PageForm },
): Promise<FastifyReply> => {
  const { plan, cacheKey, format } = context.pages.of(request.raw.url ?? '/', queryOf(request), table);
  return sendPage(context, request, reply, { plan, cacheKey, format, names: table.columns, form });
};
