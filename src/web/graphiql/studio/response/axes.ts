/** Selects the columns and the kind of a chart: numbers over days or over categories. */
import { Figure } from './exact.ts';
import type { Cell, List } from './unfold.ts';

export type ChartKind = 'bar' | 'line';

export interface Axes {
  readonly x: string;
  readonly y: string;
  readonly kind: ChartKind;
}

const cellsOf = ({ columns, rows }: List, column: string): readonly Cell[] => {
  const at = columns.indexOf(column);
  return rows.map((row) => row[at] ?? null).filter((cell) => cell !== null);
};

const isDay = (cell: Cell): boolean => typeof cell === 'string' && /^\d{4}-\d{2}(-\d{2}(T.*)?)?$/.test(cell);

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

const isName = (column: string): boolean => /(?:Id|Number)$/.test(column);

/** The initial chart: a number over time, or by a label. Undefined if no column has numbers. */
export const suggestAxes = (list: List): Axes | undefined => {
  const figures = figuresOf(list);
  const y =
    figures.find((column) => /^(?:sum|measures)\./.test(column)) ??
    figures.find((column) => !isName(column) && !column.startsWith('key.')) ??
    figures[0];
  if (y === undefined) return undefined;
  const others = list.columns.filter((column) => column !== y);
  const over = others.find(
    (column) => isOverTime(list, column) && (column.startsWith('key.') || !others.some((other) => other.startsWith('key.'))),
  );
  const words = others.filter((column) => !figures.includes(column));
  const x = over ?? words.find((column) => column.endsWith('Label')) ?? words.find((column) => !isName(column)) ?? others[0] ?? y;
  return { x, y, kind: over ? 'line' : 'bar' };
};
