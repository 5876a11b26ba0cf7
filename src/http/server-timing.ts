/**
 * `Server-Timing`: where the time went until the head of the answer (contract: server timing). Only who has shown a valid key sees it:
 * to anybody who guesses keys it would be a clock without the network's noise.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Timing } from '../timing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    timing: Timing;
  }
}

/** Sets the header as the last thing before the head goes out. */
export const setServerTiming = (reply: FastifyReply): void => {
  const { caller, timing } = reply.request;
  if (caller) reply.header('server-timing', timing.header);
};

/** On all answers that Fastify sends. */
export const timeAnswers = (app: FastifyInstance): void => {
  app.addHook('onSend', (_request, reply, payload, done) => {
    setServerTiming(reply);
    done(null, payload);
  });
};
