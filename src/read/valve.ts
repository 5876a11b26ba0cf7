/** Stops a socket for several reasons at once: it flows when none of them holds any more. */
import type { Socket } from 'node:net';

export class Valve {
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

const valves = new WeakMap<Socket, Valve>();

export const valveOf = (socket: Socket): Valve => {
  const valve = valves.get(socket) ?? new Valve(socket);
  valves.set(socket, valve);
  return valve;
};
