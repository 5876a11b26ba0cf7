/** Finds the raw table that a table of a source fills in the tables of one customer. */
import type pg from 'pg';
import { datasetsOf, runControlQuery } from '../database/control/datasets.ts';
import { qualify } from '../database/identifier.ts';
import { OperatorError } from '../errors.ts';
import { catalogueTarget, type TargetTable } from './target-table.ts';

/** The table of the catalogue, or a further table of this customer. Throws an `OperatorError` if there is none. */
export const findTarget = async (client: pg.ClientBase, schema: string, table: string): Promise<TargetTable> => {
  const known = catalogueTarget(table);
  if (known) return known;
  const [dataset] = await runControlQuery(client, datasetsOf(schema, 'raw', table).select(['key_column']));
  const { rows } = await client.query<{ column: string; type: string; required: boolean }>(
    `select attname as column, format_type(atttypid, atttypmod) as type, attnotnull as required from pg_catalog.pg_attribute
     where attrelid = pg_catalog.to_regclass($1) and attnum > 0 and not attisdropped order by attnum`,
    [qualify(schema, table)],
  );
  if (!dataset?.key_column || rows.length === 0) {
    const portal = `There is no raw table '${table}'. The dictionary lists them.`;
    throw new OperatorError({
      commandLine: `${portal} A further table is made from a file: estate sync <customer> ${table}.csv --create --key <column>.`,
      portal,
    });
  }
  return { table, key: dataset.key_column, columns: new Map(rows.map((row) => [row.column, row])) };
};
