/** What is known of an answer once the connection is done with it; usage and log are made of it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answers } from '../metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by handlers that send rows: how many went out, asked once the answer is over. */
    rowsSent: (() => number) | undefined;
  }
}

export interface Answered {
  readonly request: FastifyRequest;
  readonly status: number;
  /** Of head and body, as they went over the wire. */
  readonly bytes: number;
  readonly milliseconds: number;
  /** Whether the client got all of it. */
  readonly isWhole: boolean;
}

/** The route of what asks for none of the service's, however it is spelt, and the class of what no key asks for. */
export const none = 'none';

/** The route that metrics and traces name. */
export const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions?.url ?? none;

/** The tier of a request's key. */
export const classOf = ({ caller }: FastifyRequest): string => caller?.tier ?? none;

export type Listener = (answered: Answered) => void;

/** Tells of an answer when the connection is done with it, so that broken-off ones are told of too. */
export const watchAnswer = (request: FastifyRequest, { raw }: FastifyReply, tell: Listener): void => {
  const { socket } = request.raw;
  const bytesBefore = socket.bytesWritten;
  const startedAt = performance.now();
  answers.underWay.inc();
  raw.once('close', () => {
    const answered = {
      request,
      status: raw.statusCode,
      bytes: Math.max(0, socket.bytesWritten - bytesBefore),
      milliseconds: performance.now() - startedAt,
      isWhole: raw.writableFinished,
    };
    answers.underWay.dec();
    tell(answered);
  });
};
