/** The checks of `estate doctor` for a cluster of Citus: version, settings, catalogs and nodes. */
import type pg from 'pg';
import { citusOf, listUndistributed } from '../../database/cluster/citus.ts';
import type { NodeState } from '../../database/cluster/node-health.ts';
import { addressText } from '../../database/cluster/nodes.ts';
import type { Database } from '../../database/connections/connection.ts';
import { openPostgres } from '../../database/connections/postgres.ts';
import { type DoctorFinding, failed, ok, warning } from './finding.ts';

/** The versions on which `npm run citus` ran. */
const testedVersion = /^13\.2/;

const facts = `select e.extversion as version, current_setting('citus.enable_schema_based_sharding', true) as sharding,
    current_setting('wal_level') as wal from pg_catalog.pg_extension e where e.extname = 'citus'`;

const nodeFinding = (node: NodeState): DoctorFinding => {
  const check = `node ${addressText(node)}`;
  if (!node.isActive) return failed(check, 'it is disabled', `As a superuser: select citus_activate_node('${node.host}', ${node.port});`);
  if (!node.isReachable)
    return failed(
      check,
      'it does not answer the coordinator',
      'Check that the server runs, its address in pg_dist_node, pg_hba.conf and .pgpass.',
    );
  if (!node.isSynced)
    return failed(check, 'it lacks the catalogs of the coordinator', 'As a superuser: select start_metadata_sync_to_all_nodes();');
  return ok(check, `${node.customers} customers`);
};

/** Whether this machine reaches the nodes that have customers, which reads at nodes need. */
const directFindings = async ({ nodeServer }: Database, nodes: readonly NodeState[]): Promise<DoctorFinding[]> => {
  if (!nodeServer) return [ok('reads', 'through the coordinator (NODE_READS=off)')];
  const asked = nodes.filter(({ isReachable, customers }) => isReachable && customers > 0);
  return Promise.all(
    asked.map(({ host, port }) =>
      nodeServer(host, port)
        .shares.pages.query('select')
        .then(
          () => ok(`reads at ${addressText({ host, port })}`, 'the service reaches it'),
          () =>
            warning(
              `reads at ${addressText({ host, port })}`,
              'the service does not reach it, so the coordinator answers for its customers',
              'Check the network, pg_hba.conf and the password of the role on this node, or set NODE_READS=off.',
            ),
        ),
    ),
  );
};

/** The findings about a cluster; none if the database has no Citus. */
export const examineNodes = async (url: string, pool: pg.Pool, readsNodes: boolean): Promise<DoctorFinding[]> => {
  const { rows } = await pool.query<{ version: string; sharding: string | null; wal: string }>(facts);
  const [citus] = rows;
  if (!citus) return [];
  const database = openPostgres(url, {
    poolSize: 4,
    bulkPoolSize: 1,
    statementTimeoutMs: 5_000,
    documentTimeoutMs: 5_000,
    readsNodes,
    onError: () => {},
  });
  try {
    const nodes = (await citusOf(database).health.read()) ?? [];
    const local = (await listUndistributed(pool)).map(({ slug }) => slug);
    return [
      testedVersion.test(citus.version)
        ? ok('Citus', citus.version)
        : warning('Citus', `${citus.version} is not tested`, 'Use Citus 13.2, or run npm run citus with your version.'),
      // The service sets it for its sessions; it matters for schemas that others create.
      ok('schema-based sharding', `${citus.sharding ?? 'off'}; the service does not depend on it`),
      citus.wal === 'logical'
        ? ok('wal_level', citus.wal)
        : failed('wal_level', citus.wal, 'Moves need it on all nodes: set wal_level = logical and restart.'),
      nodes.some(({ takesCustomers }) => takesCustomers)
        ? ok('nodes', `${nodes.length} for customers`)
        : failed('nodes', 'none takes customers', "On the coordinator: select citus_add_node('<address>', 5432);"),
      ...nodes.map(nodeFinding),
      ...(await directFindings(database, nodes)),
      local.length === 0
        ? ok('distribution', 'all customers are on nodes')
        : warning(
            'distribution',
            `on the coordinator: ${local.slice(0, 5).join(', ')}${local.length > 5 ? ' …' : ''}`,
            'Run: estate migrate.',
          ),
    ];
  } finally {
    await database.close();
  }
};
