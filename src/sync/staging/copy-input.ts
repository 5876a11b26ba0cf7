/**
 * The input of COPY (FORMAT csv) for the rows of one table, checked.
 *
 * A CSV file passes unchanged after its check: PostgreSQL parses it several times faster than Node. Other rows are written as CSV. After
 * the first error nothing is sent, and the rest of the rows is read for further errors.
 */
import { quotedField } from '../../csv.ts';
import type { FileRows } from '../files/file-rows.ts';
import type { Rejections } from '../files/rejections.ts';
import { CsvScanner } from '../files/scan-csv.ts';
import { contentOf } from '../files/text.ts';
import type { RowChecks } from '../values/check-rows.ts';

const chunkLength = 64 * 1024;

/** A value as a field of COPY. Each text has quotes, because PostgreSQL reads a line of `\.` as the end of the data. */
const copyField = (value: string | null): string => (value === null ? '' : quotedField(value));

interface Reading {
  readonly checks: RowChecks;
  readonly rejections: Rejections;
  /** Receives the number of rows that were read. */
  readonly read: (rows: number) => void;
  /** Receives the file's own bytes. */
  readonly seen: (chunk: Uint8Array) => void;
}

async function* csvInput(rows: FileRows, { checks, rejections, read, seen }: Reading): AsyncGenerator<Buffer> {
  const handlers = checks.csvHandlers();
  let records = -1;
  const scanner = new CsvScanner({
    ...handlers,
    record: (line, fields) => {
      records++;
      handlers.record(line, fields);
    },
  });
  for await (const chunk of contentOf(rows.source, seen)) {
    const { line } = scanner;
    const complete = scanner.scan(chunk);
    checks.checkEncoding(complete, line);
    read(Math.max(0, records));
    records = Math.min(0, records);
    if (rejections.count === 0) yield complete;
  }
  scanner.end();
}

async function* rowsInput(rows: FileRows, columns: readonly string[], { checks, rejections, read, seen }: Reading): AsyncGenerator<Buffer> {
  let chunk = `${columns.map(copyField).join()}\n`;
  for await (const batch of rows.read(rejections, seen)) {
    for (const row of batch) {
      checks.check(row);
      if (rejections.count > 0) continue;
      chunk += `${row.values.map(copyField).join()}\n`;
      if (chunk.length < chunkLength) continue;
      yield Buffer.from(chunk);
      chunk = '';
    }
    read(batch.length);
  }
  if (rejections.count === 0) yield Buffer.from(chunk);
}

/** The input of COPY, header first. It ends with an `OperatorError` that lists the errors of the rows, if there are any. */
export async function* copyInput(rows: FileRows, columns: readonly string[], reading: Reading): AsyncGenerator<Buffer> {
  yield* rows.source.format === 'csv' ? csvInput(rows, reading) : rowsInput(rows, columns, reading);
  reading.rejections.throwIfAny();
}
