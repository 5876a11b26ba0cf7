/**
 * A cluster with many customers: the size of the databases, the times of commands, the memory of backends, and requests.
 *
 *   npm run bench -- customers [customers] [customers between two measurements]
 *
 * It starts a coordinator and two workers. Nearly all customers have empty tables, because the limits come from the number of tables. Without
 * the extension it does nothing.
 */
import pg from 'pg';
import { type Node, type Nodes, startNodes, withCitus } from '../../scripts/support/citus.ts';
import { privateMemoryOf } from '../../scripts/support/process.ts';
import type { Server } from '../../scripts/support/server.ts';
import type { Cleanup } from '../../scripts/support/versions.ts';
import { CustomerStore } from '../../src/access/customers.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { openPostgres } from '../../src/database/connections/postgres.ts';
import { findAllDifferences } from '../../src/database/inspect.ts';
import { poolOptions } from '../../test/support/settings.ts';
import { Client } from '../client.ts';
import { estate, keyOf, megabytes, ms, onServer, seconds, timeOf, withService } from '../growth/estate.ts';
import { median, quantile } from '../service.ts';

const customers = Number(process.argv[2] ?? 2_000);
const step = Number(process.argv[3] ?? 500);
/** Customers with rows. */
const filled = ['filled-1', 'filled-2', 'filled-3', 'filled-4'];
const requests = 400;
const tables = [...catalogue.tables.keys()].slice(0, 4);

const sizeOf = async (node: Node): Promise<number> => {
  const [row] = await node.query('select pg_catalog.pg_database_size(current_database()) as bytes', 'estate');
  return Number(row?.bytes) / 2 ** 20;
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

/** The memory of a backend that has read four tables of each schema, in megabytes. */
const memoryOfBackend = async (node: Node, schemas: readonly string[]): Promise<number> => {
  const client = new pg.Client({ connectionString: node.address('estate') });
  await client.connect();
  try {
    for (const schema of schemas) for (const table of tables) await client.query(`select from ${schema}.${table} limit 1`);
    const { rows } = await client.query('select pg_catalog.pg_backend_pid() as pid');
    return privateMemoryOf(rows[0].pid);
  } finally {
    await client.end();
  }
};

/** The times of pages, in milliseconds, without the first ones, which open sessions at the nodes. The customers take turns. */
const timesOf = async ({ url }: Server, keys: readonly string[]): Promise<readonly number[]> => {
  const client = await Client.to(url);
  const times: number[] = [];
  for (let n = 0; n < requests; n++) {
    const request = { path: `/operations/orders?limit=10&offset=${n % 20}`, headers: { 'X-API-Key': keys[n % keys.length]! } };
    times.push((await client.ask(request)).milliseconds);
  }
  client.close();
  return times.slice(requests / 4);
};

const headings = [
  'customers',
  'database, for each added customer: coordinator, workers',
  'add a customer',
  'start of the service',
  '`estate migrate`',
  'comparison of all tables',
  'backend at the coordinator',
  'backend at a worker',
  'page: median and p99',
  'sessions at the coordinator',
];

const run = async (binaries: string, cleanup: Cleanup): Promise<void> => {
  const nodes = await startNodes(binaries, cleanup);
  const all = [nodes.coordinator, ...nodes.workers];
  const location = { ...onServer(nodes.address), NODE_READS: 'on' };
  for (const slug of filled) await estate(location, 'demo', '--customer', slug, '--scale', 'tiny');
  const keys = await Promise.all(filled.map((slug) => keyOf(location, slug)));
  const database = openPostgres(nodes.address, poolOptions);
  cleanup.push(() => database.close());
  const store = new CustomerStore(database);
  const before = await Promise.all(all.map(sizeOf));

  const measure = async (added: readonly number[]): Promise<void> => {
    const sizes = await Promise.all(all.map(sizeOf));
    const migrated = await timeOf(() => estate(location, 'migrate'));
    const compared = await timeOf(() => findAllDifferences(database, catalogue));
    const begun = performance.now();
    const served = await withService({ ...location, RESPONSE_CACHE_MB: '0' }, async (server) => {
      const started = performance.now() - begun;
      const times = await timesOf(server, keys);
      const [row] = await nodes.coordinator.query("select count(*)::int as count from pg_stat_activity where datname = 'estate'");
      return { started, times, sessions: row?.count };
    });
    const memory: string[] = [];
    for (const node of all.slice(0, 2)) {
      const schemas = await schemasOf(nodes, node);
      memory.push(`${megabytes(await memoryOfBackend(node, schemas))} for ${schemas.length}`);
    }
    const cells = [
      filled.length + added.length,
      sizes.map((size, index) => `${((size - before[index]!) / added.length).toFixed(2)} MB`).join(', '),
      seconds(median(added.slice(-50)) / 1_000),
      seconds(served.started / 1_000),
      seconds(migrated / 1_000),
      seconds(compared / 1_000),
      ...memory,
      `${ms(median(served.times))} and ${ms(quantile(served.times, 0.99))}`,
      served.sessions,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  };

  console.log(`| ${headings.join(' | ')} |\n|${'---|'.repeat(headings.length)}`);
  const added: number[] = [];
  while (added.length < customers) {
    const name = `empty-${added.length + 1}`;
    added.push(await timeOf(() => store.add(catalogue, { slug: name, name, tier: 'enterprise' })));
    if (added.length % step === 0 || added.length === customers) await measure(added);
  }
};

await withCitus(run);
