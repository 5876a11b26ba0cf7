/** The undocumented parts of Node's sockets that this project uses. `test/http/socket-internals.unit.test.ts` checks each one. */
import type { Socket } from 'node:net';

/** The number of bytes that the client has not read: those in Node's buffer, and the rest of the current write. */
export const unsentBytesOf = (socket: Socket): number => {
  const { _handle: handle } = socket as { readonly _handle?: { readonly writeQueueSize?: number } | null };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
};

/** Whether a part of a response has been sent on the socket. Other bytes must not be mixed into it. */
export const isResponding = (socket: Socket): boolean => {
  const { _httpMessage: response } = socket as { readonly _httpMessage?: { readonly headersSent: boolean } | null };
  return response?.headersSent ?? false;
};

/** The value with which a parser's listener says that the connection leaves HTTP. The parser then stops. */
const leaveHttp = 2;
const stopped = new WeakSet<Socket>();

/**
 * Stops the parser of a connection: after one more head, nothing more that the client sends is parsed. Responses can still be sent. Node
 * reports that this head is not complete in time, as an error of the client.
 */
export const stopParsing = (socket: Socket): void => {
  const { parser } = socket as { readonly parser?: { onIncoming: () => number } | null };
  if (!parser) return;
  parser.onIncoming = () => leaveHttp;
  stopped.add(socket);
};

/** Whether the parser of a connection was stopped. Errors of the client then mean nothing. */
export const isParsingStopped = (socket: Socket): boolean => stopped.has(socket);
