/** Runs the built command line and service over any database, for the measurements of growth. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { memoryOf } from '../../scripts/support/process.ts';
import type { Server } from '../../scripts/support/server.ts';
import { temporaryDatabase } from '../../scripts/support/temporary-database.ts';
import { startService } from '../service.ts';

/** A row of the table: name and result. */
export type Figure = readonly [what: string, figure: string];

/** The settings that select the database: `DATABASE_URL`, or `DATA_DIR` for the embedded database. */
export type DataLocation = Readonly<Record<string, string>>;

const secret = 'a secret for the benchmark';
export const onServer = (url: string): DataLocation => ({ DATABASE_URL: url, KEY_SECRET: secret });
export const embeddedIn = (folder: string): DataLocation => ({ DATABASE_URL: '', KEY_SECRET: '', DATA_DIR: folder });

const pollMs = 100;

/** Runs the command line. Returns its JSON, its time in seconds and its peak memory in megabytes. */
export const estate = async (location: DataLocation, ...parameters: readonly string[]) => {
  const begun = performance.now();
  const child = spawn(process.execPath, ['dist/main.js', ...parameters, '--json'], {
    env: { ...process.env, ...location },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let memory = 0;
  const watch = setInterval(() => {
    try {
      memory = Math.max(memory, memoryOf(child.pid, 'VmHWM') || 0);
    } catch {
      // The process has just ended.
    }
  }, pollMs);
  const output = await text(child.stdout);
  await ended;
  clearInterval(watch);
  if (child.exitCode !== 0) throw new Error(`estate ${parameters[0]} failed`);
  return { result: JSON.parse(output), seconds: (performance.now() - begun) / 1000, memory };
};

export const keyOf = async (location: DataLocation, customer: string): Promise<string> =>
  (await estate(location, 'key', 'create', '--customer', customer, '--tier', 'enterprise')).result.key;

/** Runs the service on a database for the duration of `work`. */
export const withService = async <T>(location: DataLocation, work: (server: Server) => Promise<T>): Promise<T> => {
  const server = await startService({ environment: { NODE_ENV: 'production', ...location } });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
};

/** Creates a database with a customer `bench` for the duration of `work`. */
export const withCustomer = async <T>(work: (location: DataLocation, url: string) => Promise<T>): Promise<T> => {
  const { url, drop } = await temporaryDatabase();
  try {
    await estate(onServer(url), 'customer', 'add', 'bench', '--name', 'Bench', '--tier', 'enterprise');
    return await work(onServer(url), url);
  } finally {
    await drop();
  }
};

/** Runs statements in order, as the role of `url`. */
export const sql = async (url: string, ...statements: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

/** The duration of `work` in milliseconds. */
export const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

export const ms = (time: number): string => `${time < 10 ? time.toFixed(1) : time.toFixed(0)} ms`;
export const seconds = (time: number): string => `${time.toFixed(1)} s`;
export const megabytes = (size: number): string => `${size.toFixed(0)} MB`;
