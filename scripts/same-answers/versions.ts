/** Two versions of the service as processes of their own, over one database with the demo customers. */
import { type ExecFileSyncOptionsWithStringEncoding, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryDatabase } from '../../bench/sync/temporary-database.ts';
import type { Keys } from './ask.ts';

type Environment = Readonly<Record<string, string>>;

/** What has to be undone at the end, in the order in which it was done. */
export type Undo = (() => unknown)[];

const program = ['--import', 'tsx', 'src/main.ts'];

const environmentOf = (databaseUrl: string): Environment => ({
  DATABASE_URL: databaseUrl,
  KEY_SECRET: randomBytes(24).toString('base64url'),
  PORT: '0',
  RATE_LIMIT: '0',
  LOG_LEVEL: 'silent',
});

/** Runs the working tree's command line. */
export const estate = (environment: Environment, ...args: readonly string[]): string => {
  const options: ExecFileSyncOptionsWithStringEncoding = {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  };
  return execFileSync('node', [...program, ...args], options);
};

/** A database with the customers, filled by the working tree, and keys for them. */
export const makeDatabase = async (undo: Undo): Promise<{ readonly environment: Environment; readonly keys: Keys }> => {
  const database = await temporaryDatabase();
  undo.push(database.drop);
  const environment = environmentOf(database.url);
  estate(environment, 'demo', '--customer', 'nord', '--scale', 'small', '--json');
  estate(environment, 'demo', '--customer', 'sued', '--scale', 'tiny', '--seed', '2', '--json');
  const key = (customer: string, ...options: readonly string[]): string =>
    JSON.parse(estate(environment, 'key', 'create', '--customer', customer, '--json', ...options)).key;
  const keys: Keys = {
    basic: key('nord', '--tier', 'basic'),
    professional: key('nord', '--tier', 'professional'),
    enterprise: key('nord', '--tier', 'enterprise'),
    restOnly: key('nord', '--tier', 'enterprise', '--groups', 'rest'),
    other: key('sued', '--tier', 'enterprise'),
  };
  return { environment, keys };
};

/** A folder with the sources of a commit, and the libraries of this checkout. */
export const checkOut = (commit: string, undo: Undo): string => {
  const folder = join(mkdtempSync(join(tmpdir(), 'same-answers-')), 'sources');
  undo.push(() => rmSync(join(folder, '..'), { recursive: true, force: true }));
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, commit], { stdio: 'inherit' });
  undo.push(() => execFileSync('git', ['worktree', 'remove', '--force', folder], { stdio: 'inherit' }));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
};

/** The address of the service, run from a folder's sources. */
export const startVersion = async (folder: string, environment: Environment, undo: Undo): Promise<string> => {
  const options = { cwd: folder, env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] as const };
  const child = spawn('node', [...program, 'serve'], { ...options, stdio: [...options.stdio] });
  const ended = once(child, 'exit');
  undo.push(() => {
    child.kill();
    return ended;
  });
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url) return url;
  }
  throw new Error(`The service of ${folder} did not start`);
};
