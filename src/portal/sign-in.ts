/** Signing in and out. Five wrong passwords from one address lock it out for a quarter of an hour. */
import type { FastifyInstance } from 'fastify';
import { FixedWindows } from '../access/fixed-windows.ts';
import { networkOf } from '../http/client-address.ts';
import { actorOf, type PortalContext } from './context.ts';
import { failure, field } from './elements.ts';
import { html } from './html.ts';
import { type Screen, tokenField } from './layout.ts';
import { addPage } from './page.ts';
import { isPassword } from './password.ts';
import type { Session } from './sessions.ts';
import type { Elsewhere, Visit } from './visit.ts';

export const cookieName = 'estate_portal';

const attempts = 5;
const lockedSeconds = 15 * 60;
const addressesRemembered = 10_000;

const setCookie = (context: PortalContext, { request, reply }: Visit, session: Session): void => {
  reply.setCookie(cookieName, context.sessions.serialize(session), {
    path: '/portal',
    httpOnly: true,
    sameSite: 'strict',
    secure: request.protocol === 'https',
    // The browser forgets a visitor when it is closed, and an operator when the session ends.
    ...(session.isOperator && { expires: new Date(session.expiresAt) }),
  });
};

/** Only paths of the portal's own: an address in a link must not lead a signed-in operator elsewhere. */
const ownPath = (path: string | null): string => (path && /^\/portal(?:[/?][\w\-./?=&%]*)?$/.test(path) ? path : '/portal');

const screen = ({ token, query, form }: Visit, status = 200, message?: string): Screen => ({
  title: 'Sign in',
  status,
  body: html`
<h1>Sign in</h1>
<p class="lead">The portal is for the operator of this service: customers, API keys and what they are used for.</p>
${failure(message)}
<form method="post" action="/portal/sign-in" class="stack">
${tokenField(token)}<input type="hidden" name="to" value="${ownPath(form.get('to') ?? query.get('to'))}">
${field('Operator password', html`<input type="password" name="password" autocomplete="current-password" required autofocus>`)}
<button class="primary">Sign in</button>
</form>`,
});

/** Counts an attempt before the password is looked at, so that attempts at the same time count too. */
const createLock = () => {
  const windows = new FixedWindows(lockedSeconds * 1_000, addressesRemembered);
  return {
    /** Minutes that the address is still locked out for, 0 if it may try; and whether this attempt was the first too many. */
    attempt: (address: string): { minutes: number; isFirst: boolean } => {
      const { count, msLeft } = windows.count(networkOf(address));
      return { minutes: count > attempts ? Math.ceil(msLeft / 60_000) : 0, isFirst: count === attempts + 1 };
    },
    open: (address: string) => windows.forget(networkOf(address)),
  };
};

const createSignIn = (context: PortalContext) => {
  const lock = createLock();
  return async (visit: Visit): Promise<Screen | Elsewhere> => {
    const { request, form } = visit;
    const { minutes, isFirst } = lock.attempt(request.address);
    if (isFirst) await context.record(visit, 'locked out', 'too many wrong passwords');
    if (minutes > 0) return screen(visit, 429, `Too many wrong passwords. Try again in ${minutes} min.`);
    if (!(await isPassword(form.get('password') ?? '', context.password))) {
      request.remark = 'wrong password';
      await context.record(visit, 'refused sign-in', 'wrong password');
      return screen(visit, 403, 'That is not the password.');
    }
    lock.open(request.address);
    const session = context.sessions.start(true);
    setCookie(context, visit, session);
    await context.record({ actor: actorOf(session, request.address) }, 'signed in', 'portal');
    return { to: ownPath(form.get('to')) };
  };
};

export const signInPages = (scope: FastifyInstance, context: PortalContext): void => {
  addPage(scope, context, '/portal/sign-in', {
    isForVisitors: true,
    get: (visit) => {
      if (visit.session.isOperator) return { to: '/portal' };
      setCookie(context, visit, visit.session);
      return screen(visit);
    },
    post: createSignIn(context),
  });
  addPage(scope, context, '/portal/sign-out', {
    post: async (visit) => {
      await context.end(visit.session);
      await context.record(visit, 'signed out', 'portal');
      visit.reply.clearCookie(cookieName, { path: '/portal' });
      return { to: '/portal/sign-in' };
    },
  });
};
