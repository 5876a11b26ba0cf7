/**
 * Stops the service in three steps. First, balancers learn to send nothing more. Then, new requests are refused and those in flight finish.
 * At the deadline, the rest is reset.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface StoppingOptions {
  /** The time in milliseconds for a balancer to notice that the service is not ready. */
  readonly delayMs: number;
  /** The time in milliseconds after that for responses in flight. */
  readonly deadlineMs: number;
}

export interface Stopping {
  /** Whether balancers should send nothing more. */
  readonly isAnnounced: boolean;
  /** Whether new requests are refused. */
  readonly isClosing: boolean;
  /** Whether a request of this time is too late. The default is the present time. */
  isLate(cameAt?: number): boolean;
  /** Resolves when the server may be closed. */
  begin(): Promise<void>;
}

/** The time for a new connection to send its first bytes. Browsers and pools open some in advance, and Node counts them as busy. */
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
  let closingSince = Number.POSITIVE_INFINITY;
  return {
    get isAnnounced() {
      return step !== 'serving';
    },
    get isClosing() {
      return step === 'closing';
    },
    isLate: (cameAt = performance.now()) => cameAt >= closingSince,
    begin: async () => {
      step = 'announced';
      if (delayMs > 0) await pause(delayMs);
      step = 'closing';
      closingSince = performance.now();
      const timers = [setTimeout(closeSilent, silentMs), setTimeout(resetAll, deadlineMs)];
      server.once('close', () => timers.forEach(clearTimeout));
    },
  };
};
