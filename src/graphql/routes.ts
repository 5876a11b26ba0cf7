/**
 * `/graphql`: GET and POST behind the same gate as REST, answered with the schema of the caller's tier; to a browser that
 * brings no query it is GraphiQL, which needs no key (contract: GraphQL).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { entitle } from '../access/entitle.ts';
import type { Tier } from '../catalogue/tiers.ts';
import { ApiError } from '../errors.ts';
import { signalOf } from '../http/abandoned.ts';
import { addVary } from '../http/caching.ts';
import { callerOf } from '../http/gate.ts';
import { type Rows, sendHeld, sendRows } from '../http/send.ts';
import { turn } from '../read/turns.ts';
import type { GraphqlServices, RequestContext, WrittenData } from './context.ts';
import { isPageRequest, sendPage } from './graphiql/page.ts';
import type { AnswerHeaders } from './known-documents.ts';
import { limits } from './limits.ts';
import type { PersistedOptions } from './persisted.ts';
import type { TierHandler } from './yoga.ts';

export interface GraphqlOptions extends GraphqlServices {
  readonly persisted: PersistedOptions;
}

/** Longer than the longest variables with any document within the limit of tokens. */
const longestBody = 2 * limits.variables;
/** A longer request takes long enough to understand that its customer's others come after other customers'. */
const shortBody = 2_000;

const answer = async (handler: TierHandler, services: GraphqlServices, request: FastifyRequest, reply: FastifyReply) => {
  let rows = 0;
  let data: WrittenData | undefined;
  const caller = callerOf(request);
  const { kept } = services;
  const customerId = caller.customer.id;
  const question = questionOf(request, caller.tier);
  request.rowsSent = () => rows;
  const found = await kept.find<AnswerHeaders>(customerId, question);
  if (found) {
    rows = found.rows;
    return sendHeld(withHeaders(reply, found.about), found);
  }
  const before = await kept.states(customerId);
  const context: RequestContext = {
    services,
    caller,
    asker: { customerId, signal: signalOf(reply), timing: request.timing },
    quota: request.quota,
    onRows: (count) => {
      rows += count;
    },
    report: (error) => request.log.error({ reqId: request.id, err: error }, 'GraphQL operation failed'),
    onData: (written) => {
      data = written;
      const { cancel } = written;
      if (!cancel) return;
      // Whatever becomes of the answer, what it holds is given back with its connection.
      reply.raw.once('close', cancel);
      if (reply.raw.destroyed) cancel();
    },
  };
  const { status, headers, text } = await handler(request.raw, request.body as string | undefined, context);
  withHeaders(reply, headers).code(status);
  if (!data) return reply.send(text);
  const body = withData(text, data);
  const { release, tables } = data;
  if (tables && !(Symbol.asyncIterator in body))
    await kept.keepUnchanged(customerId, question, { chunks: body, about: headers, rows }, { tables, before });
  return sendRows(reply, { body, release });
};

const withHeaders = (reply: FastifyReply, headers: AnswerHeaders): FastifyReply => addVary(reply.headers(headers), 'Accept');

/**
 * All that an answer follows from, but for the customer's data: the request as it came, and the schema that it meets. Only the body,
 * which comes last, can have lines.
 */
const questionOf = ({ method, headers, raw, body }: FastifyRequest, tier: Tier): string =>
  [tier, method, raw.url, headers.accept, headers['content-type'], body].join('\n');

/** Yoga's answer with the rows in place of the empty `data` that it was given. */
const withData = (text: string, { chunks }: WrittenData): Rows['body'] => {
  const [before, after] = splitAtData(text).map((part) => Buffer.from(part)) as [Buffer, Buffer];
  return Symbol.asyncIterator in chunks ? around(before, chunks, after) : [before, ...chunks, after];
};

async function* around(before: Buffer, chunks: AsyncIterable<Buffer>, after: Buffer): AsyncGenerator<Buffer> {
  yield before;
  yield* chunks;
  yield after;
}

const emptyData = '"data":{}';

const splitAtData = (text: string): readonly [string, string] => {
  const at = text.indexOf(emptyData);
  if (at < 0) throw new Error('An answer without its place for data');
  return [text.slice(0, at + emptyData.length - 2), text.slice(at + emptyData.length)];
};

export const graphqlRoutes = (app: FastifyInstance, options: GraphqlOptions): void => {
  const { catalogue, directories, reading, kept, persisted } = options;
  const services: GraphqlServices = { catalogue, directories, reading, kept };
  const handlers = new Map<Tier, Promise<TierHandler>>();
  // A service that is asked over REST alone never loads GraphQL.
  const make = async (tier: Tier): Promise<TierHandler> => {
    const { createTierHandler } = await import('./yoga.ts');
    return createTierHandler(tier, { catalogue, persisted, report: (error) => app.log.error({ err: error }, 'GraphQL failed') });
  };
  const handlerOf = (tier: Tier): Promise<TierHandler> => {
    const known = handlers.get(tier) ?? make(tier);
    handlers.set(tier, known);
    return known;
  };
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: longestBody }, (_request, body, done) =>
      done(null, body),
    );
    // Any other type could be sent by a form of another site.
    scope.addContentTypeParser('*', (_request, _body, done) => done(new ApiError('unsupportedMediaType')));
    scope.addHook('onRequest', async (request) => {
      if (!isPageRequest(request)) entitle(callerOf(request), 'basic', 'graphql');
    });
    scope.all('/graphql', { config: { isPublic: true, methods: ['GET', 'POST'] } }, async (request, reply) => {
      if (isPageRequest(request)) return sendPage(reply);
      if (request.method === 'POST' && request.body === undefined) throw new ApiError('unsupportedMediaType');
      if (typeof request.body === 'string' && request.body.length > shortBody) await turn(callerOf(request).customer.id);
      return answer(await handlerOf(callerOf(request).tier), services, request, reply);
    });
  });
};
