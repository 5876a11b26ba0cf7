/**
 * A load of delivered files into a customer's tables, as a list of steps.
 *
 * Files are staged, checked and compared first, while readers see the old data. Then one transaction applies the differences to raw tables,
 * publishes the dependent category tables, and creates the new versions. Readers see the whole load or nothing of it.
 */
import type { Catalogue } from '../catalogue/index.ts';
import type { Database } from '../database/connections/connection.ts';
import type { Customer } from '../database/control/customers.ts';
import { createQuarantine } from '../database/control/quarantine.ts';
import { type ErrorText, OperatorError, onEachSurface, textFor } from '../errors.ts';
import { Cancelled, dropStagingOf, endOnAbort } from './cancel.ts';
import { total } from './changes/differences.ts';
import { compareStaged, type RawChange } from './changes/raw-changes.ts';
import { vacuum } from './changes/vacuum.ts';
import { commitLoad, tryLoad } from './commit-load.ts';
import { type Checked, checkLoaded, checksOf } from './data-checks.ts';
import type { PropertyFigures } from './figures.ts';
import { refuseUnexpected } from './guards.ts';
import { beginRun, type Delivered, endFailedRun } from './history.ts';
import { withLoadSession } from './load-session.ts';
import { createProfiles } from './profiles/kept-profiles.ts';
import { refusalWords, stateOf } from './refusal.ts';
import type { Load, Progress, SyncRequest, SyncResult, TableResult } from './request.ts';
import { joinStaged, type Staged, stage } from './staging/stage.ts';

interface Loaded {
  readonly read: number;
  readonly tables: readonly TableResult[];
  readonly at: Date | null;
  readonly checked: Checked;
  readonly figures?: readonly PropertyFigures[];
}

const rowsRead = (changes: readonly RawChange[]): number =>
  changes.flatMap(({ staged }) => staged.reads).reduce((sum, { rows }) => sum + rows, 0);

/** Does the work for each of them. The errors of all are thrown together, so that a person corrects them at once. */
const forEach = async <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> => {
  const errors: ErrorText[] = [];
  for (const one of all)
    try {
      await work(one);
    } catch (error) {
      if (!(error instanceof OperatorError) || error instanceof Cancelled) throw error;
      errors.push(error.text);
    }
  if (errors.length > 0) throw new OperatorError(onEachSurface((surface) => errors.map((error) => textFor(surface, error)).join('\n')));
};

const stageAll = async ({ session, catalogue, request, progress }: Load): Promise<Staged[]> => {
  const taken = new Set(catalogue.tables.keys());
  const staged = new Map<string, Staged>();
  await forEach(request.files, async (file) => {
    const one = await stage(session, file, { ...request, taken }, progress);
    const other = staged.get(file.table);
    staged.set(file.table, other ? joinStaged(other, one) : one);
  });
  return [...staged.values()];
};

const compareAll = async ({ session, catalogue, request, progress }: Load, staged: readonly Staged[]): Promise<RawChange[]> => {
  const changes: RawChange[] = [];
  await forEach(staged, async (one) => {
    progress('compare', one.target.table);
    changes.push(await compareStaged(session, catalogue, one, request.mode));
  });
  return changes;
};

const load = async (load: Load, run: number): Promise<Loaded> => {
  const changes = await compareAll(load, await stageAll(load));
  const profiles = await refuseUnexpected(load, changes, run);
  const read = rowsRead(changes);
  if (load.request.dryRun) return { read, at: null, ...(await tryLoad(load, changes)) };
  const done = await commitLoad(load, changes, { run, profiles });
  return { read, ...done, checked: await checkLoaded(load, { run, read, tables: done.tables }) };
};

/** A database error as an `OperatorError`, without data in its text. */
const withoutData = (error: unknown): Error => (stateOf(error) === undefined ? (error as Error) : new OperatorError(refusalWords(error)));

const deliveredIn = ({ mode, files, checks, sourceVersion, surface }: SyncRequest): Delivered => ({
  mode,
  surface,
  source: checks && { name: checks.source, version: sourceVersion ?? null },
  tables: [...new Set(files.map(({ table }) => table))],
  files: [...new Set(files.map(({ name }) => name))],
});

/** Records the load and its outcome in the history; a dry run is not recorded. `begun` receives the run. */
const loadAndRecord = async (begin: Omit<Load, 'checks'>, begun: (run: number) => void): Promise<Loaded> => {
  const { session, catalogue, request } = begin;
  const work = async (run: number) => load({ ...begin, checks: await checksOf(session, catalogue, request) }, run);
  if (request.dryRun) return work(0);
  await createProfiles(session.client, session.customer.schema_name);
  await createQuarantine(session.client, session.customer.schema_name);
  const run = await beginRun(session.client, session.customer, deliveredIn(request));
  begun(run);
  try {
    return await work(run);
  } catch (caught) {
    const error = withoutData(caught);
    await endFailedRun(session, run, deliveredIn(request), error).catch(() => {});
    throw error;
  }
};

/** Runs the load, and cleans up if it is cancelled. */
const loadOrCancel = async (
  { database, catalogue }: { database: Database; catalogue: Catalogue },
  customer: Customer,
  request: SyncRequest,
  progress: Progress,
): Promise<Loaded> => {
  const { signal } = request;
  const startedAt = performance.now();
  let run = 0;
  const begun = (id: number) => {
    run = id;
    request.begun?.(id);
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
      async (session) => loadAndRecord({ session, catalogue, request, progress: heard, startedAt }, begun),
      (client) => endOnAbort(database, client, signal),
    );
  } catch (error) {
    throw signal?.aborted ? await dropStagingOf(database, customer, run) : error;
  }
};

/** Loads the files. Throws an `OperatorError` that names their errors, or a `Cancelled`; then nothing of them is visible. */
export const sync = async (
  { database, catalogue }: { database: Database; catalogue: Catalogue },
  customer: Customer,
  request: SyncRequest,
  progress: Progress = () => {},
): Promise<SyncResult> => {
  const started = performance.now();
  const { read, tables, at, checked, figures } = await loadOrCancel({ database, catalogue }, customer, request, progress);
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
    failed_checks: checked.failed,
    checks_error: checked.error,
    ...(figures && { figures }),
  };
};
