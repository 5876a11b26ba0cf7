/**
 * Pages as routes. A page is a plain function from a visit to a screen or to another path; everything about methods, headers
 * and documents is done here, around it.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { PortalContext } from './context.ts';
import { operatorPage, pageHeaders, type Screen, visitorPage } from './layout.ts';
import { notices } from './notices.ts';
import type { Page, Visit } from './visit.ts';

export interface PageOptions {
  readonly get?: Page;
  readonly post?: Page;
  readonly isForVisitors?: true;
}

const answered = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Registers a page under its path. */
export const addPage = (scope: FastifyInstance, context: PortalContext, url: string, { get, post, isForVisitors }: PageOptions): void => {
  const methods = [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])];
  scope.route({
    // All methods lead here, so that the gate can say which ones the page takes.
    method: answered,
    url,
    config: { isPublic: true, methods, ...(isForVisitors && { isForVisitors }) },
    handler: async (request, reply) => {
      const page = request.method === 'POST' ? post : get;
      const visit = context.visit(request, reply);
      const outcome = (await page?.(visit)) ?? { to: '/portal' };
      return 'to' in outcome ? reply.redirect(outcome.to, 303) : sendScreen(visit, outcome);
    },
  });
};

export const sendScreen = ({ reply, session, token, query }: Visit, screen: Screen): FastifyReply =>
  reply
    .code(screen.status ?? 200)
    .headers(pageHeaders)
    .type('text/html; charset=utf-8')
    .send(session.isOperator ? operatorPage(screen, token, notices.get(query.get('notice') ?? '')) : visitorPage(screen));
