/** Errors of page paths, which browsers get as HTML (contract: pages in a browser). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { isPagePath, wantsPage } from '../../http/gate.ts';
import { addVary } from '../../http/responses/headers.ts';
import { failWith, sendProblem } from '../../http/responses/problem.ts';
import { formatDuration } from './format.ts';
import { documentOf, publicBar } from './frame.ts';
import { html } from './html.ts';
import { securityHeaders } from './policy.ts';

/** What the reader can do, by status; other statuses show the detail of the problem. */
const words: Readonly<Record<number, readonly [title: string, text: string]>> = {
  401: ['The API key is not valid', 'Pages need no key. To see what a key may read, send a valid one in the header X-API-Key.'],
  403: ['Not included in this key', 'The tier or the endpoint groups of the API key do not include this page.'],
  404: ['Page not found', 'Check the address, or start from one of the pages below.'],
  405: ['Method not allowed', 'Open this address as a page, without sending a form to it.'],
  429: ['Too many requests', 'Too many requests came from your network address.'],
  500: ['Internal server error', 'The service could not answer. Try again later.'],
  503: ['Temporarily unavailable', 'The service cannot answer at the moment.'],
};

const errorPage = ({ status, message, headers }: ApiError, { id, server }: FastifyRequest): string => {
  const [title, text] = words[status] ?? ['The request failed', `${message}.`];
  const seconds = Number(headers['Retry-After']);
  return documentOf({
    prefix: server.publicUrl.prefix,
    title,
    body: html`${publicBar('')}
<main id="content" class="narrow">
<h1>${title}</h1>
<p class="lead">${text}${seconds > 0 && html` Try again in ${formatDuration(seconds)}.`}</p>
<p><a class="button" href="/">Front page</a> <a class="button" href="/docs">Documentation</a></p>
<p class="hint">Status ${status}, request ${id}</p>
</main>`,
  });
};

/** Sends the error as a page to browsers, and as a problem document to other clients. */
export const sendFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  if (isPagePath(request)) addVary(reply, 'Accept');
  if (!wantsPage(request)) return sendProblem(error, request, reply);
  const failure = failWith(error, request, reply);
  return reply.headers(securityHeaders({})).send(errorPage(failure, request));
};

/** Pages that do not exist. Without these routes, their paths would match category tables. */
export const missingPageRoutes = (app: FastifyInstance): void => {
  for (const url of ['/docs/*', '/assets/*'])
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: () => {
        throw new ApiError('notFound');
      },
    });
};
