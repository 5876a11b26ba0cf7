/**
 * What a process does before it listens: it asks itself what callers ask, over its own server and database, until the compiler has made
 * machine code of what answers them, and connections are open. Otherwise its first hundred callers would wait many times as long as those
 * that come after them.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { OwnCaller } from '../access/own-caller.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { Database } from '../database/connection.ts';
import { Client } from './client.ts';
import { createRound, findPlace } from './questions.ts';

/** As many as pools of connections are large. */
const clientCount = 8;

export interface WarmUpOptions {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly own: OwnCaller;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** A port of this process alone that leads to a server which does not listen itself. */
const openDoor = async (server: Server) => {
  const sockets = new Set<Socket>();
  const door = createServer((socket) => {
    sockets.add(socket);
    server.emit('connection', socket);
  });
  // Workers would share what is not exclusive.
  door.listen({ host: '127.0.0.1', port: 0, exclusive: true });
  await once(door, 'listening');
  const close = () => {
    door.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (door.address() as AddressInfo).port, close };
};

/** Asks until it is told to end; what is under way then is broken off. Throws if the service could not answer itself. */
export const warmUp = async (server: Server, { database, catalogue, own, signal }: WarmUpOptions): Promise<void> => {
  const place = await findPlace(database, catalogue);
  if (!place) return;
  const door = await openDoor(server);
  const key = own.begin(place.caller);
  const clients = Array.from({ length: clientCount }, () => new Client(door.port, key));
  const round = createRound(catalogue, place);
  const end = () => {
    own.end();
    for (const client of clients) client.close();
    door.close();
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
