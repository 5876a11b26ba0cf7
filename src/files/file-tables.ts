/** The tables that have files, as a data scope shows them (contract: files). */
import { categorySource, type Directory, rawWithin } from '../cache/directory.ts';
import { catalogueWithin, type DataScope, includesTable, isNarrowed } from '../catalogue/data-scope.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { rawTables } from '../catalogue/raw/index.ts';
import type { RawTable } from '../catalogue/raw-table.ts';
import type { DatasetKind } from '../catalogue/table.ts';
import { categories, type Tier } from '../catalogue/tiers.ts';
import type { CustomerSchema } from '../database/control/state-tables.ts';
import type { PlanSource } from '../plan/plan.ts';

export interface FileTable {
  readonly source: PlanSource;
  readonly tier: Tier;
  readonly columns: readonly string[];
  /** Descriptions in Parquet files: of the table, and of its columns by name. */
  readonly purpose: string;
  readonly meanings: Readonly<Record<string, string>>;
}

export interface FileTablesOf {
  readonly catalogue: Catalogue;
  readonly directory: Directory;
  readonly customer: CustomerSchema;
  readonly scope?: DataScope | undefined;
}

const categoryTable = ({ catalogue, directory, customer, scope }: FileTablesOf, name: string): FileTable | undefined => {
  const table = catalogueWithin(catalogue, scope).tables.get(name) ?? catalogue.tables.get(name);
  if (!table || !directory.categoryTables.has(name)) return undefined;
  return {
    source: categorySource(table, customer, scope),
    tier: categories[table.category],
    columns: Object.keys(table.columns),
    purpose: table.purpose,
    meanings: Object.fromEntries(Object.entries(table.columns).map(([column, { meaning }]) => [column, meaning])),
  };
};

const rawTable = ({ directory, scope }: FileTablesOf, name: string): FileTable | undefined => {
  const raw = directory.rawTables.get(name);
  if (!raw) return undefined;
  const { source, columns, tier } = rawWithin(raw, scope);
  const known = (rawTables as Readonly<Record<string, RawTable>>)[name];
  return { source, columns, tier, purpose: known?.purpose ?? '', meanings: {} };
};

/** A table of the customer by name; undefined if there is none. The scope may still exclude it. */
export const findFileTable = (tables: FileTablesOf, kind: DatasetKind, name: string): FileTable | undefined =>
  kind === 'raw' ? rawTable(tables, name) : categoryTable(tables, name);

/** Whether a scope has files of a table: it includes the table, and all of its rows. */
export const hasFiles = (scope: DataScope | undefined, kind: DatasetKind, name: string): boolean =>
  includesTable(scope, kind, name) && !isNarrowed(scope, kind, name);
