/** A PostgreSQL cluster of its own, set up as the `postgres` image does from its environment. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** PostgreSQL refuses to run as root. */
export const userId = (name: string): number => Number(execFileSync('id', ['-u', name], { encoding: 'utf8' }));

const binaries = (): string => {
  const root = '/usr/lib/postgresql';
  const newest = readdirSync(root)
    .sort((a, b) => Number(a) - Number(b))
    .at(-1);
  return join(root, `${newest}`, 'bin');
};

/** Starts a cluster; resolves to what stops it. It may still be starting up: the health check says when it is there. */
export const startCluster = (folder: string, port: number, environment: Readonly<Record<string, string>>): (() => Promise<void>) => {
  const { POSTGRES_USER = 'postgres', POSTGRES_PASSWORD = '', POSTGRES_DB = POSTGRES_USER, POSTGRES_INITDB_ARGS = '' } = environment;
  const uid = process.getuid?.() === 0 ? userId('postgres') : undefined;
  const as = uid === undefined ? {} : { uid };
  const bin = binaries();
  const data = join(folder, 'data');
  mkdirSync(folder);
  writeFileSync(join(folder, 'password'), POSTGRES_PASSWORD);
  if (uid !== undefined) chownSync(folder, uid, -1);
  const initdb = ['-D', data, '-U', POSTGRES_USER, '-A', 'scram-sha-256', '--pwfile', join(folder, 'password')];
  execFileSync(join(bin, 'initdb'), [...initdb, ...POSTGRES_INITDB_ARGS.split(' ').filter(Boolean)], {
    ...as,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const create = `create database "${POSTGRES_DB}"`;
  execFileSync(join(bin, 'postgres'), ['--single', '-c', 'log_checkpoints=off', '-D', data, 'postgres'], {
    ...as,
    input: create,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', `${port}`, '-k', folder, '-h', '127.0.0.1'], { ...as, stdio: 'ignore' });
  return async () => {
    server.kill('SIGINT');
    if (server.exitCode === null) await once(server, 'exit');
  };
};
