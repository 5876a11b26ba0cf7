/**
 * The requests of the operator view: the routes of rows and groups under the path of one customer, with the operator as their caller (contract:
 * operator view).
 *
 * The session authenticates only here, and a key does not. So the gate has one kind of caller, and no cookie opens a path of the API.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../../../access/caller.ts';
import { RequestsInFlight } from '../../../access/requests-in-flight.ts';
import { type Customer, customerWithSlug } from '../../../database/control/customers.ts';
import { ApiError } from '../../../errors.ts';
import { prefersCsv } from '../../../http/responses/headers.ts';
import { afterResponse } from '../../../http/responses/send.ts';
import { formatParameter } from '../../../query/parameters.ts';
import { categoryRoutes } from '../../../rest/category.ts';
import { queryParametersOf, type RestContext, type Routes } from '../../../rest/context.ts';
import { groupRoutes } from '../../../rest/groups.ts';
import { meRoutes } from '../../../rest/me.ts';
import { exploreRoutes } from '../../explore/routes.ts';
import { sendFailure } from '../../pages/error-page.ts';
import { actorOf, type PortalContext } from '../context.ts';
import type { PortalSession } from '../sign-in/sessions.ts';

/** What the requests of the view need besides the portal. */
export interface ViewContext extends RestContext {
  /** The maximum number of requests in flight for one session, as for one key; 0 for no limit. */
  readonly requestsPerKey: number;
}

export const viewRequestsPath = (slug: string): string => `/portal/customers/${slug}/rest`;

/** Everything that Explore asks without a key of its own. */
const allRoutes: readonly Routes[] = [exploreRoutes, meRoutes, categoryRoutes, groupRoutes];

const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The operator as a caller: as much as a key of the customer can have over REST, and no more. */
const callerOf = ({ id, slug, schema_name, tier }: Customer): Caller => ({
  keyId: '',
  keyFamily: '',
  customer: { id, slug, schema: schema_name },
  tier,
  groups: new Set(['rest']),
  scope: undefined,
  expiresAt: null,
  isSuspended: false,
  isOperator: true,
});

/** Whether another site sends the request. Browsers without this header send no strict cookie from there. */
const isFromOtherSite = ({ headers }: FastifyRequest): boolean => {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
};

/** The session of a request that may read. Throws the reason for a refusal. */
const admit = (request: FastifyRequest): PortalSession => {
  if (isFromOtherSite(request)) throw new ApiError('otherSite');
  const { session } = request;
  if (!session?.isOperator) throw new ApiError('signedOut');
  // Files are for keys, whose usage is counted.
  if (formatParameter(queryParametersOf(request)) === 'csv' || prefersCsv(request.headers.accept))
    throw new ApiError('notAcceptable', 'application/json');
  return session;
};

const customerIn = async ({ database }: PortalContext, request: FastifyRequest): Promise<Customer> => {
  const { slug = '' } = request.params as { readonly slug?: string };
  const customer = await customerWithSlug(database, slug);
  if (!customer) throw new ApiError('notFound');
  if (customer.suspended_at) throw new ApiError('suspended');
  return customer;
};

export const viewRequests = (app: FastifyInstance, portal: PortalContext, rest: ViewContext): void => {
  const inFlight = new RequestsInFlight(rest.requestsPerKey);
  const routes = async (scope: FastifyInstance) => {
    // The gate leaves the check of the caller to the hook below.
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, isPublic: true, cors: false };
    });
    scope.addHook('onRequest', async (request, reply) => {
      const session = admit(request);
      const customer = await customerIn(portal, request);
      request.caller = callerOf(customer);
      request.inFlight = inFlight.enter(session.id);
      afterResponse(reply.raw, request.inFlight.leave);
      const view = { actor: actorOf(session, request.address), sessionId: session.id, customer };
      await portal.viewRecords.use(view);
      request.recordTables = async (tables) => {
        for (const { kind, name } of tables) if (kind === 'category') await portal.viewRecords.read(view, name);
      };
    });
    scope.setErrorHandler(sendFailure);
    for (const add of allRoutes) add(scope, rest);
    scope.route({
      // The route accepts all methods, so that the gate can name the allowed ones.
      method: allMethods,
      url: '/*',
      handler: () => {
        throw new ApiError('notFound');
      },
    });
  };
  app.register(routes, { prefix: viewRequestsPath(':slug') });
};
