/** `GET /meta/{api_table}/values/{column}`: the codes of a column with their labels (contract: lookup values). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorize } from '../access/entitle.ts';
import { lookupSource, lookups } from '../catalogue/lookups.ts';
import { categories } from '../catalogue/tiers.ts';
import { ApiError } from '../errors.ts';
import { lookupValues } from '../execute/lookup.ts';
import { callerOf } from '../http/gate.ts';
import { etagOf } from '../http/responses/etag.ts';
import { identifierPattern } from '../plan/parameters.ts';
import { type RestContext, type Routes, requestContextOf } from './context.ts';
import { answerDocument } from './documents.ts';

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

const answer = async (
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
  const lookup = table.columns[column]?.lookup;
  if (!lookup) throw none;
  // The version is read before the values. If the data changes between the two, the client revalidates once more.
  const states = await context.versions.of(customer.id);
  const { version = 0 } = states.get('raw', lookupSource) ?? {};
  const read = async () => {
    const { connections } = context.reading;
    const values = await connections.run('pages', requestContextOf(request, reply), (client) => lookupValues(client, customer, lookup));
    if (values.length === 0) throw none;
    return values;
  };
  return answerDocument(context, request, reply, {
    cacheKey: `lookup ${lookup}`,
    etag: etagOf('meta', customer.id, lookup, lookups[lookup], version),
    tables: [{ kind: 'raw', name: lookupSource }],
    states,
    read,
  });
};

export const metaRoutes: Routes = (app, context) => {
  app.route<{ Params: Parameters }>({
    method: ['GET', 'HEAD'],
    url: '/meta/:api_table/values/:column',
    handler: (request, reply) => answer(context, request, reply),
  });
};
