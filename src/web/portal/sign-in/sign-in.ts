/**
 * Signing in and out. Five wrong passwords from one address lock it out for a quarter of an hour. A sign-in that finds the queue of password
 * checks full is refused, not kept waiting.
 */
import type { FastifyInstance } from 'fastify';
import { mayEnter } from '../../../access/password.ts';
import type { OpenWindows } from '../../../access/rate-limit/fixed-windows.ts';
import { networkOf } from '../../../http/client-address.ts';
import { failure, field } from '../../pages/elements.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Elsewhere, Visit } from '../context.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { type Screen, tokenField } from '../layout.ts';
import { addPage } from '../page.ts';
import { CheckQueue, QueueFull } from './check-queue.ts';
import type { Session } from './sessions.ts';

export const cookieName = 'estate_portal';

const attempts = 5;
const lockedSeconds = 15 * 60;
const addressesRemembered = 10_000;

/** An address is locked out before it can have more checks waiting than this; all together take about two seconds. */
const waitingChecks = { perAddress: attempts, inAll: 20 };
/** Retry-After of a sign-in that was refused for a full queue. */
const busySeconds = 5;

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

/** Resolves targets as a browser does; only its origin matters. */
const base = 'http://portal.invalid';

/**
 * The target if it is a path of the portal, else the overview: a link must not lead a signed-in operator elsewhere. The path of a portal
 * page has no percent-encoding, so none is accepted that a proxy could decode into another path.
 */
export const ownPath = (target: string | null): string => {
  const url = target && URL.canParse(target, base) ? new URL(target, base) : undefined;
  const isOwn = url?.origin === base && /^\/portal(?:\/[\w.@-]+)*$/.test(url.pathname);
  return isOwn ? `${url.pathname}${url.search}` : '/portal';
};

/** A name where there are names; where the shared password holds as well, none will do. */
const nameField = ({ operators }: PortalContext, { form }: Visit): Html | undefined =>
  operators.size === 1 && operators.has('')
    ? undefined
    : field(
        'Name',
        html`<input name="name" autocomplete="username" maxlength="60" autocapitalize="none" spellcheck="false" value="${form.get('name')}"${
          !operators.has('') && html` required`
        } autofocus>`,
        operators.has('') ? 'Empty for the shared password' : undefined,
      );

const screen = (context: PortalContext, visit: Visit, status = 200, message?: string): Screen => {
  const { token, query, form } = visit;
  const name = nameField(context, visit);
  return {
    title: 'Sign in',
    status,
    body: html`
<h1>Sign in</h1>
<p class="lead">The portal is for the operator of this service: customers, API keys and what they are used for.</p>
${failure(message)}
<form method="post" action="/portal/sign-in" class="stack">
${tokenField(token)}<input type="hidden" name="to" value="${ownPath(form.get('to') ?? query.get('to'))}">
${name}
${field(name ? 'Password' : 'Operator password', html`<input type="password" name="password" autocomplete="current-password" required${!name && html` autofocus`}>`)}
<button class="primary">Sign in</button>
</form>`,
  };
};

/** Counts an attempt before the password is looked at, so that attempts at the same time count too. */
const createLock = (openWindows: OpenWindows) => {
  const windows = openWindows('sign-in', lockedSeconds * 1_000, addressesRemembered);
  return {
    /** Minutes that the address is still locked out for, 0 if it may try; and whether this attempt was the first too many. */
    attempt: async (address: string): Promise<{ minutes: number; isFirst: boolean }> => {
      const { count, msLeft } = await windows.count(networkOf(address));
      return { minutes: count > attempts ? Math.ceil(msLeft / 60_000) : 0, isFirst: count === attempts + 1 };
    },
    open: async (address: string) => windows.forget(networkOf(address)),
  };
};

/** A password may have been typed in the place of a name, so only names that there are go into the log. */
const refusedWords = ({ operators }: PortalContext, name: string): string => {
  if (name === '') return 'wrong password';
  return operators.has(name) ? `wrong password of ${name}` : 'no such name';
};

const tooMany = (context: PortalContext, visit: Visit): Screen => {
  visit.request.remark = 'too many sign-ins at once';
  visit.reply.header('Retry-After', String(busySeconds));
  return screen(context, visit, 503, `Too many sign-ins are being checked. Try again in ${busySeconds} seconds.`);
};

const createSignIn = (context: PortalContext) => {
  const lock = createLock(context.openWindows);
  const checks = new CheckQueue(waitingChecks);
  /** Undefined if there was no place in the queue. */
  const check = async ({ request, form }: Visit, name: string): Promise<boolean | undefined> => {
    try {
      return await checks.run(networkOf(request.address), () => mayEnter(context.operators, name, form.get('password') ?? ''));
    } catch (error) {
      if (error instanceof QueueFull) return undefined;
      throw error;
    }
  };
  return async (visit: Visit): Promise<Screen | Elsewhere> => {
    const { request, form } = visit;
    const { minutes, isFirst } = await lock.attempt(request.address);
    if (isFirst) await context.record(visit, 'locked out', 'too many wrong passwords');
    if (minutes > 0) {
      visit.reply.header('Retry-After', String(minutes * 60));
      return screen(context, visit, 429, `Too many wrong passwords. Try again in ${minutes} min.`);
    }
    const name = (form.get('name') ?? '').trim().toLowerCase();
    const mayPass = await check(visit, name);
    if (mayPass === undefined) return tooMany(context, visit);
    if (!mayPass) {
      request.remark = 'wrong password';
      await context.record(visit, 'refused sign-in', refusedWords(context, name));
      return screen(
        context,
        visit,
        403,
        context.operators.has(name) && name === '' ? 'That is not the password.' : 'That is not the name and the password of an operator.',
      );
    }
    await lock.open(request.address);
    const session = context.sessions.enter(name);
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
      return screen(context, visit);
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
