/** A plain file: CSV or NDJSON whose columns are those of its raw table. */

import { type FileRows, fileRows } from '../files/file-rows.ts';
import { Rejections } from '../files/rejections.ts';
import type { TableRows } from '../files/rows.ts';
import type { SourceFile } from '../files/source-files.ts';
import { RowChecks } from '../values/check-rows.ts';
import { ZonedDays } from '../values/zoned-days.ts';
import { copyInput } from './copy-input.ts';
import { checkFileHeader } from './header.ts';

export interface PlainFile extends TableRows, Pick<FileRows, 'source'> {}

export const isPlainFile = (rows: TableRows): rows is PlainFile => 'source' in rows;

/** The rows of a file. */
export const plainFile = (file: SourceFile): PlainFile => {
  const rows = fileRows(file);
  const { table, name, purpose, source } = rows;
  return {
    table,
    name,
    purpose,
    source,
    readColumns: () => rows.readColumns(),
    checkHeader: (columns, target, mode) => checkFileHeader(rows, columns, target, mode),
    async *copyText(columns, { target, timeZone, read, seen }) {
      const rejections = new Rejections('each');
      const zone = timeZone === undefined ? undefined : new ZonedDays(timeZone);
      const checks = new RowChecks({ rows, columns, target, zone }, rejections);
      yield* copyInput(rows, columns, { checks, rejections, read, seen });
      return checks;
    },
    read: () => rows.read(new Rejections('each')),
  };
};
