/** A receiver of webhooks that answers as a test says, and records what it gets. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
  // biome-ignore lint/suspicious/noExplicitAny: events have any data
  readonly json: any;
}

export type Answer = (response: ServerResponse, message: Received) => void;

export const accept: Answer = (response) => void response.writeHead(204).end();
export const fail: Answer = (response) => void response.writeHead(500).end('no');
/** Answers nothing. */
export const hang: Answer = () => {};

export interface Receiver {
  readonly url: string;
  readonly messages: Received[];
  /** The connections that were opened. */
  readonly connections: () => number;
  answer: Answer;
  close(): void;
}

export const startReceiver = async (answer: Answer = accept, port = 0): Promise<Receiver> => {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const message = { headers: request.headers, body, at: performance.now(), json: JSON.parse(body) };
    receiver.messages.push(message);
    receiver.answer(response, message);
  });
  server.on('connection', (socket) => {
    connections++;
    sockets.add(socket.once('close', () => sockets.delete(socket)).on('error', () => {}));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    messages: [],
    connections: () => connections,
    answer,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return receiver;
};
