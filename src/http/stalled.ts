/**
 * Cuts clients that take nothing of what is waiting for them, whatever it is. A socket's own timeout is no help: it starts anew
 * when a write began since it was last looked at, and so comes up to twice as late.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** A client that takes nothing for this long is cut. */
export const stalledMs = 30_000;
const checksMs = 500;

interface Progress {
  readonly sent: number;
  readonly waiting: number;
  readonly since: number;
}

/** Bytes that the client's side has not taken yet: those in Node's buffer, and what the system left of the write under way. */
const waitingFor = (socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }): number =>
  socket.writableLength + (socket._handle?.writeQueueSize ?? 0);

/** Resets connections of the server whose clients have taken nothing for `afterMs` though something was waiting for them. */
export const cutStalledClients = (server: Server, afterMs = stalledMs): void => {
  const sockets = new Map<Socket, Progress | undefined>();
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  const check = (): void => {
    const now = performance.now();
    for (const [socket, last] of sockets) {
      const waiting = waitingFor(socket);
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
