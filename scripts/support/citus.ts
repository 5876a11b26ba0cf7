/** A coordinator and two workers of Citus in a temporary folder, from the installed extension, and a plain server beside them. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../test/support/port.ts';
import { type Cleanup, withCleanup } from './versions.ts';

const root = '/usr/lib/postgresql';

/** The programs of the newest PostgreSQL that has the extension; undefined if none has it. */
const findBinaries = (): string | undefined => {
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const version = versions.find((each) => existsSync(`/usr/share/postgresql/${each}/extension/citus.control`));
  return version && join(root, version, 'bin');
};

const howToInstall =
  'skipped: PostgreSQL has no extension "citus" here. Install it as https://docs.citusdata.com describes, or build a release branch.';

const user = process.getuid?.() === 0 ? { uid: Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })) } : {};
/** Servers look for certificates in the home folder, which another user may not read. */
const as = { ...user, env: { ...process.env, HOME: tmpdir() }, cwd: tmpdir() };

/** No `fsync`: the servers live as long as the check. */
const settings = (port: number, folder: string) => `
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = '${folder}'
max_connections = 200
fsync = off
`;

const settingsOfCitus = `
shared_preload_libraries = 'citus'
wal_level = logical
max_prepared_transactions = 200
max_worker_processes = 40
`;

export class Node {
  readonly port: number;
  readonly data: string;
  readonly #binaries: string;

  constructor(binaries: string, data: string, port: number) {
    this.#binaries = binaries;
    this.data = data;
    this.port = port;
  }

  address(database: string, role = 'postgres'): string {
    return `postgres://${role}@127.0.0.1:${this.port}/${database}`;
  }

  /** Appends settings, which the next start uses. */
  configure(text: string): void {
    appendFileSync(join(this.data, 'postgresql.conf'), `\n${text}\n`);
  }

  start(): void {
    this.run('pg_ctl', '-D', this.data, '-w', '-l', `${this.data}.log`, 'start');
  }

  stop(mode: 'immediate' | 'fast' = 'immediate'): void {
    this.run('pg_ctl', '-D', this.data, '-w', '-m', mode, 'stop');
  }

  /** Stops all its processes where they are, or lets them go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    const postmaster = Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' });
    for (const pid of [postmaster, ...children.split('\n').filter(Boolean).map(Number)]) process.kill(pid, name);
  }

  async query(text: string, database = 'postgres', role?: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.address(database, role) });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Runs a program of PostgreSQL as the user of the servers. */
  run(program: string, ...args: readonly string[]): void {
    execFileSync(join(this.#binaries, program), args, { ...as, stdio: ['ignore', 'ignore', 'pipe'] });
  }
}

export interface Nodes {
  /** The address of the coordinator's database, and of a plain database. */
  readonly address: string;
  readonly plain: string;
  readonly coordinator: Node;
  readonly workers: readonly Node[];
}

/** A folder for servers, which the end removes. */
export const createFolder = (cleanup: Cleanup): string => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-citus-'));
  cleanup.push(() => rmSync(folder, { recursive: true, force: true }));
  if (user.uid !== undefined) chownSync(folder, user.uid, -1);
  return folder;
};

/** A running server. `more` are further settings. */
export const startNode = async (binaries: string, folder: string, name: string, cleanup: Cleanup, more = ''): Promise<Node> => {
  const node = new Node(binaries, join(folder, name), await freePort());
  node.run('initdb', '-D', node.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N');
  node.configure(settings(node.port, folder) + more);
  node.start();
  cleanup.push(() => node.stop());
  return node;
};

const database = 'estate';

export const startNodes = async (binaries: string, cleanup: Cleanup): Promise<Nodes> => {
  const folder = createFolder(cleanup);
  const nodes: Node[] = [];
  for (const name of ['coordinator', 'worker-1', 'worker-2']) {
    const node = await startNode(binaries, folder, name, cleanup, settingsOfCitus);
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

/** Runs `work` with the programs of PostgreSQL. Without the extension it prints how to install it, and returns undefined. */
export const withCitus = async <T>(work: (binaries: string, cleanup: Cleanup) => Promise<T>): Promise<T | undefined> => {
  const binaries = findBinaries();
  if (binaries) return withCleanup((cleanup) => work(binaries, cleanup));
  console.log(howToInstall);
  return undefined;
};

/** The worker that holds a customer's schema. */
export const workerOf = async ({ coordinator, workers }: Pick<Nodes, 'coordinator' | 'workers'>, slug: string): Promise<Node> => {
  const [row] = await coordinator.query(
    `select nodeport as port from citus_shards where table_name::text = 'customer_${slug}._state'`,
    database,
  );
  const found = workers.find(({ port }) => port === Number(row?.port));
  if (!found) throw new Error(`No worker holds ${slug}`);
  return found;
};
