/** `GET /explore`, a page to look at the data, and `GET /explore/description`, the tables of the key for it (contract: explore page; explore description). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import { lookupSource } from '../../catalogue/lookups.ts';
import { interfaceReaders } from '../../catalogue/readership.ts';
import type { Table } from '../../catalogue/table.ts';
import { ApiError } from '../../errors.ts';
import { codeLists } from '../../execute/lookup.ts';
import { presentTables, readableCategoryTable, readableTables, relationsAmong } from '../../execute/visible.ts';
import { hasFiles } from '../../files/file-tables.ts';
import { callerOf } from '../../http/gate.ts';
import { requestContextOf } from '../../http/request-context.ts';
import { jsonItems } from '../../http/responses/headers.ts';
import { parseGroups } from '../../query/groups.ts';
import { parseRows } from '../../query/rows.ts';
import { catalogueOfRequest, type RestContext, type Routes } from '../../rest/context.ts';
import { JsonResponse, respond } from '../../rest/respond.ts';
import { runInSlice } from '../../scheduling/time-slices.ts';
import { securityHeaders } from '../pages/policy.ts';
import { describe } from './describe.ts';
import type { Description } from './described.ts';
import { explorePage } from './page.ts';

/** Whether the key may send an address of rows or groups: its plan needs nothing that it may not read. */
const answers =
  (
    { catalogue: everything, reading }: RestContext,
    caller: Caller,
    directory: Parameters<typeof readableCategoryTable>[1],
    catalogue: Catalogue,
    tables: readonly Table[],
  ) =>
  (path: string): boolean => {
    const [, name = '', groups, query = ''] = /^\/\w+\/(\w+)(\/groups)?\?(.*)$/.exec(path) ?? [];
    try {
      const { source, table } = readableCategoryTable(everything, directory, caller, { name, group: 'rest' });
      const relationsOf = relationsAmong(catalogue, tables);
      const parse = groups ? parseGroups : parseRows;
      parse(new URLSearchParams(query), reading.cursors, { source, table, tables: catalogue.tables, relationsOf });
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  };

const sendDescription = async (context: RestContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
  const caller = callerOf(request);
  const { customer, tier, groups, scope } = caller;
  const catalogue = catalogueOfRequest(context, request);
  const directory = await context.directories.of(customer);
  const present = presentTables(catalogue, directory);
  // The page reads rows over REST.
  const tables = groups.has('rest') ? readableTables(present, tier) : [];
  const rights = {
    isAnswered: answers(context, caller, directory, catalogue, tables),
    hasFiles: (name: string) => groups.has('files') && hasFiles(scope, 'category', name),
  };
  const read = async (): Promise<Description> => {
    const described = await runInSlice(customer.id, () => describe(catalogue, tables, rights));
    const shown = new Set(described.tables.flatMap(({ columns }) => columns.flatMap(({ codes }) => codes ?? [])));
    const lists = await context.reading.connections.run('pages', requestContextOf(request, reply), (client) => codeLists(client, customer));
    return { ...described, codes: Object.fromEntries(lists.filter(([name]) => shown.has(name))) };
  };
  const version = async () => (await context.versions.of(customer.id)).get('raw', lookupSource)?.version ?? 0;
  const cacheKey = jsonItems('explore', customer.id, interfaceReaders(caller), tables.map(({ name }) => name).join());
  const sources = [{ kind: 'raw', name: lookupSource }] as const;
  return respond(context, request, reply, new JsonResponse(cacheKey, read, { tables: sources, version }));
};

export const descriptionRoutes: Routes = (app, context) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/explore/description',
    handler: (request, reply) => sendDescription(context, request, reply),
  });
};

export const explorePageRoutes = (app: FastifyInstance, hasDemoKeys: boolean): void => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/explore',
    config: { isPublic: true },
    handler: (_request, reply) =>
      reply
        .headers(securityHeaders({ requests: true }))
        .header('Cache-Control', 'no-cache')
        .send(explorePage(app.publicUrl.prefix, hasDemoKeys)),
  });
};
