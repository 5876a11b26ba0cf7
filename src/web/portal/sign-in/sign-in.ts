/**
 * Signing in and out. Five wrong passwords lock out an address for 15 minutes. A sign-in that finds the queue of password checks full is
 * refused.
 */
import type { FastifyInstance } from 'fastify';
import { checkPassword } from '../../../access/password.ts';
import type { OpenWindows } from '../../../access/rate-limit/fixed-windows.ts';
import { networkOf } from '../../../http/client-address.ts';
import { failure, field } from '../../pages/elements.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PortalCall, Redirect } from '../context.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { type PageContent, tokenField } from '../layout.ts';
import { addPage } from '../page.ts';
import { CheckQueue, QueueFull } from './check-queue.ts';
import { ownPath } from './own-path.ts';
import type { PortalSession } from './sessions.ts';

export const cookieName = 'estate_portal';

const attempts = 5;
const lockedSeconds = 15 * 60;
const maxAddresses = 10_000;

/** An address is locked out before it can have more waiting checks than this. All together take about two seconds. */
const waitingChecks = { perAddress: attempts, inAll: 20 };
/** Retry-After of a sign-in that was refused because the queue is full. */
const busySeconds = 5;

const setCookie = (context: PortalContext, { request, reply }: PortalCall, session: PortalSession): void => {
  const { publicUrl } = request.server;
  reply.setCookie(cookieName, context.sessions.serialize(session), {
    path: publicUrl.to('/portal'),
    httpOnly: true,
    sameSite: 'strict',
    secure: publicUrl.address.startsWith('https:'),
    // The cookie of a visitor ends with the browser, that of an operator with the session.
    ...(session.isOperator && { expires: new Date(session.expiresAt) }),
  });
};

/** A name if operators have names. It is optional if the shared password is also valid. */
const nameField = ({ operators }: PortalContext, { form, wording: { frame } }: PortalCall): Html | undefined =>
  operators.size === 1 && operators.has('')
    ? undefined
    : field(
        frame.signIn.name,
        html`<input name="name" autocomplete="username" maxlength="60" autocapitalize="none" spellcheck="false" value="${form.get('name')}"${
          !operators.has('') && html` required`
        } autofocus>`,
        operators.has('') ? frame.signIn.nameHint : undefined,
      );

const content = (context: PortalContext, call: PortalCall, status = 200, message?: string): PageContent => {
  const { token, query, form } = call;
  const { signIn } = call.wording.frame;
  const name = nameField(context, call);
  return {
    title: signIn.title,
    isTranslated: true,
    status,
    body: html`
<h1>${signIn.title}</h1>
<p class="lead">${signIn.about}</p>
${failure(message)}
<form method="post" action="/portal/sign-in" class="stack">
${tokenField(token)}<input type="hidden" name="to" value="${ownPath(form.get('to') ?? query.get('to'))}">
${name}
${field(name ? signIn.password : signIn.operatorPassword, html`<input type="password" name="password" autocomplete="current-password" required${!name && html` autofocus`}>`)}
<button class="primary">${signIn.title}</button>
</form>`,
  };
};

/** Counts an attempt before the password is checked, so that concurrent attempts count. */
const createLock = (openWindows: OpenWindows) => {
  const windows = openWindows('sign-in', lockedSeconds * 1_000, maxAddresses);
  return {
    /** The minutes until the end of the lock-out, 0 if there is none, and whether this attempt caused it. */
    attempt: async (address: string): Promise<{ minutes: number; isFirst: boolean }> => {
      const { count, msLeft } = await windows.count(networkOf(address));
      return { minutes: count > attempts ? Math.ceil(msLeft / 60_000) : 0, isFirst: count === attempts + 1 };
    },
    open: async (address: string) => windows.forget(networkOf(address)),
  };
};

/** A visitor may type a password in place of the name, so only existing names are logged. */
const refusedWords = ({ operators }: PortalContext, name: string): string => {
  if (name === '') return 'wrong password';
  return operators.has(name) ? `wrong password of ${name}` : 'no such name';
};

const tooMany = (context: PortalContext, call: PortalCall): PageContent => {
  call.request.note = 'too many sign-ins at once';
  call.reply.header('Retry-After', String(busySeconds));
  return content(context, call, 503, call.wording.frame.signIn.tooMany(busySeconds));
};

const createSignIn = (context: PortalContext) => {
  const lock = createLock(context.openWindows);
  const checks = new CheckQueue(waitingChecks);
  /** Undefined if there was no place in the queue. */
  const check = async ({ request, form }: PortalCall, name: string): Promise<boolean | undefined> => {
    try {
      return await checks.run(networkOf(request.address), () => checkPassword(context.operators, name, form.get('password') ?? ''));
    } catch (error) {
      if (error instanceof QueueFull) return undefined;
      throw error;
    }
  };
  return async (call: PortalCall): Promise<PageContent | Redirect> => {
    const { request, form } = call;
    const { signIn } = call.wording.frame;
    const { minutes, isFirst } = await lock.attempt(request.address);
    if (isFirst) await context.record(call, 'locked out', 'too many wrong passwords');
    if (minutes > 0) {
      call.reply.header('Retry-After', String(minutes * 60));
      return content(context, call, 429, signIn.locked(minutes));
    }
    const name = (form.get('name') ?? '').trim().toLowerCase();
    const mayPass = await check(call, name);
    if (mayPass === undefined) return tooMany(context, call);
    if (!mayPass) {
      request.note = 'wrong password';
      await context.record(call, 'refused sign-in', refusedWords(context, name));
      return content(context, call, 403, context.operators.has(name) && name === '' ? signIn.wrongPassword : signIn.wrongName);
    }
    await lock.open(request.address);
    const session = context.sessions.enter(name);
    setCookie(context, call, session);
    await context.record({ actor: actorOf(session, request.address) }, 'signed in', 'portal');
    return { to: ownPath(form.get('to')) };
  };
};

export const signInPages = (scope: FastifyInstance, context: PortalContext): void => {
  addPage(scope, context, '/portal/sign-in', {
    isForVisitors: true,
    get: (call) => {
      if (call.session.isOperator) return { to: '/portal' };
      setCookie(context, call, call.session);
      return content(context, call);
    },
    post: createSignIn(context),
  });
  addPage(scope, context, '/portal/sign-out', {
    post: async (call) => {
      await context.end(call.session);
      await context.record(call, 'signed out', 'portal');
      call.reply.clearCookie(cookieName, { path: call.request.server.publicUrl.to('/portal') });
      return { to: '/portal/sign-in' };
    },
  });
};
