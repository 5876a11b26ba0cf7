/** Pauses a socket for several reasons. It flows again when the last reason ends. */
import type { Socket } from 'node:net';

export class SocketPause {
  readonly #socket: Socket;
  readonly #reasons = new Set<unknown>();

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  close(reason: unknown): void {
    this.#reasons.add(reason);
    this.#socket.pause();
  }

  open(reason: unknown): void {
    if (this.#reasons.delete(reason) && this.#reasons.size === 0) this.#socket.resume();
  }
}

const pauses = new WeakMap<Socket, SocketPause>();

export const socketPauseOf = (socket: Socket): SocketPause => {
  const pause = pauses.get(socket) ?? new SocketPause(socket);
  pauses.set(socket, pause);
  return pause;
};
