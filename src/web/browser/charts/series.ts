/** The values of a chart: one series, or one for each value of a second key. */

import { type Cell, type List, textOf } from '../list.ts';
import { type LanguageCode, shownText } from '../values.ts';
import { type Axes, type ChartKind, isOverTime, maxSeries } from './axes.ts';
import { isDecimal, sumOf } from './decimals.ts';

interface Point {
  /** The value on the axis: a day as text, or a category. */
  readonly at: string;
  readonly label: string;
  /** The value; not a number if there is none. */
  readonly value: number;
  /** The number with the digits of the response. */
  readonly text: string;
}

export interface Series {
  readonly label: string;
  readonly points: readonly Point[];
}

/** More bars are not readable. A line has no such limit. */
export const mostBars = 200;

/** What a chart does not show. */
export interface Omitted {
  /** Rows without a day have no place over time. */
  readonly withoutDay: number;
  /** Series beyond the largest, without a common series for them. */
  readonly series: number;
}

export interface ChartData {
  readonly series: readonly Series[];
  /** The number of values on the axis. */
  readonly places: number;
  /** There are too many bars, so no chart is drawn. */
  readonly isTooMuch: boolean;
  readonly omitted: Omitted;
}

/** The words of a chart for values and series without a name. */
export interface SeriesTexts {
  readonly noValue: string;
  readonly others: string;
}

/** The words around a chart. */
export interface ChartTexts extends SeriesTexts {
  readonly across: string;
  readonly up: string;
  readonly split: string;
  readonly as: string;
  readonly none: string;
  readonly nothing: string;
  readonly notLoaded: string;
  readonly download: string;
  readonly kinds: Readonly<Record<ChartKind, string>>;
  /** The names of kinds in the menu. */
  readonly kindNames: Readonly<Record<ChartKind, string>>;
  readonly title: (y: string, x: string, series: string | undefined) => string;
  readonly tooMuch: (places: string, most: string) => string;
  readonly withoutDay: (rows: number) => string;
  readonly largest: (shown: number, all: number) => string;
  readonly alternative: (kind: string, title: string, series: number, values: number) => string;
}

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Several rows of one place and one series are added. */
const added = (texts: readonly string[]): string => (texts.length > 1 && texts.every(isDecimal) ? sumOf(texts) : (texts[0] ?? ''));

/** The text of a value of a column. */
export type TextOfCell = (cell: Cell, column: string) => string;

export const chartData = (
  list: List,
  { x, y, kind, series }: Axes,
  language: LanguageCode,
  texts: SeriesTexts,
  shown: TextOfCell = (cell, column) => shownText(cell, column, language),
): ChartData => {
  const cellAt = (column: string) => {
    const at = list.columns.indexOf(column);
    return (row: List['rows'][number]) => row[at] ?? null;
  };
  const [cellX, cellY] = [cellAt(x), cellAt(y)];
  const cellSeries = series === undefined ? undefined : cellAt(series);
  const label = (text: string) => text || texts.noValue;
  const point = (row: List['rows'][number], text: string): Point => ({
    at: textOf(cellX(row)),
    label: label(shown(cellX(row), x)),
    value: text === '' ? Number.NaN : Number(text),
    text,
  });
  const isSorted = kind === 'line' && isOverTime(list, x);
  const rows = isSorted ? list.rows.filter((row) => cellX(row) !== null) : list.rows;
  const withoutDay = list.rows.length - rows.length;
  const isLine = kind === 'line';
  if (!cellSeries || !series) {
    const points = rows.map((row) => point(row, textOf(cellY(row))));
    return {
      series: [{ label: y, points: isSorted ? points.toSorted((a, b) => byText(a.at, b.at)) : points }],
      places: points.length,
      isTooMuch: !isLine && points.length > mostBars,
      omitted: { withoutDay, series: 0 },
    };
  }
  const found = [...new Map(rows.map((row) => [textOf(cellX(row)), row])).entries()];
  const places = isSorted ? found.toSorted(([a], [b]) => byText(a, b)) : found;
  const groups = new Map<string, { label: string; size: number; texts: Map<string, string[]> }>();
  for (const row of rows) {
    const name = textOf(cellSeries(row));
    const group = groups.get(name) ?? { label: label(shown(cellSeries(row), series)), size: 0, texts: new Map() };
    groups.set(name, group);
    const [at, text] = [textOf(cellX(row)), textOf(cellY(row))];
    if (text === '') continue;
    group.size += Math.abs(Number(text));
    group.texts.set(at, [...(group.texts.get(at) ?? []), text]);
  }
  const all = [...groups.values()];
  // Stacked bars show sums, so they have a series for the rest.
  const hasOthers = kind === 'stacked' && all.length > maxSeries;
  const largest = new Set(all.toSorted((a, b) => b.size - a.size).slice(0, hasOthers ? maxSeries - 1 : maxSeries));
  const others = all.filter((group) => !largest.has(group));
  const valuesOf = (group: (typeof all)[number]) => (at: string) => group.texts.get(at) ?? [];
  const seriesOf = (name: string, textsAt: (at: string) => readonly string[]): Series => ({
    label: name,
    points: places.map(([at, row]) => point(row, added(textsAt(at)))),
  });
  return {
    // Years and months keep the order of the answer.
    series: [
      ...all.filter((group) => largest.has(group)).map((group) => seriesOf(group.label, valuesOf(group))),
      ...(hasOthers ? [seriesOf(texts.others, (at) => others.flatMap((group) => valuesOf(group)(at)))] : []),
    ],
    places: places.length,
    isTooMuch: !isLine && places.length > mostBars,
    omitted: { withoutDay, series: hasOthers ? 0 : others.length },
  };
};
