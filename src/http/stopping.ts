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

export const createStopping = (server: Server, { delayMs, deadlineMs }: StoppingOptions): Stopping => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const resetAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
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
      const timer = setTimeout(resetAll, deadlineMs);
      server.once('close', () => clearTimeout(timer));
    },
  };
};
