/** Whether anybody still waits for an answer. */
import type { FastifyReply } from 'fastify';
import { Abandonment, type AbandonSignal } from '../abandonment.ts';

/** Says that the client has gone away before its answer was complete. */
export const signalOf = ({ raw }: FastifyReply): AbandonSignal => {
  const abandonment = new Abandonment();
  raw.once('close', () => {
    if (!raw.writableFinished) abandonment.abort();
  });
  if (raw.destroyed) abandonment.abort();
  return abandonment;
};
