/** `GET /meta/{api_table}/values/{column}`: the codes of a column with their labels (contract: lookup values). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorize, authorizeTable } from '../access/caller.ts';
import type { lookupValue } from '../answers/catalog.ts';
import type { AnswerBody } from '../answers/values.ts';
import { type LabelLanguage, labelLanguages, lookupSource, lookups } from '../catalogue/lookups.ts';
import { categories } from '../catalogue/tiers.ts';
import { ApiError } from '../errors.ts';
import { lookupValues, readCodes } from '../execute/lookup.ts';
import { callerOf } from '../http/gate.ts';
import { requestContextOf } from '../http/request-context.ts';
import { jsonItems } from '../http/responses/headers.ts';
import { validationTexts } from '../plan/validation-errors.ts';
import { identifierPattern, lastValue } from '../query/parameters.ts';
import { queryParametersOf, type RestContext, type Routes } from './context.ts';
import { JsonResponse, respond } from './respond.ts';

interface Parameters {
  readonly api_table: string;
  readonly column: string;
}

const isLanguage = (text: string | undefined): text is LabelLanguage => labelLanguages.some((each) => each === text);

/** Errors for names that are not identifiers, and for a language that does not exist. */
const violations = (parameters: Parameters, language: string | undefined) => [
  ...Object.entries(parameters)
    .filter(([, value]) => !identifierPattern.test(value))
    .map(([name]) => ({
      loc: ['path', name],
      msg: `String should match pattern '${identifierPattern.source}'`,
      type: 'string_pattern_mismatch',
    })),
  ...(language === undefined || isLanguage(language)
    ? []
    : [{ loc: ['query', 'language'], msg: validationTexts.noneOf(labelLanguages), type: 'enum' }]),
];

const sendValues = async (
  context: RestContext,
  request: FastifyRequest<{ Params: Parameters }>,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const caller = callerOf(request);
  const { customer } = caller;
  const shown = lastValue(queryParametersOf(request), 'language');
  const detail = violations(request.params, shown);
  if (detail.length > 0) return reply.code(422).send({ detail });
  const { api_table, column } = request.params;
  const none = new ApiError('noLookupValues', `${api_table}.${column}`);
  const table = context.catalogue.tables.get(api_table);
  if (!table || !(await context.directories.of(customer)).categoryTables.has(api_table)) throw none;
  authorize(caller, categories[table.category]);
  authorizeTable(caller, 'category', api_table);
  const lookup = table.columns[column]?.lookup;
  if (!lookup) throw none;
  const language = isLanguage(shown) ? shown : undefined;
  const states = () => context.versions.of(customer.id);
  const read = async (): Promise<readonly AnswerBody<typeof lookupValue>[]> => {
    const { connections } = context.reading;
    const codes = await connections.run('pages', requestContextOf(request, reply), (client) => readCodes(client, customer, lookup));
    if (codes.length === 0) throw none;
    return lookupValues(codes, language);
  };
  const cacheKey = jsonItems('meta', customer.id, lookup, language ?? null, lookups[lookup]);
  const tables = [{ kind: 'raw', name: lookupSource }] as const;
  return respond(context, request, reply, new JsonResponse(cacheKey, read, { tables, states }));
};

export const metaRoutes: Routes = (app, context) => {
  app.route<{ Params: Parameters }>({
    method: ['GET', 'HEAD'],
    url: '/meta/:api_table/values/:column',
    handler: (request, reply) => sendValues(context, request, reply),
  });
};
