/** `GET /{category}/{api_table}` and `GET /v1/{category}/{api_table}` (contract: category endpoints). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { presentTables, type ReadableCategoryTable, readableCategoryTable, readableTables, relationsAmong } from '../execute/visible.ts';
import { callerOf } from '../http/gate.ts';
import type { Cursors } from '../plan/cursor.ts';
import type { NamedPlan, TableWithRelations } from '../query/lists.ts';
import { formatParameter } from '../query/parameters.ts';
import { hasRowLists, parseRows } from '../query/rows.ts';
import { refuseUnknown, unknownParameters } from '../query/unknown-parameters.ts';
import { runInSlice } from '../scheduling/time-slices.ts';
import { catalogueOfRequest, queryParametersOf, type RestContext, type Routes } from './context.ts';
import { type PageForm, pageHeaders, sendPage, sendTablePage } from './page.ts';

export interface CategoryRequest {
  Params: { category: string; table: string };
}

/** The table that the path names, as the caller's customer has it. Throws 404 if there is none, 403 if the key excludes it. */
export const categoryTableOf = async (
  { catalogue, directories }: RestContext,
  request: FastifyRequest<CategoryRequest>,
): Promise<ReadableCategoryTable> => {
  const caller = callerOf(request);
  const { category, table: name } = request.params;
  if (catalogue.tables.get(name)?.category !== category) throw new ApiError('notFound');
  return readableCategoryTable(catalogue, await directories.of(caller.customer), caller, { name, group: 'rest' });
};

const form: PageForm = { headers: pageHeaders, isNegotiated: true };

interface ListedPage {
  readonly table: ReadableCategoryTable;
  readonly parse: (query: URLSearchParams, cursors: Cursors, table: TableWithRelations) => NamedPlan;
}

/** Sends a page whose query string has lists: groups, or rows with conditions, an order or columns. */
export const sendListedPage = async (
  context: RestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { table: { source, table }, parse }: ListedPage,
): Promise<FastifyReply> => {
  const { directories, reading } = context;
  const catalogue = catalogueOfRequest(context, request);
  const { tier, customer } = callerOf(request);
  const readable = readableTables(presentTables(catalogue, await directories.of(customer)), tier);
  const tables = { source, table, tables: catalogue.tables, relationsOf: relationsAmong(catalogue, readable) };
  const query = queryParametersOf(request);
  // A request with many wrong names takes more than a millisecond.
  const page = await runInSlice(customer.id, () => parse(query, reading.cursors, tables));
  return sendPage(context, request, reply, { ...page, format: formatParameter(query), form });
};

/** Limits of the header about ignored parameters: their number, and the characters of each. */
const maxIgnored = 20;
const longestIgnored = 80;

/** The preference of the client that parameters without effect are errors (RFC 7240). */
const strict = 'handling=strict';
const isStrict = ({ headers: { prefer } }: FastifyRequest): boolean =>
  prefer !== undefined && /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:[,;]|$)/i.test(String(prefer));

/** Names the parameters without effect in a header, or refuses them (contract: repeated and unknown parameters). */
const reportUnknown = (request: FastifyRequest, reply: FastifyReply, { table }: ReadableCategoryTable): void => {
  const unknown = unknownParameters(queryParametersOf(request), table);
  if (isStrict(request)) {
    const applied = { 'preference-applied': strict };
    refuseUnknown(unknown, table, applied);
    reply.headers(applied);
  }
  if (unknown.length === 0) return;
  // Percent-encoded, because a name can hold any character.
  const named = unknown.slice(0, maxIgnored).map((name) => encodeURIComponent([...name].slice(0, longestIgnored).join('')));
  reply.header('x-ignored-parameters', named.join(', '));
};

export const categoryRoutes: Routes = (app, context) => {
  for (const [prefix, isV1] of [
    ['', false],
    ['/v1', true],
  ] as const)
    app.route<CategoryRequest>({
      method: ['GET', 'HEAD'],
      url: `${prefix}/:category/:table`,
      handler: async (request, reply) => {
        if (isV1 && context.catalogue.tables.get(request.params.table)?.v1 === false) throw new ApiError('notFound');
        const table = await categoryTableOf(context, request);
        reportUnknown(request, reply, table);
        if (hasRowLists(queryParametersOf(request))) return sendListedPage(context, request, reply, { table, parse: parseRows });
        return sendTablePage(context, request, reply, { table, form });
      },
    });
};
