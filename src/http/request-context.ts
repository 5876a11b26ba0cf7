/** What a read needs of a request: customer, data scope, abort signal and timing (`execute/connections.ts`). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AbortSignalLike } from '../scheduling/queue.ts';
import { callerOf } from './gate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Aborts when the client disconnects before its response is complete. */
    disconnect: DisconnectSignal | undefined;
  }
}

/**
 * The abort signal of a response with data. On Node 20, an `AbortController` with one or two listeners takes 5 µs, which is 1% of the time
 * of a small response.
 */
export class DisconnectSignal implements AbortSignalLike {
  aborted = false;
  readonly #listeners = new Set<() => void>();

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(): void {
    this.aborted = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}

/** A signal that aborts when the client disconnects before its response is complete. */
export const disconnectSignalOf = ({ request, raw }: FastifyReply): DisconnectSignal => {
  request.disconnect ??= new DisconnectSignal();
  if (raw.destroyed) request.disconnect.abort();
  return request.disconnect;
};

export const requestContextOf = (request: FastifyRequest, reply: FastifyReply) => {
  const { customer, scope } = callerOf(request);
  return { customerId: customer.id, scope, signal: disconnectSignalOf(reply), timing: request.timing };
};
