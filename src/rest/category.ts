/** `GET /{category}/{api_table}` and `GET /v1/{category}/{api_table}` (contract: category endpoints). */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { type ReadableCategoryTable, readableCategoryTable } from '../execute/visible.ts';
import { callerOf } from '../http/gate.ts';
import type { RestContext, Routes } from './context.ts';
import { pageHeaders, sendTablePage } from './page.ts';

export interface CategoryRequest {
  Params: { category: string; table: string };
}

/** The table that the path names, as the caller's customer has it. Throws 404 if there is none, 403 if the key excludes it. */
export const categoryTableOf = async (
  { catalogue, directories }: RestContext,
  request: FastifyRequest<CategoryRequest>,
): Promise<ReadableCategoryTable> => {
  const caller = callerOf(request);
  const { category, table: name } = request.params;
  if (catalogue.tables.get(name)?.category !== category) throw new ApiError('notFound');
  return readableCategoryTable(catalogue, await directories.of(caller.customer), caller, { name, group: 'rest' });
};

export const categoryRoutes: Routes = (app, context) => {
  for (const [prefix, isV1] of [
    ['', false],
    ['/v1', true],
  ] as const)
    app.route<CategoryRequest>({
      method: ['GET', 'HEAD'],
      url: `${prefix}/:category/:table`,
      handler: async (request, reply) => {
        if (isV1 && context.catalogue.tables.get(request.params.table)?.v1 === false) throw new ApiError('notFound');
        const table = await categoryTableOf(context, request);
        return sendTablePage(context, request, reply, { table, form: { headers: pageHeaders, isNegotiated: true } });
      },
    });
};
