/** PostgreSQL of the compose file: a primary that is set up like the `postgres` image, and the replica of its script. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

type Environment = Readonly<Record<string, string>>;

/** PostgreSQL refuses to run as root. */
export const userId = (name: string): number => Number(execFileSync('id', ['-u', name], { encoding: 'utf8' }));

const newestBinaries = (): string => {
  const root = '/usr/lib/postgresql';
  const newest = readdirSync(root)
    .sort((a, b) => Number(a) - Number(b))
    .at(-1);
  return join(root, `${newest}`, 'bin');
};

const uid = process.getuid?.() === 0 ? userId('postgres') : undefined;
const as = uid === undefined ? {} : { uid };
const path = `${newestBinaries()}:${process.env.PATH}`;

/** Creates folders that PostgreSQL may write to. */
const own = (...folders: readonly string[]): void => {
  for (const folder of folders) {
    mkdirSync(folder);
    if (uid !== undefined) chownSync(folder, uid, -1);
  }
};

/** Runs a server. Returns the function that stops it. */
const serve = (command: string, args: readonly string[], environment: Environment): (() => Promise<void>) => {
  const server = spawn(command, args, { ...as, env: { PATH: path, ...environment }, stdio: ['ignore', 'ignore', 'ignore'] });
  return async () => {
    server.kill('SIGINT');
    if (server.exitCode === null) await once(server, 'exit');
  };
};

const listening = (folder: string, port: number) => ['-p', `${port}`, '-k', folder, '-h', '127.0.0.1'];

/** Starts an empty cluster like the image does. Returns the function that stops it; the cluster may still be starting. */
export const startCluster = (
  folder: string,
  port: number,
  { POSTGRES_USER = '', POSTGRES_PASSWORD = '', POSTGRES_INITDB_ARGS = '' }: Environment,
): (() => Promise<void>) => {
  own(folder);
  const password = join(folder, 'password');
  writeFileSync(password, POSTGRES_PASSWORD);
  const options = ['-D', join(folder, 'data'), '-U', POSTGRES_USER, '-A', 'scram-sha-256', '--pwfile', password];
  const all = [...options, ...POSTGRES_INITDB_ARGS.split(' ').filter(Boolean)];
  execFileSync('initdb', all, { ...as, env: { PATH: path }, stdio: ['ignore', 'ignore', 'inherit'] });
  return serve('postgres', ['-D', join(folder, 'data'), ...listening(folder, port)], {});
};

/** A running cluster of the service `postgres`. */
export interface Primary {
  readonly folder: string;
  readonly port: number;
  /** The environment of its container. */
  readonly environment: Environment;
}

/** Runs the set-up script of the primary, like the image does after start-up. */
export const setUpPrimary = ({ folder, port, environment }: Primary): void => {
  const here = { PATH: path, PGDATA: join(folder, 'data'), PGHOST: folder, PGPORT: `${port}`, PGPASSWORD: environment.POSTGRES_PASSWORD };
  execFileSync('sh', [resolve('ops/postgres/primary.sh')], {
    ...as,
    env: { ...environment, ...here },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
};

/** Starts the replica like its container does. */
export const startReplica = (folder: string, port: number, primaryPort: number, environment: Environment): (() => Promise<void>) => {
  own(folder, join(folder, 'data'));
  const PRIMARY = `${environment.PRIMARY?.replace('host=postgres', 'host=127.0.0.1')} port=${primaryPort}`;
  const here = { ...environment, PRIMARY, PGDATA: join(folder, 'data') };
  return serve('sh', [resolve('ops/postgres/replica.sh'), ...listening(folder, port)], here);
};
