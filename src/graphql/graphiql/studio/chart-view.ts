/** A list as a chart, drawn by Chart.js on a canvas in the page's colours. Its figures stand in the table, which is its text. */
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import { type Axes, type ChartKind, figuresOf, isOverTime, suggestAxes } from './axes.ts';
import { choice, element } from './element.ts';
import { type List, textOf } from './unfold.ts';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, LineController, LineElement, PointElement, Tooltip);

/** More bars than these nobody can read. */
const mostPoints = 200;
const barHeight = 28;

interface Point {
  readonly label: string;
  readonly value: number;
  /** The figure as the answer has it. */
  readonly text: string;
}

const pointsOf = (list: List, { x, y, kind }: Axes): readonly Point[] => {
  const [atX, atY] = [list.columns.indexOf(x), list.columns.indexOf(y)];
  const points = list.rows.map((row) => {
    const text = textOf(row[atY] ?? null);
    return { label: textOf(row[atX] ?? null) || '(none)', value: text === '' ? Number.NaN : Number(text), text };
  });
  return (kind === 'line' ? points.toSorted((a, b) => (a.label < b.label ? -1 : Number(a.label > b.label))) : points).slice(0, mostPoints);
};

const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Of days in order, those that are far enough from each other to have their names written. */
const spread = (days: readonly number[]): readonly number[] => {
  const distance = ((days.at(-1) ?? 0) - (days[0] ?? 0)) / 6;
  let last = Number.NEGATIVE_INFINITY;
  return days.filter((day) => {
    if (day - last < distance || day === last) return false;
    last = day;
    return true;
  });
};

/** Days stand as far from each other as they are apart. */
const daysScale = (points: readonly Point[]) => ({
  type: 'linear' as const,
  ticks: {
    callback: (value: number | string) => new Date(Number(value)).toISOString().slice(0, 10),
    color: color('--quiet'),
    maxRotation: 0,
  },
  grid: { color: color('--line') },
  afterBuildTicks: (scale: { ticks: { value: number }[] }) => {
    scale.ticks = spread(points.map(({ label }) => Date.parse(label))).map((value) => ({ value }));
  },
});

const configuration = (list: List, axes: Axes, points: readonly Point[]): ChartConfiguration => {
  const isLine = axes.kind === 'line';
  const isDays = isLine && isOverTime(list, axes.x);
  const figures = { beginAtZero: true, ticks: { color: color('--quiet') }, grid: { color: color('--line') } };
  const names = { ticks: { color: color('--quiet'), autoSkip: isLine }, grid: { display: false } };
  const data = isDays ? points.map(({ label, value }) => ({ x: Date.parse(label), y: value })) : points.map(({ value }) => value);
  return {
    type: axes.kind,
    data: {
      ...(isDays ? {} : { labels: points.map(({ label }) => label) }),
      datasets: [
        {
          label: axes.y,
          data,
          backgroundColor: color('--accent'),
          borderColor: color('--accent'),
          pointRadius: 3,
          maxBarThickness: 24,
        } as never,
      ],
    },
    options: {
      // Names are long: bars lie, so that each stands beside its own.
      indexAxis: isLine ? 'x' : 'y',
      animation: false,
      maintainAspectRatio: false,
      plugins: {
        tooltip: {
          callbacks: {
            title: ([item]) => points[item?.dataIndex ?? 0]?.label ?? '',
            label: ({ dataIndex }) => `${axes.y}: ${points[dataIndex]?.text}`,
          },
        },
      },
      scales: (isLine ? { x: isDays ? daysScale(points) : names, y: figures } : { x: figures, y: names }) as never,
    },
  };
};

let drawn: Chart | undefined;

const draw = (list: List, axes: Axes, place: HTMLElement): void => {
  drawn?.destroy();
  const points = pointsOf(list, axes);
  const text = `${axes.kind === 'line' ? 'Line' : 'Bar'} chart of ${axes.y} by ${axes.x}: ${points.length} values; the table has them as text.`;
  const canvas = element('canvas', { role: 'img', 'aria-label': text });
  const note = list.rows.length > points.length ? `The first ${points.length} of ${list.rows.length} rows.` : '';
  const frame = element('div', { class: 'chart-of-answer' }, canvas);
  frame.style.height = axes.kind === 'line' ? '320px' : `${Math.max(160, points.length * barHeight + 60)}px`;
  place.replaceChildren(element('h2', {}, `${axes.y} by ${axes.x}`), frame, element('p', { class: 'hint' }, note));
  drawn = new Chart(canvas, configuration(list, axes, points));
};

/** Undefined where there is no number to draw. What was chosen is told, so that it lasts from one answer to the next. */
export const chartView = (list: List, chosen: Axes | undefined, choose: (axes: Axes) => void): readonly HTMLElement[] | undefined => {
  const suggested = suggestAxes(list);
  if (!suggested) return undefined;
  const figures = figuresOf(list);
  const isFitting = chosen && list.columns.includes(chosen.x) && figures.includes(chosen.y);
  let axes = isFitting ? chosen : suggested;
  const place = element('div');
  const change = (part: Partial<Axes>): void => {
    axes = { ...axes, ...part };
    choose(axes);
    draw(list, axes, place);
  };
  // The canvas has to be on the page to know its size.
  requestAnimationFrame(() => draw(list, axes, place));
  return [
    element(
      'div',
      { class: 'actions' },
      choice('Across', list.columns, axes.x, (x) => change({ x, kind: isOverTime(list, x) ? 'line' : axes.kind })),
      choice('Up', figures, axes.y, (y) => change({ y })),
      choice('As', ['bar', 'line'], axes.kind, (kind) => change({ kind: kind as ChartKind })),
    ),
    place,
  ];
};
