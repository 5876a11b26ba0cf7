/** `GET /meta/{api_table}/values/{column}`: the codes of a column with their labels (contract: lookup values). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorize, authorizeTable } from '../access/caller.ts';
import { lookupSource, lookups } from '../catalogue/lookups.ts';
import { categories } from '../catalogue/tiers.ts';
import { ApiError } from '../errors.ts';
import { lookupValues } from '../execute/lookup.ts';
import { callerOf } from '../http/gate.ts';
import { requestContextOf } from '../http/request-context.ts';
import { identifierPattern } from '../plan/parameters.ts';
import type { RestContext, Routes } from './context.ts';
import { JsonResponse, respond } from './respond.ts';

interface Parameters {
  readonly api_table: string;
  readonly column: string;
}

/** Errors for parameters that are not identifiers. */
const violations = (parameters: Parameters) =>
  Object.entries(parameters)
    .filter(([, value]) => !identifierPattern.test(value))
    .map(([name]) => ({
      loc: ['path', name],
      msg: `String should match pattern '${identifierPattern.source}'`,
      type: 'string_pattern_mismatch',
    }));

const sendValues = async (
  context: RestContext,
  request: FastifyRequest<{ Params: Parameters }>,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const caller = callerOf(request);
  const { customer } = caller;
  const detail = violations(request.params);
  if (detail.length > 0) return reply.code(422).send({ detail });
  const { api_table, column } = request.params;
  const none = new ApiError('noLookupValues', `${api_table}.${column}`);
  const table = context.catalogue.tables.get(api_table);
  if (!table || !(await context.directories.of(customer)).categoryTables.has(api_table)) throw none;
  authorize(caller, categories[table.category]);
  authorizeTable(caller, 'category', api_table);
  const lookup = table.columns[column]?.lookup;
  if (!lookup) throw none;
  const version = async () => (await context.versions.of(customer.id)).get('raw', lookupSource)?.version ?? 0;
  const read = async () => {
    const { connections } = context.reading;
    const values = await connections.run('pages', requestContextOf(request, reply), (client) => lookupValues(client, customer, lookup));
    if (values.length === 0) throw none;
    return values;
  };
  const cacheKey = JSON.stringify(['meta', customer.id, lookup, lookups[lookup]]);
  const tables = [{ kind: 'raw', name: lookupSource }] as const;
  return respond(context, request, reply, new JsonResponse(cacheKey, read, { tables, version }));
};

export const metaRoutes: Routes = (app, context) => {
  app.route<{ Params: Parameters }>({
    method: ['GET', 'HEAD'],
    url: '/meta/:api_table/values/:column',
    handler: (request, reply) => sendValues(context, request, reply),
  });
};
