/** The lines of a list: titles, header lines, groups, sums, repeated headers, blanks. */
import type { Random } from '../../../demo/random.ts';
import type { Form } from './forms.ts';
import type { Cell, Comparison, TrueColumn, TrueList } from './truth.ts';
import type { Canonical, Fields } from './world.ts';

/** The related rows of one line, by their raw table. */
export type Related = Readonly<Record<string, Fields | undefined>>;

export interface Column {
  /** Names of which one is chosen. A `|` divides it into two header lines. */
  readonly headers: readonly string[];
  readonly to: readonly string[];
  readonly also: readonly string[];
  readonly compare: Comparison;
  readonly value: (row: Related) => Canonical;
  readonly valueIn?: Readonly<Record<string, (row: Related) => Canonical | undefined>>;
  /** Undefined: the value is written by the form. */
  readonly cell?: (row: Related, random: Random) => Cell;
  readonly form: Form;
  /** The word for no value. */
  readonly nothing: string;
  readonly isSummed: boolean;
  /** Whether only the first line of a group has the value. */
  readonly isOncePerGroup: boolean;
  readonly sqlType?: string;
}

export interface Layout {
  readonly titles?: readonly (readonly string[])[];
  /** The rows of a group are together. */
  readonly groupBy?: (row: Related) => Canonical;
  /** The line above a group. */
  readonly heading?: (row: Related) => string;
  /** The words before the sums of a group. */
  readonly subtotal?: (group: string) => string;
  readonly total?: string;
  readonly footers?: readonly string[];
  /** The header is repeated after so many rows. */
  readonly repeatHeader?: number;
  readonly blankAfterGroup?: boolean;
  /** A further line below a row, such as of a second tenant; by the index of the column. */
  readonly below?: { readonly column: string; readonly value: (row: Related) => Canonical };
  /** Columns stay in their order. */
  readonly isOrdered?: boolean;
}

export interface List {
  readonly name: string;
  readonly tables: readonly [string, ...string[]];
  readonly rows: readonly Related[];
  readonly columns: readonly Column[];
  readonly layout?: Layout;
}

/** A list as lines of cells, and what is true of it. `places`: the indexes of the lines that are rows. */
export interface Grid {
  readonly lines: readonly (readonly Cell[])[];
  readonly columns: readonly TrueColumn[];
  readonly places: readonly number[];
  readonly sqlTypes: readonly (string | undefined)[];
}

const shuffled = <T>(random: Random, list: readonly T[]): T[] => {
  const rest = [...list];
  return list.map(() => rest.splice(random.int(0, rest.length - 1), 1)[0]!);
};

const sumOf = (values: readonly Canonical[]): string => values.reduce((sum, value) => sum + Number(value ?? 0), 0).toFixed(2);

export const gridOf = ({ rows: given, columns: planned, layout = {} }: List, random: Random): Grid => {
  const columns = layout.isOrdered ? [...planned] : shuffled(random, planned);
  const names = columns.map(({ headers }) => random.pick(headers));
  const { groupBy = () => '', titles = [], heading, subtotal, total, footers = [], repeatHeader, below } = layout;
  const rows = layout.groupBy ? [...given].sort((a, b) => (groupBy(a) ?? '').localeCompare(groupBy(b) ?? '')) : given;
  const headerDepth = Math.max(...names.map((name) => name.split('|').length));
  // A name over several columns is in the first of them, as in a merged cell.
  const header = Array.from({ length: headerDepth }, (_, line) =>
    names.map((name): string => {
      const parts = name.split('|');
      return headerDepth === 1 ? name : parts.length === 1 ? (line === headerDepth - 1 ? name : '') : (parts[line] ?? '');
    }),
  );
  const lines: Cell[][] = [...titles.map((title) => [...title]), ...header.map((line) => [...line])];
  const places: number[] = [];
  const write = ({ form, nothing }: Column, value: Canonical): Cell =>
    value === null ? (nothing === '' ? null : nothing) : form(value, random);
  const sums = (label: string, of: readonly Related[]): Cell[] => {
    const at = columns.findIndex(({ isSummed }) => !isSummed);
    return columns.map((column, index) => (index === at ? label : column.isSummed ? write(column, sumOf(of.map(column.value))) : null));
  };
  let group: Related[] = [];
  for (const [index, row] of rows.entries()) {
    const name = groupBy(row) ?? '';
    const isFirst = index === 0 || groupBy(rows[index - 1]!) !== groupBy(row);
    if (isFirst) group = [];
    if (isFirst && heading) lines.push([heading(row)]);
    if (repeatHeader !== undefined && index > 0 && index % repeatHeader === 0) lines.push(...header.map((line) => [...line]));
    places.push(lines.length);
    lines.push(
      columns.map((column) => {
        if (column.isOncePerGroup && !isFirst) return null;
        return column.cell?.(row, random) ?? write(column, column.cell ? null : column.value(row));
      }),
    );
    group.push(row);
    const more = below?.value(row) ?? null;
    if (below && more !== null) lines.push(columns.map(({ headers }) => (headers.includes(below.column) ? more : null)));
    const isLast = index === rows.length - 1 || groupBy(rows[index + 1]!) !== groupBy(row);
    if (!isLast) continue;
    if (subtotal) lines.push(sums(subtotal(name), group));
    if (layout.blankAfterGroup) lines.push(columns.map(() => null));
  }
  if (total !== undefined) lines.push(sums(total, rows));
  lines.push(...footers.map((footer) => [footer]));
  return {
    lines,
    places,
    sqlTypes: columns.map(({ sqlType }) => sqlType),
    columns: columns.map(({ to, also, compare, value, valueIn }, index) => ({
      name: names[index]!.replace('|', ' ').trim(),
      to,
      also,
      compare,
      values: rows.map(value),
      ...(valueIn && { valuesIn: Object.fromEntries(Object.entries(valueIn).map(([target, read]) => [target, rows.map(read)])) }),
    })),
  };
};

/** The truth of a list, with the places as its format counts them. */
export const truthOf = (name: string, { tables }: List, { columns }: Grid, places: TrueList['places']): TrueList => ({
  name,
  tables,
  columns,
  places,
});
