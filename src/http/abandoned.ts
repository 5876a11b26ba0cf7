/** Whether anybody still waits for an answer. */
import type { FastifyReply } from 'fastify';

/** Says that the client has gone away before its answer was complete. */
export const signalOf = ({ raw }: FastifyReply): AbortSignal => {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  if (raw.destroyed) controller.abort();
  return controller.signal;
};
