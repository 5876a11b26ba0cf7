/** Random parts of the demo data: some rows of some tables, with all rows that they refer to. */
import { catalogue } from '../../../src/catalogue/index.ts';
import { rawColumnFacts } from '../../../src/catalogue/raw/columns.ts';
import { type RawTableName, rawTables } from '../../../src/catalogue/raw/index.ts';
import { partsOf, type RawTable } from '../../../src/catalogue/raw-table.ts';
import { expressionOf } from '../../../src/database/ddl.ts';
import type { TableData } from '../../sync/support.ts';
import { once, pick, type Random } from './style.ts';

export type Row = (string | null)[];
export type Rows = Map<RawTableName, Row[]>;

export const rawTable = (table: RawTableName): RawTable => rawTables[table];
export const columnsOf = (table: RawTableName): readonly string[] => Object.keys(rawTables[table].columns);
export const typeOf = (table: RawTableName, column: string): string => partsOf(rawTable(table).columns[column]!).type;
export const isRequired = (table: RawTableName, column: string): boolean => partsOf(rawTable(table).columns[column]!).required;
const referenceOf = (table: RawTableName, column: string) => rawColumnFacts(table, column).references;

/** Columns that other columns name by their text. */
const named = new Set(
  (Object.keys(rawTables) as RawTableName[]).flatMap((table) =>
    columnsOf(table).flatMap((column) => {
      const target = referenceOf(table, column);
      return target ? [`${target.table}.${target.column}`] : [];
    }),
  ),
);

/** The raw tables of which a category table of `table` needs a row. */
const neededBy = (table: RawTableName): readonly RawTableName[] =>
  [...catalogue.tables.values()]
    .filter(({ source }) => source.table === table)
    .flatMap(({ source }) => source.joins.map((join) => join.table));

/** The columns of raw tables that a category table needs: those of its required columns, and those that lead to joined rows. */
const needed: ReadonlySet<string> = new Set(
  [...catalogue.tables.values()].flatMap((table) => {
    const { source, columns } = table;
    const rawOf = new Map([[source.as, source.table], ...source.joins.map((join) => [join.as, join.table] as const)]);
    const required = Object.keys(columns).filter((name) => columns[name]!.required);
    const expressions = [...required.map((name) => expressionOf(table, name)), ...source.joins.map(({ equals }) => equals)];
    return [...expressions.join(' ').matchAll(/\b(\w+)\."?(\w+)"?/g)].map(([, alias = '', column]) => `${rawOf.get(alias)}.${column}`);
  }),
);

const demo = (data: ReadonlyMap<RawTableName, TableData>, table: RawTableName): TableData => data.get(table)!;

/** Adds a row and all rows that it refers to. `left`: columns without values. */
const addRow = (
  data: ReadonlyMap<RawTableName, TableData>,
  rows: Map<RawTableName, Set<Row>>,
  left: ReadonlySet<string>,
  table: RawTableName,
  row: Row,
): void => {
  const own = rows.get(table) ?? new Set();
  rows.set(table, own);
  if (own.has(row)) return;
  own.add(row);
  for (const [index, column] of columnsOf(table).entries()) {
    const target = referenceOf(table, column);
    const value = row[index] ?? null;
    if (!target || value === null || left.has(`${table}.${column}`)) continue;
    const { columns, rows: all } = demo(data, target.table);
    const at = columns.indexOf(target.column);
    const found = all.find((other) => other[at] === value);
    if (found) addRow(data, rows, left, target.table, found);
  }
};

const nasty = [
  'Haus "Rose"',
  'a;b,c|d\te',
  'zwei\nZeilen',
  'Größe 3/4" ß',
  "O'Neil",
  '#1',
  '=1+1',
  '- B',
  'true',
  '007',
  '1.234,50',
  '31.12.2024',
  'Café – 5 €',
  '😀 Ω',
  '  außen ',
  '\\.',
  '""',
  "'",
  'x  y',
  'N',
  '<&>',
  '{"a":1}',
  'A.B',
];

/** A text that nothing else depends on. */
const isFreeText = (table: RawTableName, column: string): boolean =>
  typeOf(table, column) === 'text' &&
  !/_key$/.test(column) &&
  !rawTable(table).unique.flat().includes(column) &&
  !named.has(`${table}.${column}`) &&
  !referenceOf(table, column);

/** Around these instants, summer time begins or ends somewhere. */
const changesOfTime = ['2023-03-26T01:00Z', '2023-10-29T01:00Z', '2024-03-10T07:00Z', '2024-11-03T06:00Z', '2000-02-29T00:00Z'].map(
  (text) => Date.parse(text),
);

const asText = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('.000Z', '+00');

/** The row with other texts, numbers and times that are hard to write. */
const spiced = (random: Random, table: RawTableName, row: Row, texts: readonly string[]): Row =>
  columnsOf(table).map((column, index) => {
    const value = row[index] ?? null;
    if (value === null || !once(random, 8)) return value;
    if (isFreeText(table, column)) return pick(random, texts);
    const type = typeOf(table, column);
    if (type === 'timestamptz') return asText(pick(random, changesOfTime) + (random(7_200) - 3_600) * 1_000);
    if (type === 'numeric(14,2)') return `${pick(random, ['', '-'])}${1 + random(2_000_000)}.${10 + random(90)}`;
    return value;
  });

/**
 * A few rows of the demo data of which nothing is missing, by table. Some texts, numbers and times are replaced. `before`: the tables that
 * have rows now; they are in the answer, without rows if need be.
 */
export const randomRows = (random: Random, data: ReadonlyMap<RawTableName, TableData>, before: Iterable<RawTableName>): Rows => {
  const tables = [...data.keys()];
  const left = new Set(
    tables.flatMap((table) =>
      columnsOf(table).flatMap((column) =>
        !isRequired(table, column) && !needed.has(`${table}.${column}`) && once(random, 3) ? [`${table}.${column}`] : [],
      ),
    ),
  );
  const found = new Map<RawTableName, Set<Row>>();
  for (let seeds = 1 + random(3); seeds > 0; seeds--) {
    const table = pick(random, tables);
    const all = demo(data, table).rows;
    const start = random(all.length);
    for (const row of all.slice(start, start + 1 + random(8))) addRow(data, found, left, table, row);
  }
  const isWestern = once(random, 2);
  const texts = nasty.filter((text) => !isWestern || [...text].every((character) => character.charCodeAt(0) < 0x100));
  const rows: Rows = new Map();
  for (const [table, set] of found)
    rows.set(
      table,
      [...set].map((row) =>
        spiced(
          random,
          table,
          row.map((value, index) => (left.has(`${table}.${columnsOf(table)[index]}`) ? null : value)),
          texts,
        ),
      ),
    );
  for (const table of before) if (!rows.has(table)) rows.set(table, []);
  return rows;
};

/** Whether a category table of these tables needs rows of `table`. */
export const isNeeded = (rows: Rows, table: RawTableName): boolean => [...rows.keys()].some((other) => neededBy(other).includes(table));
