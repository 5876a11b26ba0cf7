/** Loads of what came over HTTP: another process reads and checks it, and the service loads the rows in its transaction. */
import type { Catalogue } from '../../catalogue/index.ts';
import { OperatorError } from '../../errors.ts';
import type { TableRows } from '../../sync/files/rows.ts';
import type { Mode, SourceFile } from '../../sync/files/source-files.ts';
import type { Progress, SyncResult } from '../../sync/request.ts';
import { sync } from '../../sync/sync.ts';
import { type Allowed, checkSource, type SourceCheck } from '../check.ts';
import { type LoadOptions, loadSource } from '../load-source.ts';
import { restoredCell } from '../loading/kept-cells.ts';
import type { ExportReader } from '../loading/load-job.ts';
import { addCounts, MappedRow, type OpenedList, type RejectedRow } from '../mapped-rows.ts';
import type { Loaded } from '../prepare-load.ts';
import { type SentRow, sentMapping, sentTarget } from './protocol.ts';
import { type ReadingLimits, ReadingProcess } from './reading-process.ts';

export interface DeliveredSource {
  readonly text: string;
  /** The name of the source file in messages. */
  readonly name: string;
  /** The source that is kept with the customer, if it is one. */
  readonly kept?: { readonly name: string; readonly version: number };
}

/** Files that came over HTTP. */
export interface OutsideDelivery {
  /** The folder of the files, and of nothing else. */
  readonly folder: string;
  /** The source file; undefined for files that are named after their raw table. */
  readonly source: DeliveredSource | undefined;
  /** The mode of files without a source. */
  readonly mode: Mode;
  /** Only tests change the limits. */
  readonly limits?: { readonly [Name in keyof ReadingLimits]: number };
}

/** Reads the export of a source in the other process. */
const outsideReader = (reading: ReadingProcess): ExportReader => ({
  async *rows(mapping, { counts, opened }, since) {
    const parts = reading.ask<'rows'>({ do: 'rows', mapping: sentMapping(mapping), ...(since !== undefined && { since }) });
    let list: OpenedList = { name: '', columns: [] };
    let next = await parts.next();
    try {
      for (; !next.done; next = await parts.next()) {
        const part = next.value;
        if ('list' in part) {
          list = part.list;
          opened?.(list, part.unused, part.table);
          continue;
        }
        yield part.rows.map((row) => receivedRow(row, list));
      }
    } finally {
      await parts.return(undefined as never);
    }
    addCounts(counts, next.value);
  },
  unread: () => reading.answer<'unread'>({ do: 'unread' }),
  // The service has written the files, and nobody else writes into the folder.
  watch: async () => () => {},
});

/** A row with its list. */
const receivedRow = (row: SentRow, list: OpenedList): MappedRow | RejectedRow => {
  const cells = row.cells.map(restoredCell);
  if ('reasons' in row) return { ...row, cells, columns: list.columns, facts: list.facts };
  const bytes = Buffer.from(row.fields);
  return new MappedRow(row.file, row.line, { ...row, fields: { bytes, start: 0, end: bytes.length }, source: { cells }, list });
};

/** The rows of a file that the other process reads and checks. */
const outsideFile = (reading: ReadingProcess, file: SourceFile): TableRows => {
  const { table, name, purpose } = file;
  return {
    table,
    name,
    purpose,
    readColumns: () => reading.answer<'columns'>({ do: 'columns', file }),
    checkHeader: async (columns, target, mode) => {
      await reading.answer<'header'>({ do: 'header', file, columns, target: sentTarget(target), mode });
    },
    async *copyText(columns, { target, timeZone, read }) {
      const parts = reading.ask<'copy'>({
        do: 'copy',
        file,
        columns,
        target: sentTarget(target),
        ...(timeZone !== undefined && { timeZone }),
      });
      let next = await parts.next();
      try {
        for (; !next.done; next = await parts.next()) {
          read(next.value.rows);
          yield Buffer.from(next.value.text);
        }
      } finally {
        await parts.return(undefined as never);
      }
      return next.value;
    },
    read: () => reading.ask<'batches'>({ do: 'batches', file }),
  };
};

/** Checks the files of a draft, with the report of the dry run. Throws as `loadOutside`. */
export const checkOutside = async (
  loaded: Loaded,
  { folder, source, limits }: Pick<OutsideDelivery, 'folder' | 'limits'> & { readonly source: Pick<DeliveredSource, 'text' | 'name'> },
  { allows, signal }: { readonly allows: readonly Allowed[]; readonly signal?: AbortSignal },
  progress: Progress,
): Promise<SourceCheck> => {
  const reading = new ReadingProcess(folder, signal, limits);
  try {
    const parsed = await reading.answer<'source'>({ do: 'source', ...source });
    const place = { source: parsed, folder, reader: outsideReader(reading), surface: 'portal' as const };
    return await checkSource({ ...place, questions: {}, allows, progress, ...(signal && { signal }) }, loaded);
  } finally {
    await reading.stop();
  }
};

/**
 * Checks or loads a delivery. Throws an `OperatorError` that names its errors, without a path of the machine; then nothing is changed. The
 * reason of `options.signal` is thrown when it aborts.
 */
export const loadOutside = async (
  loaded: Loaded & { readonly catalogue: Catalogue },
  { folder, source, mode, limits }: OutsideDelivery,
  options: LoadOptions,
  progress: Progress = () => {},
): Promise<SyncResult> => {
  const { database, catalogue, customer } = loaded;
  const reading = new ReadingProcess(folder, options.signal, limits);
  try {
    if (source) {
      const { text, name, kept } = source;
      const parsed = await reading.answer<'source'>({ do: 'source', text, name });
      const request = { ...options, sourceVersion: kept?.version };
      return await loadSource(loaded, { source: parsed, folder, reader: outsideReader(reading) }, request, progress);
    }
    const { files, unloaded } = await reading.answer<'files'>({ do: 'files' });
    if (unloaded.length > 0) throw new OperatorError(unloaded.map(({ name, reason }) => `${name} cannot be loaded: ${reason}.`).join('\n'));
    const rows = files.map((file) => outsideFile(reading, file));
    return await sync({ database, catalogue }, customer, { ...options, files: rows, mode }, progress);
  } finally {
    await reading.stop();
  }
};
