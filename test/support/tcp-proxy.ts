/** A TCP proxy to a server that can be slow, cut messages, and be unreachable. */
import { once } from 'node:events';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const sliceMs = 10;

export class TcpProxy {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #cutAfter = Number.POSITIVE_INFINITY;
  #bytesPerSecond = Number.POSITIVE_INFINITY;

  constructor(target: number) {
    this.#server = net.createServer((client) => {
      const server = net.connect(target, '127.0.0.1');
      const pair = [client, server] as const;
      this.#pairs.add(pair);
      for (const socket of pair)
        socket
          .on('error', () => {})
          .on('close', () => {
            this.#pairs.delete(pair);
            for (const each of pair) each.destroy();
          });
      client.pipe(server);
      void this.#forward(server, client);
    });
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Closes every connection after the given number of further bytes from the server, over all of them. */
  cutAfter(bytes: number): void {
    this.#cutAfter = bytes;
  }

  /** The bytes per second that the server may send on each connection. */
  slowTo(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond;
  }

  /** Removes all faults. */
  repair(): void {
    this.#cutAfter = Number.POSITIVE_INFINITY;
    this.#bytesPerSecond = Number.POSITIVE_INFINITY;
  }

  close(): void {
    this.#cut();
    this.#server.close();
  }

  #cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  async #forward(server: Socket, client: Socket): Promise<void> {
    try {
      for await (const received of server) {
        for (let rest = received as Buffer; rest.length > 0; ) {
          const max = Math.max(1, Math.floor((this.#bytesPerSecond * sliceMs) / 1_000));
          const piece = rest.subarray(0, Math.min(max, this.#cutAfter));
          rest = rest.subarray(piece.length);
          this.#cutAfter -= piece.length;
          if (piece.length > 0 && !client.write(piece)) await once(client, 'drain');
          if (this.#cutAfter <= 0) {
            this.#cut();
            return;
          }
          if (max < received.length) await pause(sliceMs);
        }
      }
      client.end();
    } catch {
      // The connection was closed.
    }
  }
}
