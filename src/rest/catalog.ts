/** `GET /catalog` and `GET /tables`: what there is to read, by category (contract: catalogue endpoints; visibility). */
import type { FastifyRequest } from 'fastify';
import type { Table } from '../catalogue/table.ts';
import { callerOf } from '../http/gate.ts';
import { groupByCategory } from '../read/catalog.ts';
import { presentTables, readableTables } from '../read/directory.ts';
import { sendTagged } from './conditional.ts';
import type { RestContext, Routes } from './context.ts';
import { setCaching } from './headers.ts';

const grouped = (tables: readonly Table[]) => ({ categories: groupByCategory(tables) });

const tablesOf = async (context: RestContext, request: FastifyRequest): Promise<Table[]> =>
  presentTables(context.catalogue, await context.directories.of(callerOf(request).customer));

export const catalogRoutes: Routes = (app, context) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/catalog',
    handler: async (request, reply) => {
      const { tier } = callerOf(request);
      const tables = await tablesOf(context, request);
      return sendTagged(request, setCaching(reply), grouped(readableTables(tables, tier)));
    },
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/tables',
    handler: async (request, reply) => sendTagged(request, setCaching(reply), grouped(await tablesOf(context, request))),
  });
};
