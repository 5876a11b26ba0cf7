/** `GET /raw/tables` and `GET /raw/{table_name}`: source data for bulk sync (contract: raw envelope; raw tables). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { entitle } from '../access/entitle.ts';
import { includesTier } from '../catalogue/tiers.ts';
import { ApiError } from '../errors.ts';
import { callerOf } from '../http/gate.ts';
import { sendRows } from '../http/send.ts';
import type { RawDataset } from '../read/directory.ts';
import { parsePlan } from '../read/parameters.ts';
import { Reader } from '../read/reader.ts';
import type { Page } from '../read/summary.ts';
import { answeredFromMemory, sendTagged } from './conditional.ts';
import { askerOf, queryOf, type RestContext, type Routes } from './context.ts';
import { setCaching, setRawHeaders } from './headers.ts';

export interface RawRequest {
  Params: { table: string };
}

/** The rows inside their envelope. */
async function* envelope({ body, nextCursor, total, ...page }: Page, count: () => number): AsyncGenerator<Buffer> {
  yield Buffer.from('{"data":');
  yield* body;
  const next = page.hasMore && nextCursor ? JSON.stringify(nextCursor) : 'null';
  yield Buffer.from(`,"count":${count()},"next_cursor":${next},"total_rows":${total}}`);
}

/** The raw table that the path names, as the caller's customer has it. Throws 404 if there is none, 403 if the key excludes it. */
export const rawDatasetOf = async (context: RestContext, request: FastifyRequest<RawRequest>): Promise<RawDataset> => {
  const caller = callerOf(request);
  const directory = await context.directories.of(caller.customer);
  const dataset = directory.rawTables.get(request.params.table);
  if (!dataset) throw new ApiError('notFound');
  entitle(caller, dataset.tier, 'raw');
  return dataset;
};

const answer = async (context: RestContext, request: FastifyRequest<RawRequest>, reply: FastifyReply): Promise<FastifyReply> => {
  const { source, columns } = await rawDatasetOf(context, request);
  const plan = parsePlan({ query: queryOf(request), source, columns, cursors: context.reading.cursors });
  setCaching(reply).type('application/json; charset=utf-8');
  if (await answeredFromMemory(context.versions, request, reply, plan)) return reply;
  const reader = new Reader(context.reading, askerOf(request, reply));
  if (request.method === 'HEAD') {
    setRawHeaders(request, reply, plan, await reader.summary(plan));
    return reply.send();
  }
  const page = await reader.page(plan);
  request.rowsSent = () => page.count;
  setRawHeaders(request, reply, plan, page);
  return sendRows(
    reply,
    page,
    envelope(page, () => page.count),
  );
};

const list = async (context: RestContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
  const caller = callerOf(request);
  entitle(caller, 'basic', 'raw');
  const { rawTables } = await context.directories.of(caller.customer);
  const states = await context.versions.of(caller.customer.id);
  const tables = [...rawTables.values()]
    .filter(({ tier }) => includesTier(caller.tier, tier))
    .map(({ name, source }) => ({
      table: name,
      endpoint_url: `/raw/${name}`,
      key: source.sort[0],
      row_count: states.get('raw', name)?.row_count ?? 0,
      snapshot_at: states.get('raw', name)?.synced_at ?? null,
    }));
  return sendTagged(request, setCaching(reply), tables);
};

export const rawRoutes: Routes = (app, context) => {
  app.route({ method: ['GET', 'HEAD'], url: '/raw/tables', handler: (request, reply) => list(context, request, reply) });
  app.route<RawRequest>({
    method: ['GET', 'HEAD'],
    url: '/raw/:table',
    handler: (request, reply) => answer(context, request, reply),
  });
};
