/**
 * A cluster with many customers: the size of the catalogs, the times of commands, the memory of backends, and requests.
 *
 *   npm run bench:customers -- [customers] [customers between two measurements]
 *
 * It starts a coordinator and two workers. Nearly all customers have empty tables, because the limits come from the number of tables. Without
 * the extension it does nothing.
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { CustomerStore } from '../../src/access/customers.ts';
import { KeyStore } from '../../src/access/keys.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { findAllDifferences } from '../../src/database/inspect.ts';
import { poolOptions } from '../../test/support/settings.ts';
import { findBinaries, howToInstall, type Node, type Nodes, startNodes } from '../../tools/citus.ts';
import { type Cleanup, estate } from '../../tools/versions.ts';
import { median, quantile, startProductionService } from '../service.ts';

const customers = Number(process.argv[2] ?? 2_000);
const step = Number(process.argv[3] ?? 500);
const secret = 'a secret of this benchmark, of 32 bytes or more';
/** Customers with rows. */
const filled = ['filled-1', 'filled-2', 'filled-3', 'filled-4'];
const requests = 400;
const tables = ['orders', 'properties', 'accounts', 'tenants'];

const seconds = async (work: () => unknown): Promise<number> => {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1_000;
};

const megabytes = async (node: Node): Promise<number> => {
  const [row] = await node.query('select pg_catalog.pg_database_size(current_database()) as bytes', 'estate');
  return Number(row?.bytes) / 2 ** 20;
};

/** The private memory of a process in MB. */
const memoryOf = (pid: number): number =>
  Number(/^Private_Dirty:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1_024;

/** The memory of a backend that has read four tables of each schema, in MB: after one schema, and after all. */
const memoryOfBackend = async (node: Node, schemas: readonly string[]): Promise<readonly [number, number]> => {
  const client = new pg.Client({ connectionString: node.address('estate') });
  await client.connect();
  try {
    const { rows } = await client.query('select pg_catalog.pg_backend_pid() as pid');
    const memory: number[] = [];
    for (const schema of schemas) {
      for (const table of tables) await client.query(`select from ${schema}.${table} limit 1`);
      memory.push(memoryOf(rows[0].pid));
    }
    return [memory[0]!, memory.at(-1)!];
  } finally {
    await client.end();
  }
};

/** The schemas that a node holds, or all of them at the coordinator. */
const schemasOf = async ({ coordinator }: Nodes, node: Node): Promise<readonly string[]> => {
  const where = node === coordinator ? '' : `and nodeport = ${node.port}`;
  const rows = await coordinator.query(
    `select split_part(table_name::text, '.', 1) as schema from citus_shards where table_name::text like '%.\\_state' ${where} order by 1`,
    'estate',
  );
  return rows.map(({ schema }) => String(schema));
};

const get = async (url: string, key: string): Promise<number> => {
  const begun = performance.now();
  const response = await fetch(url, { headers: { 'X-API-Key': key } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return performance.now() - begun;
};

const run = async (binaries: string, cleanup: Cleanup): Promise<void> => {
  const nodes = await startNodes(binaries, cleanup);
  const all = [nodes.coordinator, ...nodes.workers];
  const environment = { DATABASE_URL: nodes.address, KEY_SECRET: secret, NODE_READS: 'on' };
  const command = (...args: readonly string[]) => seconds(() => estate(process.cwd(), environment, ...args));
  for (const slug of filled) await command('demo', '--customer', slug, '--scale', 'tiny', '--json');
  const database = openPostgres(nodes.address, poolOptions);
  cleanup.push(() => database.close());
  const keys: string[] = [];
  for (const slug of filled) {
    const customer = await findCustomer(database, slug);
    keys.push((await new KeyStore(database, secret).create({ customer, tier: 'enterprise', name: 'benchmark' })).key);
  }
  const store = new CustomerStore(database);
  const before = await Promise.all(all.map(megabytes));
  const added: number[] = [];

  /** Requests of the customers with rows, with another offset each. The first ones open the sessions at the nodes. */
  const measureRequests = async (url: string) => {
    const times: number[] = [];
    for (let n = 0; n < requests; n++) times.push(await get(`${url}/operations/orders?limit=10&offset=${n % 20}`, keys[n % keys.length]!));
    return times.slice(requests / 4);
  };

  const measure = async (): Promise<void> => {
    const sizes = await Promise.all(all.map(megabytes));
    const [coordinator, ...workers] = sizes.map((size, index) => (size - before[index]!) / Math.max(1, added.length));
    const migrated = await command('migrate');
    const checked = await seconds(() => findAllDifferences(database, catalogue));
    let url = '';
    let stop = async () => {};
    const started = await seconds(async () => {
      const server = await startProductionService({ environment: { ...environment, RESPONSE_CACHE_MB: '0' } });
      ({ url, stop } = server);
      while ((await fetch(`${url}/health/ready`)).status !== 200);
    });
    const times = await measureRequests(url);
    const [row] = await nodes.coordinator.query("select count(*)::int as count from pg_stat_activity where datname = 'estate'");
    await stop();
    const memory = [];
    for (const node of all.slice(0, 2)) {
      const schemas = await schemasOf(nodes, node);
      const [first, last] = await memoryOfBackend(node, schemas);
      memory.push(`${first.toFixed(1)} → ${last.toFixed(0)} MB for ${schemas.length}`);
    }
    const cells = [
      filled.length + added.length,
      `${coordinator!.toFixed(2)} MB`,
      workers.map((size) => `${size.toFixed(2)} MB`).join(', '),
      added.length === 0 ? '' : `${median(added.slice(-50)).toFixed(2)} s`,
      `${started.toFixed(1)} s`,
      `${migrated.toFixed(1)} s`,
      `${checked.toFixed(1)} s`,
      ...memory,
      `${median(times).toFixed(1)} and ${quantile(times, 0.99).toFixed(1)} ms`,
      row?.count,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  };

  console.log(
    '| customers | catalogs of a customer: coordinator | each worker | add | start until ready | migrate | compare all tables | backend at the coordinator | backend at a worker | request: median and p99 | sessions at the coordinator |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|---|');
  await measure();
  for (let next = 1; next <= customers; next++) {
    const name = `empty-${next}`;
    added.push(await seconds(() => store.add(catalogue, { slug: name, name, tier: 'enterprise' })));
    if (next % step === 0 || next === customers) await measure();
  }
};

const binaries = findBinaries();
if (!binaries) console.log(howToInstall);
else {
  const cleanup: Cleanup = [];
  try {
    await run(binaries, cleanup);
  } finally {
    for (const one of cleanup.reverse()) await one();
  }
}
