/**
 * A load of delivered files into a customer's tables, as a list of steps.
 *
 * Files are staged, checked and compared first, while readers see the old data. Then one transaction applies the differences
 * to the raw tables, publishes what they reach to the category tables and makes the new versions: readers see all of a load
 * or nothing.
 */
import type { Catalogue } from '../catalogue/index.ts';
import type { Database } from '../database/connection.ts';
import type { Customer } from '../database/customers.ts';
import { findDataset } from '../database/datasets.ts';
import { OperatorError } from '../errors.ts';
import { endOnAbort, putAway } from './cancel.ts';
import { commitLoad } from './commit-load.ts';
import { nothing, total } from './differences.ts';
import { beginRun, endRun } from './history.ts';
import { withLoadSession } from './load-session.ts';
import { compareStaged, type RawChange } from './raw-changes.ts';
import { refusalWords, stateOf } from './refusal.ts';
import type { Load, Progress, SyncRequest, SyncResult, TableResult } from './request.ts';
import { joinStaged, type Staged, stageFile } from './stage.ts';
import { vacuum } from './vacuum.ts';

interface Loaded {
  readonly read: number;
  readonly tables: readonly TableResult[];
  readonly at: Date | null;
}

const rowsRead = (changes: readonly RawChange[]): number => changes.reduce((rows, { staged }) => rows + staged.read, 0);

const stageAll = async ({ session, catalogue, request, progress }: Load): Promise<Staged[]> => {
  const taken = new Set(catalogue.tables.keys());
  const staged = new Map<string, Staged>();
  for (const file of request.files) {
    const one = await stageFile(session, file, { ...request, taken }, progress);
    const other = staged.get(file.table);
    staged.set(file.table, other ? joinStaged(other, one) : one);
  }
  return [...staged.values()];
};

const compareAll = async ({ session, catalogue, request, progress }: Load, staged: readonly Staged[]): Promise<RawChange[]> => {
  const changes: RawChange[] = [];
  for (const one of staged) {
    progress('compare', one.target.table);
    changes.push(await compareStaged(session, catalogue, one, request.mode));
  }
  return changes;
};

/** What would become of the raw tables. */
const foreseen = async ({ session: { client, customer } }: Load, changes: readonly RawChange[]): Promise<Loaded> => {
  const tables: TableResult[] = [];
  for (const { staged, counts } of changes) {
    const { table } = staged.target;
    const dataset = await findDataset(client, customer.id, 'raw', table);
    tables.push({ kind: 'raw', table, ...counts, version: dataset?.version ?? 0 });
  }
  return { read: rowsRead(changes), tables, at: null };
};

const load = async (load: Load, run: number): Promise<Loaded> => {
  const changes = await compareAll(load, await stageAll(load));
  if (load.request.dryRun) return foreseen(load, changes);
  return { read: rowsRead(changes), ...(await commitLoad(load, changes, run)) };
};

/** What the database refused, without anything of the data in its words. */
const withoutData = (error: unknown): Error => (stateOf(error) === undefined ? (error as Error) : new OperatorError(refusalWords(error)));

/** Enters the load into the history, however it ends; a dry run leaves no trace. `begun` hears of the run. */
const loadAndRecord = async (one: Load, begun: (run: number) => void): Promise<Loaded> => {
  const { session, request } = one;
  if (request.dryRun) return load(one, 0);
  const run = await beginRun(session.client, session.customer, request.mode, [...new Set(request.files.map(({ table }) => table))]);
  begun(run);
  try {
    return await load(one, run);
  } catch (caught) {
    const error = withoutData(caught);
    await endRun(session.client, run, nothing, error.message).catch(() => {});
    throw error;
  }
};

/** Runs the load, and puts away what it leaves when it is cancelled. */
const loadOrCancel = async (
  { database, catalogue }: { database: Database; catalogue: Catalogue },
  customer: Customer,
  request: SyncRequest,
  progress: Progress,
): Promise<Loaded> => {
  const { signal } = request;
  let run = 0;
  const begun = (id: number) => {
    run = id;
  };
  const heard: Progress = (...step) => {
    signal?.throwIfAborted();
    progress(...step);
  };
  try {
    return await withLoadSession(
      database,
      customer,
      () => progress('wait', customer.slug),
      async (session) => loadAndRecord({ session, catalogue, request, progress: heard }, begun),
      (client) => endOnAbort(database, client, signal),
    );
  } catch (error) {
    throw signal?.aborted ? await putAway(database, customer, run) : error;
  }
};

/**
 * Loads the files. Throws an `OperatorError` that names what is wrong with them, or a `Cancelled`; then nothing of them is seen.
 */
export const sync = async (
  { database, catalogue }: { database: Database; catalogue: Catalogue },
  customer: Customer,
  request: SyncRequest,
  progress: Progress = () => {},
): Promise<SyncResult> => {
  const started = performance.now();
  const { read, tables, at } = await loadOrCancel({ database, catalogue }, customer, request, progress);
  const changed = tables.filter((table) => total(table) > 0);
  if (database.embedded && !request.dryRun)
    await vacuum(
      database,
      customer,
      changed.map(({ table }) => table),
    );
  return {
    customer: customer.slug,
    mode: request.mode,
    dry_run: request.dryRun ?? false,
    read,
    seconds: Math.round(performance.now() - started) / 1000,
    synced_at: at,
    tables,
  };
};
