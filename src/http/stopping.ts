/**
 * The end of the service in three steps: balancers are told to send nothing more, then nothing new is taken and what is under way is
 * finished, then what is not done by the deadline is reset.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface StoppingOptions {
  /** How long a balancer has to notice that the service is not ready any more, in milliseconds. */
  readonly delayMs: number;
  /** How long answers under way may take after that, in milliseconds. */
  readonly deadlineMs: number;
}

export interface Stopping {
  /** Balancers are to send nothing more. */
  readonly isAnnounced: boolean;
  /** What still comes is refused. */
  readonly isClosing: boolean;
  /** Resolves when the server may be closed. */
  begin(): Promise<void>;
}

/** How long a connection that has sent nothing yet has to begin; browsers and pools open some in advance, and Node counts them as busy. */
const silentMs = 1_000;

export const createStopping = (server: Server, { delayMs, deadlineMs }: StoppingOptions): Stopping => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const resetAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const closeSilent = (): void => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  let step: 'serving' | 'announced' | 'closing' = 'serving';
  return {
    get isAnnounced() {
      return step !== 'serving';
    },
    get isClosing() {
      return step === 'closing';
    },
    begin: async () => {
      step = 'announced';
      if (delayMs > 0) await pause(delayMs);
      step = 'closing';
      const timers = [setTimeout(closeSilent, silentMs), setTimeout(resetAll, deadlineMs)];
      server.once('close', () => timers.forEach(clearTimeout));
    },
  };
};
