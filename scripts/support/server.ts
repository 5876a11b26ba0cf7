/** Starts servers as processes. Each chooses a port and prints it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Server {
  readonly name: string;
  readonly process: ChildProcess;
  readonly url: string;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** The working folder; the current one by default. */
  readonly folder?: string;
  /** The target of standard error; this terminal by default. */
  readonly log?: number;
}

/** Starts a server that prints its address. */
export const startServer = async (
  name: string,
  script: readonly string[],
  { environment = {}, folder = process.cwd(), log }: ServerOptions = {},
): Promise<Server> => {
  const child = spawn('node', script, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', log ?? 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url) return { name, process: child, url, stop };
  }
  throw new Error(`${name} did not start`);
};
