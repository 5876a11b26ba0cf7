/** The raw table that a table of a source fills. */
import type pg from 'pg';
import { partsOf } from '../catalogue/raw-table.ts';
import { datasetsOf, runControlQuery } from '../database/control/datasets.ts';
import { qualify } from '../database/identifier.ts';
import { OperatorError } from '../errors.ts';
import { isLoadTime } from '../sync/load-times.ts';
import { rawTableOf } from './keys/key-type.ts';
import type { TableRule } from './source-file.ts';

export interface TargetColumn {
  readonly type: string;
  readonly required: boolean;
}

export interface TargetTable {
  readonly table: string;
  readonly key: string;
  readonly columns: ReadonlyMap<string, TargetColumn>;
}

/** A table of the catalogue. */
export const catalogueTarget = (table: string): TargetTable | undefined => {
  const known = rawTableOf(table);
  if (!known) return undefined;
  return {
    table,
    key: known.key,
    columns: new Map(Object.entries(known.columns).map(([name, column]) => [name, partsOf(column)])),
  };
};

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
  if (!dataset?.key_column || rows.length === 0)
    throw new OperatorError(
      `There is no raw table '${table}'. The dictionary lists them. A further table is made from a file: estate sync <customer> ${table}.csv --create --key <column>.`,
    );
  return { table, key: dataset.key_column, columns: new Map(rows.map((row) => [row.column, row])) };
};

/** Whether each row needs a value. The load gives its time to rows without one of the load times. */
export const needsValue = (name: string, { columns }: TargetTable): boolean => columns.get(name)?.required === true && !isLoadTime(name);

/** The required columns that a table of the source does not fill. */
export const requiredWithout = ({ columns }: TableRule, target: TargetTable): string[] =>
  [...target.columns.keys()].filter((name) => name !== target.key && !(name in columns) && needsValue(name, target));
