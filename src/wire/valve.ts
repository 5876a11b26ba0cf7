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

const valves = new WeakMap<Socket, SocketPause>();

export const socketPauseOf = (socket: Socket): SocketPause => {
  const valve = valves.get(socket) ?? new SocketPause(socket);
  valves.set(socket, valve);
  return valve;
};
