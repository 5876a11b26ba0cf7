/**
 * `Server-Timing`: the time of each phase before the head of the response (contract: server timing). Only callers with a valid key get it.
 * It would give an attacker who guesses keys a clock without network noise.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Timing } from '../../timing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    timing: Timing;
  }
}

/** Sets the header. Call it directly before the head is sent. */
export const setServerTiming = (reply: FastifyReply): void => {
  const { caller, timing } = reply.request;
  if (caller) reply.header('server-timing', timing.header);
};

/** Sets the header on all responses that Fastify sends. */
export const timeAnswers = (app: FastifyInstance): void => {
  app.addHook('onSend', (_request, reply, payload, done) => {
    setServerTiming(reply);
    done(null, payload);
  });
};
