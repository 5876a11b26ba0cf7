/** The rows and keys of a prepared load in the form that loads take. */
import type { Row, TableRows } from '../sync/files/rows.ts';
import { checkHeader } from '../sync/staging/header.ts';
import { isLoadTime } from '../sync/values/load-times.ts';
import type { SpooledRow } from './keys/spool-pages.ts';
import type { PreparedTable } from './prepare-load.ts';

const batchSize = 1_000;

const headerOf = (columns: readonly string[]): Buffer => Buffer.from(`${columns.map((name) => `"${name}"`).join()}\n`);

/** The rows of a raw table; each has its file, its line and its columns in the export. Their values are checked already. */
const rowsOf = (name: string, { target, columns, labels, isWhole, maxDeleted, pages, missing }: PreparedTable): TableRows => ({
  table: target.table,
  name,
  purpose: 'rows',
  isWhole,
  maxDeleted,
  readColumns: async () => columns,
  checkHeader: async (_, loaded, mode) => checkHeader({ name, purpose: 'rows' }, columns, loaded, mode),
  async *copyText(_, { target: loaded, read }) {
    yield headerOf(columns);
    for await (const page of pages()) {
      read(page.count);
      yield page.text;
    }
    const values = columns.slice(1);
    return {
      emptyColumns: values.filter((_column, index) => missing.values[index] === missing.rows),
      incompleteTimes: values.filter(
        (column, index) => missing.values[index]! > 0 && isLoadTime(column) && loaded.columns.get(column)?.required,
      ),
    };
  },
  async *read() {
    const rowOf = ({ file, line, key, rule, values }: SpooledRow): Row => ({
      file,
      line,
      labels: labels[rule]!,
      values: [String(key), ...values],
    });
    for await (const page of pages()) yield page.rows().map(rowOf);
  },
});

const deletesOf = (name: string, { target, deletes }: PreparedTable): TableRows => ({
  table: target.table,
  name,
  purpose: 'deletes',
  readColumns: async () => [target.key],
  checkHeader: async (columns, loaded, mode) => checkHeader({ name, purpose: 'deletes' }, columns, loaded, mode),
  async *copyText(columns, { read }) {
    yield headerOf(columns);
    for (let start = 0; start < deletes.length; start += batchSize) {
      const keys = deletes.slice(start, start + batchSize);
      read(keys.length);
      yield Buffer.from(`${keys.join('\n')}\n`);
    }
    return { emptyColumns: [], incompleteTimes: [] };
  },
  async *read() {
    yield deletes.map((key): Row => ({ values: [String(key)], line: undefined }));
  },
});

/** What a load takes of a prepared table. `name` is the name of the source, for messages without a place. */
export const loadRows = (name: string, table: PreparedTable): readonly TableRows[] =>
  table.deletes.length > 0 ? [rowsOf(name, table), deletesOf(name, table)] : [rowsOf(name, table)];
