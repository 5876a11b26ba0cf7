/** `GET /meta/{api_table}/values/{column}`: the codes of a column with their labels (contract: lookup values). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { entitle } from '../access/entitle.ts';
import { lookupSource, lookups } from '../catalogue/lookups.ts';
import { categories } from '../catalogue/tiers.ts';
import { ApiError } from '../errors.ts';
import { etagOf } from '../http/etag.ts';
import { callerOf } from '../http/gate.ts';
import { lookupValues } from '../read/lookup.ts';
import { identifierPattern } from '../read/parameters.ts';
import { answerDocument } from './answer.ts';
import { askerOf, type RestContext, type Routes } from './context.ts';

interface Parameters {
  readonly api_table: string;
  readonly column: string;
}

/** Parameters that are no identifiers, in the form that this endpoint has for them. */
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
  entitle(caller, categories[table.category]);
  const lookup = table.columns[column]?.lookup;
  if (!lookup) throw none;
  // The version is read before the values: at worst the tag is older than them, and the client asks once more.
  const states = await context.versions.of(customer.id);
  const { version = 0 } = states.get('raw', lookupSource) ?? {};
  const read = async () => {
    const { connections } = context.reading;
    const values = await connections.run('pages', askerOf(request, reply), (client) => lookupValues(client, customer, lookup));
    if (values.length === 0) throw none;
    return values;
  };
  return answerDocument(context, request, reply, {
    question: `lookup ${lookup}`,
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
