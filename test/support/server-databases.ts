/** Databases of tests on the server of DATABASE_URL: one, or one on each node if it is a coordinator of Citus. */
import pg from 'pg';

const query = async (address: string, ...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    let rows: readonly Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
};

/** The address of a database on the same server. */
export const addressOf = (url: string, database: string): string => {
  const address = new URL(url);
  address.pathname = database;
  return address.href;
};

/** The addresses of the coordinator and of the workers; only `url` itself without Citus. */
export const serversOf = async (url: string): Promise<readonly string[]> => {
  const [found] = await query(url, `select from pg_extension where extname = 'citus'`);
  if (!found) return [url];
  const nodes = await query(
    url,
    'select nodename as host, nodeport as port from pg_dist_node where isactive order by groupid <> 0, groupid',
  );
  return nodes.map(({ host, port }) => {
    const address = new URL(url);
    address.host = `${host}:${port}`;
    return address.href;
  });
};

/** Whether the address is that of a coordinator of Citus. */
export const isCluster = async (url: string | undefined): Promise<boolean> => url !== undefined && (await serversOf(url)).length > 1;

/** Creates an empty database, on each node and with the extension if there are several. Returns its address. */
export const createDatabase = async (servers: readonly string[], name: string): Promise<string> => {
  const [coordinator = '', ...workers] = servers.map((server) => addressOf(server, name));
  for (const server of servers) await query(server, `create database ${name}`);
  if (workers.length > 0) {
    for (const address of [coordinator, ...workers]) await query(address, 'create extension citus');
    const place = (address: string) => `'${new URL(address).hostname}', ${new URL(address).port}`;
    const adding = workers.map((worker) => `select citus_add_node(${place(worker)})`);
    await query(coordinator, `select citus_set_coordinator_host(${place(coordinator)})`, ...adding);
  }
  return coordinator;
};

const isUsed = '55006';

/** Repeats work on a database of Citus. Its maintenance daemon and the sessions of other nodes use it, and come back at any time. */
const whileUsed = async (work: () => Promise<unknown>, attempts = 20): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if ((error as { code?: string }).code !== isUsed || attempts === 1) throw error;
    await whileUsed(work, attempts - 1);
  }
};

/** Copies a database that nobody uses. */
export const copyDatabase = async (servers: readonly string[], template: string, name: string): Promise<string> => {
  if (servers.length === 1) await query(servers[0]!, `create database ${name} template ${template}`);
  else {
    const ending = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${template}'`;
    for (const server of servers) await whileUsed(() => query(server, ending, `create database ${name} template ${template}`));
  }
  return addressOf(servers[0]!, name);
};

export const dropDatabase = async (servers: readonly string[], name: string): Promise<void> => {
  for (const server of servers) await whileUsed(() => query(server, `drop database if exists "${name}" with (force)`));
};

/** The databases whose names have the prefix. */
export const listDatabases = async ([server = '']: readonly string[], prefix: string): Promise<readonly string[]> =>
  (await query(server, `select datname as name from pg_database where starts_with(datname, '${prefix}')`)).map(({ name }) => String(name));
