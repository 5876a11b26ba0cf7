/**
 * Compares a customer's relations with the catalogue. A table that is missing is not offered; everything that differs is
 * said at start, table by table, before a client stumbles over it.
 */
import type { Catalogue } from '../catalogue/index.ts';
import { kinds } from '../catalogue/kinds.ts';
import type { Database } from './connection.ts';
import type { Customer } from './customers.ts';

/** One line for each table of the customer that is missing or has other columns than the catalogue says. */
export const inspectCustomer = async ({ pool }: Database, catalogue: Catalogue, { slug, schema_name }: Customer): Promise<string[]> => {
  const { rows } = await pool.query<{ table_name: string; column_name: string; data_type: string }>(
    'select table_name, column_name, data_type from information_schema.columns where table_schema = $1 order by table_name, ordinal_position',
    [schema_name],
  );
  const found = new Map<string, Map<string, string>>();
  for (const { table_name, column_name, data_type } of rows) {
    const columns = found.get(table_name) ?? new Map<string, string>();
    found.set(table_name, columns.set(column_name, data_type));
  }
  return [...catalogue.tables.values()].flatMap((table) => {
    const columns = found.get(table.name);
    if (!columns) return [`customer ${slug}: table ${table.name} is missing and not offered`];
    const differences = Object.entries(table.columns).flatMap(([name, { kind }]) => {
      const type = columns.get(name);
      if (type === undefined) return [`${name} is missing`];
      return type === kinds[kind].type ? [] : [`${name} is ${type} instead of ${kinds[kind].type}`];
    });
    return differences.length > 0 ? [`customer ${slug}: table ${table.name} differs: ${differences.join(', ')}`] : [];
  });
};
