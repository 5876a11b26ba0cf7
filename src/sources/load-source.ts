/** The load of an export with its source file. */
import type { Catalogue } from '../catalogue/index.ts';
import { checksWith } from '../checks/settings.ts';
import type { FailedCheck, Progress, SyncRequest, SyncResult } from '../sync/request.ts';
import { sync } from '../sync/sync.ts';
import { readKeyTexts } from './keys/assigned-keys.ts';
import { firstAssigned, keyInWords } from './keys/key-text.ts';
import { keyTypeOf } from './keys/key-type.ts';
import { loadRows } from './load-rows.ts';
import { type Export, type Loaded, type PreparedLoad, withPreparedLoad } from './prepare-load.ts';
import type { Source } from './source-file.ts';
import { refuseUnread, unreadInWords } from './unread.ts';

/** Options of the load that do not follow from the source. */
export interface LoadOptions extends Omit<SyncRequest, 'files' | 'mode' | 'record'> {
  /** Refuses files and sheets that no table reads. */
  readonly strict?: boolean;
}

/** The examples of failed checks with the keys of the source in place of assigned integers. Those of another source stay integers. */
const withSourceKeys = async (
  { database, catalogue, customer }: Loading,
  source: Source,
  { keyTexts }: PreparedLoad,
  checks: readonly FailedCheck[],
): Promise<FailedCheck[]> => {
  const shown: FailedCheck[] = [];
  for (const check of checks) {
    const table = catalogue.tables.get(check.table)?.source?.table;
    const first = table && firstAssigned[keyTypeOf(table)];
    const keys = check.keys.map(Number).filter((key) => first !== undefined && key > first);
    if (!table || keys.length === 0) {
      shown.push(check);
      continue;
    }
    const remembered = keyTexts(table, keys);
    const stored = await readKeyTexts(database.pool, customer.schema_name, { table, source: source.name, keys }).catch(() => undefined);
    const textOf = (key: string) => remembered.get(Number(key)) ?? stored?.get(Number(key));
    shown.push({
      ...check,
      keys: check.keys.map((key) => {
        const text = textOf(key);
        return text === undefined ? key : keyInWords(text);
      }),
    });
  }
  return shown;
};

type Loading = Loaded & { readonly catalogue: Catalogue };

/** Loads what was prepared, or tries to. */
export const loadPrepared = async (
  loaded: Loading,
  source: Source,
  prepared: PreparedLoad,
  options: LoadOptions,
  progress: Progress = () => {},
): Promise<SyncResult> => {
  const { database, catalogue, customer } = loaded;
  const { mode, tables, leftOut, unread, record } = prepared;
  const files = tables.flatMap((table) => loadRows(source.name, table));
  const checks = { source: source.name, checks: source.checks ?? [] };
  const result = await sync({ database, catalogue }, customer, { ...options, files, mode, checks, record }, progress);
  const failed = await withSourceKeys(loaded, source, prepared, result.failed_checks);
  const used = { name: source.name, version: options.sourceVersion ?? null };
  return { ...result, source: used, failed_checks: failed, left_out: leftOut, not_loaded: unread.map(unreadInWords) };
};

/**
 * Reads the export in the folder and loads it. Throws an `OperatorError` that names every kind of error with its place; then nothing is
 * changed.
 */
export const loadSource = async (
  loaded: Loaded & { readonly catalogue: Catalogue },
  delivery: Export,
  options: LoadOptions,
  progress: Progress = () => {},
): Promise<SyncResult> => {
  const { catalogue } = loaded;
  const { source } = delivery;
  const isDryRun = options.dryRun ?? false;
  // Unknown checks are refused before the export is read.
  checksWith(catalogue, [source.checks ?? []]);
  const observer = { progress: (name: string, rows: number) => progress('read', name, rows) };
  return withPreparedLoad(loaded, { ...delivery, isDryRun, observer }, async (prepared) => {
    prepared.rejections.throwIfAny();
    if (options.strict) refuseUnread(prepared.unread);
    // The rows are counted when the export is read.
    const loading: Progress = (phase, subject, rows) => (phase === 'read' ? progress('load', subject) : progress(phase, subject, rows));
    return loadPrepared(loaded, source, prepared, options, loading);
  });
};
