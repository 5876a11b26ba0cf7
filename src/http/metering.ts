/** Tells the usage counter about every answer to a request with a valid key. */
import type { FastifyInstance } from 'fastify';
import type { UsageCounter } from '../access/usage.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by handlers that send rows: how many went out, asked once the answer is over. */
    rowsSent: (() => number) | undefined;
  }
}

/** Counts when the connection is done with an answer, so that broken-off ones count too, with what was sent of them. */
export const meterUsage = (app: FastifyInstance, usage: UsageCounter): void => {
  app.decorateRequest('rowsSent', undefined);
  app.addHook('onRequest', (request, { raw }, done) => {
    const { socket } = request.raw;
    const bytesBefore = socket.bytesWritten;
    raw.once('close', () => {
      if (!request.caller) return;
      const bytes = Math.max(0, socket.bytesWritten - bytesBefore);
      usage.count({ keyId: request.caller.keyId, status: raw.statusCode, rows: request.rowsSent?.() ?? 0, bytes });
    });
    done();
  });
  app.addHook('onClose', () => usage.stop());
};
