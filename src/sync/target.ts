/** The raw table for a file: one of the catalogue, an existing table of this customer, or a new table from the file's columns. */
import type pg from 'pg';
import { rawTables } from '../catalogue/raw/index.ts';
import { partsOf, type RawTable } from '../catalogue/raw-table.ts';
import type { Tier } from '../catalogue/tiers.ts';
import type { Customer } from '../database/control/customers.ts';
import { datasetsOf, runControlQuery } from '../database/control/datasets.ts';
import { qualify } from '../database/identifier.ts';
import { OperatorError } from '../errors.ts';
import { printable } from '../printable.ts';

export interface TargetColumn {
  /** The SQL type, such as `numeric(14,2)`. */
  readonly type: string;
  readonly required: boolean;
}

export interface Target {
  readonly table: string;
  readonly key: string;
  readonly tier: Tier;
  readonly columns: ReadonlyMap<string, TargetColumn>;
  /** Unique keys besides `key`. */
  readonly unique: readonly (readonly string[])[];
  /** This load creates the table. */
  readonly isNew: boolean;
}

/** The definition of unknown tables. */
export interface NewTables {
  readonly key: string;
  readonly tier: Tier;
}

const identifier = /^[a-z][a-z0-9_]{0,47}$/;
/** `/raw/tables` is the list (contract: paths). */
const reserved = ['tables'];

const ofCatalogue = (table: string, { key, tier, columns, unique }: RawTable): Target => {
  const declared = Object.entries(columns).map(([name, column]) => [name, partsOf(column)] as const);
  return { table, key, tier, columns: new Map(declared), unique, isNew: false };
};

/** Throws an `OperatorError` unless the names are valid in paths and in SQL. */
const checkNames = (table: string, key: string, columns: readonly string[], taken: ReadonlySet<string>): void => {
  const wrong = [table, ...columns].find((name) => !identifier.test(name));
  if (wrong !== undefined)
    throw new OperatorError(
      `'${printable(wrong)}' cannot name a new table or its columns: lower-case letters, digits, _, beginning with a letter, at most 48.`,
    );
  if (taken.has(table) || reserved.includes(table))
    throw new OperatorError(`A new raw table cannot be called '${table}': the name is taken.`);
  if (!columns.includes(key)) throw new OperatorError(`The file of the new table ${table} has no column '${key}', which is to be its key.`);
};

const toBeMade = (table: string, { key, tier }: NewTables, columns: readonly string[], taken: ReadonlySet<string>): Target => {
  checkNames(table, key, columns, taken);
  const typed = columns.map((name) => [name, { type: name === key ? 'bigint' : 'text', required: name === key }] as const);
  return { table, key, tier, columns: new Map(typed), unique: [], isNew: true };
};

interface Wanted {
  readonly table: string;
  /** The columns of the file, which define a new table. */
  readonly columns: readonly string[];
  /** Names of category tables, which are in the same schema. */
  readonly taken: ReadonlySet<string>;
  readonly newTables: NewTables | undefined;
}

/** Finds the table or defines it. Throws an `OperatorError` if it does not exist and must not be created. */
export const resolveTarget = async (
  client: pg.ClientBase,
  customer: Customer,
  { table, columns, taken, newTables }: Wanted,
): Promise<Target> => {
  const known = Object.entries<RawTable>(rawTables).find(([name]) => name === table);
  if (known) return ofCatalogue(table, known[1]);
  const [dataset] = await runControlQuery(client, datasetsOf(customer.schema_name, 'raw', table).select(['key_column', 'tier']));
  const { rows } = await client.query<{ column: string; type: string; required: boolean }>(
    `select attname as column, format_type(atttypid, atttypmod) as type, attnotnull as required from pg_catalog.pg_attribute
     where attrelid = pg_catalog.to_regclass($1) and attnum > 0 and not attisdropped order by attnum`,
    [qualify(customer.schema_name, table)],
  );
  if (dataset && rows.length > 0) {
    const [key, tier] = [dataset.key_column!, dataset.tier!];
    return { table, key, tier, columns: new Map(rows.map((row) => [row.column, row])), unique: [], isNew: false };
  }
  if (newTables) return toBeMade(table, newTables, columns, taken);
  const absent = `There is no raw table '${printable(table)}'.`;
  throw new OperatorError({
    commandLine: `${absent} To make it from the file's columns: --create --key <column>.`,
    portal: `${absent} Choose “a draft” in the form, or a source file that names a raw table.`,
  });
};
