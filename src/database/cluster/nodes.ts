/** The nodes of Citus, and the customers on them. The catalogs of Citus are on the coordinator, so every list is there without its nodes. */
import type pg from 'pg';
import { OperatorError } from '../../errors.ts';
import type { Database } from '../connections/connection.ts';
import { controlSchema } from '../control-tables.ts';
import { qualify, quote } from '../identifier.ts';

/** The address of a node as the coordinator knows it. */
export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

export interface ClusterNode extends NodeAddress {
  readonly id: number;
  readonly isCoordinator: boolean;
  /** False for a node that was disabled. */
  readonly isActive: boolean;
  /** Whether customers may be placed on the node. It is false for a coordinator, unless someone changed that. */
  readonly takesCustomers: boolean;
  /** Whether the node has the catalogs of the coordinator. */
  readonly isSynced: boolean;
  /** The number of customers on the node. */
  readonly customers: number;
}

export const addressText = ({ host, port }: NodeAddress): string => `${host}:${port}`;

/** Parses `host:port`; undefined if it is something else. */
export const parseAddress = (text: string): NodeAddress | undefined => {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  return host && Number(port) > 0 && Number(port) < 65_536 ? { host, port: Number(port) } : undefined;
};

/** One placement for each customer: that of its `_state`, because all tables of a schema are on one node. */
const placements = `pg_catalog.pg_class t join pg_catalog.pg_dist_shard s on s.logicalrelid = t.oid
  join pg_catalog.pg_dist_placement p using (shardid) where t.relname = '_state' and p.shardstate = 1`;

/** All nodes, the coordinator first. The database has Citus. */
export const listNodes = async (client: pg.ClientBase | pg.Pool): Promise<readonly ClusterNode[]> => {
  const { rows } = await client.query<ClusterNode>(
    `select n.nodeid as id, n.nodename as host, n.nodeport as port, n.groupid = 0 as "isCoordinator", n.isactive as "isActive",
       n.shouldhaveshards as "takesCustomers", n.metadatasynced as "isSynced", coalesce(c.customers, 0)::int as customers
     from pg_catalog.pg_dist_node n left join (select p.groupid, count(*) as customers from ${placements} group by 1) c using (groupid)
     where n.noderole = 'primary' order by n.groupid`,
  );
  return rows;
};

/** The node that holds a schema; undefined if the schema is not distributed. */
export const nodeOf = async (client: pg.ClientBase | pg.Pool, schema: string): Promise<NodeAddress | undefined> => {
  const { rows } = await client.query<NodeAddress>(
    `select n.nodename as host, n.nodeport as port from pg_catalog.pg_dist_node n
     where n.noderole = 'primary' and n.groupid = (select p.groupid from ${placements} and t.relnamespace = pg_catalog.to_regnamespace($1))`,
    [quote(schema)],
  );
  return rows[0];
};

/** The ids of the customers on some nodes. */
export const listCustomersOn = async ({ pool }: Database, nodes: readonly ClusterNode[]): Promise<readonly number[]> => {
  const { rows } = await pool.query<{ id: number }>(
    `select c.id from ${qualify(controlSchema, 'customers')} c join pg_catalog.pg_namespace m on m.nspname = c.schema_name
     join (select t.relnamespace, p.groupid from ${placements}) o on o.relnamespace = m.oid
     join pg_catalog.pg_dist_node n using (groupid) where n.nodeid = any($1)`,
    [nodes.map(({ id }) => id)],
  );
  return rows.map(({ id }) => id);
};

/** The node with this address that may take a customer. Throws an `OperatorError` that names those that may. */
export const findNode = (nodes: readonly ClusterNode[], address: NodeAddress): ClusterNode => {
  const possible = nodes.filter(({ isActive, takesCustomers }) => isActive && takesCustomers);
  const found = possible.find(({ host, port }) => host === address.host && port === address.port);
  if (found) return found;
  const known = possible.length > 0 ? `Customers can be on ${possible.map(addressText).join(', ')}.` : 'No node takes customers.';
  throw new OperatorError(`There is no node '${addressText(address)}' for customers. ${known}`);
};
