/** Sends a page of rows as JSON or CSV, with its headers (contract: page headers; CSV; snapshot time; data versions). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TableKey } from '../cache/response-cache.ts';
import { lookupSource } from '../catalogue/lookups.ts';
import { Reader } from '../execute/reader.ts';
import type { SummarizedPage, Summary } from '../execute/summary.ts';
import { unknownValues } from '../execute/unknown-values.ts';
import { requestContextOf } from '../http/request-context.ts';
import { addVary, contentTypes, downloadAs, jsonItems, prefersCsv } from '../http/responses/headers.ts';
import { problemPathOf } from '../http/responses/problem.ts';
import { enclose } from '../http/responses/send.ts';
import { otherTablesOf, type Plan } from '../plan/plan.ts';
import type { ReadableTable } from '../plan/plan-query.ts';
import { type UnlistedValue, unlistedText, unlistedValues } from '../plan/unlisted-values.ts';
import { type Format, pageLimits } from '../query/parameters.ts';
import { csvFormat, json, type RowFormat } from '../wire/row-format.ts';
import { queryParametersOf, type RestContext } from './context.ts';
import { cacheKeyOf, type PagePlan } from './page-plans.ts';
import { type DataResponse, type DataState, type ReadResponse, respond, setCaching } from './respond.ts';

export type Headers = Readonly<Record<string, string>>;

/** JSON text before and after the rows. */
export interface Envelope<S> {
  readonly begin: (summary: S) => string;
  readonly end: (page: ReadResponse<S & DataState>) => string;
}

/** Puts rows into their envelope. Its end may contain the number of rows, so it is made after them. */
export const enveloped = <S extends DataState>(page: ReadResponse<S>, { begin, end }: Envelope<S>): SummarizedPage['body'] =>
  enclose(Buffer.from(begin(page)), page.body, () => Buffer.from(end(page)));

/** The version and the time of the data. */
export const versionHeaders = ({ version, syncedAt }: Pick<DataState, 'version' | 'syncedAt'>): Headers => {
  const headers: Record<string, string> = { 'x-data-version': String(version) };
  if (syncedAt !== undefined) headers['x-snapshot-at'] = syncedAt;
  return headers;
};

/** Proxies refuse heads of 4 KB. A client with a longer address uses the cursor or the offset. */
const longestLink = 2_000;

/** The request's own address with another cursor or offset, as a `Link` target; nothing if it is too long. */
const nextLink = (request: FastifyRequest, change: Readonly<Record<string, string>>): { readonly link?: string } => {
  const target = request.raw.url ?? '/';
  const path = problemPathOf(target);
  const parameters = new URLSearchParams(target.slice(path.length));
  parameters.delete('cursor');
  parameters.delete('offset');
  for (const [name, value] of Object.entries(change)) parameters.set(name, value);
  const link = `<${request.server.publicUrl.to(path)}?${parameters}>; rel="next"`;
  return link.length > longestLink ? {} : { link };
};

/** Proxies refuse long heads and addresses. A page of rows whose cursor is longer continues by its offset. */
const longestCursor = 2_000;

/** The position of a category page among the rows. */
export const pageHeaders = (request: FastifyRequest, { source, after, offset, limit, groups }: Plan, summary: Summary): Headers => {
  const { total, hasMore, unknownValues } = summary;
  const nextCursor = !groups && summary.nextCursor && summary.nextCursor.length > longestCursor ? undefined : summary.nextCursor;
  const nextOffset = offset + limit;
  const byOffset = hasMore && !groups && after === undefined && nextOffset <= pageLimits.offset.max;
  const next = hasMore && nextCursor ? { cursor: nextCursor } : byOffset && { offset: String(nextOffset) };
  const headers: Record<string, string> = { 'x-total-count': String(total), 'x-has-more': String(hasMore) };
  if (unknownValues)
    headers['x-unknown-values'] = unknownValues.map((each) => unlistedText(source.name, each, encodeURIComponent)).join(', ');
  if (byOffset) headers['x-next-offset'] = String(nextOffset);
  if (nextCursor) headers['x-next-cursor'] = nextCursor;
  return next ? { ...headers, ...nextLink(request, next) } : headers;
};

/** The position of a raw page. The envelope of JSON contains more; CSV has no envelope (contract: raw pages as CSV). */
export const rawHeaders = (request: FastifyRequest, _plan: Plan, { total, hasMore, nextCursor }: Summary, format: Format): Headers => {
  const headers: Record<string, string> = hasMore && nextCursor ? nextLink(request, { cursor: nextCursor }) : {};
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
  /** The names of the columns in JSON and CSV. */
  readonly names: readonly string[];
  readonly form: PageForm;
}

/** The bytes of rows in each format, by the names of the columns. */
const rowFormats: Readonly<Record<Format, (names: readonly string[]) => RowFormat>> = { json: () => json, csv: csvFormat };

/** The customers' own codes. */
const codes = { kind: 'raw', name: lookupSource } as const;

/** The tables of a plan. Those with customers' own codes are among them if the codes are read. */
const tablesOf = (plan: Plan, readsCodes: boolean): TableKey[] => {
  const { kind, name } = plan.source;
  return [{ kind, name }, ...otherTablesOf(plan).map((other) => ({ kind, name: other })), ...(readsCodes ? [codes] : [])];
};

/** What a look for unknown values found, and the version of the customer's own codes before it. */
interface Check {
  readonly unknown: readonly UnlistedValue[] | undefined;
  readonly codesVersion: number;
}

class PageResponse implements DataResponse<Summary> {
  readonly cacheKey: string;
  readonly tables: readonly TableKey[];
  readonly #context: RestContext;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #page: PlannedPage;
  readonly #format: Format;
  readonly #unlisted: readonly UnlistedValue[];

  constructor(context: RestContext, request: FastifyRequest, reply: FastifyReply, page: PlannedPage, format: Format) {
    const { plan, names, cacheKey = cacheKeyOf(plan, names) } = page;
    this.cacheKey = format === 'json' ? cacheKey : `${cacheKey},${jsonItems(format)}`;
    this.#unlisted = plan.source.kind === 'category' ? unlistedValues(plan, context.catalogue.tables) : [];
    this.tables = tablesOf(plan, this.#unlisted.length > 0);
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

  async summary(): Promise<Summary> {
    const check = await this.#check();
    return this.#checked(await this.#reader().summary(this.#page.plan), check);
  }

  async read(): Promise<SummarizedPage> {
    const { plan, names } = this.#page;
    const check = await this.#check();
    return this.#checked(await this.#reader().page(plan, { format: rowFormats[this.#format](names), names }), check);
  }

  /** The page of a stream counts its rows while they are sent, so it is not copied. */
  #checked<S extends Summary>(summary: S, check: Check | undefined): S {
    if (!check) return summary;
    const { unknown, codesVersion } = check;
    const joinedVersions = { ...summary.joinedVersions, [codes.name]: codesVersion };
    return Object.assign(summary, {
      joinedVersions,
      isCacheable: unknown !== undefined,
      ...(unknown?.length && { unknownValues: unknown }),
    });
  }

  /** Nothing if all values are known, so that a usual page needs no further statement. */
  async #check(): Promise<Check | undefined> {
    if (this.#unlisted.length === 0) return undefined;
    const { source } = this.#page.plan;
    const requestContext = requestContextOf(this.#request, this.#reply);
    const { reading, versions } = this.#context;
    const codesVersion = (await versions.of(source.customerId)).get(codes.kind, codes.name)?.version ?? 0;
    const unknown = await unknownValues(this.#unlisted, {
      reader: this.#reader(),
      source,
      run: (work) => reading.connections.run('documents', requestContext, work),
    });
    return { unknown, codesVersion };
  }

  bodyOf(page: SummarizedPage): SummarizedPage['body'] {
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
  const { plan, cacheKey, format } = context.pages.of(request.raw.url ?? '/', queryParametersOf(request), table);
  return sendPage(context, request, reply, { plan, cacheKey, format, names: table.columns, form });
};

/** The rows or groups of a plan that fit into memory, as objects. */
export const readObjects = async (
  { reading }: RestContext,
  requestContext: ReturnType<typeof requestContextOf>,
  { plan, names }: Pick<PlannedPage, 'plan' | 'names'>,
): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const { body, release } = await new Reader(reading, requestContext).page(plan, { format: json, names });
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const rows = JSON.parse(Buffer.concat(chunks).toString());
  release?.();
  return rows;
};
