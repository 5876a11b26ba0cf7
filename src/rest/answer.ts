/**
 * How data is answered: 304 for what the client has, before the table is touched (contract: conditional requests), or the answer
 * that is kept; else the headers, and on GET the body. Pages and changes differ in what is read, in their envelope and in a few
 * headers.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { prefersCsv } from '../http/accept.ts';
import { addVary } from '../http/caching.ts';
import { etagAtVersions, etagOf, hasTag, sendNotModified } from '../http/etag.ts';
import { callerOf } from '../http/gate.ts';
import { type Rows, sendHeld, sendRows } from '../http/send.ts';
import { lengthOf } from '../read/buffer-pool.ts';
import { tablesBeside } from '../read/groups.ts';
import type { TableName } from '../read/kept.ts';
import type { ReadableTable } from '../read/parameters.ts';
import type { Plan, Source } from '../read/plan.ts';
import { Reader } from '../read/reader.ts';
import { csv, json, type RowForm } from '../read/row-format.ts';
import type { Page, Summary } from '../read/summary.ts';
import type { States } from '../read/versions.ts';
import { type AskedPage, questionOf } from './asked-page.ts';
import { askerOf, queryOf, type RestContext } from './context.ts';
import { type Headers, setCaching, versionHeaders } from './headers.ts';

type Body = Rows & Pick<Page, 'count'>;
type Stated = Pick<Summary, 'version' | 'syncedAt' | 'beside'>;

/** What stands around the rows, as JSON text; the end may tell of them. */
export interface Envelope<S> {
  readonly begin: (summary: S) => string;
  readonly end: (page: S & Body) => string;
}

export interface RowsAnswer<S extends Stated> {
  readonly source: Source;
  /** Names of further tables that the rows are made of. */
  readonly beside?: readonly string[];
  readonly type?: string;
  readonly read: { readonly summary: () => Promise<S>; readonly page: () => Promise<S & Body> };
  /** All that the answer follows from but the data, as a JSON array, of which its tag is made; an answer without it is read each time. */
  readonly question?: string;
  /** Headers beside those of every answer with rows. */
  readonly headers?: (summary: S) => Headers;
  readonly envelope?: Envelope<S> | undefined;
}

/** What the headers of a kept page are made of. */
interface KeptPage<S> {
  readonly summary: S;
  readonly etag: string;
}

const jsonType = 'application/json; charset=utf-8';
const csvType = 'text/csv; charset=utf-8; header=present';

async function* enveloping<S>(page: S & Body, { begin, end }: Envelope<S>): AsyncGenerator<Buffer> {
  yield Buffer.from(begin(page));
  yield* page.body;
  yield Buffer.from(end(page));
}

/** The end is asked for when the rows have been written. */
const enveloped = <S>(page: S & Body, envelope: Envelope<S>): Rows['body'] => {
  const { body } = page;
  if (Symbol.asyncIterator in body) return enveloping(page, envelope);
  return [Buffer.from(envelope.begin(page)), ...body, Buffer.from(envelope.end(page))];
};

/** Of which versions the tables are by what is known of them. */
const stateIn = (states: States, { kind, name }: Source, beside: readonly string[]): Stated => {
  const { version = 0, synced_at } = states.get(kind, name) ?? {};
  const others = beside.map((other) => [other, states.get(kind, other)?.version ?? 0] as const);
  return { version, syncedAt: synced_at?.toISOString(), beside: others.length > 0 ? Object.fromEntries(others) : undefined };
};

/** Answers with rows, or 304 from the versions that are known, or on HEAD with what the headers say of the rows. */
export const answerRows = async <S extends Stated>(
  { kept, versions }: RestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { source, beside = [], type = jsonType, read, question, headers, envelope }: RowsAnswer<S>,
): Promise<FastifyReply> => {
  const { customerId, kind, name } = source;
  const isHead = request.method === 'HEAD';
  const etagAt = ({ version, beside: versions = {} }: Stated) =>
    question ? etagAtVersions(question, [version, ...beside.map((other) => versions[other] ?? 0)]) : undefined;
  const setHeaders = (summary: S, etag = etagAt(summary)) => {
    reply.headers(versionHeaders(summary));
    if (etag) reply.header('etag', etag);
    return headers ? reply.headers(headers(summary)) : reply;
  };
  setCaching(reply).type(type);

  const states = question && request.headers['if-none-match'] !== undefined ? await versions.of(customerId) : undefined;
  if (states) {
    const state = stateIn(states, source, beside);
    const etag = etagAt(state)!;
    if (hasTag(request, etag)) return sendNotModified(reply.headers(versionHeaders(state)), etag);
  }
  const found = question && (await kept.find<KeptPage<S>>(customerId, question, states));
  if (found) {
    const { about, rows } = found;
    setHeaders({ ...about.summary, ...stateIn(found.states, source, beside) }, about.etag);
    if (isHead) {
      found.release();
      return reply.send();
    }
    request.rowsSent = () => rows;
    return sendHeld(reply, found);
  }

  if (isHead) return setHeaders(await read.summary()).send();
  const page = await read.page();
  request.rowsSent = () => page.count;
  const etag = etagAt(page);
  setHeaders(page, etag);
  const body = envelope ? enveloped(page, envelope) : page.body;
  if (!question || !etag || Symbol.asyncIterator in body || !kept.isWorthKeeping(customerId, question, lengthOf(body)))
    return sendRows(reply, { body, cancel: page.cancel, release: page.release });
  const { body: _written, release, ...summary } = page;
  const answer = { chunks: body, about: { summary, etag }, rows: page.count };
  const others = beside.map((other) => ({ kind, name: other, version: page.beside?.[other] ?? 0 }));
  const forms = kept.keep(customerId, question, answer, [{ kind, name, version: page.version }, ...others]);
  return sendHeld(reply, { chunks: body, release, forms });
};

/** What pages of a table say beside their rows. */
export interface PageForm {
  readonly headers: (request: FastifyRequest, plan: Plan, summary: Summary) => Headers;
  readonly envelope?: Envelope<Summary>;
}

interface PlanAnswer extends Pick<AskedPage, 'plan'>, Partial<Pick<AskedPage, 'question'>> {
  readonly names?: readonly string[] | undefined;
  readonly form: PageForm;
}

/** Answers with the page of a plan, in the form that `names` are given for if the client may choose one. */
export const answerPlan = (
  context: RestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { plan, question = questionOf(plan), names, form }: PlanAnswer,
): Promise<FastifyReply> => {
  const isCsv = names !== undefined && prefersCsv(request.headers.accept);
  if (names) addVary(reply, 'Accept');
  const reader = () => new Reader(context.reading, askerOf(request, reply));
  const rows: RowForm = { format: isCsv ? csv : json, names };
  return answerRows<Summary>(context, request, reply, {
    source: plan.source,
    beside: tablesBeside(plan.groups),
    type: isCsv ? csvType : jsonType,
    read: { summary: () => reader().summary(plan), page: () => reader().page(plan, rows) },
    question: isCsv ? `${question.slice(0, -1)},"csv"]` : question,
    headers: (summary) => form.headers(request, plan, summary),
    envelope: form.envelope,
  });
};

/** Answers with the page of a table that the query string asks for. */
export const answerPage = (
  context: RestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { table, form }: { readonly table: ReadableTable; readonly form: PageForm },
): Promise<FastifyReply> => {
  const { plan, question } = context.pages.of(request.raw.url ?? '/', queryOf(request), table);
  return answerPlan(context, request, reply, { plan, question, names: table.table && table.columns, form });
};

export interface DocumentAnswer {
  /** All that the document follows from, but for the data. */
  readonly question: string;
  readonly etag: string;
  /** The tables that it is made of, as they stand before it is read. */
  readonly tables: readonly TableName[];
  readonly states: States;
  readonly read: () => Promise<unknown>;
}

/** Answers with a small document made of tables: 304, the one that is kept, or as it is read now. */
export const answerDocument = async (
  { kept }: RestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { question, etag, tables, states, read }: DocumentAnswer,
): Promise<FastifyReply> => {
  if (hasTag(request, etag)) return sendNotModified(setCaching(reply), etag);
  const { id } = callerOf(request).customer;
  const found = await kept.find(id, question, states);
  const chunks = found?.chunks ?? [Buffer.from(JSON.stringify(await read()))];
  setCaching(reply).type(jsonType).header('etag', etag);
  if (!found) await kept.keepUnchanged(id, question, { chunks, about: undefined, rows: 0 }, { tables, before: states });
  return sendHeld(reply, found ?? { chunks });
};

/** Answers with a small document that follows from its question alone; it is written once, under a tag made from what it says. */
export const answerWritten = async (
  { kept }: RestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { question, write }: { readonly question: string; readonly write: () => unknown },
): Promise<FastifyReply> => {
  const { id } = callerOf(request).customer;
  const make = () => {
    const document = write();
    const answer = { chunks: [Buffer.from(JSON.stringify(document))], about: etagOf(document), rows: 0 };
    return { ...answer, forms: kept.keep(id, question, answer, []) };
  };
  const found = await kept.find<string>(id, question);
  const answer = found ?? make();
  setCaching(reply);
  if (hasTag(request, answer.about)) {
    found?.release();
    return sendNotModified(reply, answer.about);
  }
  return sendHeld(reply.type(jsonType).header('etag', answer.about), answer);
};
