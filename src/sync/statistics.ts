/** What a load tells the server's planner of the tables that it has changed. */
import type pg from 'pg';
import { quote } from '../database/identifier.ts';

const indexedColumns = `select distinct a.attname::text as name from pg_catalog.pg_index i
  join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey::int2[])
  where i.indrelid = $1::regclass order by name`;

/**
 * Looks at the columns that a raw table is joined and paged by, which are those that it has indexes of, or is to have like another one;
 * to look at sixty takes ten times as long. The rest the server does by itself, later.
 */
export const analyzeIndexed = async (client: pg.ClientBase, table: string, like = table): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(indexedColumns, [like]);
  const columns = rows.map(({ name }) => quote(name)).join(', ');
  await client.query(`analyze ${table}${columns && ` (${columns})`}`);
};
