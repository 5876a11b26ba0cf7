/** `GET /explore`, a page to look at the data, and `GET /explore/description`, the tables of the key for it (contract: explore page; explore description). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lookupSource } from '../../catalogue/lookups.ts';
import { interfaceReaders, rowReaders } from '../../catalogue/readership.ts';
import { codeLists } from '../../execute/lookup.ts';
import { hasFiles } from '../../files/file-tables.ts';
import { callerOf } from '../../http/gate.ts';
import { requestContextOf } from '../../http/request-context.ts';
import { jsonItems } from '../../http/responses/headers.ts';
import { publicRoute } from '../../http/responses/made-bodies.ts';
import type { NamedPlan } from '../../query/lists.ts';
import { catalogueOfRequest, type RestContext, type Routes } from '../../rest/context.ts';
import { readObjects } from '../../rest/page.ts';
import { JsonResponse, respond } from '../../rest/respond.ts';
import { runInSlice } from '../../scheduling/time-slices.ts';
import { securityHeaders } from '../pages/policy.ts';
import { addressPlanner, type PlanAddress, tablesOfPlan, tablesOverRest } from './addresses.ts';
import { describe } from './describe.ts';
import type { Description } from './described.ts';
import { figureRoutes } from './figures.ts';
import { explorePage } from './page.ts';

/** The last day with a booking, until today: reports and figures begin with it. Today, if the caller reads no bookings. */
const dayOfData = async (plan: PlanAddress, read: (named: NamedPlan) => ReturnType<typeof readObjects>): Promise<string> => {
  const today = new Date().toISOString().slice(0, 10);
  const named = plan(lastBooking(today));
  const [row] = named ? await read(named) : [];
  return typeof row?.max_booking_date === 'string' ? row.max_booking_date : today;
};

const lastBooking = (today: string): string => `/accounting/booking_positions/groups?max=booking_date&where=booking_date<=${today}`;

const sendDescription = async (context: RestContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
  const caller = callerOf(request);
  const { customer, groups, scope } = caller;
  const catalogue = catalogueOfRequest(context, request);
  const directory = await context.directories.of(customer);
  const tables = tablesOverRest(context, caller, directory);
  const plan = addressPlanner(context, caller, directory);
  const rights = {
    isAnswered: (text: string) => plan(text) !== undefined,
    hasFiles: (name: string) => groups.has('files') && hasFiles(scope, 'category', name),
  };
  const requestContext = requestContextOf(request, reply);
  const read = async (): Promise<Description> => {
    const day = await dayOfData(plan, (named) => readObjects(context, requestContext, named));
    const described = await runInSlice(customer.id, () => describe(catalogue, tables, rights));
    const shown = new Set(described.tables.flatMap(({ columns }) => columns.flatMap(({ codes }) => codes ?? [])));
    const lists = await context.reading.connections.run('pages', requestContext, (client) => codeLists(client, customer));
    return { ...described, day, codes: Object.fromEntries(lists.filter(([name]) => shown.has(name))) };
  };
  const today = new Date().toISOString().slice(0, 10);
  const bookings = plan(lastBooking(today));
  const sources = [{ kind: 'raw', name: lookupSource } as const, ...(bookings ? tablesOfPlan(bookings) : [])];
  const readers = [interfaceReaders(caller), rowReaders(caller)];
  const cacheKey = jsonItems('explore', customer.id, ...readers, today, tables.map(({ name }) => name).join());
  const states = () => context.versions.of(customer.id);
  return respond(context, request, reply, new JsonResponse(cacheKey, read, { tables: sources, states }));
};

/** What the page asks besides rows, groups and `/me`. */
export const exploreRoutes: Routes = (app, context) => {
  figureRoutes(app, context);
  app.route({
    method: ['GET', 'HEAD'],
    url: '/explore/description',
    handler: (request, reply) => sendDescription(context, request, reply),
  });
};

export const explorePageRoutes = (app: FastifyInstance, hasDemoKeys: boolean): void => {
  const { prefix } = app.publicUrl;
  publicRoute(app, '/explore', { headers: securityHeaders({ requests: true }), make: () => explorePage(prefix, hasDemoKeys) });
};
