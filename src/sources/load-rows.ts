/** The rows and keys of a prepared load in the form that loads take. */
import type { Row, TableRows } from '../sync/files/rows.ts';
import type { PreparedTable } from './prepare-load.ts';

const batchSize = 1_000;

/** The rows of a raw table; each has its file, its line and its columns in the export. */
const rowsOf = (name: string, { target, columns, labels, rows }: PreparedTable): TableRows => ({
  table: target.table,
  name,
  purpose: 'rows',
  readColumns: async () => columns,
  async *read() {
    for await (const batch of rows())
      yield batch.map(
        ({ file, line, key, rule, values }): Row => ({ file, line, labels: labels[rule]!, values: [String(key), ...values] }),
      );
  },
});

const deletesOf = (name: string, { target, deletes }: PreparedTable): TableRows => ({
  table: target.table,
  name,
  purpose: 'deletes',
  readColumns: async () => [target.key],
  async *read() {
    for (let start = 0; start < deletes.length; start += batchSize)
      yield deletes.slice(start, start + batchSize).map((key): Row => ({ values: [String(key)], line: undefined }));
  },
});

/** What a load takes of a prepared table. `name` is the name of the source, for messages without a place. */
export const loadRows = (name: string, table: PreparedTable): readonly TableRows[] =>
  table.deletes.length > 0 ? [rowsOf(name, table), deletesOf(name, table)] : [rowsOf(name, table)];
