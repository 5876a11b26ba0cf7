/** `GET /raw/tables` and `GET /raw/{table_name}`: source data for bulk sync (contract: raw envelope; raw tables). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorize, authorizeTable } from '../access/caller.ts';
import type { rawTable } from '../answers/raw.ts';
import type { AnswerBody } from '../answers/values.ts';
import { rawWithin } from '../cache/directory.ts';
import { isNarrowed } from '../catalogue/data-scope.ts';
import { ApiError } from '../errors.ts';
import { readableRawTables } from '../execute/visible.ts';
import { callerOf } from '../http/gate.ts';
import { jsonItems } from '../http/responses/headers.ts';
import type { ReadableTable } from '../plan/plan-query.ts';
import type { RestContext, Routes } from './context.ts';
import { type PageForm, rawHeaders, sendTablePage } from './page.ts';
import { JsonResponse, respond } from './respond.ts';

export interface RawRequest {
  Params: { table: string };
}

/** The raw table that the path names, as the caller's customer has it. Throws 404 if there is none, 403 if the key excludes it. */
export const requestedRawTable = async (context: RestContext, request: FastifyRequest<RawRequest>): Promise<ReadableTable> => {
  const caller = callerOf(request);
  const directory = await context.directories.of(caller.customer);
  const raw = directory.rawTables.get(request.params.table);
  if (!raw) throw new ApiError('notFound');
  authorize(caller, raw.tier, 'raw');
  authorizeTable(caller, 'raw', raw.source.name);
  return rawWithin(raw, caller.scope);
};

const form: PageForm = {
  headers: rawHeaders,
  isNegotiated: false,
  envelope: {
    begin: () => '{"data":',
    end: ({ count, total, hasMore, nextCursor }) =>
      `,"count":${count},"next_cursor":${JSON.stringify((hasMore && nextCursor) || null)},"total_rows":${total}}`,
  },
};

const listTables = async (context: RestContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
  const caller = callerOf(request);
  authorize(caller, 'basic', 'raw');
  const directory = await context.directories.of(caller.customer);
  const states = await context.versions.of(caller.customer.id);
  const tables = readableRawTables(directory, caller).map(
    ({ source: { name }, key }): AnswerBody<typeof rawTable> => ({
      table: name,
      endpoint_url: request.server.publicUrl.to(`/raw/${name}`),
      key: key.column,
      row_count: isNarrowed(caller.scope, 'raw', name) ? null : (states.get('raw', name)?.row_count ?? 0),
      snapshot_at: states.get('raw', name)?.synced_at ?? null,
    }),
  );
  const cacheKey = jsonItems(caller.customer.id, tables);
  return respond(context, request, reply, new JsonResponse(cacheKey, () => tables));
};

export const rawRoutes: Routes = (app, context) => {
  app.route({ method: ['GET', 'HEAD'], url: '/raw/tables', handler: (request, reply) => listTables(context, request, reply) });
  app.route<RawRequest>({
    method: ['GET', 'HEAD'],
    url: '/raw/:table',
    handler: async (request, reply) => sendTablePage(context, request, reply, { table: await requestedRawTable(context, request), form }),
  });
};
