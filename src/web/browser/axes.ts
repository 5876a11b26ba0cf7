/** Selects the columns and the kind of a chart: numbers over days or over categories, with one or two keys. */
import { Figure } from './exact.ts';
import type { Cell, List } from './list.ts';

/** `stacked` and `grouped` are bars of two keys. Stacked bars show sums, so they are for values that can be added. */
export const chartKinds = ['bar', 'line', 'stacked', 'grouped'] as const;
export type ChartKind = (typeof chartKinds)[number];

export interface Axes {
  readonly x: string;
  readonly y: string;
  readonly kind: ChartKind;
  /** The column whose values have a colour each. */
  readonly series?: string;
}

const cellsOf = ({ columns, rows }: List, column: string): readonly Cell[] => {
  const at = columns.indexOf(column);
  return rows.map((row) => row[at] ?? null).filter((cell) => cell !== null);
};

const isDay = (cell: Cell): boolean =>
  typeof cell === 'string' && /^\d{4}-\d{2}-\d{2}(T.*)?$/.test(cell) && !Number.isNaN(Date.parse(cell));

/** A column of days or times, such as a bucket. */
export const isOverTime = (list: List, column: string): boolean => {
  const cells = cellsOf(list, column);
  return cells.length > 0 && cells.every(isDay);
};

export const figuresOf = (list: List): readonly string[] =>
  list.columns.filter((column) => {
    const cells = cellsOf(list, column);
    return cells.length > 0 && cells.every((cell) => cell instanceof Figure);
  });

const distinct = (list: List, column: string): number =>
  new Set(cellsOf(list, column).map((cell) => (cell instanceof Figure ? cell.text : cell))).size;

/** The keys of groups. A key with one value draws nothing. */
const keysOf = (list: List): readonly string[] => list.columns.filter((column) => column.startsWith('key.') && distinct(list, column) > 1);

/** Readers cannot distinguish more colours. */
export const maxSeries = 8;

/** The chart of two keys. Undefined if there is another number of keys, or if both keys have too many values for colours. */
const suggestSeries = (list: List, keys: readonly string[], y: string): Omit<Axes, 'y'> | undefined => {
  const [first, second] = keys;
  if (keys.length !== 2 || !first || !second) return undefined;
  const over = keys.find((column) => isOverTime(list, column));
  const [x, series] = over
    ? [over, over === first ? second : first]
    : distinct(list, first) < distinct(list, second)
      ? [second, first]
      : keys;
  if (!x || !series || (!over && distinct(list, series) > maxSeries)) return undefined;
  const isAdditive = y === 'count' || y.startsWith('sum.');
  return { x, series, kind: over ? 'line' : isAdditive ? 'stacked' : 'grouped' };
};

/** The initial chart: a number over time, by a name, or by two keys. Undefined if no column has numbers. */
export const suggestAxes = (list: List): Axes | undefined => {
  const figures = figuresOf(list).filter((column) => !column.startsWith('key.'));
  const y = figures.find((column) => /^(?:sum|measures)\./.test(column)) ?? figures[0];
  if (y === undefined) return undefined;
  const keys = keysOf(list);
  const twoKeys = suggestSeries(list, keys, y);
  if (twoKeys) return { ...twoKeys, y };
  const over = keys.find((column) => isOverTime(list, column));
  // Bars of any other key would repeat its names.
  const [finest] = keys.length > 2 ? keys.toSorted((a, b) => distinct(list, b) - distinct(list, a)) : [];
  return { x: over ?? finest ?? keys[0] ?? y, y, kind: over ? 'line' : 'bar' };
};

/** The axes that a reader chose, as far as the list has their columns. Undefined if they do not fit. One place is no line. */
export const fittingAxes = (list: List, chosen: Axes | undefined): Axes | undefined => {
  if (!chosen || !list.columns.includes(chosen.x) || !figuresOf(list).includes(chosen.y)) return undefined;
  if (chosen.kind === 'line' && distinct(list, chosen.x) < 2) return undefined;
  const { series, ...axes } = chosen;
  return series !== undefined && list.columns.includes(series) ? chosen : axes;
};
