/** The operator view: Explore for one customer, without a key (contract: operator view). */
import type { FastifyInstance } from 'fastify';
import { findCustomer } from '../../../database/control/customers.ts';
import { exploreFiles } from '../../explore/page.ts';
import { html } from '../../pages/html.ts';
import type { PortalCall, PortalContext } from '../context.ts';
import { PageError } from '../failures.ts';
import type { PageContent } from '../layout.ts';
import { addPage } from '../page.ts';
import { viewRequestsPath } from './view-requests.ts';

export const viewPath = (slug: string): string => `/portal/customers/${slug}/explore`;

const content = async (context: PortalContext, call: PortalCall): Promise<PageContent> => {
  const customer = await findCustomer(context.database, call.parameter('slug'));
  const { name, slug, suspended_at } = customer;
  if (suspended_at) throw new PageError(403, 'The customer is suspended', 'Its rows can be viewed again when it is resumed.');
  await context.viewRecords.open({ actor: call.actor, sessionId: call.session.id, customer });
  return {
    title: `Explore ${name}`,
    section: 'customers',
    bodyClass: 'explore-page',
    styles: [exploreFiles.path('explore.css')],
    scripts: [exploreFiles.path('explore.js')],
    sendsRequests: true,
    choosesLanguage: true,
    body: html`<noscript>This page needs JavaScript.</noscript>
<div id="root" data-drawing="${exploreFiles.path('drawing.js')}" data-customer="${name}" data-slug="${slug}" data-rest="${viewRequestsPath(slug)}"></div>`,
  };
};

export const viewPages = (scope: FastifyInstance, context: PortalContext): void => {
  addPage(scope, context, viewPath(':slug'), { get: (call) => content(context, call) });
};
