/** Errors as pages: the action that the person can take, without internal details. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OperatorError } from '../../errors.ts';
import { asApiError } from '../../http/responses/problem.ts';
import { type Html, html } from '../pages/html.ts';
import type { PortalCall, PortalContext } from './context.ts';
import { sendContent } from './page.ts';
import type { Wording } from './texts/wording.ts';

/** An error with the text of its page. */
export class PageError extends Error {
  readonly status: number;
  readonly title: string;

  constructor(status: number, title: string, text: string) {
    super(text);
    this.status = status;
    this.title = title;
  }
}

/** A refusal of the portal itself, in the language of its page. Other messages are English. */
export class Refusal extends OperatorError {}

/** The message of an error for the page. */
export const refusalText = (error: OperatorError, { inEnglish }: Wording): Html | string =>
  error instanceof Refusal ? error.message : inEnglish(error.message);

/** A form whose token is not that of its session. */
export class ExpiredForm extends Error {}

const retrySeconds = '5';

const isDatabaseThere = (context: PortalContext): Promise<boolean> =>
  context.database.pool.query('select 1').then(
    () => true,
    () => false,
  );

interface Explained {
  readonly status: number;
  readonly title: string;
  readonly text: Html | string;
}

/** Finds the text for any thrown value. */
const explain = async (error: unknown, { request, wording }: PortalCall, context: PortalContext): Promise<Explained> => {
  const { frame, inEnglish } = wording;
  const { failures } = frame;
  if (error instanceof PageError) return { status: error.status, title: error.title, text: error.message };
  if (error instanceof ExpiredForm) return { status: 403, title: failures.expired, text: failures.expiredText };
  if (error instanceof OperatorError)
    return {
      status: request.method === 'POST' ? 422 : 404,
      title: failures.didNotWork,
      text: refusalText(error, wording),
    };
  const { kind, status, message } = asApiError(error);
  if (kind !== 'internal' && kind !== 'unavailable') return { status, title: failures.didNotWork, text: inEnglish(`${message}.`) };
  request.failure = error;
  if (kind === 'internal' && (await isDatabaseThere(context)))
    return { status: 500, title: failures.wentWrong, text: failures.inLog(request.id) };
  return { status: 503, title: failures.noDatabase, text: failures.noDatabaseText };
};

export const createErrorHandler =
  (context: PortalContext) =>
  async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const call = context.call(request, reply);
    const { status, title, text } = await explain(error, call, context);
    reply.headers(asApiError(error).headers);
    if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', retrySeconds);
    return sendContent(call, {
      title,
      status,
      isTranslated: true,
      body: html`<h1>${title}</h1><p class="lead">${text}</p><p><a class="button" href="/portal">${call.wording.frame.failures.toOverview}</a></p>`,
    });
  };
