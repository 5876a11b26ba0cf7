/** `POST /mcp`: tools for agents, with the same access checks as REST (contract: tools for agents). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authorize } from '../access/caller.ts';
import { ApiError, loggedKinds } from '../errors.ts';
import { callerOf } from '../http/gate.ts';
import { asApiError } from '../http/responses/problem.ts';
import { sendBuffered } from '../http/responses/send.ts';
import type { CallEvents } from './protocol.ts';
import { type AgentServices, agentViewOf } from './view.ts';

/** Enough for the longest lists of groups. */
const longestBody = 64 * 1024;

/** Headers of the client that the protocol reads. The key is not among them. */
const isProtocolHeader = (name: string): boolean => name === 'accept' || name === 'content-type' || name.startsWith('mcp-');

/** The message of the body. A batch is refused, because its calls would count as one request. */
const messageOf = ({ body }: FastifyRequest): unknown => {
  if (typeof body !== 'string') throw new ApiError('unsupportedMediaType');
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    throw new ApiError('malformedRequest');
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) throw new ApiError('malformedRequest');
  return message;
};

const headersOf = ({ headers }: FastifyRequest): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => (isProtocolHeader(name) && typeof value === 'string' ? [[name, value]] : []));

const answer = async (services: AgentServices, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
  const message = messageOf(request);
  const view = await agentViewOf(services, request, reply);
  let rows = 0;
  let refusal: Error | undefined;
  request.rowsSent = () => rows;
  const events: CallEvents = {
    onRows: (count) => {
      rows += count;
    },
    onFailure: (error) => {
      if (loggedKinds.has(asApiError(error).kind)) request.failure = error;
    },
    onRefusal: (error) => {
      refusal = error;
    },
  };
  // The SDK is not loaded until the first request of an agent.
  const { answerMessage } = await import('./protocol.ts');
  const asked = new Request('http://localhost/mcp', { method: 'POST', headers: headersOf(request) });
  const response = await answerMessage(asked, message, { view, events });
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status >= 500) request.failure = refusal;
  const type = response.headers.get('content-type');
  if (type !== null) reply.type(type);
  return sendBuffered(reply.code(response.status), { chunks: [body] });
};

export const agentRoutes = (app: FastifyInstance, services: AgentServices): void => {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: longestBody }, (_request, body, done) =>
      done(null, body),
    );
    // A form on another website can send some other types, but not JSON.
    scope.addContentTypeParser('*', (_request, _body, done) => done(new ApiError('unsupportedMediaType')));
    scope.addHook('onRequest', async (request) => authorize(callerOf(request), 'basic', 'agents'));
    scope.all('/mcp', { config: { methods: ['POST'] } }, (request, reply) => answer(services, request, reply));
  });
};
