/** `GET /{category}/{api_table}` and `GET /v1/{category}/{api_table}` (contract: category endpoints). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { entitle } from '../access/entitle.ts';
import type { Table } from '../catalogue/table.ts';
import { categories } from '../catalogue/tiers.ts';
import { ApiError } from '../errors.ts';
import { callerOf } from '../http/gate.ts';
import { sendRows } from '../http/send.ts';
import { categorySource } from '../read/directory.ts';
import { parsePlan } from '../read/parameters.ts';
import type { Source } from '../read/plan.ts';
import { Reader } from '../read/reader.ts';
import { answeredFromMemory } from './conditional.ts';
import { askerOf, queryOf, type RestContext, type Routes } from './context.ts';
import { setCaching, setPageHeaders } from './headers.ts';

export interface CategoryRequest {
  Params: { category: string; table: string };
}

/** The table that the path names, as the caller's customer has it. Throws 404 if there is none, 403 if the key excludes it. */
export const categoryTableOf = async (
  context: RestContext,
  request: FastifyRequest<CategoryRequest>,
): Promise<{ readonly table: Table; readonly source: Source }> => {
  const caller = callerOf(request);
  const { category, table: name } = request.params;
  const table = context.catalogue.tables.get(name);
  if (!table || table.category !== category) throw new ApiError('notFound');
  const directory = await context.directories.of(caller.customer);
  if (!directory.categoryTables.has(name)) throw new ApiError('notFound');
  entitle(caller, categories[table.category], 'rest');
  return { table, source: categorySource(table, caller.customer) };
};

const answer = async (context: RestContext, request: FastifyRequest<CategoryRequest>, reply: FastifyReply): Promise<FastifyReply> => {
  const { table, source } = await categoryTableOf(context, request);
  const plan = parsePlan({
    query: queryOf(request),
    source,
    columns: Object.keys(table.columns),
    table,
    cursors: context.reading.cursors,
  });
  setCaching(reply).type('application/json; charset=utf-8');
  if (await answeredFromMemory(context.versions, request, reply, plan)) return reply;
  const reader = new Reader(context.reading, askerOf(request, reply));
  if (request.method === 'HEAD') {
    setPageHeaders(request, reply, plan, await reader.summary(plan));
    return reply.send();
  }
  const page = await reader.page(plan);
  request.rowsSent = () => page.count;
  setPageHeaders(request, reply, plan, page);
  return sendRows(reply, page);
};

export const categoryRoutes: Routes = (app, context) => {
  for (const [prefix, isV1] of [
    ['', false],
    ['/v1', true],
  ] as const)
    app.route<CategoryRequest>({
      method: ['GET', 'HEAD'],
      url: `${prefix}/:category/:table`,
      handler: (request, reply) => {
        if (isV1 && context.catalogue.tables.get(request.params.table)?.v1 === false) throw new ApiError('notFound');
        return answer(context, request, reply);
      },
    });
};
