/**
 * The results of checks, in the customer's schema (decision 050): the last result of each check, the failed checks of each load, and what
 * sources say about checks. The first load creates the tables, also for customers of an earlier version.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import type { Severity } from '../catalogue/check-rule.ts';
import { qualify } from '../database/identifier.ts';
import type { SourceCheckSetting } from './settings.ts';

/** The violations of one property; of rows without a property if it is null. */
export interface Finding {
  readonly property: number | null;
  readonly count: number;
  /** The first keys. */
  readonly keys: readonly string[];
}

/** Violations for keys with a property set. Undefined sets of properties mean nothing. */
export interface ScopedFinding extends Finding {
  /** A violation unless a key reads one of these properties. */
  readonly unless?: readonly number[] | null;
  /** A violation if a key reads one of these properties. */
  readonly with_any?: readonly number[] | null;
  /** A violation if a key reads all of these properties. */
  readonly with_all?: readonly number[] | null;
}

/** What is kept of a table for the comparison with the next load: a number of rows, or a figure for each column. */
export type Measured = number | Readonly<Record<string, number>>;

export interface CheckResult {
  readonly name: string;
  readonly table: string;
  readonly severity: Severity;
  readonly columns: readonly string[];
  /** The other tables that the check reads; raw tables as `raw/name`. */
  readonly others: readonly string[];
  readonly en: string;
  readonly de: string;
  /** The number of violations. */
  readonly count: number;
  readonly findings: readonly Finding[];
  /** What keys with a property set see (`scoped.ts`). Null if an earlier version checked. */
  readonly scoped: readonly ScopedFinding[] | null;
  readonly measured: Measured | null;
  /** The load whose data was checked; null for a check without one. */
  readonly run: number | null;
  readonly checked_at: Date;
}

/** Loads whose failed checks are kept. */
const keptRuns = 200;

const names = (schema: string) =>
  ['_checks', '_check_runs', '_check_sources'].map((name) => qualify(schema, name)) as [checks: string, runs: string, sources: string];

/** The table of the last results, for statements. */
export const checksTable = (schema: string) => sql.table(`${schema}._checks`);

/** Whether an error says that there is no table of results: the customer was never loaded by this version. */
export const isWithoutResults = (error: unknown): boolean => (error as { code?: string }).code === '42P01';

/** Creates the tables. Call it outside of the transaction of a load. */
export const createCheckTables = async (client: pg.ClientBase, schema: string): Promise<void> => {
  const [checks, runs, sources] = names(schema);
  await client.query(
    `create table if not exists ${checks} (name text collate "C" primary key, table_name text not null, severity text not null,
       columns text[] not null, others text[] not null, en text not null, de text not null, count bigint not null,
       findings jsonb not null, measured jsonb, run bigint, checked_at timestamptz not null)`,
  );
  await client.query(`alter table ${checks} add column if not exists scoped jsonb`);
  await client.query(
    `create table if not exists ${runs} (run bigint not null, name text collate "C" not null, count bigint not null, primary key (run, name))`,
  );
  await client.query(`create table if not exists ${sources} (source text collate "C" primary key, checks jsonb not null)`);
};

/** Whether the customer has results. One that was never loaded by this version has none. */
const hasCheckTables = async (client: pg.ClientBase | pg.Pool, schema: string): Promise<boolean> => {
  const { rows } = await client.query<{ there: boolean }>('select pg_catalog.to_regclass($1) is not null as there', [names(schema)[2]]);
  return rows[0]?.there ?? false;
};

/** What each source says about checks. */
export const readSourceChecks = async (client: pg.ClientBase, schema: string): Promise<Map<string, readonly SourceCheckSetting[]>> => {
  const { rows } = await client.query<{ source: string; checks: readonly SourceCheckSetting[] }>(
    `select source, checks from ${names(schema)[2]} order by source`,
  );
  return new Map(rows.map(({ source, checks }) => [source, checks]));
};

export const writeSourceChecks = async (
  client: pg.ClientBase,
  schema: string,
  source: string,
  checks: readonly SourceCheckSetting[],
): Promise<void> => {
  await client.query(
    `insert into ${names(schema)[2]} (source, checks) values ($1, $2) on conflict (source) do update set checks = excluded.checks`,
    [source, JSON.stringify(checks)],
  );
};

/** The last results, in the order of their names. Empty without tables of results. */
export const readResults = async (client: pg.ClientBase | pg.Pool, schema: string): Promise<readonly CheckResult[]> => {
  if (!(await hasCheckTables(client, schema))) return [];
  const { rows } = await client.query<CheckResult>(
    // An earlier version has no column for it.
    `select name, table_name as table, severity, columns, others, en, de, count, findings, to_jsonb(c) -> 'scoped' as scoped, measured, run, checked_at
     from ${names(schema)[0]} as c order by name`,
  );
  return rows;
};

/** The number of violations by load and check. A load without an entry for a check had none. Empty without tables of results. */
export const readFailuresByRun = async (
  client: pg.ClientBase | pg.Pool,
  schema: string,
  runs: readonly number[],
): Promise<ReadonlyMap<number, Readonly<Record<string, number>>>> => {
  if (!(await hasCheckTables(client, schema))) return new Map();
  const { rows } = await client.query<{ run: number; counts: Record<string, number> }>(
    `select run, jsonb_object_agg(name, count) as counts from ${names(schema)[1]} where run = any($1::bigint[]) group by run`,
    [runs],
  );
  return new Map(rows.map(({ run, counts }) => [run, counts]));
};

/** Writes results in place of earlier ones, and forgets the checks that no longer exist. `current` are the names of all checks. */
export const writeResults = async (
  client: pg.ClientBase,
  schema: string,
  results: readonly CheckResult[],
  current: readonly string[],
): Promise<void> => {
  const [checks, runs] = names(schema);
  await client.query(`delete from ${checks} where name <> all($1::text[])`, [current]);
  await client.query(
    `insert into ${checks} as c (name, table_name, severity, columns, others, en, de, count, findings, scoped, measured, run, checked_at)
     select name, "table", severity, columns, others, en, de, count, findings, scoped, measured, run, checked_at
     from jsonb_to_recordset($1::jsonb) as r (name text, "table" text, severity text, columns text[], others text[], en text, de text,
       count bigint, findings jsonb, scoped jsonb, measured jsonb, run bigint, checked_at timestamptz)
     on conflict (name) do update set table_name = excluded.table_name, severity = excluded.severity, columns = excluded.columns,
       others = excluded.others, en = excluded.en, de = excluded.de, count = excluded.count, findings = excluded.findings, scoped = excluded.scoped,
       measured = excluded.measured, run = excluded.run, checked_at = excluded.checked_at`,
    [JSON.stringify(results)],
  );
  await client.query(
    `insert into ${runs} (run, name, count)
     select run, name, count from ${checks} where count > 0 and run = any($1::bigint[])
     on conflict (run, name) do update set count = excluded.count`,
    [[...new Set(results.flatMap(({ run }) => run ?? []))]],
  );
  await client.query(
    `delete from ${runs} where run < (select min(run) from (select distinct run from ${runs} order by run desc limit ${keptRuns}) as kept)`,
  );
};
