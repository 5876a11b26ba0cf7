/**
 * Pages as routes. A page is a function from a call to its content or to another path. This file handles methods, headers and documents for
 * all pages.
 */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { downloadAs } from '../../http/responses/headers.ts';
import { securityHeaders } from '../pages/policy.ts';
import type { Attachment, PortalCall, PortalContext, PortalPage } from './context.ts';
import { operatorPage, type PageContent, visitorPage } from './layout.ts';

export interface PageOptions {
  readonly get?: PortalPage;
  readonly post?: PortalPage;
  readonly isForVisitors?: true;
  /** The form holds files. The page reads its parts itself, and checks its token (`customers/upload.ts`). */
  readonly isUpload?: true;
  /** The maximum size of its form in bytes, if it is more than that of all forms. */
  readonly formLimit?: number;
}

const answered = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Registers a page under its path. */
export const addPage = (
  scope: FastifyInstance,
  context: PortalContext,
  url: string,
  { get, post, isForVisitors, formLimit, isUpload }: PageOptions,
): void => {
  const methods = [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])];
  scope.route({
    // The route accepts all methods, so that the gate can name the allowed ones.
    method: answered,
    url,
    ...(formLimit && { bodyLimit: formLimit }),
    config: { isPublic: true, methods, ...(isForVisitors && { isForVisitors }), ...(isUpload && { isUpload }) },
    handler: async (request, reply) => {
      const page = request.method === 'POST' ? post : get;
      const call = context.call(request, reply);
      const outcome = (await page?.(call)) ?? { to: '/portal' };
      if ('to' in outcome) return reply.redirect(scope.publicUrl.to(outcome.to), 303);
      return 'chunks' in outcome ? sendFile(reply, outcome) : sendContent(call, outcome);
    },
  });
};

const sendFile = (reply: FastifyReply, { name, type, chunks }: Attachment): FastifyReply =>
  reply.type(type).headers(downloadAs(name)).send(Readable.from(chunks));

/**
 * The path that shows the page again. A form without a page of its own belongs to the page above it. The query is left out, because somebody
 * may have searched for a whole key.
 */
const pathOf = ({ raw: { url = '' }, routeOptions: { config } }: FastifyRequest): string => {
  const [path = ''] = url.split('?');
  return config.methods?.includes('GET') ? path : path.slice(0, path.lastIndexOf('/'));
};

export const sendContent = ({ request, reply, session, token, wording, query }: PortalCall, content: PageContent): FastifyReply => {
  const { prefix } = reply.server.publicUrl;
  const frame = { prefix, token, wording, path: pathOf(request) };
  return reply
    .code(content.status ?? 200)
    .headers({
      ...securityHeaders({ forms: true, ...(content.sendsRequests && { requests: true }) }),
      ...(content.refreshSeconds !== undefined && { refresh: content.refreshSeconds }),
    })
    .send(
      session.isOperator
        ? operatorPage(content, { ...frame, name: session.name, notice: query.get('notice') ?? '' })
        : visitorPage(content, prefix, frame),
    );
};
