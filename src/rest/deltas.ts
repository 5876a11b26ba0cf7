/**
 * `GET /raw/{table}/deltas` and `GET /{category}/{table}/deltas`: the changes since a version (contract: deltas).
 *
 * Access, tiers and limits are those of the table itself. Required filters do not apply, because a copy contains the whole table.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TableKey } from '../cache/response-cache.ts';
import { type DeltaPage, DeltaReader, type DeltaSummary, refusePartialDeltas } from '../execute/deltas.ts';
import { requestContextOf } from '../http/request-context.ts';
import type { DeltaPlan, ReadableTable } from '../plan/plan-query.ts';
import { parseDeltaPlan } from '../query/parameters.ts';
import { type CategoryRequest, categoryTableOf } from './category.ts';
import { queryParametersOf, type RestContext, type Routes } from './context.ts';
import { enveloped, versionHeaders } from './page.ts';
import { type RawRequest, requestedRawTable } from './raw.ts';
import { type DataResponse, type DataState, jsonType, respond, setCaching } from './respond.ts';

/** A page of changes. It has no cache key, because a copy requests each page once. */
class DeltaResponse implements DataResponse<DeltaSummary> {
  readonly cacheKey = undefined;
  readonly tables: readonly TableKey[];
  readonly #reader: DeltaReader;
  readonly #plan: DeltaPlan;

  constructor(reader: DeltaReader, plan: DeltaPlan, table: TableKey) {
    this.#reader = reader;
    this.#plan = plan;
    this.tables = [table];
  }

  setStateHeaders(reply: FastifyReply, state: DataState): void {
    setCaching(reply).type(jsonType).headers(versionHeaders(state));
  }

  setHeaders(reply: FastifyReply, summary: DeltaSummary): void {
    this.setStateHeaders(reply, summary);
  }

  summary(): Promise<DeltaSummary> {
    return this.#reader.summary(this.#plan);
  }

  read(): Promise<DeltaPage> {
    return this.#reader.page(this.#plan);
  }

  bodyOf(page: DeltaPage): DeltaPage['body'] {
    const { since } = this.#plan;
    return enveloped(page, {
      begin: ({ to }) => `{"from_version":${since},"to_version":${to},"upserts":`,
      end: ({ deletes, nextCursor }) => `,"deletes":[${deletes.join()}],"next_cursor":${JSON.stringify(nextCursor ?? null)}}`,
    });
  }
}

const sendDeltas = async (
  context: RestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  table: ReadableTable,
): Promise<FastifyReply> => {
  refusePartialDeltas(table.source);
  const plan = parseDeltaPlan({ ...table, query: queryParametersOf(request), cursors: context.reading.cursors });
  const reader = new DeltaReader(context.reading, requestContextOf(request, reply));
  return respond(context, request, reply, new DeltaResponse(reader, plan, table.source));
};

export const deltaRoutes: Routes = (app, context) => {
  app.route<RawRequest>({
    method: ['GET', 'HEAD'],
    url: '/raw/:table/deltas',
    handler: async (request, reply) => sendDeltas(context, request, reply, await requestedRawTable(context, request)),
  });
  app.route<CategoryRequest>({
    method: ['GET', 'HEAD'],
    url: '/:category/:table/deltas',
    handler: async (request, reply) => sendDeltas(context, request, reply, await categoryTableOf(context, request)),
  });
};
