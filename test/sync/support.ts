/** Deliveries for the sync tests: tables as files in a folder, and loads of them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { catalogue } from '../../src/catalogue/index.ts';
import { rawTables } from '../../src/catalogue/raw/index.ts';
import type { Database } from '../../src/database/connections/connection.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import { projection } from '../../src/database/ddl.ts';
import { findSourceFiles } from '../../src/sync/files/source-files.ts';
import type { Progress, SyncRequest, SyncResult } from '../../src/sync/request.ts';
import { sync } from '../../src/sync/sync.ts';

/** A table as in a file. Null is an empty field. */
export interface TableData {
  readonly columns: readonly string[];
  readonly rows: (string | null)[][];
}

const field = (value: string | null): string => (value === null ? '' : `"${value.replaceAll('"', '""')}"`);

export const asCsv = ({ columns, rows }: TableData): string =>
  [columns, ...rows]
    .map((row) => row.map(field).join())
    .join('\r\n')
    .concat('\r\n');

export class Deliveries {
  readonly folder: string;

  constructor(folder = mkdtempSync(join(tmpdir(), 'estate-sync-'))) {
    this.folder = folder;
  }

  /** A subfolder. */
  folderNamed(name: string): Deliveries {
    mkdirSync(join(this.folder, name), { recursive: true });
    return new Deliveries(join(this.folder, name));
  }

  /** Writes a file and returns its path. */
  write(name: string, content: string | Buffer): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Tests of the guards restrict this; others load tables of a few rows. */
const anyTable = [...Object.keys(rawTables), 'meter', 'readings'];

/** Loads do not wait for version leases, unless the test says so. */
const unwatched = { announceMs: 0, retentionHours: 24, allowDeletes: anyTable, allowEmptyColumns: anyTable, accept: true };

export interface LoadOptions extends Partial<Omit<SyncRequest, 'files'>> {
  readonly customer?: string;
  readonly deletes?: readonly string[];
}

export const load = async (
  database: Database,
  paths: readonly string[],
  { customer = 'nord', deletes = [], ...options }: LoadOptions = {},
  progress: Progress = () => {},
): Promise<SyncResult> => {
  const files = [...findSourceFiles(paths, 'rows'), ...findSourceFiles(deletes, 'deletes')];
  return sync({ database, catalogue }, await findCustomer(database, customer), { mode: 'full', ...unwatched, ...options, files }, progress);
};

/** The record of a table's data. */
export const readDatasetState = async ({ pool }: Database, kind: string, name: string) => {
  const { rows } = await pool.query(
    `select d.version, d.row_count, d.synced_at, d.changed_at from customer_nord._datasets d
     where d.kind = $1 and d.name = $2`,
    [kind, name],
  );
  return rows[0];
};

/** The current rows of a customer's raw table. */
export const readTableData = async ({ pool }: Database, table: string, schema = 'customer_nord'): Promise<TableData> => {
  const { rows: columns } = await pool.query<{ name: string }>(
    `select column_name::text as name from information_schema.columns where table_schema = $1 and table_name = $2 order by ordinal_position`,
    [schema, table],
  );
  const names = columns.map(({ name }) => name);
  const { rows } = await pool.query<{ row: (string | null)[] }>(
    `select array[${names.map((name) => `"${name}"::text`).join()}] as row from "${schema}"."${table}" order by 1`,
  );
  return { columns: names, rows: rows.map(({ row }) => row) };
};

/** Asserts that every category table equals its projection, and that all rows are counted. */
export const expectPublished = async ({ pool }: Database, schema = 'customer_nord'): Promise<void> => {
  const wrong: string[] = [];
  for (const table of catalogue.tables.values()) {
    const name = `"${schema}"."${table.name}"`;
    const next = `(${projection((raw) => `"${schema}"."${raw}"`, table)})`;
    const { rows } = await pool.query(
      `select 1 from (select * from ${next} a except select * from ${name}) x union all select 1 from (select * from ${name} except select * from ${next} b) y limit 1`,
    );
    if (rows.length > 0) wrong.push(table.name);
  }
  const { rows: datasets } = await pool.query<{ name: string; row_count: number }>(`select name, row_count from "${schema}"._datasets`);
  for (const { name, row_count } of datasets) {
    const { rows } = await pool.query(`select count(*) from "${schema}"."${name}"`);
    if (rows[0].count !== row_count) wrong.push(`${name} has ${rows[0].count} rows, not ${row_count}`);
  }
  expect(wrong).toEqual([]);
};

/** A seeded random source: integers below `max`. */
export const seededRandom = (seed: number) => {
  let state = seed;
  return (max: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % max;
  };
};
