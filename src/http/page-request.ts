/** Recognizes requests for pages in a browser and for the files that pages load (contract: pages in a browser; page limit). */
import type { FastifyRequest } from 'fastify';
import { prefersHtml } from './responses/negotiation.ts';
import { pathOf } from './responses/problem.ts';

const pagePath = /^\/(?:$|(?:docs|portal|assets)(?:\/|$))/;
/** The endpoint reference loads this file without a key. */
const interfaceDescription = '/openapi.json';

type PageRequest = Pick<FastifyRequest, 'method' | 'headers' | 'raw' | 'query'>;

/** Whether the path belongs to a page or to a file that pages load. GraphiQL does not count. */
export const isPagePath = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean => pagePath.test(pathOf(raw.url ?? '/'));

/** Whether a browser opens GraphiQL. A client that sends a query uses the API. */
export const opensGraphiql = ({ method, headers, raw, query }: PageRequest): boolean =>
  method === 'GET' &&
  pathOf(raw.url ?? '/') === '/graphql' &&
  (headers.accept ?? '').includes('text/html') &&
  !(query as URLSearchParams).has('query');

/** Whether to answer with HTML, also for errors. */
export const wantsPage = (request: PageRequest): boolean =>
  (isPagePath(request) && prefersHtml(request.headers.accept)) || opensGraphiql(request);

/** Whether the request counts toward the page limit. With a key, valid or not, it counts as a request to the API. */
export const countsAsPage = (request: PageRequest): boolean =>
  request.headers['x-api-key'] === undefined &&
  (isPagePath(request) || opensGraphiql(request) || pathOf(request.raw.url ?? '/') === interfaceDescription);
