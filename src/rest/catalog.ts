/** `GET /catalog` and `GET /tables`: what there is to read, by category (contract: catalogue endpoints; visibility). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Table } from '../catalogue/table.ts';
import { callerOf } from '../http/gate.ts';
import { groupByCategory, presentTables, readableTables } from '../read/visible.ts';
import { answerWritten } from './answer.ts';
import type { RestContext, Routes } from './context.ts';

const answer = (context: RestContext, request: FastifyRequest, reply: FastifyReply, tables: readonly Table[]): Promise<FastifyReply> => {
  const question = `tables ${tables.map(({ name }) => name).join()}`;
  return answerWritten(context, request, reply, { question, write: () => ({ categories: groupByCategory(tables) }) });
};

const tablesOf = async (context: RestContext, request: FastifyRequest): Promise<Table[]> =>
  presentTables(context.catalogue, await context.directories.of(callerOf(request).customer));

export const catalogRoutes: Routes = (app, context) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/catalog',
    handler: async (request, reply) => {
      const { tier } = callerOf(request);
      const tables = await tablesOf(context, request);
      return answer(context, request, reply, readableTables(tables, tier));
    },
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/tables',
    handler: async (request, reply) => answer(context, request, reply, await tablesOf(context, request)),
  });
};
