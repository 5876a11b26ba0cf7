/** A Redis server that a test can kill, hang and restart without its data. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './port.ts';

const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Whether it is installed. In CI it must be. */
export const hasRedis = program !== undefined || Boolean(process.env.CI);

const isListening = async (port: number): Promise<boolean> => {
  const socket = net.connect(port, '127.0.0.1');
  const isThere = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isThere;
};

export class RedisServer {
  readonly port: number;
  readonly url: string;
  #server: ChildProcess | undefined;

  constructor(port: number) {
    this.port = port;
    this.url = `redis://127.0.0.1:${port}/0`;
  }

  async start(): Promise<void> {
    if (!program) throw new Error('Redis is not installed: apt-get install redis-server');
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.#server = spawn(program, options, { stdio: 'ignore' });
    while (!(await isListening(this.port))) await pause(20);
  }

  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.kill('SIGKILL');
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  }

  /** Stops its process with SIGSTOP, or continues it. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#server?.kill(name);
  }
}

export const startRedis = async (): Promise<RedisServer> => {
  const redis = new RedisServer(await freePort());
  await redis.start();
  return redis;
};
