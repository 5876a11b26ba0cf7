/** The page at `/`: a description of the service and its entry points. */
import type { FastifyInstance } from 'fastify';
import type { Catalogue } from '../../catalogue/index.ts';
import { pathOfTable } from '../../catalogue/table.ts';
import { properties } from '../../catalogue/tables/property.ts';
import { categories } from '../../catalogue/tiers.ts';
import { publicRoute } from '../../http/responses/made-bodies.ts';
import { programs } from '../../prints/programs.ts';
import { documentOf, publicBar } from './frame.ts';
import { type Html, html } from './html.ts';
import { securityHeaders } from './policy.ts';

export interface FrontOptions {
  readonly catalogue: Catalogue;
  readonly hasPortal: boolean;
  /** Requests per hour and key; 0 for no limit. */
  readonly requestsPerHour: number;
}

const way = (path: string, title: string, text: string): Html =>
  html`<a class="card way" href="${path}"><strong>${title}</strong><span>${text}</span></a>`;

const to = (path: string, text: string): Html => html`<a href="${path}">${text}</a>`;

const categoryList = ({ tables }: Catalogue): Html =>
  html`<ul class="categories">${Object.entries(categories).map(
    ([category, tier]) =>
      html`<li><h3>${category}</h3><p>${[...tables.values()]
        .filter((table) => table.category === category)
        .map(({ name }) => html`<code>${name}</code> `)}</p><span class="hint">from tier ${tier}</span></li>`,
  )}</ul>`;

const content = ({ catalogue, hasPortal, requestsPerHour }: FrontOptions, address: string): Html => html`
${publicBar('/')}
<main id="content" class="front" data-address="${address}">
<div class="hero">
<h1>Your real-estate data, as an API</h1>
<p class="lead">Properties, units, contracts, orders and bookings from your ERP, read-only, as JSON: over REST page by page, over GraphQL in the shape you ask for, or as raw tables for bulk export.</p>
<div class="secret"><span class="label">One request, with your key</span>
<div class="copy"><code id="curl-text">${programs.curl({ origin: address, address: `${pathOfTable(properties)}?limit=2`, key: 'est_…' })}</code><button data-copy="curl-text" hidden>Copy</button></div></div>
</div>
<section><h2>Where to begin</h2><ul class="plain-list">
<li><strong>I move data into another system:</strong> ${to('/docs', 'a first request')}, then ${to('/docs/files', 'whole tables as files')} or ${to('/docs/paging', 'pages')}, then ${to('/docs/copy', 'a copy that stays up to date')}.</li>
<li><strong>I answer questions:</strong> ${to('/explore', 'explore')} without a query, ${to('/docs/spreadsheets', 'Excel and Power BI')}, ${to('/docs/analysts', 'questions of analysts')}, ${to('/docs/questions', 'saved questions')}, or ${to('/docs/agents', 'an agent')}.</li>
<li><strong>I build an application:</strong> ${to('/docs/graphql', 'GraphQL')} with generated types, ${to('/graphql', 'GraphiQL')} to try it, and ${to('/docs/errors', 'errors')} and ${to('/docs/limits', 'limits')} to plan for.</li>
<li><strong>I run the service:</strong> ${to('/docs/load-your-export', 'load your export')}, ${to('/docs/administration', 'administration')} and ${to('/docs/operating', 'operating')}.</li>
</ul></section>
<nav class="ways" aria-label="Ways in">
${way('/explore', 'Explore', 'Look at tables, filter, sort and summarize them, without writing a query.')}
${way('/docs', 'API documentation', 'Every endpoint, parameter, header and column, to read and to try.')}
${way('/graphql', 'GraphiQL', 'Write GraphQL queries in the browser, with completion and the schema.')}
${way('/openapi.json', 'OpenAPI description', 'The same interface for machines: generate a client from it.')}
${hasPortal && way('/portal', 'Portal', 'For the operator: customers, keys and what they are used for.')}
</nav>
<section><h2>Tables</h2>${categoryList(catalogue)}</section>
<section><h2>Good to know</h2><ul class="plain-list">
<li>Every request carries its key in the header <code>X-API-Key</code>. The key says whose data it reads, and how much of it.</li>
<li>${requestsPerHour > 0 ? html`${requestsPerHour} requests an hour per key; every answer says how many are left.` : html`There is no limit on requests here.`}</li>
<li><code>/changes</code> says which tables have new data, and <code>If-None-Match</code> saves reading them again when they have not.</li>
</ul></section>
</main>`;

export const frontRoutes = (app: FastifyInstance, options: FrontOptions): void => {
  const { publicUrl } = app;
  publicRoute(app, '/', {
    headers: securityHeaders({}),
    make: () => documentOf({ prefix: publicUrl.prefix, title: 'Real-estate data API', body: content(options, publicUrl.address) }),
  });
};
