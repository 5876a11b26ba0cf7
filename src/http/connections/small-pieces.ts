/** Resets the connection of a client that sends its body in very small pieces, each of which costs as much as a long one (contract: slow clients). */
import type { FastifyInstance } from 'fastify';

const maxSmall = 1_000;
const minLength = 16;

export const resetSmallPieces = (app: FastifyInstance): void => {
  // With a promise, the body would flow before its parser listens.
  app.addHook('preParsing', ({ headers, raw }, _reply, payload, done) => {
    const isShort = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) < maxSmall;
    if (!isShort) {
      let [pieces, bytes] = [0, 0];
      payload.on('data', (piece: Buffer) => {
        pieces++;
        bytes += piece.length;
        if (pieces > maxSmall && bytes < pieces * minLength) raw.socket.resetAndDestroy();
      });
    }
    done(null, payload);
  });
};
