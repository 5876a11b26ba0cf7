/**
 * Rows of exports that could not be loaded, in the customer's schema (decision 121): each with its reason and the line of the export. They are
 * dumped, moved and dropped with the customer's rows.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import { qualify } from '../identifier.ts';

/** A value of a line: as in JSON, or a typed value by the name of its type. */
export type KeptCell = string | number | boolean | null | { readonly [type: string]: string };

export interface QuarantinedRow {
  /** The raw table, and the position of its entry among those of the source that fill it. */
  readonly table: string;
  readonly entry: number;
  /** The text of the row's key; null if it has none. */
  readonly key: string | null;
  readonly file: string;
  readonly line: number;
  readonly reasons: readonly string[];
  /** The values of the line by column of the export, and the facts of its list. */
  readonly row: Readonly<Record<string, KeptCell>>;
  readonly facts: Readonly<Record<string, string>> | null;
  /** The time of the load that first put it here. */
  readonly since: Date;
}

const tableIn = (schema: string): string => qualify(schema, '_quarantine');

/** The table, for statements. */
export const quarantineTable = (schema: string) => sql.table(`${schema}._quarantine`);

/** Creates the table. Loads of every version may run beside. */
export const createQuarantine = async (client: pg.ClientBase, schema: string): Promise<void> => {
  await client.query(
    `create table if not exists ${tableIn(schema)} (table_name text collate "C" not null, source text collate "C" not null,
       entry integer not null, position integer not null, key_text text collate "C", file text not null, line bigint not null,
       reasons jsonb not null, row jsonb not null, facts jsonb, since timestamptz not null, primary key (table_name, source, position))`,
  );
};

const isThere = async (client: pg.ClientBase | pg.Pool, schema: string): Promise<boolean> => {
  const { rows } = await client.query<{ there: boolean }>('select pg_catalog.to_regclass($1) is not null as there', [tableIn(schema)]);
  return rows[0]?.there ?? false;
};

/** The rows of one table of a source, in the order of the export. */
export const readQuarantine = async (
  client: pg.ClientBase | pg.Pool,
  schema: string,
  { table, source }: { readonly table: string; readonly source: string },
): Promise<readonly QuarantinedRow[]> => {
  if (!(await isThere(client, schema))) return [];
  const { rows } = await client.query<QuarantinedRow>(
    `select table_name as table, entry, key_text as key, file, line, reasons, row, facts, since from ${tableIn(schema)}
     where table_name = $1 and source = $2 order by position`,
    [table, source],
  );
  return rows.map((row) => ({ ...row, line: Number(row.line) }));
};

/** Replaces the rows of the tables of a source. Call it in the transaction of the load. */
export const writeQuarantine = async (
  client: pg.ClientBase,
  schema: string,
  { source, tables, rows }: { readonly source: string; readonly tables: readonly string[]; readonly rows: readonly QuarantinedRow[] },
): Promise<void> => {
  await client.query(`delete from ${tableIn(schema)} where source = $1 and table_name = any($2::text[])`, [source, tables]);
  if (rows.length === 0) return;
  await client.query(
    `insert into ${tableIn(schema)} (table_name, source, entry, position, key_text, file, line, reasons, row, facts, since)
     select "table", $1, entry, row_number() over (), key, file, line, reasons, row, nullif(facts, 'null'::jsonb), since
     from jsonb_to_recordset($2::jsonb) as r ("table" text, entry integer, key text, file text, line bigint, reasons jsonb, row jsonb,
       facts jsonb, since timestamptz)`,
    [source, JSON.stringify(rows)],
  );
};

/** Rows in quarantine with one reason. */
export interface QuarantineCount {
  readonly table: string;
  readonly source: string;
  readonly reason: string;
  readonly rows: number;
  readonly since: Date;
  /** The place of the first row. */
  readonly file: string;
  readonly line: number;
}

const maxReasons = 100;

/** The rows in quarantine by table and reason, the most frequent first. Empty for a customer that no load of this version has reached. */
export const countQuarantined = async (client: pg.ClientBase | pg.Pool, schema: string): Promise<readonly QuarantineCount[]> => {
  if (!(await isThere(client, schema))) return [];
  const { rows } = await client.query<QuarantineCount>(
    `select table_name as table, source, reasons ->> 0 as reason, count(*) as rows, min(since) as since,
       (array_agg(file order by position))[1] as file, (array_agg(line order by position))[1] as line
     from ${tableIn(schema)} group by 1, 2, 3 order by 4 desc, 1, 3 limit ${maxReasons}`,
  );
  return rows.map((row) => ({ ...row, rows: Number(row.rows), line: Number(row.line) }));
};
