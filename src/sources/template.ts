/** An empty file of a raw table with one row as an example. */
import { type RawTableName, rawTables } from '../catalogue/raw/index.ts';
import { rawColumnFacts, rawMeaning } from '../catalogue/raw-columns.ts';
import { partsOf, type RawTable } from '../catalogue/raw-table.ts';
import { csvField } from '../csv.ts';

/** A value in the form of a load. */
const exampleOf = (table: RawTableName, column: string, type: string): string => {
  const { example } = rawColumnFacts(table, column);
  if (example !== undefined) return String(example);
  if (type === 'boolean') return 'true';
  if (type === 'date') return '2024-12-31';
  if (type.startsWith('timestamp')) return '2024-12-31T23:59:59Z';
  return type === 'text' ? column : '1';
};

/** The columns of a raw table with their meaning. */
export const describeColumns = (
  table: RawTableName,
): readonly { readonly column: string; readonly type: string; readonly required: boolean; readonly meaning: string }[] =>
  Object.entries((rawTables[table] as RawTable).columns).map(([column, declared]) => ({
    column,
    ...partsOf(declared),
    meaning: rawMeaning(table, column),
  }));

/** The header of a CSV file of the raw table and a row that a load takes. */
export const templateOf = (table: RawTableName): string => {
  const columns = describeColumns(table);
  return [columns.map(({ column }) => column), columns.map(({ column, type }) => csvField(exampleOf(table, column, type)))]
    .map((cells) => `${cells.join()}\r\n`)
    .join('');
};
