/** `GET /{category}/{api_table}/groups`: groups of a table's rows (contract: groups in REST). */
import { presentTables, readableTables, relationsAmong } from '../execute/visible.ts';
import { callerOf } from '../http/gate.ts';
import { parseGroups } from '../plan/groups/parameters.ts';
import { formatParameter } from '../plan/parameters.ts';
import { runInSlice } from '../scheduling/time-slices.ts';
import { type CategoryRequest, categoryTableOf } from './category.ts';
import { catalogueOf, queryOf, type Routes } from './context.ts';
import { pageHeaders, sendPage } from './page.ts';

export const groupRoutes: Routes = (app, context) => {
  app.route<CategoryRequest>({
    method: ['GET', 'HEAD'],
    url: '/:category/:table/groups',
    handler: async (request, reply) => {
      const { source, table } = await categoryTableOf(context, request);
      const { directories, reading } = context;
      const catalogue = catalogueOf(context, request);
      const { tier, customer } = callerOf(request);
      const tables = readableTables(presentTables(catalogue, await directories.of(customer)), tier);
      const relationsOf = relationsAmong(catalogue, tables);
      const query = queryOf(request);
      // A request with many wrong names takes more than a millisecond.
      const page = await runInSlice(customer.id, () =>
        parseGroups(query, reading.cursors, { source, table, tables: catalogue.tables, relationsOf }),
      );
      return sendPage(context, request, reply, {
        ...page,
        format: formatParameter(query),
        form: { headers: pageHeaders, isNegotiated: true },
      });
    },
  });
};
