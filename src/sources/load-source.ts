/** The load of an export with its source file. */
import type { Catalogue } from '../catalogue/index.ts';
import { checksWith } from '../checks/settings.ts';
import type { Progress, SyncRequest, SyncResult } from '../sync/request.ts';
import { sync } from '../sync/sync.ts';
import { loadRows } from './load-rows.ts';
import { type Loaded, withPreparedLoad } from './prepare-load.ts';
import type { Source } from './source-file.ts';

/** Options of the load that do not follow from the source. */
export type LoadOptions = Omit<SyncRequest, 'files' | 'mode'>;

/**
 * Reads the export in the folder and loads it. Throws an `OperatorError` that names every kind of error with its place; then nothing is
 * changed.
 */
export const loadSource = async (
  loaded: Loaded & { readonly catalogue: Catalogue },
  { source, folder }: { readonly source: Source; readonly folder: string },
  options: LoadOptions,
  progress: Progress = () => {},
): Promise<SyncResult> => {
  const { database, catalogue, customer } = loaded;
  const isDryRun = options.dryRun ?? false;
  // Unknown checks are refused before the export is read.
  checksWith(catalogue, [source.checks ?? []]);
  const observer = { progress: (name: string, rows: number) => progress('read', name, rows) };
  return withPreparedLoad(loaded, { source, folder, isDryRun, observer }, async ({ mode, tables, rejections }) => {
    rejections.throwIfAny();
    const files = tables.flatMap((table) => loadRows(source.name, table));
    const checks = { source: source.name, checks: source.checks ?? [] };
    // The rows are counted when the export is read.
    const loading: Progress = (phase, subject, rows) => (phase === 'read' ? progress('load', subject) : progress(phase, subject, rows));
    return sync({ database, catalogue }, customer, { ...options, files, mode, checks }, loading);
  });
};
