/** `GET /{category}/{api_table}/groups`: groups of a table's rows (contract: groups in REST). */
import { parseGroups } from '../query/groups.ts';
import { type CategoryRequest, categoryTableOf, sendListedPage } from './category.ts';
import type { Routes } from './context.ts';

export const groupRoutes: Routes = (app, context) => {
  app.route<CategoryRequest>({
    method: ['GET', 'HEAD'],
    url: '/:category/:table/groups',
    handler: async (request, reply) =>
      sendListedPage(context, request, reply, { table: await categoryTableOf(context, request), parse: parseGroups }),
  });
};
