/** `GET /catalog` and `GET /tables`: the readable tables by category (contract: catalogue endpoints; visibility). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { catalog } from '../answers/catalog.ts';
import type { AnswerBody } from '../answers/values.ts';
import { groupByCategory, type ListedTable, listReadable, presentTables } from '../execute/visible.ts';
import { callerOf } from '../http/gate.ts';
import { jsonItems } from '../http/responses/headers.ts';
import { catalogueOfRequest, type RestContext, type Routes } from './context.ts';
import { JsonResponse, respond } from './respond.ts';

const sendTables = (
  context: RestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  tables: readonly Pick<ListedTable, 'category' | 'name'>[],
): Promise<FastifyReply> => {
  const document: AnswerBody<typeof catalog> = { categories: groupByCategory(tables) };
  const cacheKey = jsonItems(callerOf(request).customer.id, document);
  return respond(context, request, reply, new JsonResponse(cacheKey, () => document));
};

export const catalogRoutes: Routes = (app, context) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/catalog',
    handler: async (request, reply) => {
      const caller = callerOf(request);
      return sendTables(context, request, reply, listReadable(context.catalogue, await context.directories.of(caller.customer), caller));
    },
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/tables',
    handler: async (request, reply) => {
      const directory = await context.directories.of(callerOf(request).customer);
      return sendTables(context, request, reply, presentTables(catalogueOfRequest(context, request), directory));
    },
  });
};
