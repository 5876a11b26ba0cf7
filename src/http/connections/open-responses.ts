/**
 * The open responses of each connection. A client may send several requests without waiting; Node answers them in order.
 *
 * Node does not tell a response that waits behind another one when the connection closes. Everything that is held for a response is released
 * at its `close`, so it is emitted here.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection with more unanswered requests is reset. */
export const maxPipelined = 100;

const none: ReadonlySet<ServerResponse> = new Set();

export type OpenResponses = (socket: Socket) => ReadonlySet<ServerResponse>;

/** Starts to record the open responses. Returns those of a connection, the oldest first. */
export const recordOpenResponses = (server: Server): OpenResponses => {
  const open = new WeakMap<Socket, Set<ServerResponse>>();
  server.prependListener('connection', (socket: Socket) => {
    const responses = new Set<ServerResponse>();
    open.set(socket, responses);
    socket.once('close', () => {
      for (const response of responses)
        if (!response.socket) {
          response.destroy();
          response.emit('close');
        }
    });
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = open.get(socket);
    if (!responses) return;
    responses.add(response);
    response.once('close', () => responses.delete(response));
    if (responses.size > maxPipelined) socket.resetAndDestroy();
  });
  return (socket) => open.get(socket) ?? none;
};
