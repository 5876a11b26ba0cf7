/**
 * Answers end with their connection. Node tells only the one that is being written; those that wait behind it, since their requests came
 * over the same connection, would wait for ever, with all that they hold.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export const endWithConnections = (server: Server): void => {
  const open = new WeakMap<Socket, Set<ServerResponse>>();
  const responsesOf = (socket: Socket): Set<ServerResponse> => {
    const known = open.get(socket);
    if (known) return known;
    const responses = new Set<ServerResponse>();
    open.set(socket, responses);
    socket.once('close', () => {
      // Node has told the first by then.
      for (const response of responses) {
        response.destroy();
        response.emit('close');
      }
    });
    return responses;
  };
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = responsesOf(socket);
    responses.add(response);
    response.once('close', () => responses.delete(response));
  });
};
