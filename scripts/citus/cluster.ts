/** A coordinator and two workers of Citus in a temporary folder, from the installed extension, and a plain server beside them. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../test/support/port.ts';
import type { Cleanup } from '../../tools/versions.ts';

const root = '/usr/lib/postgresql';

/** The programs of the newest PostgreSQL that has the extension; undefined if none has it. */
export const findBinaries = (): string | undefined => {
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const version = versions.find((each) => existsSync(`/usr/share/postgresql/${each}/extension/citus.control`));
  return version && join(root, version, 'bin');
};

const user = process.getuid?.() === 0 ? { uid: Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })) } : {};
/** Servers look for certificates in the home folder, which another user may not read. */
const as = { ...user, env: { ...process.env, HOME: tmpdir() }, cwd: tmpdir() };

/** No `fsync`: the servers live as long as the check. */
const settings = (port: number, folder: string) => `
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = '${folder}'
shared_preload_libraries = 'citus'
wal_level = logical
max_connections = 200
max_prepared_transactions = 200
fsync = off
`;

export class Node {
  readonly port: number;
  readonly #data: string;
  readonly #binaries: string;

  constructor(binaries: string, data: string, port: number) {
    this.#binaries = binaries;
    this.#data = data;
    this.port = port;
  }

  address(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  start(): void {
    this.#run('-w', '-l', `${this.#data}.log`, 'start');
  }

  stop(): void {
    this.#run('-w', '-m', 'immediate', 'stop');
  }

  /** Stops all its processes where they are, or lets them go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    const postmaster = Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' });
    for (const pid of [postmaster, ...children.split('\n').filter(Boolean).map(Number)]) process.kill(pid, name);
  }

  async query(text: string, database = 'postgres'): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.address(database) });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  #run(...args: readonly string[]): void {
    execFileSync(join(this.#binaries, 'pg_ctl'), ['-D', this.#data, ...args], {
      ...as,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }
}

export interface Nodes {
  /** The address of the coordinator's database, and of a plain database. */
  readonly address: string;
  readonly plain: string;
  readonly coordinator: Node;
  readonly workers: readonly Node[];
}

const startNode = async (binaries: string, folder: string, name: string): Promise<Node> => {
  const [data, port] = [join(folder, name), await freePort()];
  const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'];
  execFileSync(join(binaries, 'initdb'), options, { ...as, stdio: ['ignore', 'ignore', 'inherit'] });
  appendFileSync(join(data, 'postgresql.conf'), settings(port, folder));
  const node = new Node(binaries, data, port);
  node.start();
  return node;
};

const database = 'estate';

export const startNodes = async (binaries: string, cleanup: Cleanup): Promise<Nodes> => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-citus-'));
  cleanup.push(() => rmSync(folder, { recursive: true, force: true }));
  if (user.uid !== undefined) chownSync(folder, user.uid, -1);
  const nodes: Node[] = [];
  for (const name of ['coordinator', 'worker-1', 'worker-2']) {
    const node = await startNode(binaries, folder, name);
    cleanup.push(() => node.stop());
    await node.query(`create database ${database}`);
    await node.query('create extension citus', database);
    nodes.push(node);
  }
  const [coordinator, ...workers] = nodes as [Node, ...Node[]];
  await coordinator.query(`select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`, database);
  for (const { port } of workers) await coordinator.query(`select citus_add_node('127.0.0.1', ${port})`, database);
  // The service must not depend on the setting.
  await coordinator.query(`alter database ${database} set citus.enable_schema_based_sharding = on`);
  await coordinator.query('create database plain');
  return { address: coordinator.address(database), plain: coordinator.address('plain'), coordinator, workers };
};

/** The worker that holds a customer's schema. */
export const workerOf = async ({ coordinator, workers }: Nodes, slug: string): Promise<Node> => {
  const [row] = await coordinator.query(
    `select nodeport as port from citus_shards where table_name::text = 'customer_${slug}._state'`,
    database,
  );
  const found = workers.find(({ port }) => port === Number(row?.port));
  if (!found) throw new Error(`No worker holds ${slug}`);
  return found;
};
