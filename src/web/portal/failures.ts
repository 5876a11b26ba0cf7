/** Errors as pages: the action that the person can take, without internal details. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OperatorError } from '../../errors.ts';
import { asApiError } from '../../http/responses/problem.ts';
import { html } from '../pages/html.ts';
import type { PortalContext } from './context.ts';
import { sendContent } from './page.ts';

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

/** A form whose token is not that of its session. */
export const expiredForm = (): PageError =>
  new PageError(403, 'This form is not valid any more', 'Nothing was changed. Go back, load the page again and repeat what you did.');

const retrySeconds = '5';

const isDatabaseThere = (context: PortalContext): Promise<boolean> =>
  context.database.pool.query('select 1').then(
    () => true,
    () => false,
  );

/** Finds the text for any thrown value. */
const explain = async (error: unknown, request: FastifyRequest, context: PortalContext): Promise<PageError> => {
  if (error instanceof PageError) return error;
  if (error instanceof OperatorError) return new PageError(request.method === 'POST' ? 422 : 404, 'That did not work', error.message);
  const { kind, status, message } = asApiError(error);
  if (kind !== 'internal' && kind !== 'unavailable') return new PageError(status, 'That did not work', `${message}.`);
  request.failure = error;
  if (kind === 'internal' && (await isDatabaseThere(context)))
    return new PageError(500, 'Something went wrong', `The log says more under the request ${request.id}.`);
  return new PageError(
    503,
    'The database does not answer',
    'The service is running, but it cannot read or write until the database is back.',
  );
};

export const createErrorHandler =
  (context: PortalContext) =>
  async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { status, title, message } = await explain(error, request, context);
    reply.headers(asApiError(error).headers);
    if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', retrySeconds);
    return sendContent(context.call(request, reply), {
      title,
      status,
      body: html`<h1>${title}</h1><p class="lead">${message}</p><p><a class="button" href="/portal">To the overview</a></p>`,
    });
  };
