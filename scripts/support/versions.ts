/** Two versions of the service as processes, over one database with the demo customers. */
import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Tier } from '../../src/catalogue/tiers.ts';
import { startServer } from './server.ts';
import { temporaryDatabase } from './temporary-database.ts';

/** Keys of the first customer by tier, one of the same customer for REST only, and one of another customer. */
export type KeyName = Tier | 'restOnly' | 'other';
export type Keys = Readonly<Record<KeyName, string>>;

type Environment = Readonly<Record<string, string>>;

/** Functions that release resources at the end, in the order of acquisition. */
export type Cleanup = (() => unknown)[];

/** Runs `work`, and then releases its resources, the last one first. */
export const withCleanup = async <T>(work: (cleanup: Cleanup) => Promise<T>): Promise<T> => {
  const cleanup: Cleanup = [];
  try {
    return await work(cleanup);
  } finally {
    for (const step of cleanup.reverse()) await step();
  }
};

const program = ['--import', 'tsx', 'src/main.ts'];

const environmentOf = (databaseUrl: string, secret = randomBytes(24).toString('base64url')): Environment => ({
  DATABASE_URL: databaseUrl,
  KEY_SECRET: secret,
  PORT: '0',
  RATE_LIMIT: '0',
  LOG_LEVEL: 'silent',
});

/** Runs the command line of a folder's sources. */
export const estate = (folder: string, environment: Environment, ...args: readonly string[]): string => {
  const options: ExecFileSyncOptionsWithStringEncoding = {
    cwd: folder,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  };
  return execFileSync('node', [...program, ...args], options);
};

const keyOf = (folder: string, environment: Environment, customer: string, ...options: readonly string[]): string =>
  JSON.parse(estate(folder, environment, 'key', 'create', '--customer', customer, '--json', ...options)).key;

/** A database with a customer `bench`, filled by a folder's sources, and a key for all data. */
export const makeBenchDatabase = async (
  folder: string,
  cleanup: Cleanup,
): Promise<{ readonly environment: Environment; readonly key: string }> => {
  const database = await temporaryDatabase();
  cleanup.push(database.drop);
  const { DATABASE_URL, KEY_SECRET } = environmentOf(database.url) as { DATABASE_URL: string; KEY_SECRET: string };
  const environment = { DATABASE_URL, KEY_SECRET };
  estate(folder, environment, 'demo', '--customer', 'bench', '--scale', 'bench', '--json');
  return { environment, key: keyOf(folder, environment, 'bench', '--tier', 'enterprise') };
};

/** A database with the customers, filled by a folder's sources, and their keys. */
export const makeDatabase = async (
  folder: string,
  cleanup: Cleanup,
): Promise<{ readonly environment: Environment; readonly keys: Keys }> => {
  const database = await temporaryDatabase();
  cleanup.push(database.drop);
  return fillDatabase(folder, database.url);
};

/** Fills an empty database with the customers. Returns their keys. */
export const fillDatabase = (folder: string, url: string, secret?: string): { readonly environment: Environment; readonly keys: Keys } => {
  const environment = environmentOf(url, secret);
  estate(folder, environment, 'demo', '--customer', 'nord', '--scale', 'small', '--json');
  estate(folder, environment, 'demo', '--customer', 'sued', '--scale', 'tiny', '--seed', '2', '--json');
  const key = keyOf.bind(undefined, folder, environment);
  const keys: Keys = {
    basic: key('nord', '--tier', 'basic'),
    professional: key('nord', '--tier', 'professional'),
    enterprise: key('nord', '--tier', 'enterprise'),
    restOnly: key('nord', '--tier', 'enterprise', '--groups', 'rest'),
    other: key('sued', '--tier', 'enterprise'),
  };
  return { environment, keys };
};

/** A folder with the sources of a commit, and with the libraries of this checkout or with its own. */
export const checkOut = (commit: string, cleanup: Cleanup, libraries: 'of this checkout' | 'own' = 'of this checkout'): string => {
  const folder = join(mkdtempSync(join(tmpdir(), 'same-answers-')), 'sources');
  cleanup.push(() => rmSync(join(folder, '..'), { recursive: true, force: true }));
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, commit], { stdio: 'inherit' });
  cleanup.push(() => execFileSync('git', ['worktree', 'remove', '--force', folder], { stdio: 'inherit' }));
  if (libraries === 'own') execFileSync('npm', ['ci', '--silent', '--prefer-offline'], { cwd: folder, stdio: 'inherit' });
  else symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
};

/** Starts the service from a folder's sources. Returns its address. */
export const startVersion = async (folder: string, environment: Environment, cleanup: Cleanup): Promise<string> => {
  const { url, stop } = await startServer(`The service of ${folder}`, [...program, 'serve'], { folder, environment });
  cleanup.push(stop);
  return url;
};
