/** Where the tables of a customer are on Citus: the node, and the names of the tables there. The coordinator's catalogs have both. */
import type pg from 'pg';
import { TableNames } from '../connections/table-names.ts';
import { qualify, quote } from '../identifier.ts';
import type { NodeAddress } from './nodes.ts';

export interface Placement {
  readonly node: NodeAddress;
  /** The tables on the node. Citus appends a number to each name. */
  readonly names: TableNames;
}

const query = `
  select n.nodename as host, n.nodeport as port, array_agg(t.relname::text) as tables,
    array_agg(pg_catalog.shard_name(t.oid::regclass, s.shardid)) as shards
  from pg_catalog.pg_class t join pg_catalog.pg_dist_shard s on s.logicalrelid = t.oid
    join pg_catalog.pg_dist_placement p using (shardid) join pg_catalog.pg_dist_node n using (groupid)
  where t.relnamespace = pg_catalog.to_regnamespace($1) and p.shardstate = 1 and n.noderole = 'primary' and n.isactive and n.groupid > 0
  group by n.nodename, n.nodeport`;

/** The last part of a qualified name. */
const lastPart = /("(?:[^"]|"")+"|[^".]+)$/;

/** The placement of a schema; undefined if its tables are on the coordinator, or on more than one node. */
export const readPlacement = async (client: pg.ClientBase | pg.Pool, schema: string): Promise<Placement | undefined> => {
  const { rows } = await client.query<NodeAddress & { tables: readonly string[]; shards: readonly string[] }>({
    name: 'placement',
    text: query,
    values: [quote(schema)],
  });
  const [found] = rows;
  if (!found || rows.length > 1) return undefined;
  const { host, port, tables, shards } = found;
  const unquoted = (name: string) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name);
  const entries = tables.map((table, at) => {
    const [, own = ''] = lastPart.exec(shards[at] ?? '') ?? [];
    return [qualify(schema, table), qualify(schema, unquoted(own))] as const;
  });
  return { node: { host, port }, names: new TableNames(new Map(entries)) };
};
