/** The facts about a response after it has ended. Usage and log need them. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { responses } from '../../metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Returns the number of sent rows after the response has ended. Handlers that send rows set it. */
    rowsSent: (() => number) | undefined;
  }
}

export interface FinishedResponse {
  readonly request: FastifyRequest;
  readonly status: number;
  /** The transferred bytes of head and body. */
  readonly bytes: number;
  readonly milliseconds: number;
  /** Whether the client received the complete response. */
  readonly isComplete: boolean;
}

/** The label for requests to unknown routes, and for requests without a key. */
export const noRoute = 'none';

/** The route in metrics and traces. */
export const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions?.url ?? noRoute;

/** The tier of a request's key. */
export const tierLabel = ({ caller }: FastifyRequest): string => caller?.tier ?? noRoute;

export type ResponseSubscriber = (answered: FinishedResponse) => void;

/** Reports a response after it has ended, including aborted ones. */
export const watchAnswer = (request: FastifyRequest, { raw }: FastifyReply, tell: ResponseSubscriber): void => {
  const { socket } = request.raw;
  const bytesBefore = socket.bytesWritten;
  const startedAt = performance.now();
  responses.inFlight.inc();
  raw.once('close', () => {
    const answered = {
      request,
      status: raw.statusCode,
      bytes: Math.max(0, socket.bytesWritten - bytesBefore),
      milliseconds: performance.now() - startedAt,
      isComplete: raw.writableFinished,
    };
    responses.inFlight.dec();
    tell(answered);
  });
};
