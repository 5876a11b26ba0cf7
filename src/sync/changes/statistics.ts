/** Planner statistics of the tables that a load changed. */
import type pg from 'pg';
import { quote } from '../../database/identifier.ts';

const indexedColumns = `select distinct a.attname::text as name from pg_catalog.pg_index i
  join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey::int2[])
  where i.indrelid = $1::regclass order by name`;

/**
 * Analyzes the indexed columns of a raw table, by which it is joined and paged. Sixty columns would take ten times as long; autovacuum
 * analyzes the rest later.
 */
export const analyzeIndexed = async (client: pg.ClientBase, table: string, like = table): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(indexedColumns, [like]);
  const columns = rows.map(({ name }) => quote(name)).join(', ');
  await client.query(`analyze ${table}${columns && ` (${columns})`}`);
};
