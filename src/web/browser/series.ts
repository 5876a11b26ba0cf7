/** The values of a chart: one series, or one for each value of a second key. */
import { type Axes, isOverTime, maxSeries } from './axes.ts';
import { sumOf } from './decimals.ts';
import { type List, textOf } from './list.ts';
import { type Language, shownText } from './values.ts';

export interface Point {
  /** The value on the axis: a day as text, or a category. */
  readonly at: string;
  readonly label: string;
  /** Not a number if there is no value. */
  readonly value: number;
  /** The number with the digits of the response. */
  readonly text: string;
}

export interface Series {
  readonly label: string;
  readonly points: readonly Point[];
}

/** More bars are not readable. */
const maxPoints = 200;

export interface ChartData {
  readonly series: readonly Series[];
  /** The number of values on the axis. */
  readonly places: number;
  /** What the chart leaves out, for people. Empty if it is complete. */
  readonly omitted: string;
}

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const isDecimal = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);

/** Several rows of one place and one series are added. */
const added = (texts: readonly string[]): string => (texts.length > 1 && texts.every(isDecimal) ? sumOf(texts) : (texts[0] ?? ''));

export const chartData = (list: List, { x, y, kind, series }: Axes, language: Language): ChartData => {
  const cellAt = (column: string) => {
    const at = list.columns.indexOf(column);
    return (row: List['rows'][number]) => row[at] ?? null;
  };
  const [cellX, cellY] = [cellAt(x), cellAt(y)];
  const cellSeries = series === undefined ? undefined : cellAt(series);
  const label = (text: string) => text || '(none)';
  const point = (row: List['rows'][number], text: string): Point => ({
    at: textOf(cellX(row)),
    label: label(shownText(cellX(row), x, language)),
    value: text === '' ? Number.NaN : Number(text),
    text,
  });
  const isSorted = kind === 'line' && isOverTime(list, x);
  // A row without a day has no place over time.
  const rows = isSorted ? list.rows.filter((row) => cellX(row) !== null) : list.rows;
  const dayless = list.rows.length > rows.length ? `Left out without a day: ${list.rows.length - rows.length}.` : '';
  if (!cellSeries || !series) {
    const points = rows.map((row) => point(row, textOf(cellY(row))));
    const shown = (isSorted ? points.toSorted((a, b) => byText(a.at, b.at)) : points).slice(0, maxPoints);
    const omitted = points.length > shown.length ? `The first ${shown.length} of ${points.length} rows.` : '';
    return { series: [{ label: y, points: shown }], places: shown.length, omitted: [omitted, dayless].filter(Boolean).join(' ') };
  }
  const allPlaces = [...new Map(rows.map((row) => [textOf(cellX(row)), row])).entries()];
  const places = (isSorted ? allPlaces.toSorted(([a], [b]) => byText(a, b)) : allPlaces).slice(0, maxPoints);
  const groups = new Map<string, { label: string; size: number; texts: Map<string, string[]> }>();
  for (const row of rows) {
    const name = textOf(cellSeries(row));
    const group = groups.get(name) ?? { label: label(shownText(cellSeries(row), series, language)), size: 0, texts: new Map() };
    groups.set(name, group);
    const [at, text] = [textOf(cellX(row)), textOf(cellY(row))];
    if (text === '') continue;
    group.size += Math.abs(Number(text));
    group.texts.set(at, [...(group.texts.get(at) ?? []), text]);
  }
  const all = [...groups.values()];
  const largest = new Set(all.toSorted((a, b) => b.size - a.size).slice(0, maxSeries));
  return {
    // Years and months keep the order of the answer.
    series: all
      .filter((group) => largest.has(group))
      .map((group) => ({
        label: group.label,
        points: places.map(([at, row]) => point(row, added(group.texts.get(at) ?? []))),
      })),
    places: places.length,
    omitted: [
      groups.size > largest.size ? `The ${largest.size} largest of ${groups.size} series.` : '',
      allPlaces.length > places.length ? `The first ${places.length} of ${allPlaces.length} values.` : '',
      dayless,
    ]
      .filter(Boolean)
      .join(' '),
  };
};
