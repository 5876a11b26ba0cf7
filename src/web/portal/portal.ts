/**
 * The operator's portal as one Fastify scope. Only this scope parses cookies and forms.
 *
 * The gate passes every request to these pages. Visitors use the page limit of their address, operators use none. The hooks below decide
 * who may see a page.
 */
import { fastifyCookie } from '@fastify/cookie';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { formOf, PortalContext, type PortalOptions } from './context.ts';
import { customerPages } from './customers/customer.ts';
import { customersPages } from './customers/customers.ts';
import { customerDataPages } from './customers/data.ts';
import { draftPages } from './customers/drafts/draft.ts';
import { sourcePages } from './customers/sources.ts';
import { uploadPages } from './customers/upload-page.ts';
import { viewPages } from './customers/view.ts';
import { type ViewContext, viewRequests } from './customers/view-requests.ts';
import { webhookPages } from './customers/webhooks.ts';
import { createErrorHandler, ExpiredForm, PageError } from './failures.ts';
import { issuePages } from './keys/issue.ts';
import { keyPages } from './keys/key.ts';
import { keysPages } from './keys/keys.ts';
import { logPages } from './log.ts';
import { overviewPages } from './overview.ts';
import { addPage } from './page.ts';
import { languagePages } from './sign-in/language.ts';
import { cookieName, signInPages } from './sign-in/sign-in.ts';
import { usagePages } from './usage.ts';

/** PostgreSQL's text cannot hold a NUL. */
const parseForm = (text: string): URLSearchParams => new URLSearchParams(text.replaceAll('%00', ''));

/** The maximum size of a form in bytes. */
const formLimit = 16 * 1024;

export interface Portal {
  /** Whether a signed-in operator requests a page. Finds the session of every request to the portal. */
  isSignedIn(request: FastifyRequest): Promise<boolean>;
  register(app: FastifyInstance, rest: ViewContext): void;
}

const allPages = [
  overviewPages,
  customersPages,
  customerPages,
  customerDataPages,
  uploadPages,
  draftPages,
  sourcePages,
  viewPages,
  webhookPages,
  issuePages,
  keysPages,
  keyPages,
  usagePages,
  logPages,
  languagePages,
  signInPages,
];

/** Visitors without a session are redirected to the sign-in. */
const door = async (request: FastifyRequest, reply: FastifyReply) => {
  if (request.session?.isOperator || request.routeOptions.config.isForVisitors) return;
  const to = request.method === 'POST' ? '' : `?to=${encodeURIComponent(request.raw.url ?? '')}`;
  return reply.redirect(request.server.publicUrl.to(`/portal/sign-in${to}`), 303);
};

const isPortalPath = (url = ''): boolean => /^\/portal(?:[/?]|$)/.test(url);

/** Finds the session of a request, once. Signed-out sessions are invalid. */
const createRecognition = (context: PortalContext) => async (request: FastifyRequest) => {
  const { cookie } = request.headers;
  if (!cookie || !isPortalPath(request.raw.url)) return false;
  const session = context.sessions.parse(fastifyCookie.parse(cookie)[cookieName]);
  request.session = session?.isOperator && (await context.isEnded(session)) ? undefined : session;
  return request.session?.isOperator ?? false;
};

/** Files wait until their page reads them. Otherwise the check for small pieces, which listens to each body, would let them flow. */
const holdUpload = (
  request: FastifyRequest,
  _reply: FastifyReply,
  payload: RequestPayload,
  done: (error: null, payload: RequestPayload) => void,
) => {
  if (request.routeOptions.config.isUpload) payload.pause();
  done(null, payload);
};

/** A form must contain the token of its session. */
const createTokenCheck = (context: PortalContext) => async (request: FastifyRequest) => {
  if (request.method !== 'POST' || request.routeOptions.config.isUpload) return;
  const token = formOf(request).get('token') ?? '';
  if (!request.session || !context.sessions.hasToken(request.session, token)) throw new ExpiredForm();
};

export const createPortal = (options: PortalOptions): Portal => {
  const context = new PortalContext(options);
  const pages = async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers();
    await scope.register(formbody, { bodyLimit: formLimit, parser: parseForm as never });
    // The page itself names a file that is too large.
    await scope.register(multipart, { throwFileSizeLimit: false });
    await scope.register(fastifyCookie);
    scope.decorateRequest('session', undefined);
    scope.addHook('onRequest', door);
    scope.addHook('preParsing', holdUpload);
    scope.addHook('preHandler', createTokenCheck(context));
    scope.setErrorHandler(createErrorHandler(context));
    for (const add of allPages) add(scope, context);
    addPage(scope, context, '/portal/*', {
      get: ({ wording: { frame } }) => {
        throw new PageError(404, frame.failures.noPage, frame.failures.noPageText);
      },
    });
  };
  return {
    isSignedIn: createRecognition(context),
    register: (app, rest) => {
      app.register(pages);
      viewRequests(app, context, rest);
    },
  };
};
