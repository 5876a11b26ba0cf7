/** What the responses of `/graphql` and of saved questions share: the context of an execution, and the body around its `data`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../http/gate.ts';
import { requestContextOf } from '../http/request-context.ts';
import type { Rows } from '../http/responses/send.ts';
import type { GraphqlContext, GraphqlServices, WrittenData } from './context.ts';

export interface ContextOptions extends Pick<GraphqlContext, 'onRows' | 'onData'> {
  readonly services: GraphqlServices;
  /** The message in the log if the client does not see the cause of an error. */
  readonly failure: string;
}

/** The context of the execution for a request. The data is cancelled when the connection closes, also after a failure. */
export const contextOf = (
  request: FastifyRequest,
  reply: FastifyReply,
  { services, failure, onRows, onData }: ContextOptions,
): GraphqlContext => ({
  services,
  caller: callerOf(request),
  requestContext: requestContextOf(request, reply),
  quota: request.quota,
  onRows,
  report: (error) => request.log.error({ reqId: request.id, err: error }, failure),
  onData: (written) => {
    onData(written);
    const { cancel } = written;
    if (!cancel) return;
    reply.raw.once('close', cancel);
    if (reply.raw.destroyed) cancel();
  },
});

/** The body of a response: its `data` between the bytes around it. */
export const enclose = (before: Buffer, chunks: WrittenData['chunks'], after: Buffer): Rows['body'] =>
  Symbol.asyncIterator in chunks ? encloseStream(before, chunks, after) : [before, ...chunks, after];

async function* encloseStream(before: Buffer, chunks: AsyncIterable<Buffer>, after: Buffer): AsyncGenerator<Buffer> {
  yield before;
  yield* chunks;
  yield after;
}
