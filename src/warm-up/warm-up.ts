/**
 * Warm-up before the process listens. The process sends typical requests to its own server, until the code is compiled and connections are
 * open. Without it, the first hundred callers would wait many times longer.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { OwnCaller } from '../access/own-caller.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { Database } from '../database/connections/connection.ts';
import { Client } from './client.ts';
import { createRound, findWarmUpTarget } from './requests.ts';

/** The concurrency, equal to the size of the pools. */
const clientCount = 8;

export interface WarmUpOptions {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly own: OwnCaller;
  /** Ends the warm-up. */
  readonly signal: AbortSignal;
}

/** A private port that leads to a server which does not listen itself. */
const openPort = async (server: Server) => {
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    server.emit('connection', socket);
  });
  // Without `exclusive`, workers would share the port.
  listener.listen({ host: '127.0.0.1', port: 0, exclusive: true });
  await once(listener, 'listening');
  const close = () => {
    listener.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (listener.address() as AddressInfo).port, close };
};

/** Sends requests until it is ended. Requests in flight are then aborted. Throws if the service cannot answer itself. */
export const warmUp = async (server: Server, { database, catalogue, own, signal }: WarmUpOptions): Promise<void> => {
  const target = await findWarmUpTarget(database, catalogue);
  if (!target) return;
  const privatePort = await openPort(server);
  const key = own.begin(target.caller);
  const clients = Array.from({ length: clientCount }, () => new Client(privatePort.port, key));
  const round = createRound(catalogue, target);
  const end = () => {
    own.end();
    for (const client of clients) client.close();
    privatePort.close();
  };
  const ask = async (client: Client) => {
    while (!signal.aborted) await round(client);
  };
  signal.addEventListener('abort', end);
  try {
    await Promise.all(clients.map(ask));
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
};
