/**
 * Resets the connections of clients that do not read their responses. A socket's own timeout is not enough: each new write restarts it, so
 * it can come up to twice as late.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { unsentBytesOf } from './socket-internals.ts';

/** A client that reads nothing for this time is cut. */
export const stalledMs = 30_000;
const checksMs = 500;

interface Progress {
  readonly sent: number;
  readonly waiting: number;
  readonly since: number;
}

/** Resets connections whose clients have read nothing for `afterMs` while data was waiting for them. */
export const cutStalledClients = (server: Server, afterMs = stalledMs): void => {
  const sockets = new Map<Socket, Progress | undefined>();
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  const check = (): void => {
    const now = performance.now();
    for (const [socket, last] of sockets) {
      const waiting = unsentBytesOf(socket);
      if (waiting === 0) sockets.set(socket, undefined);
      else if (last?.waiting !== waiting || last.sent !== socket.bytesWritten)
        sockets.set(socket, { sent: socket.bytesWritten, waiting, since: now });
      else if (now - last.since >= afterMs) socket.resetAndDestroy();
    }
  };
  const timer = setInterval(check, Math.min(checksMs, afterMs / 10));
  timer.unref();
  server.once('close', () => clearInterval(timer));
};
