/**
 * `GET /raw/{table}/deltas` and `GET /{category}/{table}/deltas`: the changes since a version (contract: deltas).
 *
 * Access, tiers and limits are those of the table itself. Required filters do not apply, because a copy contains the whole table.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DeltaReader, type DeltaSummary } from '../execute/deltas.ts';
import { parseDeltaPlan, type ReadableTable } from '../plan/parameters.ts';
import { answerRows } from './answer.ts';
import { type CategoryRequest, categoryTableOf } from './category.ts';
import { queryOf, type RestContext, type Routes, requestContextOf } from './context.ts';
import { type RawRequest, rawTableOf } from './raw.ts';

const answer = async (context: RestContext, request: FastifyRequest, reply: FastifyReply, table: ReadableTable): Promise<FastifyReply> => {
  const plan = parseDeltaPlan({ ...table, query: queryOf(request), cursors: context.reading.cursors });
  const reader = new DeltaReader(context.reading, requestContextOf(request, reply));
  return answerRows<DeltaSummary>(context, request, reply, {
    source: table.source,
    read: { summary: () => reader.summary(plan), page: () => reader.page(plan) },
    envelope: {
      begin: ({ to }) => `{"from_version":${plan.since},"to_version":${to},"upserts":`,
      end: ({ deletes, nextCursor }) => `,"deletes":[${deletes.join()}],"next_cursor":${JSON.stringify(nextCursor ?? null)}}`,
    },
  });
};

export const deltaRoutes: Routes = (app, context) => {
  app.route<RawRequest>({
    method: ['GET', 'HEAD'],
    url: '/raw/:table/deltas',
    handler: async (request, reply) => answer(context, request, reply, await rawTableOf(context, request)),
  });
  app.route<CategoryRequest>({
    method: ['GET', 'HEAD'],
    url: '/:category/:table/deltas',
    handler: async (request, reply) => answer(context, request, reply, await categoryTableOf(context, request)),
  });
};
