/** `GET /{category}/{api_table}` and `GET /v1/{category}/{api_table}` (contract: category endpoints). */
import type { FastifyRequest } from 'fastify';
import { authorize, authorizeTable } from '../access/caller.ts';
import { categorySource } from '../cache/directory.ts';
import type { Table } from '../catalogue/table.ts';
import { categories } from '../catalogue/tiers.ts';
import { ApiError } from '../errors.ts';
import { callerOf } from '../http/gate.ts';
import type { ReadableTable } from '../plan/parameters.ts';
import { catalogueOf, type RestContext, type Routes } from './context.ts';
import { pageHeaders, sendTablePage } from './page.ts';

export interface CategoryRequest {
  Params: { category: string; table: string };
}

/** The table that the path names, as the caller's customer has it. Throws 404 if there is none, 403 if the key excludes it. */
export const categoryTableOf = async (
  context: RestContext,
  request: FastifyRequest<CategoryRequest>,
): Promise<ReadableTable & { readonly table: Table }> => {
  const caller = callerOf(request);
  const { category, table: name } = request.params;
  const found = context.catalogue.tables.get(name);
  if (!found || found.category !== category) throw new ApiError('notFound');
  const directory = await context.directories.of(caller.customer);
  if (!directory.categoryTables.has(name)) throw new ApiError('notFound');
  authorize(caller, categories[found.category], 'rest');
  authorizeTable(caller, 'category', name);
  const table = catalogueOf(context, request).tables.get(name)!;
  const key = { column: table.key, kind: table.columns[table.key]?.kind ?? 'string' };
  return { source: categorySource(table, caller.customer, caller.scope), columns: Object.keys(table.columns), key, table };
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
