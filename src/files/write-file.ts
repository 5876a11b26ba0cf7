/** Writes the rows of a table to a file in one of the formats (contract: files; values in files). */
import type { WholeTable } from '../execute/whole-table.ts';
import { csvFormat, fields, ndjson, type RowForm } from '../wire/row-format.ts';
import { encodeInThread, type WrittenFile } from './encoding/encode-in-thread.ts';
import { parquetColumn } from './encoding/parquet-columns.ts';
import type { EncodingTask } from './encoding/worker.ts';
import type { FileTable } from './file-tables.ts';
import type { FileFormat } from './formats.ts';

/** The form in which the rows are read for a format. */
export const rowFormOf = (format: FileFormat, names: readonly string[]): RowForm => {
  const forms = { parquet: fields, 'csv.gz': csvFormat(names), 'ndjson.gz': ndjson };
  return { format: forms[format], names };
};

/** The file to create, and the signal that aborts it. */
interface Target {
  readonly path: string;
  readonly signal: AbortSignal;
}

/** The rows as a stream. Throws when the signal aborts. */
async function* chunksOf({ body }: WholeTable, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    signal.throwIfAborted();
    yield chunk;
  }
}

/** The rows, and the line end after the last one of NDJSON. */
async function* linesOf(table: WholeTable, signal: AbortSignal): AsyncGenerator<Buffer> {
  yield* chunksOf(table, signal);
  if (table.count > 0) yield Buffer.from('\n');
}

/** The columns of a Parquet file, and the descriptions in its footer. */
const parquetOf = ({ types }: WholeTable, { columns, purpose, meanings }: FileTable): EncodingTask['parquet'] => ({
  columns: columns.map((name) => parquetColumn(name, types.get(name) ?? 'text')),
  metadata: [
    ...(purpose === '' ? [] : [{ key: 'description', value: purpose }]),
    ...Object.entries(meanings).map(([column, value]) => ({ key: `description:${column}`, value })),
  ],
});

/** Writes a new file. If it fails, an incomplete file remains there. */
export const writeFileOf = async (
  format: FileFormat,
  rows: WholeTable,
  table: FileTable,
  { path, signal }: Target,
): Promise<WrittenFile> => {
  switch (format) {
    case 'parquet':
      return encodeInThread(chunksOf(rows, signal), { path, parquet: parquetOf(rows, table) });
    case 'csv.gz':
      return encodeInThread(chunksOf(rows, signal), { path });
    case 'ndjson.gz':
      return encodeInThread(linesOf(rows, signal), { path });
  }
};
