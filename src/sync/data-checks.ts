/** The checks of the customer's data as a part of a load (decision 096). */
import type { Check } from '../catalogue/check-rule.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { type CheckResult, createCheckTables, readSourceChecks, writeSourceChecks } from '../checks/results.ts';
import { checkData, refuseViolations, type Selection } from '../checks/run.ts';
import { checksWith } from '../checks/settings.ts';
import { maxKeys } from '../checks/statements.ts';
import type { Database } from '../database/connections/connection.ts';
import { TableNames } from '../database/connections/table-names.ts';
import { inTransactionOf } from '../database/connections/transaction.ts';
import type { Customer } from '../database/control/customers.ts';
import { datasetsOf, runControlQuery } from '../database/control/datasets.ts';
import { controlSchema } from '../database/control-tables.ts';
import { qualify } from '../database/identifier.ts';
import { total } from './changes/differences.ts';
import type { Replacements } from './changes/replacements.ts';
import { recordOutcome } from './history.ts';
import { type LoadSession, withLoadSession } from './load-session.ts';
import { refusalWords, stateOf } from './refusal.ts';
import type { FailedCheck, Load, SyncRequest, TableResult } from './request.ts';

/** The checks of the customer, with what its sources say about them. Throws an `OperatorError` if the source names an unknown one. */
export const checksOf = async (
  { client, customer }: LoadSession,
  catalogue: Catalogue,
  { checks: own, withoutChecks }: SyncRequest,
): Promise<readonly Check[]> => {
  if (withoutChecks) return [];
  await createCheckTables(client, customer.schema_name);
  const sources = await readSourceChecks(client, customer.schema_name);
  if (own) sources.set(own.source, own.checks);
  return checksWith(catalogue, sources.values());
};

const changedIn = (tables: readonly TableResult[]): ReadonlySet<string> =>
  new Set(tables.filter((table) => total(table) > 0).map(({ kind, table }) => (kind === 'raw' ? `raw/${table}` : table)));

const selectionOf = ({ checks }: Load, tables: readonly TableResult[]): Selection => ({ checks, changed: changedIn(tables) });

/** Runs the checks that may stop the load, before its tables are moved into place. */
export const refuseFailedChecks = async (load: Load, tables: readonly TableResult[], replacements: Replacements): Promise<void> => {
  const { catalogue, session, request, progress } = load;
  const { client, customer } = session;
  if (load.checks.some(({ severity }) => severity === 'refuse')) progress('verify', customer.slug);
  const names = new TableNames(replacements.names());
  await refuseViolations({ catalogue, client, schema: customer.schema_name, names }, selectionOf(load, tables));
  if (request.checks) await writeSourceChecks(client, customer.schema_name, request.checks.source, request.checks.checks);
};

export const failedAmong = (results: readonly CheckResult[]): FailedCheck[] =>
  results
    .filter(({ count }) => count > 0)
    .map(({ name, table, severity, count, en, de, findings }) => {
      const keys = findings.flatMap((finding) => finding.keys).slice(0, maxKeys);
      return { name, table, severity, count, keys, en, de };
    });

/** The number of failed checks of each table. */
const failuresOf = (failed: readonly FailedCheck[]): ReadonlyMap<string, number> =>
  failed.reduce((counts, { table }) => counts.set(table, (counts.get(table) ?? 0) + 1), new Map<string, number>());

/** Records what the load did to each table. `failed`: the checks that fail now; null if they did not run. */
const recordLoaded = async (load: Load, { run, read, tables }: Committed, failed: readonly FailedCheck[] | null): Promise<void> => {
  const { client, customer } = load.session;
  const states = await runControlQuery(client, datasetsOf(customer.schema_name).select(['kind', 'name', 'row_count']));
  const counts = new Map(states.map(({ kind, name, row_count }) => [`${kind} ${name}`, row_count]));
  const failures = failed && failuresOf(failed);
  await recordOutcome(client, customer, run, {
    read,
    seconds: (performance.now() - load.startedAt) / 1000,
    failedChecks: failed?.length ?? null,
    failures,
    tables: tables.map(({ kind, table, deleted }) => ({
      name: table,
      rows: counts.get(`${kind} ${table}`) ?? 0,
      deleted,
    })),
  });
};

/** A load after its commit. */
interface Committed {
  readonly run: number;
  readonly read: number;
  readonly tables: readonly TableResult[];
}

/** The checks that failed, and why they did not finish. */
export interface Checked {
  readonly failed: readonly FailedCheck[];
  readonly error: string | null;
}

const unfinished = (error: unknown): Checked => ({
  failed: [],
  error: stateOf(error) === undefined ? 'the checks did not finish' : refusalWords(error),
});

/** Checks the data of a load that is done. An error does not undo the load, so it is reported. */
export const checkLoaded = async (load: Load, done: Committed): Promise<Checked> => {
  const { catalogue, session, progress } = load;
  const { client, customer } = session;
  const check = async (): Promise<readonly FailedCheck[]> => {
    progress('verify', customer.slug);
    const schema = customer.schema_name;
    const selection = selectionOf(load, done.tables);
    return failedAmong(await inTransactionOf(client, () => checkData({ catalogue, client, schema }, selection, done.run)));
  };
  try {
    const failed = load.checks.length > 0 ? await check() : [];
    await recordLoaded(load, done, failed);
    return { failed, error: null };
  } catch (error) {
    await recordLoaded(load, done, null).catch(() => {});
    return unfinished(error);
  }
};

/** Checks the data of a load that will be rolled back, in its transaction. Nothing can follow in it. */
export const checkTried = async (load: Load, tables: readonly TableResult[], replacements: Replacements): Promise<Checked> => {
  if (load.checks.length === 0) return { failed: [], error: null };
  const { catalogue, session, progress } = load;
  const { client, customer } = session;
  progress('verify', customer.slug);
  try {
    const running = { catalogue, client, schema: customer.schema_name, names: new TableNames(replacements.names()) };
    return { failed: failedAmong(await checkData(running, selectionOf(load, tables), null)), error: null };
  } catch (error) {
    return unfinished(error);
  }
};

/** Runs all checks of a customer now, and keeps their results as those of the last load. Waits for a running load. */
export const checkAgain = (database: Database, catalogue: Catalogue, customer: Customer): Promise<readonly CheckResult[]> =>
  withLoadSession(
    database,
    customer,
    () => {},
    async ({ client }) => {
      const schema = customer.schema_name;
      await createCheckTables(client, schema);
      const checks = checksWith(catalogue, (await readSourceChecks(client, schema)).values());
      const { rows } = await client.query<{ run: number | null }>(
        `select max(id) as run from ${qualify(controlSchema, 'sync_runs')} where customer_id = $1 and ended_at is not null and error is null`,
        [customer.id],
      );
      return inTransactionOf(client, () => checkData({ catalogue, client, schema }, { checks }, rows[0]?.run ?? null));
    },
  );
