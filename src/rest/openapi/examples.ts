/**
 * Example responses, made from the catalogue (contract: interface description).
 *
 * All of them show one state: each table has one row, whose values are the examples of its columns, and its data changed once.
 */
import type { DataScope } from '../../catalogue/data-scope.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import type { RawTable } from '../../catalogue/raw-table.ts';
import { type DatasetKind, pathOfTable, type Table } from '../../catalogue/table.ts';
import type { DatasetState } from '../../database/control/datasets.ts';
import type { ListedTable } from '../../execute/visible.ts';
import { aggregatableColumns } from '../../plan/groups/groups.ts';
import type { Example } from './document.ts';

/** The tables that a key may read. */
interface Readable {
  readonly tables: readonly Table[];
  readonly rawTables: ReadonlyMap<string, RawTable>;
}

export type ExampleRow = Readonly<Record<string, string | number | boolean | null>>;

/** The time of the requests. */
export const exampleNow = new Date('2024-10-22T09:30:00Z');
/** The `since` of `/changes`. */
export const exampleSince = '2024-10-22T07:12:00Z';

const synced = new Date('2024-10-22T08:04:31Z');
export const exampleState = { version: 12, row_count: 1, synced_at: synced, changed_at: synced };
export const exampleStateOf = (_kind: DatasetKind, name: string): DatasetState => ({ name, ...exampleState });

/** The row of a table. A column that the key may not read is null, as in its responses. */
export const exampleRow = ({ columns }: Pick<Table, 'columns'>): ExampleRow =>
  Object.fromEntries(Object.entries(columns).map(([name, { example = null }]) => [name, example]));

/** A raw table with an example of its row. */
export interface RawExample {
  readonly name: string;
  readonly key: string;
  readonly row: ExampleRow;
}

/** The row of a raw table whose columns the category table shows unchanged. Undefined if one has no example or the key may not read it. */
const rawRow = ({ columns, personal }: RawTable, table: Table, scope: DataScope | undefined): ExampleRow | undefined => {
  const known = new Map(Object.entries(table.columns).map(([name, { from = name, example }]) => [from, example]));
  const row: [string, string | number | boolean][] = [];
  for (const name of Object.keys(columns)) {
    const example = known.get(name);
    const kind = personal[name];
    if (example === undefined || (kind && scope?.hidden.has(kind))) return undefined;
    row.push([name, example]);
  }
  return Object.fromEntries(row);
};

/** The first raw table with an example of every column, of those given. Examples are those of the category tables' columns. */
export const rawExample = (
  { tables }: Catalogue,
  rawTables: Readable['rawTables'],
  scope: DataScope | undefined,
): RawExample | undefined => {
  for (const table of tables.values()) {
    const name = table.source.table;
    const raw = rawTables.get(name);
    const row = raw && rawRow(raw, table, scope);
    if (row) return { name, key: raw.key, row };
  }
  return undefined;
};

/** A column with a code list, if the table has one. */
export const codedColumn = ({ columns }: Table): string | undefined => Object.keys(columns).find((name) => columns[name]?.lookup);

/** Groups of a table by codes with a sum; the summary is the path of the request. */
export const exampleGroups = ({ tables }: Readable): Readonly<Record<string, Example>> | undefined => {
  const parts = (table: Table) => [
    codedColumn(table),
    aggregatableColumns(table, 'sum').find((name) => table.columns[name]?.example !== undefined),
  ];
  const table = tables.find((candidate) => parts(candidate).every((part) => part !== undefined));
  if (!table) return undefined;
  const [key = '', quantity = ''] = parts(table);
  const row = exampleRow(table);
  return {
    groups: {
      summary: `${pathOfTable(table)}/groups?by=${key}&count&sum=${quantity}`,
      value: [{ [key]: row[key], count: exampleState.row_count, [`sum_${quantity}`]: row[quantity] }],
    },
  };
};

/** The first table that `/me` and `/changes` list. */
export const exampleListed = ({ tables: [first], rawTables }: Readable): readonly ListedTable[] => {
  if (first) return [{ kind: 'category', category: first.category, name: first.name }];
  return [...rawTables.keys()].slice(0, 1).map((name) => ({ kind: 'raw', category: 'raw', name }));
};
