/** PostgreSQL clusters for tests that stop, hang, replicate or promote them. */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from '../../src/database/connections/connection.ts';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { onServer } from './database.ts';
import { freePort } from './port.ts';
import { poolOptions } from './settings.ts';
import { loadTemplate } from './template-database.ts';

const root = '/usr/lib/postgresql';
const newest = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a))[0] : undefined;

/** Whether PostgreSQL's programs are installed and the tests run on a server. In CI they must be. */
export const hasClusters = onServer && (newest !== undefined || Boolean(process.env.CI));

/** PostgreSQL refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })) } : {};

const run = (program: string, args: readonly string[]): void => {
  execFileSync(join(root, newest as string, 'bin', program), [...args], { ...user, cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] });
};

const ownFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-cluster-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, -1);
  return folder;
};

export class Cluster {
  readonly port: number;
  readonly #folder: string;

  constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  address(database = 'postgres', name = 'postgres'): string {
    return `postgres://${name}@127.0.0.1:${this.port}/${database}`;
  }

  start(): void {
    const options = `-p ${this.port} -k ${this.#folder} -h 127.0.0.1 -c fsync=off`;
    run('pg_ctl', ['-D', this.#data, '-w', '-l', join(this.#folder, 'log'), '-o', options, 'start']);
  }

  stop(): void {
    run('pg_ctl', ['-D', this.#data, '-w', '-m', 'immediate', 'stop']);
  }

  promote(): void {
    run('pg_ctl', ['-D', this.#data, '-w', 'promote']);
  }

  /** Stops all its processes with SIGSTOP, or continues them. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    const postmaster = Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' });
    for (const pid of [postmaster, ...children.split('\n').filter(Boolean).map(Number)]) process.kill(pid, name);
  }

  /** Runs one statement. */
  async query(text: string, database = 'postgres'): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.address(database) });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Starts a streaming replica. */
  async replica(): Promise<Cluster> {
    const folder = ownFolder();
    run('pg_basebackup', ['-d', this.address(), '-D', join(folder, 'data'), '-R', '-c', 'fast']);
    const replica = new Cluster(folder, await freePort());
    replica.start();
    return replica;
  }

  /** Resolves when the replica has replayed the current position. */
  async isReplayedBy(replica: Cluster): Promise<void> {
    const [row] = await this.query('select pg_current_wal_lsn()::text as lsn');
    const replayed = async () => (await replica.query(`select pg_last_wal_replay_lsn() >= '${row?.lsn}' as is_there`))[0]?.is_there;
    while (!(await replayed())) await pause(20);
  }

  remove(): void {
    try {
      this.stop();
    } catch {
      // Its test stopped it.
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Starts an empty cluster. */
export const startCluster = async (): Promise<Cluster> => {
  const folder = ownFolder();
  run('initdb', ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N']);
  const cluster = new Cluster(folder, await freePort());
  cluster.start();
  return cluster;
};

/** Creates a database with the demo customers on the cluster, and opens it. */
export const openDemo = async (cluster: Cluster): Promise<Database & { readonly address: string }> => {
  await cluster.query('create database estate');
  const address = cluster.address('estate');
  const database = openPostgres(address, poolOptions);
  await loadTemplate(database);
  return { ...database, address };
};
