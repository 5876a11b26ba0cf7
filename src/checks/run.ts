/** Runs checks of a customer's data (decision 096). */
import type pg from 'pg';
import type { Check } from '../catalogue/check-rule.ts';
import { nullableColumns, summedColumns } from '../catalogue/checks.ts';
import { shared } from '../catalogue/property-path.ts';
import type { Table } from '../catalogue/table.ts';
import { compileSettings, setting } from '../database/connections/session-settings.ts';
import type { TableNames } from '../database/connections/table-names.ts';
import { datasetsOf, runControlQuery } from '../database/control/datasets.ts';
import { OperatorError } from '../errors.ts';
import { type CheckResult, type Finding, type Measured, readResults, type ScopedFinding, writeResults } from './results.ts';
import { crossingOf, leadsToProperties, maxFindings, readsProperties, scopedFindingsOf, strayReference } from './scoped.ts';
import { type CheckPlace, type CheckStatement, findingsOf, isRowRule, maxKeys, type RowRule, rowRuleOf, scanOf } from './statements.ts';

/** Where checks run: a connection, and the names of tables that the load has under other names. */
export interface Running extends CheckPlace {
  readonly client: pg.ClientBase;
  readonly names?: TableNames | undefined;
}

interface Scan {
  readonly rows: number;
  readonly nulls: readonly number[];
  readonly sums: readonly number[];
  readonly counts: readonly number[];
}

/** The result of a check, without the load that it belongs to. */
type Outcome = Pick<CheckResult, 'count' | 'findings' | 'scoped' | 'measured'>;

const query = async <Row extends object>({ client, names }: Running, { text, values }: CheckStatement): Promise<Row[]> => {
  const { rows } = await client.query<Row>(names ? names.translate(text) : text, [...values]);
  return rows;
};

const nothing: Outcome = { count: 0, findings: [], scoped: [], measured: null };

/** The violations for keys with a property set. */
const findScoped = async (
  running: Running,
  table: Table,
  check: Check,
  findings: readonly Finding[],
): Promise<readonly ScopedFinding[]> => {
  if (readsProperties(check)) return [];
  const { rule } = check;
  if (rule.is === 'overlap' && findings.length === 0) return [];
  if (rule.is === 'total') {
    const [found] = await query<{ crosses: boolean }>(running, crossingOf(running, table, rule));
    if (!found!.crosses) return findings;
  }
  const statement = rule.is === 'reference' && !leadsToProperties(check) ? undefined : scopedFindingsOf(running, table, check);
  if (!statement) return findings;
  const scoped = await query<ScopedFinding>(running, statement);
  return scoped.length > maxFindings ? [] : scoped;
};

const find = async (running: Running, table: Table, check: Check): Promise<Outcome> => {
  const findings = await query<Finding>(running, findingsOf(running, table, check));
  const scoped = await findScoped(running, table, check, findings);
  return { count: findings.reduce((sum, { count }) => sum + count, 0), findings, scoped, measured: null };
};

/** The rule of a scan. A reference counts that leads to another property, too, because it leads nowhere for some keys. */
const scannedRule = (running: Running, table: Table, check: Check, alias: string): RowRule =>
  check.rule.is === 'reference' && leadsToProperties(check)
    ? strayReference(running, table, check.rule, alias)
    : rowRuleOf(running, check, alias)!;

/** Figures of a whole table are for keys that read all of it. */
const withFigures = ({ property }: Table, found: Omit<Outcome, 'scoped'>): Outcome => ({
  ...found,
  scoped: property === shared ? found.findings : [],
});

/** A value changes much if it is below half or above twice the earlier one. Nothing is compared with 0. */
const changesMuch = (now: number, before: number): boolean => before > 0 && (now < before / 2 || now > before * 2);

/** The columns whose figures changed. Figures of other columns than those of the last load are not compared. */
const changedColumns = (
  now: Readonly<Record<string, number>>,
  before: Measured | null | undefined,
  hasChanged: (now: number, before: number) => boolean,
): readonly string[] => {
  if (typeof before !== 'object' || before === null) return [];
  return Object.keys(now).filter((name) => before[name] !== undefined && hasChanged(now[name]!, before[name]));
};

/** The outcome of a check against the last load. The examples are names of columns. */
const compare = (table: Table, { rows, nulls, sums }: Scan, check: Check, before: Measured | null | undefined): Outcome => {
  if (check.rule.is === 'rows') {
    const isFound = typeof before === 'number' && changesMuch(rows, before);
    const findings = isFound ? [{ property: null, count: 1, keys: [] }] : [];
    return withFigures(table, { count: findings.length, findings, measured: rows });
  }
  const isNulls = check.rule.is === 'nulls';
  const columns = isNulls ? nullableColumns(table) : summedColumns(table);
  const figures = columns.map((name, index) => [name, isNulls ? (rows === 0 ? 0 : nulls[index]! / rows) : sums[index]!] as const);
  const measured = Object.fromEntries(figures);
  const found = changedColumns(measured, before, isNulls ? (now, then) => now - then > 0.2 : changesMuch);
  const findings = found.length > 0 ? [{ property: null, count: found.length, keys: found.slice(0, maxKeys) }] : [];
  return withFigures(table, { count: found.length, findings, measured });
};

/** The outcomes of checks of one table. `before` has what the last load measured, by check. */
const runTable = async (
  running: Running,
  table: Table,
  checks: readonly Check[],
  before: ReadonlyMap<string, Measured | null>,
): Promise<Map<Check, Outcome>> => {
  const outcomes = new Map<Check, Outcome>();
  const rowChecks = checks.filter(({ rule }) => isRowRule(rule));
  const isScanned = checks.some(({ rule }) => rule.is !== 'overlap' && rule.is !== 'total');
  const rules = rowChecks.map((check, index) => scannedRule(running, table, check, `r${index}`));
  const [scan] = isScanned ? await query<Scan>(running, scanOf(running, table, rules)) : [];
  for (const [index, check] of rowChecks.entries())
    outcomes.set(check, scan!.counts[index]! > 0 ? await find(running, table, check) : nothing);
  for (const check of checks) {
    const { is } = check.rule;
    if (is === 'overlap' || is === 'total') outcomes.set(check, await find(running, table, check));
    else if (is === 'rows' || is === 'nulls' || is === 'sums') outcomes.set(check, compare(table, scan!, check, before.get(check.name)));
  }
  return outcomes;
};

const nameOf = ({ kind, table }: Check['others'][number]): string => (kind === 'raw' ? `raw/${table}` : table);

/** The tables that the customer has loaded; raw tables as `raw/name`. A check of another table would only say that it is missing. */
const loadedTables = async ({ client, schema }: Running): Promise<ReadonlySet<string>> => {
  const rows = await runControlQuery(client, datasetsOf(schema).select(['kind', 'name']).where('version', '>', 0));
  return new Set(rows.map(({ kind, name }) => nameOf({ kind, table: name })));
};

const tablesOf = (check: Check): readonly string[] => [check.table, ...check.others.map(nameOf)];

/** Runs checks and returns their results, by table. */
const runChecks = async (
  running: Running,
  checks: readonly Check[],
  previous: readonly CheckResult[],
  run: number | null,
): Promise<readonly CheckResult[]> => {
  await running.client.query(setting(compileSettings, 'local'));
  const before = new Map(previous.map(({ name, measured }) => [name, measured]));
  const byTable = new Map<string, Check[]>();
  for (const check of checks) byTable.set(check.table, [...(byTable.get(check.table) ?? []), check]);
  const results: CheckResult[] = [];
  for (const [name, own] of byTable) {
    const table = running.catalogue.tables.get(name)!;
    for (const [{ rule: _, others, ...check }, outcome] of await runTable(running, table, own, before))
      results.push({ ...check, others: others.map(nameOf), ...outcome, run, checked_at: new Date() });
  }
  return results;
};

/** Which checks a load needs: those that read a changed table, and those without a result. */
export interface Selection {
  readonly checks: readonly Check[];
  /** Tables that the load changed, raw ones as `raw/name`; absent: all. */
  readonly changed?: ReadonlySet<string> | undefined;
}

const isNeeded = (check: Check, known: ReadonlyMap<string, CheckResult>, changed: Selection['changed']): boolean => {
  const last = known.get(check.name);
  return (
    !changed || !last || last.scoped === null || last.severity !== check.severity || tablesOf(check).some((table) => changed.has(table))
  );
};

/** Runs the checks that are needed, after a load, in the client's transaction. Writes their results and returns all results. */
export const checkData = async (running: Running, { checks, changed }: Selection, run: number | null): Promise<readonly CheckResult[]> => {
  const { client, schema } = running;
  const previous = await readResults(client, schema);
  const known = new Map(previous.map((result) => [result.name, result]));
  const loaded = await loadedTables(running);
  const possible = checks.filter((check) => tablesOf(check).every((table) => loaded.has(table)));
  const needed = possible.filter((check) => isNeeded(check, known, changed));
  const results = await runChecks(running, needed, previous, run);
  const current = possible.map(({ name }) => name);
  await writeResults(client, schema, results, current);
  const fresh = new Map(results.map((result) => [result.name, result]));
  return possible.flatMap(({ name }) => fresh.get(name) ?? known.get(name) ?? []);
};

/** A failed check in one line. */
export const failureInWords = ({ name, count, en, findings }: CheckResult): string => {
  const keys = findings.flatMap((finding) => finding.keys).slice(0, maxKeys);
  const shown = keys.length > 0 ? ` (${keys.join(', ')}${count > keys.length ? ', …' : ''})` : '';
  return `${name}: ${count.toLocaleString('en')} ${en}${shown}`;
};

/**
 * Runs the checks that may stop a load, in its transaction. Throws an `OperatorError` with the failed ones. Against the last load, it
 * compares with the results before this load.
 */
export const refuseViolations = async (running: Running, { checks, changed }: Selection): Promise<void> => {
  const strict = checks.filter(({ severity }) => severity === 'refuse');
  if (strict.length === 0) return;
  const previous = await readResults(running.client, running.schema);
  const loaded = await loadedTables(running);
  const needed = strict.filter(
    (check) => tablesOf(check).every((table) => loaded.has(table)) && tablesOf(check).some((table) => changed?.has(table) ?? true),
  );
  const failed = (await runChecks(running, needed, previous, null)).filter(({ count }) => count > 0);
  if (failed.length > 0) throw new OperatorError(failed.map((result) => `check ${failureInWords(result)}`).join('\n'));
};
