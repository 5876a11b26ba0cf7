/**
 * Stops the service in three steps. First, balancers learn to send nothing more. Then, new requests are refused and those in flight finish.
 * At the deadline, the rest is reset.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

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
  readonly isRefusing: boolean;
  /** Whether idle connections are closed. */
  readonly isClosing: boolean;
  /** Resolves when the server may be closed. `refusing` is called when new requests begin to be refused, to end those that wait. */
  begin(refusing?: () => void): Promise<void>;
}

/** The time for a new connection to send its first bytes. Browsers and pools open some in advance, and Node counts them as busy. */
const silentMs = 1_000;
/**
 * The time without a request after which idle connections are closed. Until then, each answer closes its connection. An idle connection that
 * is closed at once resets a request that is already on its way.
 */
const quietMs = 250;

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
  /** Resolves when no request has arrived for a while, at the latest at the deadline. */
  const quiet = async (): Promise<void> => {
    const end = performance.now() + deadlineMs;
    let hasRequests: boolean;
    const notice = () => {
      hasRequests = true;
    };
    server.on('request', notice);
    do {
      hasRequests = false;
      await pause(quietMs);
      // A busy event loop has not read yet what arrived meanwhile.
      await nextTurn();
    } while (hasRequests && performance.now() < end);
    server.off('request', notice);
  };
  let step: 'serving' | 'announced' | 'refusing' | 'closing' = 'serving';
  return {
    get isAnnounced() {
      return step !== 'serving';
    },
    get isRefusing() {
      return step === 'refusing' || step === 'closing';
    },
    get isClosing() {
      return step === 'closing';
    },
    begin: async (refusing) => {
      step = 'announced';
      if (delayMs > 0) await pause(delayMs);
      step = 'refusing';
      refusing?.();
      if (sockets.size > 0) await quiet();
      step = 'closing';
      const timers = [setTimeout(closeSilent, silentMs), setTimeout(resetAll, deadlineMs)];
      server.once('close', () => timers.forEach(clearTimeout));
    },
  };
};
