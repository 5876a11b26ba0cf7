/**
 * Compares customers' tables with the catalogue. The service does not offer a missing table. Each difference is reported, so that the
 * operator learns of it before a client does.
 */
import type pg from 'pg';
import type { Catalogue } from '../catalogue/index.ts';
import { kinds } from '../catalogue/kinds.ts';
import type { Database } from './connections/connection.ts';
import { controlSchema } from './control-tables.ts';
import { qualify } from './identifier.ts';

/** One line for each table of these customers that is missing or has other columns than the catalogue. */
export const findDifferences = async ({ pool }: Database, catalogue: Catalogue, customerIds: readonly number[]): Promise<string[]> => {
  const columns = [...catalogue.tables.values()].flatMap((table) =>
    Object.entries(table.columns).map(([name, { kind }]) => [table.name, name, kinds[kind].type] as const),
  );
  const { rows } = await pool.query<{ slug: string; table: string; is_missing: boolean; differences: string }>(
    `select c.slug, w."table", bool_and(t.oid is null) as is_missing, string_agg(
       case when a.atttypid is null then format('%s is missing', w."column")
         else format('%s is %s instead of %s', w."column", format_type(a.atttypid, null), w.type) end, ', ' order by w.place) as differences
     from ${qualify(controlSchema, 'customers')} c
     cross join unnest($1::text[], $2::text[], $3::text[]) with ordinality w ("table", "column", type, place)
     left join pg_catalog.pg_namespace n on n.nspname = c.schema_name
     left join pg_catalog.pg_class t on t.relnamespace = n.oid and t.relname = w."table"
     left join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attname = w."column" and a.attnum > 0
     where c.id = any($4::integer[]) and format_type(a.atttypid, null) is distinct from w.type
     group by c.slug, w."table" order by c.slug, min(w.place)`,
    [...[0, 1, 2].map((part) => columns.map((column) => column[part])), customerIds],
  );
  return rows.map(({ slug, table, is_missing, differences }) =>
    is_missing ? `customer ${slug}: table ${table} is missing and not offered` : `customer ${slug}: table ${table} differs: ${differences}`,
  );
};

/** The columns of the catalogue that a customer's tables lack, by table. Missing tables are left out. */
export const findMissingColumns = async (
  client: pg.ClientBase | pg.Pool,
  catalogue: Catalogue,
  schema: string,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const names = [...catalogue.tables.values()].flatMap((table) =>
    Object.keys(table.columns).map((column) => [table.name, column] as const),
  );
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `select w."table", array_agg(w."column" order by w.place) as columns
     from unnest($1::text[], $2::text[]) with ordinality w ("table", "column", place)
     join pg_catalog.pg_namespace n on n.nspname = $3
     join pg_catalog.pg_class t on t.relnamespace = n.oid and t.relname = w."table"
     left join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attname = w."column" and a.attnum > 0
     where a.attname is null group by w."table" order by min(w.place)`,
    [names.map(([table]) => table), names.map(([, column]) => column), schema],
  );
  return new Map(rows.map(({ table, columns }) => [table, columns]));
};

/** Customers per statement. The statement stays within its time limit, and the result fits into memory. */
const atATime = 50;

/** The differences of all customers. */
export const findAllDifferences = async (database: Database, catalogue: Catalogue): Promise<string[]> => {
  const customers = await database.control.selectFrom('customers').select('id').orderBy('slug').execute();
  const found: string[] = [];
  for (let at = 0; at < customers.length; at += atATime) {
    const ids = customers.slice(at, at + atATime).map(({ id }) => id);
    found.push(...(await findDifferences(database, catalogue, ids)));
  }
  return found;
};
