/**
 * The failed checks that a key sees: those of tables and columns that it may read, with the violations and keys of its properties
 * (contract: checks of the data; property sets).
 */
import { sql } from 'kysely';
import { catalogueWithin, type DataScope, includesTable, isNarrowed, propertyPathOf } from '../catalogue/data-scope.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { shared } from '../catalogue/property-path.ts';
import { type RawTableName, rawTables } from '../catalogue/raw/index.ts';
import type { DatasetKind } from '../catalogue/table.ts';
import { includesTier, type Tier } from '../catalogue/tiers.ts';
import type { Database } from '../database/connections/connection.ts';
import { runStateQuery } from '../database/control/datasets.ts';
import { quarantineTable } from '../database/control/quarantine.ts';
import type { CustomerSchema } from '../database/control/state-tables.ts';
import { db } from '../sql/select.ts';
import { type CheckResult, checksTable, type Finding, isWithoutResults } from './results.ts';
import { isWithin } from './scoped.ts';
import { maxKeys } from './statements.ts';

/** Who asks. The catalogue is that of the data scope. */
interface CheckReader {
  readonly customer: CustomerSchema;
  readonly catalogue: Catalogue;
  readonly tier: Tier;
  readonly scope: DataScope | undefined;
  /** The category tables that the key may read. */
  readonly tables: ReadonlySet<string>;
}

export interface VisibleCheck {
  readonly name: string;
  readonly severity: CheckResult['severity'];
  readonly count: number;
  /** The first keys of rows, or names of columns. */
  readonly keys: readonly string[];
  readonly en: string;
  readonly de: string;
}

/** The failed checks that a key sees, by table. */
export type FailedChecks = ReadonlyMap<string, readonly VisibleCheck[]>;

type Failure = Pick<CheckResult, 'name' | 'table' | 'severity' | 'columns' | 'others' | 'en' | 'de' | 'count' | 'findings' | 'scoped'>;

const failuresOf = async (database: Database, { id, schema }: CustomerSchema): Promise<readonly Failure[]> => {
  const query = sql<Failure>`select name, table_name as table, severity, columns, others, en, de, count, findings, to_jsonb(c) -> 'scoped' as scoped
    from ${checksTable(schema)} as c where count > 0 or to_jsonb(c) -> 'scoped' <> '[]' order by name`;
  try {
    return await runStateQuery(database, id, { compile: () => query.compile(db) }, `failed checks ${schema}`);
  } catch (error) {
    if (isWithoutResults(error)) return [];
    throw error;
  }
};

/** The rows in quarantine by raw table, without those of a customer that no load of this version has reached. */
const quarantinedIn = async (database: Database, { id, schema }: CustomerSchema): Promise<ReadonlyMap<string, number>> => {
  const query = sql<{
    table: string;
    rows: number;
  }>`select table_name as table, count(*) as rows from ${quarantineTable(schema)} group by 1`;
  try {
    const rows = await runStateQuery(database, id, { compile: () => query.compile(db) }, `quarantine ${schema}`);
    return new Map(rows.map((row) => [row.table, Number(row.rows)]));
  } catch (error) {
    if (isWithoutResults(error)) return new Map();
    throw error;
  }
};

/**
 * The rows in quarantine as failed checks of the tables that would have them. A row that could not be loaded has no property, so a key with a
 * property set does not see it.
 */
const quarantineOf = async (database: Database, { customer, catalogue, scope, tables }: CheckReader): Promise<FailedChecks> => {
  const counts = await quarantinedIn(database, customer);
  return new Map(
    [...catalogue.tables.values()].flatMap(({ name, source }) => {
      const count = counts.get(source.table) ?? 0;
      if (count === 0 || !tables.has(name) || isNarrowed(scope, 'category', name)) return [];
      const words = { en: 'rows of the export that could not be loaded', de: 'Zeilen des Exports, die nicht geladen werden konnten' };
      return [[name, [{ name: `${name}.quarantine`, severity: 'warn' as const, count, keys: [], ...words }]] as const];
    }),
  );
};

/** The ids of the properties that a scope names by company or federal state; undefined if it does not. */
const idsOfFacts = async (
  database: Database,
  { id, schema }: CustomerSchema,
  scope: DataScope,
): Promise<ReadonlySet<number> | undefined> => {
  const { companies, federal_states } = scope.properties ?? {};
  if (!companies && !federal_states) return undefined;
  const query = sql<{ property_id: number }>`select property_id from ${sql.table(`${schema}.properties`)}
    where (${companies ?? null}::text[] is null or company_number = any(${companies ?? null}::text[]))
      and (${federal_states ?? null}::text[] is null or federal_state = any(${federal_states ?? null}::text[]))`;
  const rows = await runStateQuery(database, id, { compile: () => query.compile(db) }, `properties of a scope ${schema}`);
  return new Set(rows.map(({ property_id }) => property_id));
};

/** Whether a property is in the set of the scope. */
const propertiesOf = async (database: Database, customer: CustomerSchema, scope: DataScope): Promise<(property: number) => boolean> => {
  const { ids } = scope.properties ?? {};
  const [listed, found] = [ids && new Set(ids), await idsOfFacts(database, customer, scope)];
  return (property) => (listed?.has(property) ?? true) && (found?.has(property) ?? true);
};

/** Whether a column is readable; `table.column` is one of another table. */
const readsColumn = ({ catalogue, tables }: CheckReader, table: string, path: string): boolean => {
  const [column = '', of = table] = path.split('.').reverse();
  return tables.has(of) && catalogue.tables.get(of)?.columns[column]?.isHidden !== true;
};

const readsOther = ({ tables, tier, scope }: CheckReader, other: string): boolean => {
  if (!other.startsWith('raw/')) return tables.has(other);
  const name = other.slice('raw/'.length);
  return includesTier(tier, rawTables[name as RawTableName].tier) && includesTable(scope, 'raw', name);
};

const isReadable = (reader: CheckReader, { table, columns, others }: Failure): boolean =>
  reader.tables.has(table) &&
  columns.every((column) => readsColumn(reader, table, column)) &&
  others.every((other) => readsOther(reader, other));

/** The findings in the rows that the reader may see. */
const findingsWithin = (
  { scope }: CheckReader,
  { table, findings, scoped }: Failure,
  includes: (property: number) => boolean,
): readonly Finding[] => {
  if (!scope?.properties) return findings;
  const path = propertyPathOf('category', table);
  const isOfAll = path === shared || path?.isSharedWithout === true;
  return (scoped ?? []).filter(
    (finding) => (finding.property === null ? isOfAll : includes(finding.property)) && isWithin(finding, includes),
  );
};

/** Keys of integers and of texts in their order. */
const inOrder = (one: string, other: string): number => Number(one) - Number(other) || (one < other ? -1 : Number(one > other));

/** The first keys, property by property. */
const firstKeys = (findings: readonly Finding[]): readonly string[] => {
  const byProperty = new Map<number | null, readonly string[]>();
  for (const { property, keys } of findings) byProperty.set(property, [...(byProperty.get(property) ?? []), ...keys]);
  return [...byProperty.values()].flatMap((keys) => [...keys].sort(inOrder).slice(0, maxKeys)).slice(0, maxKeys);
};

/** The failed checks by table. */
const visibleTo = async (database: Database, reader: CheckReader): Promise<FailedChecks> => {
  const failures = (await failuresOf(database, reader.customer)).filter((failure) => isReadable(reader, failure));
  const found = new Map<string, readonly VisibleCheck[]>(await quarantineOf(database, reader));
  if (failures.length === 0) return found;
  const includes = reader.scope ? await propertiesOf(database, reader.customer, reader.scope) : () => true;
  for (const failure of failures) {
    const { name, table, severity, en, de } = failure;
    const findings = findingsWithin(reader, failure, includes);
    if (findings.length === 0) continue;
    const count = findings.reduce((sum, finding) => sum + finding.count, 0);
    const keys = firstKeys(findings);
    found.set(table, [...(found.get(table) ?? []), { name, severity, count, keys, en, de }]);
  }
  return found;
};

interface CallersTables {
  /** The whole catalogue. */
  readonly catalogue: Catalogue;
  readonly caller: Pick<CheckReader, 'customer' | 'tier' | 'scope'>;
  /** All tables that the key may read. */
  readonly tables: readonly { readonly kind: DatasetKind; readonly name: string }[];
}

/** The failed checks that the caller's key sees. */
export const visibleFailures = (
  database: Database,
  { catalogue, caller: { customer, tier, scope }, tables }: CallersTables,
): Promise<FailedChecks> => {
  const names = new Set(tables.flatMap(({ kind, name }) => (kind === 'category' ? [name] : [])));
  return visibleTo(database, { customer, catalogue: catalogueWithin(catalogue, scope), tier, scope, tables: names });
};
